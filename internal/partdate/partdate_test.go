package partdate

import (
	"slices"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Date{
		"2020": {2020}, "2020-01": {2020, 1}, "2020-1-2": {2020, 1, 2}, "2020-01-02T06": {2020, 1, 2, 6},
		"2020-01-02 06:30": {2020, 1, 2, 6, 30}, "2020-01-02T06:30:15.25Z": {2020, 1, 2, 6, 30, 15}, "20200102": {2020, 1, 2},
		"2020010206": {2020, 1, 2, 6}, "20200102T0630": {2020, 1, 2, 6, 30}, "-0044-03-15": {-44, 3, 15}, "2020-01-02Z": {2020, 1, 2},
	} {
		if got, err := Parse(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is %v, %v, expected %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "850", "12345", "2020-13", "2020-00", "2020-01-32", "2020-01-02T24", "6h", "20201301", "x"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q is %v, expected an error", text, got)
		}
	}
}

func TestCompare(t *testing.T) {
	noon := [6]int{2020, 1, 2, 12}
	for text, want := range map[string]int{"2020": 0, "2020-01-02": 0, "2020-01-02T12": 0, "2020-01-02T12:00:01": -1, "2020-01-03": -1, "2020-01-01": 1, "2021": -1, "2019-12": 1} {
		d, err := Parse(text)
		if got := d.Compare(noon); err != nil || got != want {
			t.Errorf("noon of 2020-01-02 and %s: %d, expected %d", text, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("2020-01-02T06:30")
	f.Add("2020010206")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(text)
		if err == nil && (len(d) == 0 || len(d) > 6) {
			t.Errorf("%q is %v", text, d)
		}
	})
}
