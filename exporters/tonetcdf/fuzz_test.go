package tonetcdf_test

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/exporters/tonetcdf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// described are objects with real metadata alone.
type described struct {
	dataset.Fields
	list []dataset.Object
}

func (d described) Object(int) (*tgm.Object, error) { return nil, nil }

// Written implements [dataset.Fields].
func (described) Written(context.Context, int) (array.Array, error) { return nil, nil }

func (d described) Array(_ context.Context, ref int) (array.Array, error) {
	return array.Const(d.list[ref].Shape, d.list[ref].DType, make([]byte, d.list[ref].DType.Size())), nil
}

// FuzzMetadata writes files of any metadata: it must end, and not take memory on their word.
func FuzzMetadata(f *testing.F) {
	f.Add([]byte(`{"message":{"netcdf":{"dims":[{"name":"x","len":3}],"global":{"a":"b"},"layout":{"kind":"netCDF-4",
		"types":[{"name":"/e","class":"enum","base":"byte","size":1,"members":[{"name":"on","value":1}]},
		{"name":"/c","class":"compound","size":16,"fields":[{"name":"x","type":"double","offset":0},{"name":"y","type":"/e","offset":8}]}],
		"attrs":[{"name":"a"},{"name":"r","type":"short","raw":"AAE="}],
		"variables":[{"name":"v","type":"double","dims":["x"],"attrs":[{"name":"units"}],"layout":"chunked","chunks":[2],"filters":[[2,8],[1,4]]},
		{"name":"s","type":"string","dims":["x"]},{"name":"g/w","type":"/c","dims":["x"]}]}}},
		"objects":[{"base":{"name":"v","netcdf":{"units":"K","_dims":["x"]}},"shape":[3]},
		{"base":{"name":"s","netcdf":{"_dims":["x"]}},"shape":[3,4],"dtype":"uint8"},
		{"base":{"name":"g/w/x","netcdf":{}},"shape":[3]},{"base":{"name":"g/w/y","netcdf":{}},"shape":[3],"dtype":"int8"}]}`))
	f.Add([]byte(`{"message":{"netcdf":{"dims":[{"name":"t","len":2,"unlimited":true}],"layout":{"kind":"CDF-1",
		"variables":[{"name":"v","type":"short","dims":["t"]}]}}},
		"objects":[{"base":{"name":"v","record_index":1,"netcdf":{"_missing":{"runs":[1,0]}}},"shape":[],"dtype":"int16"}]}`))
	f.Add([]byte(`{"objects":[{"base":{"name":"2t","mars":{"param":167,"date":20200101,"time":0,"step":6}},"shape":[2,3]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var in struct {
			Message map[string]any
			Objects []struct {
				Base  map[string]any
				Shape []uint64
				DType string
			}
		}
		if json.Unmarshal(data, &in) != nil || len(in.Objects) > 20 {
			return
		}
		var objects described
		for i, o := range in.Objects {
			n := uint64(1)
			for _, length := range o.Shape {
				if n *= length; length > 1000 || n > 1000 {
					return
				}
			}
			dtype, err := tgm.ParseDType(o.DType)
			if err != nil || dtype.Size() == 0 {
				dtype = tgm.Float64
			}
			base := mapping.ReadIn(integers(in.Message).(map[string]any), integers(o.Base).(map[string]any))
			objects.list = append(objects.list, dataset.Object{Ref: i, Where: "object", Base: base, Shape: slices.Clone(o.Shape), DType: dtype})
		}
		p, err := tonetcdf.NewPlan(t.Context(), dataset.ObjectList(objects.list), objects, tonetcdf.Options{TempDir: t.TempDir(), Workers: 1})
		if err != nil {
			return
		}
		for _, file := range p.Files {
			if file.Bytes() < 1<<20 {
				_ = file.Write(t.Context(), io.Discard)
			}
		}
	})
}

// integers makes the whole numbers of JSON integers, as metadata have them.
func integers(v any) any {
	switch v := v.(type) {
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	case []any:
		for i := range v {
			v[i] = integers(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = integers(v[key])
		}
	}
	return v
}
