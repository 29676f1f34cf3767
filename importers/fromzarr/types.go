package fromzarr

import (
	"strconv"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/zarr"
)

// classes are the classes of netCDF that numbers of Zarr have.
var classes = map[zarr.DataType]netcdf.Class{
	zarr.Bool: netcdf.UByte,
	zarr.Int8: netcdf.Byte, zarr.Int16: netcdf.Short, zarr.Int32: netcdf.Int, zarr.Int64: netcdf.Int64,
	zarr.Uint8: netcdf.UByte, zarr.Uint16: netcdf.UShort, zarr.Uint32: netcdf.UInt, zarr.Uint64: netcdf.UInt64,
	zarr.Float16: netcdf.Half, zarr.Float32: netcdf.Float, zarr.Float64: netcdf.Double,
}

// typeOf is the type of elements. Texts of bytes are characters along a further dimension.
func typeOf(e *zarr.Element) *netcdf.Type {
	switch e.Kind {
	case zarr.KindNumber:
		return numberType(e.Number)
	case zarr.KindTime, zarr.KindTimeDelta:
		return netcdf.NewType(netcdf.Int64)
	case zarr.KindBytes:
		return netcdf.NewType(netcdf.Char)
	case zarr.KindChars, zarr.KindText:
		return &netcdf.Type{Class: netcdf.String, Name: netcdf.String.String(), UTF8: true}
	case zarr.KindBlob:
		return &netcdf.Type{Class: netcdf.Vlen, Name: "bytes", Base: netcdf.NewType(netcdf.UByte)}
	case zarr.KindList:
		return &netcdf.Type{Class: netcdf.Vlen, Name: "list_of_" + string(e.Number), Base: numberType(e.Number)}
	case zarr.KindStruct:
		return structType(e)
	}
	return &netcdf.Type{Class: netcdf.Opaque, Name: "raw" + strconv.Itoa(e.Size), Size: e.Size}
}

func numberType(t zarr.DataType) *netcdf.Type {
	switch t {
	case zarr.Complex64:
		return complexType(netcdf.Float)
	case zarr.Complex128:
		return complexType(netcdf.Double)
	}
	return netcdf.NewType(classes[t])
}

// complexType is the compound that h5py and the netCDF library write for complex numbers.
func complexType(part netcdf.Class) *netcdf.Type {
	re, im := netcdf.NewType(part), netcdf.NewType(part)
	return &netcdf.Type{Class: netcdf.Compound, Name: "complex_" + part.String(), Size: 2 * re.Size, Fields: []netcdf.Field{
		{Name: "r", Type: re}, {Name: "i", Offset: re.Size, Type: im},
	}}
}

// structType is the compound that a struct is.
func structType(e *zarr.Element) *netcdf.Type {
	t := &netcdf.Type{Class: netcdf.Compound, Name: "struct", Size: e.Size}
	for _, m := range e.Members {
		inner := typeOf(m.Element)
		switch m.Element.Kind {
		case zarr.KindBytes: // characters side by side
			inner = &netcdf.Type{Class: netcdf.Array, Size: m.Element.Size, Base: inner, Shape: []int{m.Element.Size}}
		case zarr.KindChars:
			inner = &netcdf.Type{Class: netcdf.Opaque, Name: "utf32", Size: m.Element.Size}
		}
		if len(m.Shape) > 0 {
			array := &netcdf.Type{Class: netcdf.Array, Size: inner.Size, Base: inner}
			for _, n := range m.Shape {
				array.Shape = append(array.Shape, int(n))
				array.Size *= int(n)
			}
			inner = array
		}
		t.Fields = append(t.Fields, netcdf.Field{Name: m.Name, Offset: m.Offset, Type: inner})
	}
	return t
}
