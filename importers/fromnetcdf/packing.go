package fromnetcdf

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/tgm"
)

// packing is CF's: value = packed·scale + offset.
type packing struct {
	scale, offset float64
	single        bool // in float32
}

func (p *packing) unpack(v float64) float64 {
	// The conversions keep the product from being fused with the sum: two roundings, as netCDF's
	// users compute it.
	if p.single {
		return float64(float32(float32(v)*float32(p.scale)) + float32(p.offset))
	}
	return float64(v*p.scale) + p.offset
}

// size is the bytes of an unpacked value.
func (p *packing) size() int {
	if p.single {
		return 4
	}
	return 8
}

func (p *packing) dtype() tgm.DType {
	if p.single {
		return tgm.Float32
	}
	return tgm.Float64
}

func (p *packing) put(dst []byte, i int, v float64) {
	if p.single {
		binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(float32(p.unpack(v))))
	} else {
		binary.LittleEndian.PutUint64(dst[8*i:], math.Float64bits(p.unpack(v)))
	}
}

// packingOf returns the scale and the offset if the variable has one of them as a number. Values
// are float32 where the factors are and lose nothing by it, as xarray has it: elements of up to two
// bytes, elements of four without an offset, and floating-point ones. Attributes of a compound do
// not apply to the numbers in it.
func packingOf(v *variable) (*packing, string) {
	if v.member {
		return nil, ""
	}
	p := packing{scale: 1, single: v.v.Type.Size <= 4 && v.kind.inner == nil}
	var factors [2]*netcdf.Attr
	for i, name := range []string{cf.AttrScaleFactor, cf.AttrAddOffset} {
		a := findAttr(v.attrs, name)
		if a == nil {
			continue
		}
		n, ok := number(a)
		if !ok {
			return nil, fmt.Sprintf("attribute %s is not one number: the variable is not unpacked", name)
		}
		if factors[i] = a; i == 0 {
			p.scale = n
		} else {
			p.offset = n
		}
		p.single = p.single && a.Type.Class == netcdf.Float
	}
	if factors[0] == nil && factors[1] == nil {
		return nil, ""
	}
	if factors[1] != nil && (factors[0] == nil || v.v.Type.Size == 4 && !v.kind.class.IsFloat()) {
		p.single = false
	}
	return &p, ""
}

func number(a *netcdf.Attr) (float64, bool) {
	switch v := a.Value.(type) {
	case []float64:
		if len(v) == 1 {
			return v[0], true
		}
	case []int64:
		if len(v) == 1 {
			return float64(v[0]), true
		}
	case []uint64:
		if len(v) == 1 {
			return float64(v[0]), true
		}
	}
	return 0, false
}

// unpackAttr returns an attribute of the type of the packed elements in the units of the values.
func (v *values) unpackAttr(a *netcdf.Attr, plain any) any {
	if a.Type.Class != v.v.kind.class {
		return plain // NetCDF Users Guide: of another type, it is in the units of the values already
	}
	unpack := func(x float64) float64 { return v.packed.unpack(x) }
	switch list := a.Value.(type) {
	case []int64:
		return one(collect(list, func(x int64) float64 { return unpack(float64(x)) }))
	case []uint64:
		return one(collect(list, func(x uint64) float64 { return unpack(float64(x)) }))
	case []float64:
		return one(collect(list, unpack))
	}
	return plain
}
