package fromnetcdf

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/tgm"
)

// part is a variable, or one record of it.
type part struct {
	*variable
	axis   int // of the records, -1 when the variable is taken whole
	split  bool
	record uint64
	reader *recordReader // of the records, nil when the variable is taken whole
}

// elementSize is the memory of an element: unpacked ones are floating-point numbers.
func (p *part) elementSize() int {
	size := p.v.Type.Size
	if p.kind.class == 0 {
		return size
	}
	if packing, _ := packingOf(p.variable); packing != nil {
		size = packing.size() * nd.Volume(p.kind.inner)
	}
	return size
}

// memory is about the memory for converting the part: the elements, the output of a compression
// that cannot work in their memory, and a chunk before and after decompression.
func (p *part) memory() int64 {
	n := p.v.Len()
	if p.axis >= 0 {
		n /= max(1, p.v.Dims[p.axis].Len)
	}
	chunk := uint64(p.v.Type.Size)
	for _, c := range p.v.Storage.ChunkShape {
		chunk *= min(c, math.MaxUint32)
	}
	const most = math.MaxInt64 / 8
	size := uint64(p.elementSize())
	if p.form != asNumbers {
		size = loadedSize
	}
	n = min(n, most/max(1, size))
	return int64(2*n*size + 2*min(chunk, most))
}

// smallFile is the size of files up to which variables are compressed that the file does not compress: the
// metadata of objects would make a message larger than the file.
const smallFile = 256 << 10

// loadedSize is the size assumed of a text or a sequence whose length is not known.
const loadedSize = 64

func (f *file) field(ctx context.Context, at *importers.Part, p *part) (*importers.Field, error) {
	slab, shape, dims, err := p.slab()
	if err != nil {
		return nil, err
	}
	attrs, err := f.attributes(p.variable)
	if err != nil {
		return nil, err
	}
	field := &importers.Field{
		Name: p.name(), Group: at.Group, Where: at.Where(), Dims: dims, Shape: shape, DType: p.kind.dtype,
		Attrs: attrs, Message: f.message, Source: f.source.sourceOf(at.Input), Exact: string(f.role(p.variable)),
		Compressed: p.v.Storage.Compressed() || f.Size() <= smallFile, Shorter: true,
	}
	var numbers *values
	var others *loaded
	if p.form == asNumbers {
		if err := f.plausible(p.v, slab, p.elementSize()); err != nil {
			return nil, err
		}
		numbers, field.Notes = newValues(p.variable, slab)
		numbers.source, numbers.at = f.source, at
		numbers.shape = shape
		if f.Size() <= weighedFile && p.v.Storage.Compressed() && !p.split {
			field.StoredBytes = numbers.storedBytes
		}
		if len(p.parts) > 0 && p.kind.dtype.IsComplex() {
			field.Separate = numbers.separate
		}
		field.Values, field.DType = numbers, numbers.dtype()
		field.Compressed = field.Compressed || f.sparse(p.v, slab)
	} else if others, field.Shape, field.Dims, err = p.load(ctx, slab, shape, dims); err != nil {
		return nil, err
	} else {
		others.field, field.Values = field, others
	}
	field.Namespaces = []mapping.Namespace{{Key: mapping.KeyNetCDF, Vocabulary: f.vocabulary(p.variable, numbers, others)}}
	labels := mapping.Labels{Times: f.times.of(ctx, p)}
	if p.split {
		labels.RecordIndex = mapping.Some(p.record)
	}
	field.Extras = labels.Map()
	if f.source.opts.CF {
		field.Namespaces = append(field.Namespaces, mapping.Namespace{Key: mapping.KeyCF, Vocabulary: cfVocabulary(numbers)})
	}
	return field, nil
}

