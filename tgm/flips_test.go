package tgm

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"github.com/tgmconv/tgmconv/internal/cases"
)

// TestEveryBitFlipped demands that no message with one changed bit gives other values or other
// metadata without an error.
func TestEveryBitFlipped(t *testing.T) {
	some := cases.Of(t)
	for name, file := range flipped(t) {
		for reader, content := range map[string]func([]byte) ([]string, error){"file": contentOf, "stream": streamContentOf} {
			want, err := content(file)
			if err != nil {
				t.Fatalf("%s: %s: %v", name, reader, err)
			}
			for i := range 8 * len(file) {
				if !some.Has(i, 6) {
					continue
				}
				b := bytes.Clone(file)
				b[i/8] ^= 1 << (i % 8)
				got, err := content(b)
				if err == nil && !reflect.DeepEqual(got, want) {
					t.Errorf("%s: bit %d of byte %d: read as a %s without an error as\n%.300v\nexpected\n%.300v", name, i%8, i/8, reader, got, want)
				}
			}
		}
	}
}

func flipped(t *testing.T) map[string][]byte {
	out := map[string][]byte{
		"0.20 several objects": fixture(t, "v0.20/multi_object.tgm"),
		"0.17 several objects": fixture(t, "v0.17/multi_object.tgm"),
		"0.19 streamed":        fixture(t, "scan/ten-msg-footer.tgm")[:656],
	}
	packed := mustEncode(t, Float64, sampleData(Float64, 40), Pipeline{Encoding: "simple_packing", Compression: "szip"})
	masked := mustEncode(t, Float32, withHoles(Float32, sampleData(Float32, 40)), Pipeline{Filter: "shuffle", Compression: "zstd", AllowNaN: true, AllowInf: true})
	constant, err := EncodePacked(Packed{Shape: []uint64{3}}, Pipeline{})
	if err != nil {
		t.Fatal(err)
	}
	_, out["ours"] = message(t, WriterOptions{}, packed, masked, constant)
	return out
}

// contentOf is the content of a file that a reader sees: gaps, metadata and values.
func contentOf(b []byte) (content []string, err error) {
	f, err := NewFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	gaps, err := f.Gaps()
	if err != nil || len(gaps) > 0 {
		return nil, fmt.Errorf("gaps %v, %v", gaps, err)
	}
	for m, err := range f.Messages() {
		if err != nil {
			return nil, err
		}
		shared, err := m.SharedMetadata()
		if err != nil {
			return nil, err
		}
		content = append(content, fmt.Sprint(shared))
		for o, err := range m.Objects() {
			if err != nil {
				return nil, err
			}
			a, err := o.Decode(DecodeOptions{})
			if err != nil {
				return nil, err
			}
			content = append(content, fmt.Sprint(o.Base(), a.DType, a.Shape, a.Data))
		}
	}
	return content, nil
}

// streamContentOf is the content of a file that a reader of a stream sees.
func streamContentOf(b []byte) (content []string, err error) {
	s := NewStreamReader(bytes.NewReader(b))
	for o, err := range s.Objects() {
		if err != nil {
			return nil, err
		}
		a, err := o.Decode(DecodeOptions{})
		if err != nil {
			return nil, err
		}
		shared, err := s.Metadata()
		if err != nil {
			return nil, err
		}
		content = append(content, fmt.Sprint(shared, o.Base(), a.DType, a.Shape, a.Data))
	}
	shared, err := s.Metadata()
	if err == nil && s.Skipped() > 0 {
		err = fmt.Errorf("%d bytes belong to no message", s.Skipped())
	}
	return append(content, fmt.Sprint(shared)), err
}
