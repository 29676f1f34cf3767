package fromzarr

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/tgmconv/tgmconv/zarr"
)

func TestTimes(t *testing.T) {
	for _, test := range []struct {
		kind    zarr.Kind
		unit    string
		scale   int64
		n, want int64
		units   string // "" for none
	}{
		{zarr.KindTime, "s", 1, 5, 5, "seconds since 1970-01-01"},
		{zarr.KindTime, "ms", 10, 5, 50, "milliseconds since 1970-01-01"},
		{zarr.KindTime, "W", 1, -2, -14, "days since 1970-01-01"},
		{zarr.KindTime, "M", 1, 14, 424, "days since 1970-01-01"}, // 1971-03-01
		{zarr.KindTime, "Y", 1, 30, 10957, "days since 1970-01-01"},
		{zarr.KindTime, "Y", 1, -1, -365, "days since 1970-01-01"},
		{zarr.KindTime, "s", 1, notATime, notATime, "seconds since 1970-01-01"},
		{zarr.KindTime, "D", 1000, math.MaxInt64 / 10, notATime, "days since 1970-01-01"},
		{zarr.KindTime, "Y", 1, math.MaxInt64 / 2, notATime, "days since 1970-01-01"},
		{zarr.KindTimeDelta, "h", 1, 3, 3, "hours"},
		{zarr.KindTimeDelta, "M", 1, 3, 3, ""},
		{zarr.KindTime, "generic", 1, 3, 3, ""},
	} {
		attrs, scale := timesOf(&zarr.Element{Kind: test.kind, Unit: test.unit, Scale: test.scale})
		units := ""
		for _, a := range attrs {
			if a.Name == "units" {
				units = a.Value.(string)
			}
		}
		data := binary.LittleEndian.AppendUint64(nil, uint64(test.n))
		scale.apply(data)
		if got := int64(binary.LittleEndian.Uint64(data)); got != test.want || units != test.units {
			t.Errorf("%d of %d %s: %d %q, expected %d %q", test.n, test.scale, test.unit, got, units, test.want, test.units)
		}
	}
}
