package ticks_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/internal/plot/ticks"
)

// texts joins the texts of ticks, with texts of the second line in brackets.
func texts(list []ticks.Tick) string {
	var parts []string
	for _, t := range list {
		text := t.Text
		if t.Day != "" {
			text += "[" + t.Day + "]"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		n         int
		want      string
	}{
		{0, 10, 5, "0 2 4 6 8 10"},
		{-0.3, 0.2, 5, "-0.3 -0.2 -0.1 0.0 0.1 0.2"},
		{273.1, 274.4, 6, "273.25 273.50 273.75 274.00 274.25"},
		{0, 3e-6, 3, "0 1e-6 2e-6 3e-6"},
		{5, 5, 4, "5"},
		{-2e6, 0, 2, "-2e6 -1e6 0"},
	} {
		if got := texts(ticks.Numbers(c.low, c.high, c.n)); got != c.want {
			t.Errorf("%v to %v: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}

func TestLogarithmic(t *testing.T) {
	for _, c := range []struct {
		low, high, apart float64
		want             string
	}{
		{100, 1000, 0.07, "100 150 200 250 300 400 500 700 850 1000"},
		{1, 1000, 0.15, "1 2 3 5 7 10 20 30 50 70 100 200 300 500 700 1000"},
		{1, 1000, 0.9, "1 10 100 1000"},
		{300, 320, 0.07, "300 305 310 315 320"},
	} {
		if got := texts(ticks.Logarithmic(c.low, c.high, c.apart)); got != c.want {
			t.Errorf("%v to %v: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}

func TestTimes(t *testing.T) {
	for _, c := range []struct{ first, last, want string }{
		{"2017-01-01T00:00:00Z", "2017-01-02T12:00:00Z", "00:00[1 Jan 2017] 06:00 12:00 18:00 00:00[2 Jan 2017] 06:00 12:00"},
		{"2017-01-30T00:00:00Z", "2017-02-03T00:00:00Z", "30[Jan 2017] 31 1[Feb 2017] 2 3"},
		{"2017-01-03T00:00:00Z", "2017-02-20T00:00:00Z", "9[Jan 2017] 16 23 30 6[Feb 2017] 13 20"},
		{"2016-11-20T00:00:00Z", "2017-04-20T00:00:00Z", "Dec[2016] Jan[2017] Feb Mar Apr"},
		{"1949-12-31T00:00:00Z", "2020-01-01T00:00:00Z", "1950 1960 1970 1980 1990 2000 2010 2020"},
		{"2017-01-01T06:00:00.5Z", "2017-01-01T06:00:00.6Z", "06:00:00[1 Jan 2017]"},
	} {
		first, err := time.Parse(time.RFC3339, c.first)
		if err != nil {
			t.Fatal(err)
		}
		last, err := time.Parse(time.RFC3339, c.last)
		if err != nil {
			t.Fatal(err)
		}
		if got := texts(ticks.Times(first, last, 8)); got != c.want {
			t.Errorf("%s to %s: %s, want %s", c.first, c.last, got, c.want)
		}
	}
}
