package dataset_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// rows is a variable x(time, point) in a file.
func rows(ref int, file string, n, points uint64) dataset.Object {
	o := record(ref, file, n, "K")
	extra, base := o.Base.Maps()
	base[mapping.KeyNetCDF] = (&mapping.NetCDF{Dims: []string{"time", "point"}}).Map()
	o.Base = mapping.ReadIn(extra, base)
	o.Shape = []uint64{n, points}
	o.DType = tgm.Float64
	return o
}

// TestParts divides the records of files of unequal lengths into chunks of one length.
func TestParts(t *testing.T) {
	const small, middle, large = 1, 1 << 17, 1 << 20 // points: 8 B, 1 MiB and 8 MiB a record
	for _, test := range []struct {
		name    string
		lengths []uint64
		points  uint64
		chunk   uint64
		short   bool
		want    [][]dataset.Part // nil for the object of the first part alone
	}{
		{"one chunk", []uint64{3, 1, 2}, small, 6, false, [][]dataset.Part{{{Ref: 0, Rows: 3}, {Ref: 1, Rows: 1}, {Ref: 2, Rows: 2}}}},
		{"as the longest", []uint64{2, 4, 1}, middle, 4, true, [][]dataset.Part{{{Ref: 0, Rows: 2}, {Ref: 1, Rows: 2}}, {{Ref: 1, First: 2, Rows: 2}, {Ref: 2, Rows: 1}}}},
		{"an object of its own", []uint64{3, 1, 2, 3}, middle, 3, false, [][]dataset.Part{nil, {{Ref: 1, Rows: 1}, {Ref: 2, Rows: 2}}, nil}},
		{"large", []uint64{2, 17}, large, 2, true, [][]dataset.Part{
			nil, {{Ref: 1, Rows: 2}}, {{Ref: 1, First: 2, Rows: 2}}, {{Ref: 1, First: 4, Rows: 2}}, {{Ref: 1, First: 6, Rows: 2}},
			{{Ref: 1, First: 8, Rows: 2}}, {{Ref: 1, First: 10, Rows: 2}}, {{Ref: 1, First: 12, Rows: 2}}, {{Ref: 1, First: 14, Rows: 2}}, {{Ref: 1, First: 16, Rows: 1}},
		}},
	} {
		var objects []dataset.Object
		for i, n := range test.lengths {
			objects = append(objects, rows(i, string(rune('a'+i))+".nc", n, test.points))
		}
		d, err := dataset.Build(dataset.ObjectList(objects), dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		x := d.Variable("x")
		if x == nil || !slices.Equal(x.Chunk, []uint64{test.chunk, test.points}) || x.Short() != test.short {
			t.Errorf("%s: %+v, expected chunks of %d records", test.name, x, test.chunk)
			continue
		}
		var got [][]dataset.Part
		for _, ref := range x.Refs() {
			got = append(got, d.Parts(int(ref)))
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, expected %v", test.name, got, test.want)
		}
		if first := x.Refs()[0]; test.want[0] == nil && first != 0 {
			t.Errorf("%s: the first chunk is %d, expected object 0", test.name, first)
		}
	}
}

// The claims of a damaged file do not take memory for chunks.
func TestPartsAreFew(t *testing.T) {
	objects := []dataset.Object{rows(0, "a.nc", 1<<50, 1), rows(1, "b.nc", 1, 1)}
	d, err := dataset.Build(dataset.ObjectList(objects), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if x := d.Variable("x"); x == nil || len(x.Refs()) > 1<<16 {
		t.Errorf("%v, expected at most %d chunks", d.Groups, 1<<16)
	}
}

// textsOf is a variable of texts x(time) in a file, of type "string" or "char".
func textsOf(ref int, file, kind string, n, width uint64) dataset.Object {
	o := record(ref, file, n, "")
	extra, base := o.Base.Maps()
	dims := []string{"time"}
	if kind == "char" {
		dims = append(dims, fmt.Sprint("string", width))
	}
	base[mapping.KeyNetCDF] = (&mapping.NetCDF{Dims: dims, Type: kind}).Map()
	o.Base = mapping.ReadIn(extra, base)
	o.Shape = []uint64{n, width}
	o.DType = tgm.Uint8
	return o
}

// A character in each record is no text of the length of the file.
func TestCharacterOfEachRecord(t *testing.T) {
	for _, lengths := range [][]uint64{{3, 2}, {2, 3, 1}} {
		var objects []dataset.Object
		total := uint64(0)
		for i, n := range lengths {
			o := record(i, string(rune('a'+i))+".nc", n, "")
			extra, base := o.Base.Maps()
			base[mapping.KeyNetCDF] = (&mapping.NetCDF{Dims: []string{"time"}, Type: "char"}).Map()
			o.Base, o.DType = mapping.ReadIn(extra, base), tgm.Uint8
			objects = append(objects, o)
			total += n
		}
		d, err := dataset.Build(dataset.ObjectList(objects), dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if x := d.Variable("x"); x == nil || !slices.Equal(x.Shape, []uint64{total}) || d.Parts(int(x.Refs()[0])) != nil && d.Parts(int(x.Refs()[0]))[0].Width != 0 {
			t.Errorf("%v: %+v, %s", lengths, x, d.Report.Apart())
		}
	}
}

// TestTextsOfOtherLengths joins texts whose longest has another length in each file: they are as
// long as the longest of all.
func TestTextsOfOtherLengths(t *testing.T) {
	records := func(lengths ...uint64) (objects []dataset.Object) {
		for i, n := range lengths {
			o := textsOf(i, "a.nc", "string", 1, n)
			extra, base := o.Base.Maps()
			base[mapping.KeyRecordIndex], base[mapping.KeyDims] = uint64(i), []string{"string"}
			o.Base, o.Shape = mapping.ReadIn(extra, base), []uint64{n}
			objects = append(objects, o)
		}
		return objects
	}
	for _, test := range []struct {
		name    string
		objects []dataset.Object
		shape   []uint64         // nil for groups
		want    [][]dataset.Part // nil for object i alone
	}{
		{"strings", []dataset.Object{textsOf(0, "a.nc", "string", 2, 5), textsOf(1, "b.nc", "string", 2, 8)}, []uint64{4, 8}, [][]dataset.Part{{{Ref: 0, Rows: 2, Width: 8}}, nil}},
		{"characters, the last shorter", []dataset.Object{textsOf(0, "a.nc", "char", 2, 5), textsOf(1, "b.nc", "char", 1, 3)}, []uint64{3, 5}, [][]dataset.Part{nil, {{Ref: 1, Rows: 1, Width: 5}}}},
		{"unequal numbers", []dataset.Object{textsOf(0, "a.nc", "char", 2, 5), textsOf(1, "b.nc", "char", 3, 3)}, []uint64{5, 5}, [][]dataset.Part{{{Ref: 0, Rows: 2, Width: 5}, {Ref: 1, Rows: 3, Width: 5}}}},
		{"records", records(3, 5, 4), []uint64{3, 5}, [][]dataset.Part{{{Ref: 0, Rows: 3, Width: 5}}, nil, {{Ref: 2, Rows: 4, Width: 5}}}},
		{"too large", []dataset.Object{textsOf(0, "a.nc", "char", 1<<20, 5), textsOf(1, "b.nc", "char", 2, 1<<40)}, nil, nil},
		{"numbers", []dataset.Object{textsOf(0, "a.nc", "ubyte", 2, 5), textsOf(1, "b.nc", "ubyte", 2, 8)}, nil, nil},
	} {
		d, err := dataset.Build(dataset.ObjectList(test.objects), dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		x := d.Variable("x")
		if x == nil || test.shape == nil {
			if x != nil || test.shape != nil {
				t.Errorf("%s: %v, expected shape %v", test.name, d.Groups, test.shape)
			}
			continue
		}
		var got [][]dataset.Part
		for i, ref := range x.Refs() {
			got = append(got, d.Parts(int(ref)))
			if got[i] == nil && int(ref) != i {
				t.Errorf("%s: chunk %d is object %d", test.name, i, ref)
			}
		}
		if !slices.Equal(x.Shape, test.shape) || x.Chunk[1] != test.shape[1] || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: shape %v, %v; expected %v, %v", test.name, x.Shape, got, test.shape, test.want)
		}
	}
}
