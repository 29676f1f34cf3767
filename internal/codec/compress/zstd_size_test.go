package compress

import (
	"testing"

	"github.com/klauspost/compress/zstd"
)

// TestZstdContentSize: the header of a frame has the length of its content, however short that is.
// The zstd filter of HDF5 and numcodecs take the room for the content from there.
func TestZstdContentSize(t *testing.T) {
	for _, level := range []int{1, 3, 9, 19} {
		for _, n := range []int{0, 1, 2, 15, 100, 255, 256, 257, 1023, 1024, 1025, 70000} {
			src := make([]byte, n)
			for i := range src {
				src[i] = byte(i * i)
			}
			frame, err := EncodeZstd(nil, src, level)
			if err != nil {
				t.Fatal(err)
			}
			var h zstd.Header
			if err := h.Decode(frame); err != nil {
				t.Fatal(err)
			}
			if !h.HasFCS || h.FrameContentSize != uint64(n) {
				t.Errorf("level %d, %d bytes: the header has size %d (%t)", level, n, h.FrameContentSize, h.HasFCS)
			}
			if back, err := DecodeZstd(nil, frame, n); err != nil || string(back) != string(src) {
				t.Errorf("level %d, %d bytes: %v, %d bytes back", level, n, err, len(back))
			}
		}
	}
}
