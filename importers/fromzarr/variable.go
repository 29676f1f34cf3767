package fromzarr

import (
	"context"
	"errors"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/zarr"
)

// classes are the classes of netCDF that elements of Zarr have.
var classes = map[zarr.DataType]netcdf.Class{
	zarr.Bool: netcdf.UByte,
	zarr.Int8: netcdf.Byte, zarr.Int16: netcdf.Short, zarr.Int32: netcdf.Int, zarr.Int64: netcdf.Int64,
	zarr.Uint8: netcdf.UByte, zarr.Uint16: netcdf.UShort, zarr.Uint32: netcdf.UInt, zarr.Uint64: netcdf.UInt64,
	zarr.Float16: netcdf.Half, zarr.Float32: netcdf.Float, zarr.Float64: netcdf.Double,
}

// typeOf is the type of elements.
func typeOf(t zarr.DataType) *netcdf.Type {
	switch t {
	case zarr.Complex64:
		return complexType(netcdf.Float)
	case zarr.Complex128:
		return complexType(netcdf.Double)
	}
	if class := classes[t]; class != 0 {
		return netcdf.NewType(class)
	}
	return &netcdf.Type{Class: netcdf.Opaque, Name: string(t), Size: t.Size()}
}

// complexType is the compound that h5py and the netCDF library write for complex numbers.
func complexType(part netcdf.Class) *netcdf.Type {
	re, im := netcdf.NewType(part), netcdf.NewType(part)
	return &netcdf.Type{Class: netcdf.Compound, Name: "complex", Size: 2 * re.Size, Fields: []netcdf.Field{
		{Name: "r", Type: re}, {Name: "i", Offset: re.Size, Type: im},
	}}
}

// newVariable makes the variable that an array is, and says which dimensions it has.
func newVariable(name, at string, a *zarr.Array) (*netcdf.Var, []axis) {
	meta := a.Metadata()
	v := &netcdf.Var{Name: name, Path: at, Type: typeOf(meta.DataType)}
	v.Attrs = attributes(meta.Attributes, v.Type)
	v.Storage = storageOf(meta)
	return netcdf.NewVar(v, &elements{a}), axesOf(meta)
}

// axesOf are the dimensions of an array with the names that its document or xarray gives them.
func axesOf(meta *zarr.ArrayMetadata) []axis {
	names := meta.DimensionNames
	if list, ok := meta.Attributes[dimensionsAttr].([]any); names == nil && ok {
		for _, n := range list {
			name, _ := n.(string)
			names = append(names, name)
		}
	}
	axes := make([]axis, len(meta.Shape))
	for i, n := range meta.Shape {
		axes[i].n = n
		if len(names) == len(axes) {
			axes[i].name = names[i]
		}
	}
	return axes
}

// elements reads an array.
type elements struct{ array *zarr.Array }

// Read implements netcdf.Elements.
func (e *elements) Read(ctx context.Context, dst []byte, start, count []uint64) error {
	return e.array.ReadRegion(ctx, dst, start, count)
}

// ReadSequences implements netcdf.Elements.
func (e *elements) ReadSequences(context.Context, []uint64, []uint64) ([][]byte, error) {
	return nil, errors.ErrUnsupported
}
