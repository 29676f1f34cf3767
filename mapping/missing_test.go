package mapping

import (
	"slices"
	"testing"
)

func TestMissingIntegers(t *testing.T) {
	for _, test := range []struct {
		fill any
		want []uint64
	}{
		{nil, nil},
		{int64(-7), []uint64{^uint64(6)}},
		{[]any{int64(1), uint64(1 << 63)}, []uint64{1, 1 << 63}},
		{"9223372036854775808", []uint64{1 << 63}},
		{2.0, []uint64{2}},
		{2.5, nil},
		{"none", nil},
	} {
		e := Read(map[string]any{KeyNetCDF: map[string]any{"_FillValue": test.fill}})
		if got := e.MissingIntegers(); !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, expected %v", test.fill, got, test.want)
		}
	}
}
