package tet_test

import (
	"testing"

	"github.com/tgmconv/tgmconv/tet"
)

func TestParseBudget(t *testing.T) {
	for text, want := range map[string]tet.Budget{"": {}, "1000": {Bytes: 1000}, "25%": {Percent: 25}, "0.5%": {Percent: 0.5}} {
		if got, err := tet.ParseBudget(text); got != want || err != nil {
			t.Errorf("%q: found %+v, %v, expected %+v", text, got, err, want)
		}
	}
	for _, bad := range []string{"0", "-1", "0%", "-1%", "%", "1GB", "1.5"} {
		if got, err := tet.ParseBudget(bad); err == nil {
			t.Errorf("%q: found %+v, expected an error", bad, got)
		}
	}
}
