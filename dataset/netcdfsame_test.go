package dataset_test

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// constantOf is a variable without records in a file.
func constantOf(ref int, file, name, kind string, dims []string, shape []uint64, dtype tgm.DType) dataset.Object {
	o := named(name, record(ref, file, 2, ""))
	extra, base := o.Base.Maps()
	base[mapping.KeyNetCDF] = (&mapping.NetCDF{Dims: dims, Type: kind}).Map()
	o.Base, o.Shape, o.DType = mapping.ReadIn(extra, base), shape, dtype
	return o
}

// TestConstants joins files with variables without records. Values that differ are repeated with each record,
// unless they label a dimension.
func TestConstants(t *testing.T) {
	type file struct {
		data  any
		width uint64 // of texts
	}
	for _, test := range []struct {
		name  string
		dims  string
		kind  string
		dtype tgm.DType
		n     uint64 // points
		a, b  file
		want  []int32 // refs; nil for groups
		most  int64   // bytes that are read
	}{
		{"the same", "p", "", tgm.Int64, 2, file{[]int64{1, 2}, 0}, file{[]int64{1, 2}, 0}, []int32{0}, 0},
		{"others", "p", "", tgm.Int64, 2, file{[]int64{1, 2}, 0}, file{[]int64{1, 3}, 0}, []int32{0, 0, 2, 2, 2}, 0},
		{"a scalar", "", "", tgm.Float64, 1, file{[]float64{1}, 0}, file{[]float64{2}, 0}, []int32{0, 0, 2, 2, 2}, 0},
		{"missing", "p", "", tgm.Float64, 2, file{[]float64{1, math.NaN()}, 0}, file{[]float64{1, math.Float64frombits(0x7ff8000000000002)}, 0}, []int32{0}, 0},
		{"missing in one", "p", "", tgm.Float64, 2, file{[]float64{1, math.NaN()}, 0}, file{[]float64{1, 2}, 0}, []int32{0, 0, 2, 2, 2}, 0},
		{"other labels", "c", "", tgm.Float64, 2, file{[]float64{1, 2}, 0}, file{[]float64{1, 3}, 0}, nil, 0},
		{"labels that are near", "c", "", tgm.Float64, 2, file{[]float64{1, 1.1}, 0}, file{[]float64{1.00001, 1.1}, 0}, []int32{0}, 0},
		{"labels that are not near", "c", "", tgm.Float64, 2, file{[]float64{1, 1.1}, 0}, file{[]float64{1.001, 1.1}, 0}, nil, 0},
		{"texts", "p", "string", tgm.Uint8, 2, file{[]byte("ab\x00c\x00\x00"), 3}, file{[]byte("abc\x00"), 2}, []int32{0}, 0},
		{"other texts", "p", "string", tgm.Uint8, 2, file{[]byte("abc\x00"), 2}, file{[]byte("abdc"), 2}, []int32{0, 0, 2, 2, 2}, 0},
		{"unreadable", "p", "", tgm.Int64, 2, file{[]int64{1, 2}, 0}, file{}, []int32{0}, 0},
		{"too large", "p", "", tgm.Int64, 1 << 23, file{[]int64{1, 2}, 0}, file{[]int64{1, 3}, 0}, []int32{0}, 0},
		{"at the bound", "p", "", tgm.Int64, 2, file{[]int64{1, 2}, 0}, file{[]int64{1, 3}, 0}, []int32{0, 0, 2, 2, 2}, 32},
		{"above the bound", "p", "", tgm.Int64, 2, file{[]int64{1, 2}, 0}, file{[]int64{1, 3}, 0}, []int32{0}, 31},
	} {
		files := []file{test.a, test.b}
		var objects []dataset.Object
		for i, f := range files {
			name := string(rune('a'+i)) + ".nc"
			var dims []string
			var shape []uint64
			if test.dims != "" {
				dims, shape = []string{test.dims}, []uint64{test.n}
			}
			if test.kind != "" {
				shape = append(shape, max(1, f.width))
			}
			objects = append(objects, constantOf(2*i, name, "c", test.kind, dims, shape, test.dtype), record(2*i+1, name, uint64(2+i), "K"))
		}
		read := func(ref int) (*tgm.Array, error) {
			f := files[ref/2]
			if f.data == nil || test.n > 2 {
				return nil, errors.New("unreadable")
			}
			data, err := binary.Append(nil, binary.LittleEndian, f.data)
			return &tgm.Array{Shape: objects[ref].Shape, DType: test.dtype, Data: data}, err
		}
		d, err := dataset.Build(dataset.ObjectList(objects), dataset.Options{Read: read, MaxCompared: test.most})
		if err != nil {
			t.Fatal(err)
		}
		v := d.Variable("c")
		if v == nil || test.want == nil {
			if v != nil || test.want != nil || !strings.Contains(d.Report.Apart(), "c has other values in b.nc than in a.nc") {
				t.Errorf("%s: joined is %v, %q", test.name, v != nil, d.Report.Apart())
			}
			continue
		}
		shape, dims := objects[0].Shape, objects[0].Shape
		if len(test.want) > 1 {
			shape = append([]uint64{5}, dims...)
		}
		if !slices.Equal(v.Refs(), test.want) || !slices.Equal(v.Shape, shape) || len(v.Dims) != len(v.Shape) || len(shape) > len(dims) && v.Dims[0] != "time" {
			t.Errorf("%s: objects %v of shape %v, dimensions %v; expected %v of %v", test.name, v.Refs(), v.Shape, v.Dims, test.want, shape)
		}
		for line := range d.Report.Lines() {
			if line.Path == "" && strings.Contains(line.Why, "not compared") != (test.a.data == nil || test.b.data == nil || test.n > 2 || test.most == 31) {
				t.Errorf("%s: %+v", test.name, line)
			}
		}
	}
}

