package dataset_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
)

func TestParseSelectors(t *testing.T) {
	list, err := dataset.ParseSelectors([]string{"time=2020-01-02T06:00:2020-01-03, level = 500/850", "lat=40:60"})
	if err != nil || len(list) != 3 || list[0].String() != "time=2020-01-02T06:00:2020-01-03" || list[1].Key != "level" || !slices.Equal(list[1].Items, []string{"500", "850"}) {
		t.Errorf("%v, %v", list, err)
	}
	for _, bad := range []string{"", "level", "=500", "level=", "level=500/", "level=500,850", "level=:"} {
		var wrong *dataset.SelectorError
		if _, err := dataset.ParseSelectors([]string{bad}); !errors.As(err, &wrong) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func FuzzParseSelectors(f *testing.F) {
	f.Add("time=2020-01-02T06:00:2020-01-03,level=500/850")
	f.Add("lat=40:60,lon=-10:20")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := dataset.ParseSelectors([]string{text})
		if err != nil {
			return
		}
		var again []string
		for _, s := range list {
			again = append(again, s.String())
		}
		back, err := dataset.ParseSelectors(again)
		if err != nil || !slices.EqualFunc(list, back, func(a, b dataset.Selector) bool { return a.String() == b.String() }) {
			t.Errorf("%q is %v, and that %v, %v", text, list, back, err)
		}
	})
}