// slab is the region of the variable that is read, and the shape and dimension names that remain.
func (p *part) slab() (s slab, shape []int, dims []string, err error) {
	s.elements = 1
	for i, d := range p.v.Dims {
		start, count := uint64(0), d.Len
		if i == p.axis {
			start, count = p.record, 1
		} else {
			if d.Len > math.MaxInt/64 {
				return s, nil, nil, fmt.Errorf("dimension %s has %d elements, more than memory can address", d.Name, d.Len)
			}
			shape = append(shape, int(d.Len))
			dims = append(dims, text(d.Name))
		}
		s.start, s.count = append(s.start, start), append(s.count, count)
		if count > 0 && s.elements > math.MaxInt/64/int(count) {
			return s, nil, nil, fmt.Errorf("shape %v has more elements than memory can address", p.v.Shape())
		}
		s.elements *= int(count)
	}
	for _, n := range p.kind.inner {
		shape, dims = append(shape, n), append(dims, "")
	}
	switch {
	case charArray(p.v.Type):
		dims[len(dims)-1] = textDim(p.kind.inner[0])
	case len(p.kind.inner) > 0:
		dims = nil // an HDF5 array type's axes have no names
	}
	return s, shape, dims, nil
}

// slab is a range of indices on each axis of a variable.
type slab struct {
	start, count []uint64
	elements     int
}

// kind is the form of an element of a variable in a message.
type kind struct {
	dtype tgm.DType
	class netcdf.Class // of the numbers; 0 for complex and characters, which no attribute of CF packs
	inner []int        // axes of an HDF5 array type, part of each element

	flipped bool // with the other sign than the file has them, because of _Unsigned
}

// elementsOf returns the form of elements of a type, or why they have none.
func elementsOf(t *netcdf.Type, attrs []netcdf.Attr) (kind, error) {
	whole := t
	var inner []int
	for t.Class == netcdf.Array {
		inner, t = append(inner, t.Shape...), t.Base
	}
	if t.Class == netcdf.Enum {
		t = t.Base
	}
	if c := bitfields[t.Size]; t.Class == netcdf.Bitfield && c != 0 {
		return kind{dtype: dtypes[c], class: c, inner: inner}, nil
	}
	switch {
	case t.Class == netcdf.Char:
		return kind{dtype: tgm.Uint8, inner: inner}, nil
	case t.Class == netcdf.Opaque && t.Size > 0:
		return kind{dtype: tgm.Uint8, inner: append(inner, t.Size)}, nil
	case dtypes[t.Class] != tgm.InvalidDType:
		class, flipped := netcdf.MeantClass(t.Class, attrs)
		return kind{dtypes[class], class, inner, flipped}, nil
	case t.Class == netcdf.Compound && inner == nil:
		if d := complexType(t); d != tgm.InvalidDType {
			return kind{dtype: d}, nil
		}
	}
	return kind{}, fmt.Errorf("type %s has no tensor form", whole.Describe())
}

// dtypes are the element types of numbers.
var dtypes = map[netcdf.Class]tgm.DType{
	netcdf.Byte: tgm.Int8, netcdf.Short: tgm.Int16, netcdf.Int: tgm.Int32, netcdf.Int64: tgm.Int64,
	netcdf.UByte: tgm.Uint8, netcdf.UShort: tgm.Uint16, netcdf.UInt: tgm.Uint32, netcdf.UInt64: tgm.Uint64,
	netcdf.Half: tgm.Float16, netcdf.Float: tgm.Float32, netcdf.Double: tgm.Float64,
}

// bitfields are the unsigned integers that HDF5's bit fields are given as, by their bytes.
var bitfields = map[int]netcdf.Class{1: netcdf.UByte, 2: netcdf.UShort, 4: netcdf.UInt, 8: netcdf.UInt64}

// complexType recognises the compound that h5py and others write for complex numbers: two floats
// side by side, named for the real and the imaginary part.
func complexType(t *netcdf.Type) tgm.DType {
	if len(t.Fields) != 2 {
		return tgm.InvalidDType
	}
	re, im := t.Fields[0], t.Fields[1]
	names := strings.ToLower(re.Name + " " + im.Name)
	switch names {
	case "r i", "re im", "real imag", "real imaginary":
	default:
		return tgm.InvalidDType
	}
	size := re.Type.Size
	if re.Type.Class != im.Type.Class || re.Offset != 0 || im.Offset != size || t.Size != 2*size {
		return tgm.InvalidDType
	}
	switch re.Type.Class {
	case netcdf.Float:
		return tgm.Complex64
	case netcdf.Double:
		return tgm.Complex128
	}
	return tgm.InvalidDType
}
