package dataset_test

import (
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// netcdfObject is an object that was a netCDF variable of one dimension.
func netcdfObject(ref int, name, dim string, length uint64, more map[string]any) dataset.Object {
	n := mapping.NetCDF{Dims: []string{dim}, Attributes: map[string]any{"units": "K"}}
	base := map[string]any{mapping.KeyName: name, mapping.KeyNetCDF: n.Map()}
	for key, value := range more {
		base[key] = value
	}
	return dataset.Object{Ref: ref, Where: name, Base: mapping.Read(base), Shape: []uint64{length}, DType: tgm.Float32}
}

func buildNetCDF(t *testing.T, objects ...dataset.Object) []string {
	t.Helper()
	d, err := dataset.Build(func(yield func(dataset.Object, error) bool) {
		for _, o := range objects {
			if !yield(o, nil) {
				return
			}
		}
	}, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, g := range d.Groups {
		for _, v := range g.Variables {
			all = append(all, g.Name+"/"+head(v))
		}
	}
	return all
}

func TestNetCDFKeepsItsNames(t *testing.T) {
	got := buildNetCDF(t, netcdfObject(0, "a", "x", 3, nil), netcdfObject(1, "g/b", "y", 2, nil))
	if want := []string{"/a(x: 3)", "g/b(y: 2)"}; !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
}

// All values of ragged arrays lie along a dimension of another length than the arrays themselves.
func TestDimensionsOfTwoLengthsAreSeparate(t *testing.T) {
	got := buildNetCDF(t, netcdfObject(0, "counts", "x", 4, nil), netcdfObject(1, "ragged", "x", 10, nil))
	if want := []string{"/counts(x: 4)", "/ragged(ragged_x: 10)"}; !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
}

func TestRecordsAreJoined(t *testing.T) {
	record := func(i uint64) map[string]any { return map[string]any{mapping.KeyRecordIndex: i} }
	n := mapping.NetCDF{Dims: []string{"time", "x"}}
	objects := []dataset.Object{netcdfObject(0, "a", "x", 3, record(1)), netcdfObject(1, "a", "x", 3, record(0))}
	for i := range objects {
		base := map[string]any{mapping.KeyName: "a", mapping.KeyNetCDF: n.Map(), mapping.KeyRecordIndex: uint64(1 - i)}
		objects[i].Base = mapping.Read(base)
	}
	if got, want := buildNetCDF(t, objects...), []string{"/a(time: 2, x: 3)"}; !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
}

// A variable that goes with every record as it is shows once.
func TestRepeatedVariablesShowOnce(t *testing.T) {
	var objects []dataset.Object
	for i := range 3 {
		o := netcdfObject(i, "lat", "lat", 3, nil)
		n := mapping.NetCDF{Dims: []string{"lat"}}
		o.Base = mapping.Read(map[string]any{
			mapping.KeyName: "lat", mapping.KeyDims: []any{"lat"}, mapping.KeyNetCDF: n.Map(), mapping.KeyRecordIndex: uint64(i),
		})
		objects = append(objects, o)
	}
	if got, want := buildNetCDF(t, objects...), []string{"/lat(lat: 3)"}; !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
}