// TestConstantsOfSplitRecords joins records of two files, with a variable that goes with each of
// them and differs between the files.
func TestConstantsOfSplitRecords(t *testing.T) {
	var objects []dataset.Object
	for i := range 4 {
		c := constantOf(2*i, "m.tgm", "c", "", []string{"p"}, []uint64{1}, tgm.Uint8)
		extra, base := c.Base.Maps()
		base[mapping.KeyRecordIndex] = uint64(i % 2)
		c.Base = mapping.ReadIn(extra, base)
		objects = append(objects, inMessage(i, c), inMessage(i, split(record(2*i+1, "m.tgm", 2, "K"), uint64(i%2))))
	}
	read := func(ref int) (*tgm.Array, error) {
		return &tgm.Array{Shape: []uint64{1}, DType: tgm.Uint8, Data: []byte{byte(ref / 4)}}, nil
	}
	d, err := dataset.Build(dataset.ObjectList(objects), dataset.Options{Read: read})
	if err != nil {
		t.Fatal(err)
	}
	c, x := d.Variable("c"), d.Variable("x")
	if c == nil || x == nil || !slices.Equal(c.Refs(), []int32{0, 0, 4, 4}) || !slices.Equal(x.Refs(), []int32{1, 3, 5, 7}) {
		t.Errorf("%+v, %+v; %s", c, x, d.Report.Apart())
	}
}

// TestPlacesOfOneFile: of netCDF files in one file of messages, the reason why they are apart says
// which they are.
func TestPlacesOfOneFile(t *testing.T) {
	first, second := record(0, "all.tgm", 2, "K"), record(1, "all.tgm", 3, "K")
	other := constantOf(2, "all.tgm", "c", "", []string{"x"}, []uint64{2}, tgm.Int64)
	second.Message, other.Message = 1, 1
	d, err := dataset.Build(dataset.ObjectList([]dataset.Object{first, second, other}), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := "c is in all.tgm: message 1, but not in all.tgm: message 0"; !strings.Contains(d.Report.Apart(), want) {
		t.Errorf("%q, expected %q", d.Report.Apart(), want)
	}
}
