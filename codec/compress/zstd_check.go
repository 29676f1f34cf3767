package compress

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// zstdCheckWindow is the largest window with which CheckZstd decodes. It is that of the default
// level of all encoders.
const zstdCheckWindow = 8 << 20

// CheckZstd returns the error that DecodeZstd returns, without keeping the bytes. Frames that need
// a large window are decoded as a whole.
func CheckZstd(src []byte, want int) error {
	if want/zstdMaxBlock > len(src)/zstdMinBlock {
		return sizeError("zstd", fmt.Sprintf("at most %d", len(src)/zstdMinBlock*zstdMaxBlock), want)
	}
	dec, err := zstd.NewReader(bytes.NewReader(src), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdCheckWindow))
	if err != nil {
		return fmt.Errorf("compress: zstd: %w", err)
	}
	defer dec.Close()
	n, err := io.CopyN(io.Discard, dec, int64(want)+1)
	switch {
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		_, err := DecodeZstd(nil, src, want)
		return err
	case err == nil || n != int64(want):
		if err != nil && err != io.EOF {
			return fmt.Errorf("compress: zstd: %w: %w", ErrCorrupt, err)
		}
		return sizeError("zstd", n, want)
	case err != io.EOF:
		return fmt.Errorf("compress: zstd: %w: %w", ErrCorrupt, err)
	}
	return nil
}
