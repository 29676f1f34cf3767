package archive

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/internal/nctest"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
	"github.com/tgmconv/tgmconv/tgm"
)

// A packedFile is a file of the variables q(time, x) and s(time). q has two columns, the second one
// more than the first; s is the first.
type packedFile struct {
	numbers       []int
	of            netcdf.Class // of the numbers
	factors       netcdf.Class // of scale and offset
	scale, offset float64      // scale 0: none
	fill          any          // nil: none
}

func (f *packedFile) write(t *testing.T, path string) {
	t.Helper()
	q := &ncwrite.Var{Name: "q", Type: ncwrite.Atomic(f.of), Dims: []string{"time", "x"}}
	if f.fill != nil {
		q.Attrs = append(q.Attrs, netcdf.Attr{Name: "_FillValue", Type: q.Type, Value: f.fill})
	}
	if f.scale != 0 {
		of := ncwrite.Atomic(f.factors)
		q.Attrs = append(q.Attrs, netcdf.Attr{Name: "scale_factor", Type: of, Value: []float64{f.scale}}, netcdf.Attr{Name: "add_offset", Type: of, Value: []float64{f.offset}})
	}
	s := &ncwrite.Var{Name: "s", Type: q.Type, Dims: []string{"time"}, Attrs: q.Attrs}
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "time", Unlimited: true}, {Name: "x", Len: 2}}, Vars: []*ncwrite.Var{q, s}}
	var data, first []byte
	for _, n := range f.numbers {
		first = f.append(first, n)
		data = f.append(f.append(data, n), n+1)
	}
	nctest.Write(t, path, netcdf.NetCDF4, root, func(w *ncwrite.Writer) error {
		n := uint64(len(f.numbers))
		return errors.Join(w.Write(t.Context(), q, []uint64{0, 0}, []uint64{n, 2}, data), w.Write(t.Context(), s, []uint64{0}, []uint64{n}, first))
	})
}

func (f *packedFile) append(data []byte, n int) []byte {
	switch f.of {
	case netcdf.Short:
		return binary.LittleEndian.AppendUint16(data, uint16(n))
	case netcdf.Int:
		return binary.LittleEndian.AppendUint32(data, uint32(n))
	}
	return binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(n)))
}

// TestPackedInSeveralWays reads a variable of two files that is packed in other ways in each of them:
// from the files, and from a Tensogram file, also of single records.
func TestPackedInSeveralWays(t *testing.T) {
	nan := math.NaN()
	fill := []int64{-1}
	tests := []struct {
		name   string
		files  [2]packedFile
		dtype  tgm.DType // "" if the files are no dataset
		values []float64
	}{
		{"factors", [2]packedFile{{[]int{-1, 2}, netcdf.Short, netcdf.Double, 0.5, 10, fill}, {[]int{4, 6}, netcdf.Short, netcdf.Double, 2, 100, fill}},
			tgm.Float64, []float64{nan, 10, 11, 11.5, 108, 110, 112, 114}},
		{"factors of float32, other fill values, unequal records", [2]packedFile{{[]int{-1, 2}, netcdf.Short, netcdf.Float, 0.5, 10, fill}, {[]int{4}, netcdf.Short, netcdf.Float, 2, 100, []int64{5}}},
			tgm.Float32, []float64{nan, 10, 11, 11.5, 108, nan}},
		{"factors of both types", [2]packedFile{{[]int{1}, netcdf.Short, netcdf.Float, 0.5, 10, nil}, {[]int{4}, netcdf.Short, netcdf.Double, 2, 100, nil}},
			tgm.Float64, []float64{10.5, 11, 108, 110}},
		{"packed and not", [2]packedFile{{[]int{1}, netcdf.Short, netcdf.Float, 0.5, 10, nil}, {[]int{0}, netcdf.Float, 0, 0, 0, nil}},
			tgm.Float32, []float64{10.5, 11, 0, 1}},
		{"fill values", [2]packedFile{{[]int{1}, netcdf.Int, 0, 0, 0, fill}, {[]int{6}, netcdf.Int, 0, 0, 0, []int64{7}}},
			tgm.Float64, []float64{1, 2, 6, nan}},
		{"integers", [2]packedFile{{[]int{1}, netcdf.Short, 0, 0, 0, nil}, {[]int{6}, netcdf.Int, 0, 0, 0, nil}}, 0, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			names := []string{filepath.Join(dir, "a.nc"), filepath.Join(dir, "b.nc")}
			var inputs []importers.Input
			for i, name := range names {
				test.files[i].write(t, name)
				inputs = append(inputs, importers.Input{Name: name})
			}
			whole, records := filepath.Join(dir, "whole.tgm"), filepath.Join(dir, "records.tgm")
			for name, split := range map[string]fromnetcdf.Split{whole: fromnetcdf.SplitFile, records: fromnetcdf.SplitRecord} {
				src := fromnetcdf.New(inputs, fromnetcdf.Options{Split: split})
				out, err := os.Create(name)
				if err != nil {
					t.Fatal(err)
				}
				_, err = importers.Convert(t.Context(), src, out, importers.Options{})
				if src.Close(); err != nil {
					t.Fatal(err)
				}
				out.Close()
			}
			for what, inputs := range map[string][]string{"files": names, "whole": {whole}, "records": {records}} {
				a, err := Open(t.Context(), inputs, Options{Index: IndexNone})
				if err != nil {
					t.Fatal(err)
				}
				defer a.Close()
				q := a.Set.Variable("q")
				if test.values == nil {
					if q != nil {
						t.Errorf("%s: one dataset, expected groups", what)
					}
					continue
				}
				if q == nil || q.Type() != test.dtype {
					t.Errorf("%s: %+v, expected a variable of type %v", what, q, test.dtype)
					continue
				}
				for _, attr := range q.Attrs {
					if slices.Contains([]string{"scale_factor", "add_offset", "_FillValue"}, attr.Key) {
						t.Errorf("%s: the values have the attribute %s", what, attr.Key)
					}
				}
				got, _, err := a.Set.Select("q").Floats(t.Context(), a)
				same := func(x, y float64) bool { return x == y || x != x && y != y }
				if err != nil || !slices.EqualFunc(got, test.values, same) {
					t.Errorf("%s: %v, %v; expected %v", what, got, err, test.values)
				}
				var column []float64
				for i := 0; i < len(test.values); i += 2 {
					column = append(column, test.values[i])
				}
				got, _, err = a.Set.Select("s").Floats(t.Context(), a)
				if err != nil || !slices.EqualFunc(got, column, same) {
					t.Errorf("%s: s is %v, %v; expected %v", what, got, err, column)
				}
			}
		})
	}
}
