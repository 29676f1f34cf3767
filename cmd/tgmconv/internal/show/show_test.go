package show

import (
	"testing"

	"github.com/tgmconv/tgmconv/mapping"
)

func TestTexts(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.00 kB", 9994: "9.99 kB", 9996: "10.0 kB", 99960: "100 kB",
		999499: "999 kB", 999501: "1.00 MB", 2 << 40: "2.20 TB", 5e15: "5 PB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d bytes: %q, expected %q", n, got, want)
		}
	}
	for v, want := range map[any]string{int64(20260404): "2026-04-04", "20260404": "2026-04-04", "apr": "apr", int64(404): "404"} {
		if got := dateText(v); got != want {
			t.Errorf("date %v: %q, expected %q", v, got, want)
		}
	}
	for v, want := range map[any]string{int64(0): "00:00", int64(1200): "12:00", "0630": "06:30", int64(-1): "-1", "all": "all", nil: ""} {
		if got := clockText(v); got != want {
			t.Errorf("time %v: %q, expected %q", v, got, want)
		}
	}
	for _, test := range []struct {
		s    Row
		want string
	}{
		{Row{Summary: mapping.Summary{Level: int64(0), LevelType: "surface"}}, "surface"},
		{Row{Summary: mapping.Summary{Level: int64(850), LevelType: "isobaricInhPa"}}, "isobaricInhPa 850"},
		{Row{Summary: mapping.Summary{Level: int64(0), LevelType: "heightAboveGround"}}, "heightAboveGround 0"},
		{Row{Summary: mapping.Summary{Level: int64(7)}}, "7"},
		{Row{Summary: mapping.Summary{LevelType: "sfc"}}, "sfc"},
	} {
		if got := levelText(test.s); got != test.want {
			t.Errorf("%+v: %q, expected %q", test.s, got, test.want)
		}
	}
}
