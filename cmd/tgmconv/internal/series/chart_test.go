package series_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/series"
	"github.com/tgmconv/tgmconv/extract"
	"github.com/tgmconv/tgmconv/internal/plot/chart"
)

// yielded yields records.
func yielded(list []extract.Record) series.Records {
	return func(yield func(extract.Record, error) bool) {
		for _, r := range list {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// only are the records for which keep reports true.
func only(list []extract.Record, keep func(r *extract.Record) bool) series.Records {
	var kept []extract.Record
	for i := range list {
		if keep(&list[i]) {
			kept = append(kept, list[i])
		}
	}
	return yielded(kept)
}

// namesOf are the names of the curves of a panel.
func namesOf(p chart.Panel) string {
	var names []string
	for _, c := range p.Curves {
		names = append(names, c.Name)
	}
	return strings.Join(names, "; ")
}

// TestChart makes a chart of an ensemble on two levels: medians with bands.
func TestChart(t *testing.T) {
	all, want := records(t)
	c, err := series.Chart(all)
	if err != nil {
		t.Fatal(err)
	}
	if c.Profile || !c.Shared.Time || len(c.Panels) != 2 || c.Title != "Geopotential, Temperature at 2 points" || c.Subtitle != "median, 25–75 % and 10–90 % of 10 members" {
		t.Fatalf("%+v", c)
	}
	if got := c.Panels[0].Label + ", " + c.Panels[1].Label; got != "Geopotential (m2 s-2), Temperature (K)" {
		t.Error(got)
	}
	const frankfurt, sydney = `500 hPa, =Frankfurt, "Main"; `, "500 hPa, 33°S 150°E; "
	if got := namesOf(c.Panels[0]); !strings.Contains(got, frankfurt) || !strings.Contains(got, sydney) || len(c.Panels[0].Curves) != 4 {
		t.Error(got)
	}
	curve := c.Panels[0].Curves[0]
	var values []float64
	for _, r := range want {
		if r.Name == want[0].Name && r.Point == want[0].Point && r.Level == want[0].Level && r.ValidTime == time.Unix(int64(curve.At[1]), 0).UTC().Format(time.RFC3339) {
			values = append(values, r.Value)
		}
	}
	slices.Sort(values)
	median := (values[4] + values[5]) / 2
	if len(values) != 10 || curve.Values[1] != median || len(curve.Bands) != 2 {
		t.Errorf("%v of %v, want %v", curve.Values, values, median)
	}
	for i, wide := range curve.Bands[0].Low {
		if narrow := curve.Bands[1].Low[i]; wide < values[0]-1e4 || wide > narrow || narrow > curve.Values[i] {
			t.Errorf("the bands begin at %v and %v, and the median is %v", wide, narrow, curve.Values[i])
		}
	}
}

// TestFewMembers draws each of a few members.
func TestFewMembers(t *testing.T) {
	_, all := records(t)
	c, err := series.Chart(only(all, func(r *extract.Record) bool {
		return r.Number.Value < 3 && r.Level.Value == 500 && r.Name == "t" && r.Latitude > 0
	}))
	if err != nil {
		t.Fatal(err)
	}
	if got := namesOf(c.Panels[0]); got != "member 0; member 1; member 2" || c.Panels[0].Curves[0].Bands != nil {
		t.Error(got)
	}
	if want := `Temperature, 500 hPa at =Frankfurt, "Main" (51°N 9°E)`; c.Title != want {
		t.Errorf("%s, want %s", c.Title, want)
	}
}

// TestProfile draws profiles where there is one time.
func TestProfile(t *testing.T) {
	_, all := records(t)
	once := func(r *extract.Record) bool { return r.Name == "t" && r.ValidTime == all[0].ValidTime }
	c, err := series.Chart(only(all, once))
	if err != nil {
		t.Fatal(err)
	}
	curve := c.Panels[0].Curves[0]
	if !c.Profile || !c.Shared.Down || !c.Shared.Logarithmic || c.Shared.Label != "pressure (hPa)" || !slices.Equal(curve.At, []float64{500, 850}) {
		t.Errorf("%+v", c)
	}
	_, err = series.Chart(only(all, func(r *extract.Record) bool { return once(r) && r.Level.Value == 500 }))
	if err == nil || !strings.Contains(err.Error(), "one time and one level make no curve") {
		t.Errorf("one time and one level: %v", err)
	}
	_, err = series.Chart(yielded(append(slices.Clone(all), all...)))
	if err == nil || !strings.Contains(err.Error(), "20 values have the same point, name, level, time and member") {
		t.Errorf("fields twice: %v", err)
	}
	if _, err = series.Chart(yielded(nil)); err == nil {
		t.Error("a chart of nothing")
	}
}
