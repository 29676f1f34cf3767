package dataset_test

import (
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
)

// TestGridsWithoutCoordinates: the report says once for each grid that its points have none, and why.
func TestGridsWithoutCoordinates(t *testing.T) {
	const (
		reason  = "latitude and longitude of t2m are NaN: a grid of type regular_ll of which they cannot be computed: the first and last latitude contradict the scanning mode"
		mixed   = "latitude and longitude of regular_gg_N48/u10 are NaN: a grid of type regular_gg of which they cannot be computed: the number of points is not the number of rows times the number of columns"
		folder  = "../fixtures/grib/"
		minutes = folder + "cfgrib/step_60m.grib"
	)
	for _, test := range []struct {
		files []string
		want  []string
	}{
		{[]string{folder + "sanity.grib2"}, []string{reason}},
		{[]string{minutes}, nil},
		{[]string{minutes, folder + "cfgrib/regular_gg_wrong_increment.grib"}, []string{mixed}},
		{[]string{folder + "cfgrib/spherical_harmonics.grib"}, nil}, // whose values are no points
	} {
		set, _ := open(t, dataset.Options{}, test.files...)
		if got := set.Report.Notes(); !slices.Equal(got, test.want) {
			t.Errorf("%v: notes\n%q, expected\n%q", test.files, got, test.want)
		}
	}
}
