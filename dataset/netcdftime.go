package dataset

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// maxShifted bounds the bytes of a variable of times that are read to join files.
const maxShifted = 2 << 20

// shifts are the variables of files that are times since another date than in the first file, by
// path: what is added to the values of each file.
type shifts map[string][]float64

// unitsAlike reports whether a variable of file i has the units of the first file, or holds times
// that can be given in these.
func (s shifts) unitsAlike(path string, first, o *Object, i, files int) bool {
	a, _ := first.Base.NetCDF()
	b, _ := o.Base.NetCDF()
	if fmt.Sprint(a.Attributes[cf.AttrUnits]) == fmt.Sprint(b.Attributes[cf.AttrUnits]) {
		return true
	}
	to, _ := a.Attributes[cf.AttrUnits].(string)
	from, _ := b.Attributes[cf.AttrUnits].(string)
	calendar, _ := a.Attributes[cf.AttrCalendar].(string) // the same in both
	x, err := cf.ParseTimeUnits(to, calendar)
	if err != nil {
		return false
	}
	y, err := cf.ParseTimeUnits(from, calendar)
	if err != nil {
		return false
	}
	shift, ok := x.Shift(y)
	if !ok || !canShift(first) || !canShift(o) {
		return false
	}
	if s[path] == nil {
		s[path] = make([]float64, files)
	}
	s[path][i] = shift
	return true
}

// canShift reports whether the values of a variable with records are numbers to which others can be
// added.
func canShift(o *Object) bool {
	n, _ := o.Base.NetCDF()
	if o.isRecord() || !hasRecords(o) || n.Packing != nil {
		return false
	}
	if _, packed := o.Base.Scaling(o.DType); packed {
		return false
	}
	return o.DType == tgm.Int32 || o.DType == tgm.Int64 || o.DType == tgm.Float32 || o.DType == tgm.Float64
}

// addBounds adds the bounds of times, which have the units of these if they have none. It reports
// whether that can be.
func (s shifts) addBounds(first map[string]*Object) bool {
	for path, by := range s {
		n, _ := first[path].Base.NetCDF()
		for _, key := range []string{cf.AttrBounds, "climatology"} {
			name, _ := n.Attributes[key].(string)
			bounds := path[:strings.LastIndexByte(path, '/')+1] + name
			o := first[bounds]
			if name == "" || o == nil || s[bounds] != nil {
				continue
			}
			if of, _ := o.Base.NetCDF(); of.Attributes[cf.AttrUnits] != nil {
				continue
			}
			if !canShift(o) {
				return false
			}
			s[bounds] = by
		}
	}
	return true
}

// readers bounds the times that are read at a time.
const readers = 16

// joinedTimes returns the values of the variables of files that are times since other dates, in the
// units of the first file, by path. It reports false if they cannot be read, or not all are exact in
// these units.
func (s shifts) joinedTimes(files []*netcdfFile, read func(ref int) (*tgm.Array, error)) (map[string][]byte, bool) {
	type part struct {
		path   string
		object *Object
		by     float64
		data   []byte
	}
	var parts []*part
	size := make(map[string]uint64)
	for i, f := range files {
		for j := range f.objects {
			o := &f.objects[j]
			path := o.Base.Name(nil)
			if s[path] == nil {
				continue
			}
			row := rowBytes(o.Shape, o.DType)
			if read == nil || o.Shape[0] > maxShifted/row || size[path]+o.Shape[0]*row > maxShifted {
				return nil, false
			}
			size[path] += o.Shape[0] * row
			parts = append(parts, &part{path: path, object: o, by: s[path][i]})
		}
	}
	var group errgroup.Group
	group.SetLimit(readers)
	var failed atomic.Bool
	for _, p := range parts {
		group.Go(func() error {
			if failed.Load() {
				return nil
			}
			a, err := read(p.object.Ref)
			ok := err == nil && a.DType == p.object.DType && uint64(len(a.Data)) == p.object.Shape[0]*rowBytes(p.object.Shape, a.DType)
			if ok {
				p.data, ok = shifted(a, p.by, missingNumbers(p.object))
			}
			if !ok {
				failed.Store(true)
			}
			return nil
		})
	}
	if group.Wait(); failed.Load() {
		return nil, false
	}
	times := make(map[string][]byte)
	for _, p := range parts {
		times[p.path] = append(times[p.path], p.data...)
	}
	return times, true
}

// missingNumbers are the numbers of a variable that stand for missing ones.
func missingNumbers(o *Object) (missing []float64) {
	n, _ := o.Base.NetCDF()
	for _, key := range []string{cf.AttrFillValue, cf.AttrMissingValue} {
		if x, ok := mapping.Float(n.Attributes[key]); ok {
			missing = append(missing, x)
		}
	}
	return missing
}

// shifted returns the elements of an array, to each of which a number is added. It reports false if
// one is missing, or if a sum is not exact.
func shifted(a *tgm.Array, by float64, missing []float64) ([]byte, bool) {
	const exact = 1 << 53
	data := make([]byte, 0, len(a.Data))
	number, size := a.DType.Number(), a.DType.Size()
	for at := 0; at < len(a.Data); at += size {
		v := number(a.Data[at:])
		sum := v + by
		if sum-v != by || sum-by != v || math.Abs(v) >= exact || math.Abs(sum) >= exact {
			return nil, false // or not a number
		}
		for _, m := range missing {
			if v == m || sum == m {
				return nil, false
			}
		}
		ok := true
		switch a.DType {
		case tgm.Int32:
			ok = sum == float64(int32(int64(sum)))
			data = binary.LittleEndian.AppendUint32(data, uint32(int32(int64(sum))))
		case tgm.Int64:
			ok = sum == float64(int64(sum))
			data = binary.LittleEndian.AppendUint64(data, uint64(int64(sum)))
		case tgm.Float32:
			ok = float64(float32(sum)) == sum
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(sum)))
		case tgm.Float64:
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(sum))
		}
		if !ok {
			return nil, false
		}
	}
	return data, true
}
