package dataset

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// maxTimes bounds the bytes of a variable of times that are read to join files.
const maxTimes = 2 << 20

// A timeJoin holds, by path, the variables of files that are times in other units than in the first. Their
// bounds, which may have no units, are included.
type timeJoin map[string]*timeVariable

// A timeVariable is a variable of times in several files.
type timeVariable struct {
	units []*cf.TimeUnits // of each file; nil for bounds with the units of their times
	of    *timeVariable   // the times that it bounds, nil for these
	like  *Object         // the variable in the first file

	offsets []cf.Offset // since the reference of the first file, of all records
	kept    bool        // it has no records, and is the same in all files: offsets has one file's
}

// joinedTimes are the values of a variable of times in one unit.
type joinedTimes struct {
	data  []byte
	dtype tgm.DType
	units string // "" for the units of the first file
	plain bool   // the numbers are not packed, and none is missing, other than in the first file
}

// timeAttributes are the attributes that make the numbers of a variable times.
var timeAttributes = []string{cf.AttrUnits, cf.AttrCalendar, cf.AttrScaleFactor, cf.AttrAddOffset, cf.AttrFillValue, cf.AttrMissingValue}

// sameAttributes reports whether a variable has the same attributes of these in two files.
func sameAttributes(first, o *Object, keys []string) bool {
	a, _ := first.Base.NetCDF()
	b, _ := o.Base.NetCDF()
	return !slices.ContainsFunc(keys, func(key string) bool {
		return fmt.Sprint(a.Attributes[key]) != fmt.Sprint(b.Attributes[key]) // NaN equals NaN
	})
}

// unitsOfTime are the units of a variable of times; nil if it is none.
func unitsOfTime(o *Object) *cf.TimeUnits {
	n, ok := o.Base.NetCDF()
	if !ok || !canBeTimes(o) {
		return nil
	}
	units, _ := n.Attributes[cf.AttrUnits].(string)
	calendar, _ := n.Attributes[cf.AttrCalendar].(string)
	u, err := cf.ParseTimeUnits(units, calendar)
	if err != nil {
		return nil
	}
	return u
}

// canBeTimes reports whether a variable has numbers, of one record after the other.
func canBeTimes(o *Object) bool {
	return (o.DType.IsInteger() || o.DType.IsFloat()) && (!o.isRecord() || o.recordAxis() == 0)
}

// add notes that a variable of file i of several is times that differ from the first file. They may differ in
// units, type, or packing. It reports whether they do.
func (t timeJoin) add(path string, first, o *Object, i, files int) bool {
	x, y := unitsOfTime(first), unitsOfTime(o)
	if x == nil || y == nil {
		return false
	}
	if _, ok := y.After(x); !ok {
		return false
	}
	if t[path] == nil {
		v := &timeVariable{units: make([]*cf.TimeUnits, files), like: first}
		for i := range v.units {
			v.units[i] = x // others are as in the first file
		}
		t[path] = v
	}
	t[path].units[i] = y
	return true
}

// addBounds adds the bounds of times, which have the units of these if they have none. It returns the
// path of bounds that cannot be in other units, "" if there are none.
func (t timeJoin) addBounds(first map[string]*Object) string {
	for path, v := range t {
		n, _ := v.like.Base.NetCDF()
		for _, key := range []string{cf.AttrBounds, "climatology"} {
			name, _ := n.Attributes[key].(string)
			bounds := path[:strings.LastIndexByte(path, '/')+1] + name
			o := first[bounds]
			if name == "" || o == nil || t[bounds] != nil {
				continue
			}
			if of, _ := o.Base.NetCDF(); of.Attributes[cf.AttrUnits] != nil {
				continue
			}
			if !canBeTimes(o) {
				return bounds
			}
			t[bounds] = &timeVariable{of: v, like: o}
		}
	}
	return ""
}

// readers bounds the files whose times are read at a time.
const readers = 16

