package compare_test

import (
	"maps"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/compare"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
)

func TestParseKey(t *testing.T) {
	for text, want := range map[string]compare.Key{
		"level":   {Key: fields.Key{Name: "level"}},
		"level:d": {Key: fields.Key{Name: "level", Type: fields.Real}},
		"mars:n":  {Key: fields.Key{Name: "mars"}, Namespace: true},
	} {
		if got := compare.ParseKey(text); got != want {
			t.Errorf("%q: found %+v, expected %+v", text, got, want)
		}
	}
}

func TestParseRelative(t *testing.T) {
	got, err := compare.ParseRelative([]string{"values=0.01", "all=0"})
	if want := map[string]float64{"values": 0.01, "all": 0}; err != nil || !maps.Equal(got, want) {
		t.Errorf("found %v, %v, expected %v", got, err, want)
	}
	for _, bad := range []string{"values", "values=", "values=-1", "values=NaN", "values=x"} {
		if got, err := compare.ParseRelative([]string{bad}); err == nil {
			t.Errorf("%q: found %v, expected an error", bad, got)
		}
	}
}
