package export_test

import (
	"math"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/export"
	"github.com/tgmconv/tgmconv/tgm"
)

func TestParsePosition(t *testing.T) {
	for text, want := range map[string][]uint64{"7": {7}, "10, 20": {10, 20}, "0,0,0": {0, 0, 0}} {
		if got, err := export.ParsePosition(text); !slices.Equal(got, want) || err != nil {
			t.Errorf("%q: found %v, %v, expected %v", text, got, err, want)
		}
	}
	for _, bad := range []string{"", "-1", "1,", "a", "1.5", "9223372036854775808"} {
		if got, err := export.ParsePosition(bad); err == nil {
			t.Errorf("%q: found %v, expected an error", bad, got)
		}
	}
}

func TestParseSlices(t *testing.T) {
	const end = math.MaxUint64
	for text, want := range map[string][]tgm.Slice{
		"":         nil,
		"5":        {{Start: 5, Stop: 6, Step: 1}},
		":":        {{Stop: end, Step: 1}},
		"0:10:2,5": {{Stop: 10, Step: 2}, {Start: 5, Stop: 6, Step: 1}},
		"3:, ::4":  {{Start: 3, Stop: end, Step: 1}, {Stop: end, Step: 4}},
	} {
		if got, err := export.ParseSlices(text); !slices.Equal(got, want) || err != nil {
			t.Errorf("%q: found %v, %v, expected %v", text, got, err, want)
		}
	}
	for _, bad := range []string{",", "1,", "1:2:3:4", "a", "-1", "5:5", "5:4", "::0"} {
		if got, err := export.ParseSlices(bad); err == nil {
			t.Errorf("%q: found %v, expected an error", bad, got)
		}
	}
}
