package dataset

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/internal/nameset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// following returns the objects of files that are parts of one dataset. Each object has the number
// of its file, and records are counted through all of them.
func following(files []*sourceFile) []Object {
	var all []Object
	before := uint64(0)
	for i, f := range files {
		records := uint64(0)
		for _, o := range f.objects {
			if n, ok := o.recordIndex(); ok {
				records = max(records, n+1)
				o.record = mapping.Some(before + n)
			}
			o.part = i
			all = append(all, o)
		}
		before += records
	}
	return all
}

// joinable returns why files do not form one dataset, as xarray.open_mfdataset forms it. Variables
// with the unlimited dimension follow one another along it in the order of the files; others are
// repeated with the records of each file, or are the same in all of them. Files without records, or
// times that follow one another, form no dataset: nothing names the dimension along which to join
// them. Times in other units than in the first file are read, and so are variables without records,
// as far as they are small. Numbers with records that are packed in other ways than in the first file
// are values.
func joinable(files []*sourceFile, opts *Options) (*joinPlan, error) {
	if !slices.ContainsFunc(files[0].objects, func(o Object) bool { return o.alongRecords() }) {
		return nil, notAlong(files[0])
	}
	times, unpack := make(timeJoin), make(map[string]bool)
	first, alike := make(map[string]*Object), sameRecords(files[0].objects, len(files))
	for i, f := range files {
		names, rule := make(map[string]bool), same
		switch {
		case alike && sameRecords(f.objects, len(files)):
			rule = more
		case i == len(files)-1:
			rule = fewer
		}
		for j := range f.objects {
			o := &f.objects[j]
			name := o.Base.Name(nil)
			names[name] = true
			before := first[name]
			switch {
			case before == nil && i > 0:
				return nil, fmt.Errorf("%s is in %s, but not in %s", name, f.place, files[0].place)
			case before == nil:
				first[name] = o
			case !follows(before, o, rule):
				return nil, fmt.Errorf("%s has other dimensions, or another type, in %s than in %s", name, f.place, files[0].place)
			case before.DType == o.DType && sameAttributes(before, o, timeAttributes):
			case times.add(name, before, o, i, len(files)):
			case sameMeaning(before, o):
				unpack[name] = true
			default:
				return nil, fmt.Errorf("%s has other units, or another type, in %s than in %s", name, f.place, files[0].place)
			}
		}
		for name := range first {
			if !names[name] {
				return nil, fmt.Errorf("%s is in %s, but not in %s", name, files[0].place, f.place)
			}
		}
	}
	plan := &joinPlan{unpack: unpack}
	plan.countRecords(files)
	if bounds := times.addBounds(first); bounds != "" {
		return nil, fmt.Errorf("%s are bounds of times in other units", bounds)
	}
	if err := plan.compare(files, times, opts); err != nil || len(times) == 0 {
		return plan, err
	}
	var err error
	plan.times, err = times.join(files, plan, opts.Read)
	return plan, err
}

// A recordRule says how many records of a variable a file may have.
type recordRule int

const (
	same  recordRule = iota // as the first file
	fewer                   // or fewer
	more                    // any number
)

// sameRecords reports whether the variables with records are known to have equally many, along one dimension.
// It looks at one of n files; other files may then have another number.
func sameRecords(objects []Object, n int) bool {
	var first *Object
	for i := range objects {
		o := &objects[i]
		if o.isRecord() || !o.along {
			continue
		}
		if first == nil {
			first = o
		}
		a, _ := first.Base.NetCDF()
		b, _ := o.Base.NetCDF()
		row := rowBytes(o.Shape, o.DType)
		if a.Dims[0] != b.Dims[0] || first.Shape[0] != o.Shape[0] || o.Shape[0] == 0 || o.DType.Size() == 0 || o.DType == tgm.Bitmask ||
			o.Shape[0] > math.MaxInt64/row/uint64(n) {
			return false
		}
	}
	return true
}

// follows reports whether a variable has the dimensions that it has in the first file, or more
// records.
func follows(first, o *Object, rule recordRule) bool {
	a, _ := first.Base.NetCDF()
	b, _ := o.Base.NetCDF()
	if a == nil || b == nil || !slices.Equal(countedDims(first, a), countedDims(o, b)) || len(first.Shape) != len(o.Shape) {
		return false
	}
	if first.isRecord() != o.isRecord() || first.along != o.along {
		return false
	}
	before, after := first.Shape, o.Shape
	if last := len(before) - 1; isText(first) && isText(o) && before[last] != after[last] {
		if !canWiden(first, after[last]) || !canWiden(o, before[last]) {
			return false
		}
		before, after = before[:last], after[:last]
	}
	if first.isRecord() || !first.along {
		return slices.Equal(before, after)
	}
	if len(before) == 0 {
		return false
	}
	return slices.Equal(before[1:], after[1:]) && (o.Shape[0] == first.Shape[0] || rule == more && o.along ||
		rule == fewer && o.Shape[0] < first.Shape[0] && o.Shape[0] > 0)
}

// groupOfFile names the group of a file that is no part of others.
func groupOfFile(name string, taken *nameset.Set) string {
	base := path.Base(strings.ReplaceAll(name, "\\", "/"))
	if stem := strings.TrimSuffix(base, path.Ext(base)); stem != "" {
		base = stem
	}
	return taken.Next(base)
}

// join makes v the records of several files one after the other. With a width, the last dimension is
// made that long.
func (v *Variable) join(objects []Object, d *Dataset, path string, width uint64) {
	v.Shape[0] = 0
	for _, o := range objects {
		v.Shape[0] += o.Shape[0]
	}
	length := objects[0].Shape[0]
	if last := len(objects) - 1; objects[last].Shape[0] > length || slices.ContainsFunc(objects[:last], func(o Object) bool { return o.Shape[0] != length }) {
		v.joinParts(objects, d, width)
	} else {
		for _, o := range objects {
			v.refs = append(v.refs, d.refOf(&o, width))
			v.short = v.short || o.Shape[0] < v.Chunk[0]
		}
	}
	row := uint64(0)
	for _, o := range objects {
		d.Report.shown(o.Ref, path, int(row/v.Chunk[0]))
		row += o.Shape[0]
	}
}

// joinSequences makes v the values of the sequences of all records one after the other.
func (v *Variable) joinSequences(objects []Object, d *Dataset, path string) {
	var some []Object
	for _, o := range objects {
		if len(o.Shape) > 0 && o.Shape[0] > 0 {
			some = append(some, o)
			continue
		}
		d.Report.shown(o.Ref, path, 0)
	}
	if len(some) == 0 {
		return // v has the shape of the first, which is empty
	}
	v.Shape = slices.Clone(some[0].Shape)
	v.Chunk = array.WholeBlock(v.Shape)
	v.join(some, d, path, 0)
}

// Short reports whether the object of the last chunk may have fewer elements than a chunk.
func (v *Variable) Short() bool { return v.short }

// hideSame notes that a variable of another file is shown.
func hideSame(o, shown *Object, compared bool, report *Report) {
	note := ""
	if !compared {
		note = "; their values were not compared"
	}
	report.hidden(o.Ref, fmt.Sprintf("the variable of the same name of %s is shown%s", report.locate(shown.Ref), note))
}