// join reads the times of files and returns them in one unit, by path. Times without records that differ
// among the files are repeated for each record, and noted in the plan. The error says why there is no such
// unit.
func (t timeJoin) join(files []*sourceFile, p *joinPlan, read func(ref int) (*tgm.Array, error)) (map[string]*joinedTimes, error) {
	if read == nil {
		return nil, fmt.Errorf("times are in other units")
	}
	if err := t.check(files); err != nil {
		return nil, err
	}
	parts := make([]map[string][]cf.Offset, len(files))
	var group errgroup.Group
	group.SetLimit(readers)
	var failed atomic.Bool
	for i, f := range files {
		group.Go(func() error {
			if failed.Load() {
				return nil
			}
			var err error
			if parts[i], err = t.readFile(i, f, read); err != nil {
				failed.Store(true)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for _, path := range slices.Sorted(maps.Keys(t)) {
		v := t[path]
		if !v.like.alongRecords() {
			if err := v.repeat(path, files, parts, p); err != nil {
				return nil, err
			}
			continue
		}
		for i := range files {
			v.offsets = append(v.offsets, parts[i][path]...)
		}
	}
	if path := t.ambiguous(); path != "" {
		return nil, fmt.Errorf("%s: times of two calendars that are not all of the years 1678 to 2261", path)
	}
	joined := make(map[string]*joinedTimes)
	for path, v := range t {
		if v.of == nil && !t.encode(path, joined) {
			return nil, fmt.Errorf("%s: the times of the files are not exact in one unit", path)
		}
	}
	return joined, nil
}

// ambiguous returns the path of times whose calendars differ in some dates; "" if there are none.
func (t timeJoin) ambiguous() string {
	for _, path := range slices.Sorted(maps.Keys(t)) {
		v := t[path]
		units := v.units
		if v.of != nil {
			units = v.of.units
		}
		first := units[0]
		mixed := slices.ContainsFunc(units, func(u *cf.TimeUnits) bool { return u.Calendar != first.Calendar })
		if mixed && slices.ContainsFunc(v.offsets, func(o cf.Offset) bool { return !first.Gregorian(o) }) {
			return path
		}
	}
	return ""
}

// check reports times that are too many, and records of them that are missing.
func (t timeJoin) check(files []*sourceFile) error {
	size := make(map[string]uint64)
	for _, f := range files {
		records, last, seen := make(map[string]uint64), make(map[string]uint64), make(map[string]bool)
		for j := range f.objects {
			o := &f.objects[j]
			path := o.Base.Name(nil)
			if t[path] == nil || !o.alongRecords() && seen[path] {
				continue
			}
			seen[path] = true
			bytes := rowBytes(append([]uint64{0}, o.Shape...), o.DType)
			if bytes > maxTimes || size[path]+bytes > maxTimes {
				return fmt.Errorf("%s: more than %d bytes of times in other units", path, maxTimes)
			}
			size[path] += bytes
			if n, ok := o.recordIndex(); ok && o.isRecord() {
				records[path]++
				last[path] = max(last[path], n+1)
			}
		}
		for path, n := range records {
			if n != last[path] {
				return fmt.Errorf("%s: %d of %d records of times in other units", path, n, last[path])
			}
		}
	}
	return nil
}

// readFile returns the times of a file since the reference of the first file, by path.
func (t timeJoin) readFile(i int, f *sourceFile, read func(ref int) (*tgm.Array, error)) (map[string][]cf.Offset, error) {
	objects := make(map[string][]*Object)
	for j := range f.objects {
		o := &f.objects[j]
		if path := o.Base.Name(nil); t[path] != nil && (o.alongRecords() || objects[path] == nil) {
			objects[path] = append(objects[path], o)
		}
	}
	times := make(map[string][]cf.Offset)
	for path, list := range objects {
		slices.SortStableFunc(list, func(a, b *Object) int {
			x, _ := a.recordIndex()
			y, _ := b.recordIndex()
			return int(x) - int(y)
		})
		v := t[path]
		if v.of != nil {
			v = v.of
		}
		after, _ := v.units[i].After(v.units[0]) // add has seen that it is one
		var offsets []cf.Offset
		for _, o := range list {
			a, err := read(o.Ref)
			if err == nil && (a.DType != o.DType || uint64(len(a.Data)) != rowBytes(append([]uint64{0}, o.Shape...), o.DType)) {
				err = fmt.Errorf("%s: %d bytes of type %s, expected shape %v of type %s", path, len(a.Data), a.DType, o.Shape, o.DType)
			}
			if err != nil {
				return nil, err
			}
			of, ok := decodeTimes(o, a, v.units[i])
			if !ok {
				return nil, fmt.Errorf("%s: %s: times that are missing, or not exact", f.place, path)
			}
			offsets = append(offsets, of...)
		}
		for _, o := range offsets {
			times[path] = append(times[path], o.Add(after))
		}
	}
	return times, nil
}

// decodeTimes returns elements of a variable as times since the reference of their units. It reports
// false if one is missing or not exact.
func decodeTimes(o *Object, a *tgm.Array, units *cf.TimeUnits) ([]cf.Offset, bool) {
	number, size := a.DType.Number(), a.DType.Size()
	scaling, packed := o.Base.Scaling(o.DType)
	missing := missingNumbers(o)
	var floats []float64
	var ints []int64
	for data := a.Data; len(data) >= size; data = data[size:] {
		v := number(data)
		if slices.Contains(missing, v) || math.IsNaN(v) {
			return nil, false
		}
		switch {
		case packed:
			value, ok := scaling.Value(v)
			// Clients unpack in other ways, which give the same only if nothing is rounded.
			p := v * scaling.Scale
			if !ok || math.FMA(v, scaling.Scale, -p) != 0 || p+scaling.Offset != value || value-scaling.Offset != p || value-p != scaling.Offset {
				return nil, false
			}
			floats = append(floats, value)
		case a.DType.IsFloat():
			floats = append(floats, v)
		default:
			const exact = 1 << 53
			n := int64(v)
			if a.DType == tgm.Int64 {
				n = int64(binary.LittleEndian.Uint64(data))
			} else if math.Abs(v) >= exact {
				return nil, false
			}
			ints = append(ints, n)
		}
	}
	if floats != nil {
		return units.Offsets(floats)
	}
	return units.OffsetsOf(ints)
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

// finerUnits are the units for times that the units of the first file cannot express.
var finerUnits = []string{"days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"}

// encode gives times, and their bounds, in the units of the first file as numbers of the same type.
// If that is impossible, they are integers in the longest units that can express them. It reports
// whether there are such units. Kept times are left out if they have the units of the first file.
func (t timeJoin) encode(path string, joined map[string]*joinedTimes) bool {
	group := map[string]*timeVariable{path: t[path]}
	for bounds, v := range t {
		if v.of == t[path] {
			group[bounds] = v
		}
	}
	all := func(number func(v *timeVariable) *joinedTimes, kept bool) bool {
		for path, v := range group {
			if v.kept && kept {
				continue
			}
			if joined[path] = number(v); joined[path] == nil {
				return false
			}
		}
		return true
	}
	units := t[path].units[0]
	if all(func(v *timeVariable) *joinedTimes { return v.asFirst(units) }, true) {
		return true
	}
	n, _ := t[path].like.Base.NetCDF()
	text, _ := n.Attributes[cf.AttrUnits].(string)
	calendar, _ := n.Attributes[cf.AttrCalendar].(string)
	words := strings.Fields(text)
	for _, unit := range finerUnits {
		text := unit + " since " + strings.Join(words[2:], " ")
		units, err := cf.ParseTimeUnits(text, calendar)
		if err == nil && all(func(v *timeVariable) *joinedTimes { return v.asInt64(units, text) }, false) {
			return true
		}
	}
	return false
}

// asFirst are the times in the units and the type of the first file; nil if they are not exact.
func (v *timeVariable) asFirst(units *cf.TimeUnits) *joinedTimes {
	if _, packed := v.like.Base.Scaling(v.like.DType); packed {
		return nil
	}
	j := &joinedTimes{dtype: v.like.DType}
	missing := missingNumbers(v.like)
	for _, o := range v.offsets {
		i, isInt := units.Int(o)
		f, isFloat := units.Float(o)
		ok := false
		switch j.dtype {
		case tgm.Int32:
			ok = isInt && int64(int32(i)) == i
			j.data = binary.LittleEndian.AppendUint32(j.data, uint32(int32(i)))
			f = float64(i)
		case tgm.Int64:
			ok = isInt
			j.data = binary.LittleEndian.AppendUint64(j.data, uint64(i))
			f = float64(i)
		case tgm.Float32:
			ok = isFloat && float64(float32(f)) == f
			j.data = binary.LittleEndian.AppendUint32(j.data, math.Float32bits(float32(f)))
		case tgm.Float64:
			ok = isFloat
			j.data = binary.LittleEndian.AppendUint64(j.data, math.Float64bits(f))
		}
		if !ok || slices.Contains(missing, f) {
			return nil
		}
	}
	return j
}

// asInt64 are the times as integers; nil if they have fractions in these units.
func (v *timeVariable) asInt64(units *cf.TimeUnits, text string) *joinedTimes {
	j := &joinedTimes{dtype: tgm.Int64, plain: true}
	if v.of == nil {
		j.units = text
	}
	for _, o := range v.offsets {
		i, ok := units.Int(o)
		if !ok {
			return nil
		}
		j.data = binary.LittleEndian.AppendUint64(j.data, uint64(i))
	}
	return j
}

// setTimes makes a variable one of these times.
func (v *Variable) setTimes(t *joinedTimes) {
	v.refs, v.short, v.Chunk, v.DType = nil, false, array.WholeBlock(v.Shape), t.dtype
	v.data = func() ([]byte, error) { return t.data, nil }
	if !t.plain {
		return
	}
	v.scaling, v.Unpack, v.packing = nil, nil, nil
	v.Attrs = slices.DeleteFunc(slices.Clone(v.Attrs), func(a Attribute) bool { return slices.Contains(mapping.PackingAttributes(), a.Key) })
	for i := range v.Attrs {
		if v.Attrs[i].Key == cf.AttrUnits && t.units != "" {
			v.Attrs[i].Value = t.units
		}
	}
}
