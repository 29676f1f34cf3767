package fromnetcdf

import (
	"context"
	"slices"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/netcdf"
)

// isTexts reports whether a variable is a list of texts: of characters it has one more dimension.
func isTexts(v *netcdf.Var) bool {
	return v.Type.Class == netcdf.Char && len(v.Dims) == 2 || v.Type.Class == netcdf.String && len(v.Dims) == 1
}

// Bounds of texts that are read to see whether they are times.
const (
	maxTimeTexts = 1 << 16
	maxTimeText  = 64
)

// textAxis returns texts as a time coordinate: Times(Time, 19) of WRF. If one is no date
// the result is nil.
func textAxis(v *netcdf.Var) *timeAxis {
	n := v.Dims[0].Len
	if v.Err != nil || n == 0 || n > maxTimeTexts || len(v.Dims) == 2 && v.Dims[1].Len > maxTimeText {
		return nil
	}
	dates := readDates(v)
	if dates == nil {
		return nil
	}
	a := &timeAxis{n: n}
	a.dates = func(_ context.Context, i uint64) string { return dates[i] }
	a.bounds = func(context.Context, uint64) [2]string { return [2]string{} }
	a.span = func(context.Context) [2]string { return [2]string{slices.Min(dates), slices.Max(dates)} }
	return a
}

// readDates reads texts as dates, nil if one is none.
func readDates(v *netcdf.Var) []string {
	list, err := v.ReadStrings(context.Background(), nil, nil)
	if err != nil || uint64(len(list)) != v.Dims[0].Len {
		return nil
	}
	dates := make([]string, len(list))
	for i, text := range list {
		date, ok := cf.ParseDate(text)
		if !ok {
			return nil
		}
		dates[i] = date.String()
	}
	return dates
}
