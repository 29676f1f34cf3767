package ncwrite

import (
	"encoding/binary"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// Tags of the lists in a classic header.
const (
	tagDimension = 10
	tagVariable  = 11
	tagAttribute = 12
)

// classicEncoder makes the header of a classic file ("NetCDF Classic Format Specification"):
//
//	"CDF", version, number of records, dimensions, attributes, variables
//
// Sizes and counts take four bytes, in CDF-5 eight; file offsets four bytes in CDF-1, else eight.
// All numbers are big-endian.
type classicEncoder struct {
	kind netcdf.Kind
	b    []byte
	err  error
}

func (e *classicEncoder) uint32(n uint32) { e.b = binary.BigEndian.AppendUint32(e.b, n) }
func (e *classicEncoder) uint64(n uint64) { e.b = binary.BigEndian.AppendUint64(e.b, n) }

// count appends a size or a count.
func (e *classicEncoder) count(n uint64) {
	if e.kind == netcdf.CDF5 {
		e.uint64(n)
	} else {
		e.uint32(uint32(n))
	}
}

// list appends the tag and the length of a list; an empty list has no tag.
func (e *classicEncoder) list(tag uint32, n int) {
	if n == 0 {
		tag = 0
	}
	e.uint32(tag)
	e.count(uint64(n))
}

// padded appends bytes and zeros up to a multiple of four.
func (e *classicEncoder) padded(b []byte) {
	e.b = append(e.b, b...)
	e.b = append(e.b, make([]byte, -len(b)&3)...)
}

func (e *classicEncoder) name(s string) {
	e.count(uint64(len(s)))
	e.padded([]byte(s))
}

func (e *classicEncoder) magic() {
	version := map[netcdf.Kind]byte{netcdf.CDF1: 1, netcdf.CDF2: 2, netcdf.CDF5: 5}[e.kind]
	e.b = append(e.b, 'C', 'D', 'F', version)
}

func (e *classicEncoder) dimensions(dims []*dim) {
	e.list(tagDimension, len(dims))
	for _, d := range dims {
		e.name(d.name)
		if d.unlimited {
			e.count(0)
		} else {
			e.count(d.length)
		}
	}
}

func (e *classicEncoder) attributes(list []netcdf.Attr, path string) {
	e.list(tagAttribute, len(list))
	for i := range list {
		a := &list[i]
		data, n, err := attrBytes(a)
		if err != nil && e.err == nil {
			e.err = modelError(path+":"+a.Name, "%w", err)
		}
		e.name(a.Name)
		e.uint32(uint32(a.Type.Class))
		e.count(uint64(n))
		wire.Swap(data, atomicSize(a.Type.Class))
		e.padded(data)
	}
}

// variable appends: name, dimension IDs, attributes, type, bytes, offset.
func (e *classicEncoder) variable(v *variable, bytes uint64, begin int64) {
	e.name(v.Name)
	e.count(uint64(len(v.dims)))
	for _, d := range v.dims {
		e.count(uint64(d.id))
	}
	e.attributes(v.Attrs, v.path)
	e.uint32(uint32(v.Type.Class))
	if e.kind != netcdf.CDF5 && bytes > maxSize32 {
		bytes = 1<<32 - 1
	}
	e.count(bytes)
	if e.kind == netcdf.CDF1 {
		e.uint32(uint32(begin))
	} else {
		e.uint64(uint64(begin))
	}
}

// maxSize32 is the largest size, a multiple of four, that CDF-1 and CDF-2 can say.
const maxSize32 = 1<<32 - 4
