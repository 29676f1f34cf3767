package tgm

import (
	"fmt"
	"testing"
)

func TestTransforms(t *testing.T) {
	for _, c := range []struct {
		d    Descriptor
		want string
	}{
		{Descriptor{Encoding: "none", Filter: "none", Compression: "none"}, "[]"},
		{Descriptor{Encoding: "none", Filter: "none", Compression: "zstd", Params: map[string]any{"zstd_level": int64(7)}}, "[{zstd 0 7}]"},
		{Descriptor{Encoding: "none", Filter: "shuffle", Compression: "zstd", Params: map[string]any{"shuffle_element_size": int64(4)}},
			"[{shuffle 4 0} {zstd 0 3}]"},
		{Descriptor{Encoding: "none", Filter: "shuffle", Compression: "none"}, "error"},
		{Descriptor{Encoding: "simple_packing", Filter: "none", Compression: "szip"}, "error"},
		{Descriptor{Encoding: "none", Filter: "none", Compression: "lz4"}, "error"},
		{Descriptor{Encoding: "none", Filter: "none", Compression: "none", Masks: Masks{NaN: new(MaskInfo)}}, "error"},
		{Descriptor{Encoding: "none", Filter: "none", Compression: "none", DType: Bitmask}, "error"},
		{Descriptor{Encoding: "none", Filter: "none", Compression: "other"}, "error"},
	} {
		list, err := c.d.Transforms()
		got := fmt.Sprint(list)
		if err != nil {
			got = "error"
		}
		if got != c.want {
			t.Errorf("%+v: found %s (%v), expected %s", c.d, got, err, c.want)
		}
	}
}
