package fromzarr

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/zarr"
)

// units are the units of times in the words of CF, by NumPy's, with the number of them in one.
var units = map[string]struct {
	name  string
	scale int64
}{
	"W": {"days", 7}, "D": {"days", 1}, "h": {"hours", 1}, "m": {"minutes", 1}, "s": {"seconds", 1},
	"ms": {"milliseconds", 1}, "us": {"microseconds", 1}, "μs": {"microseconds", 1}, "ns": {"nanoseconds", 1},
	"ps": {"picoseconds", 1}, "fs": {"femtoseconds", 1}, "as": {"attoseconds", 1},
}

// Calendar units; CF has none of this length.
const (
	unitYear  = "Y"
	unitMonth = "M"
)

// notATime is the number of a time that there is not.
const notATime = math.MinInt64

// A timeScale turns numbers of a Zarr array of times into numbers of CF units.
type timeScale struct {
	scale  int64
	months int64 // that one of the unit is, of times; else 0
}

// timesOf describes times: the attributes that give the numbers their meaning, and the scale that
// makes the numbers. There are none if the unit is not known, or has no length in CF.
func timesOf(e *zarr.Element) ([]netcdf.Attr, *timeScale) {
	scale := max(1, e.Scale)
	unit, known := units[e.Unit]
	s := &timeScale{scale: scale * unit.scale}
	if e.Kind == zarr.KindTime && (e.Unit == unitYear || e.Unit == unitMonth) {
		unit.name, known, s.scale, s.months = "days", true, 1, scale
		if e.Unit == unitYear {
			s.months *= 12
		}
	}
	switch {
	case !known:
		return nil, &timeScale{scale: 1}
	case e.Kind == zarr.KindTimeDelta:
		return []netcdf.Attr{textAttr(cf.AttrUnits, unit.name), textAttr("dtype", "timedelta64["+e.Unit+"]")}, s
	}
	return []netcdf.Attr{textAttr("calendar", "proleptic_gregorian"), textAttr(cf.AttrUnits, unit.name+" since 1970-01-01")}, s
}

// textAttr is an attribute that is text.
func textAttr(name, value string) netcdf.Attr {
	return netcdf.Attr{Name: name, Type: netcdf.NewType(netcdf.Char), Value: value}
}

// apply makes the numbers, little-endian, in place.
func (s *timeScale) apply(data []byte) {
	if s.scale == 1 && s.months == 0 {
		return
	}
	for ; len(data) >= 8; data = data[8:] {
		n := int64(binary.LittleEndian.Uint64(data))
		if n != notATime {
			binary.LittleEndian.PutUint64(data, uint64(s.number(n)))
		}
	}
}

// number is a time in the unit of CF, or no time if that has no room for it.
func (s *timeScale) number(n int64) int64 {
	if s.months > 0 {
		const most = 1 << 30 // years
		if months := n * s.months; n < most && n > -most {
			const secondsOfDay = 24 * 60 * 60
			return time.Date(1970, time.Month(1+months), 1, 0, 0, 0, 0, time.UTC).Unix() / secondsOfDay
		}
		return notATime
	}
	if n > math.MaxInt64/s.scale || n < -math.MaxInt64/s.scale {
		return notATime
	}
	return n * s.scale
}
