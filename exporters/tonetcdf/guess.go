package tonetcdf

import (
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/tgm"
)

// classes are the types of variables, by the types of objects. netCDF has no numbers of 16 bits,
// and no bits: their arrays are octets of 0 and 1.
var classes = map[tgm.DType]netcdf.Class{
	tgm.Int8: netcdf.Byte, tgm.Int16: netcdf.Short, tgm.Int32: netcdf.Int, tgm.Int64: netcdf.Int64,
	tgm.Uint8: netcdf.UByte, tgm.Uint16: netcdf.UShort, tgm.Uint32: netcdf.UInt, tgm.Uint64: netcdf.UInt64,
	tgm.Float16: netcdf.Float, tgm.BFloat16: netcdf.Float, tgm.Float32: netcdf.Float, tgm.Float64: netcdf.Double,
	tgm.Bitmask: netcdf.UByte,
}

// guessLayout makes a layout for a file whose declaration no message has: converted by the reference, or by
// an early release.
func (s *source) guessLayout() {
	s.layout = &mapping.NetCDFLayout{Kind: string(netcdf.NetCDF4)}
	file := s.file
	s.file = &mapping.NetCDFFile{}
	if file != nil {
		s.file.Global, s.file.GlobalTypes, s.file.Groups = file.Global, file.GlobalTypes, file.Groups
	}
	dims := make(map[string]uint64)
	for _, name := range s.order {
		s.guessVariable(name, file, dims)
	}
}

// guessVariable declares a variable as its objects have it.
func (s *source) guessVariable(name string, file *mapping.NetCDFFile, dims map[string]uint64) {
	first := &s.objects[name][0]
	n, _ := first.Base.NetCDF()
	class := classes[first.DType]
	if text, _ := n.Packing[mapping.PackingDType].(string); text != "" {
		class, _ = classOf(text)
	} else if n.Type == netcdf.Char.String() {
		class = netcdf.Char
	}
	shape := slices.Clone(first.Shape)
	if len(n.Dims) == len(shape)+1 { // a record has lost the first
		if _, isRecord := first.Base.RecordIndex(); isRecord {
			shape = slices.Insert(shape, 0, records(s.objects[name]))
		}
	}
	l := mapping.LayoutVariable{Name: name, Type: class.String()}
	for i, length := range shape {
		dim := fmt.Sprintf("dim_%d", length)
		if len(n.Dims) == len(shape) {
			dim = n.Dims[i]
		}
		if known, ok := dims[dim]; ok && known != length {
			dim = fmt.Sprintf("%s_%d", dim, length)
		}
		if _, ok := dims[dim]; !ok {
			dims[dim] = length
			s.file.Dims = append(s.file.Dims, mapping.FileDim{Name: dim, Len: length, Unlimited: unlimited(file, dim)})
		}
		l.Dims = append(l.Dims, dim)
	}
	s.layout.Variables = append(s.layout.Variables, l)
}

func records(objects []dataset.Object) (n uint64) {
	for _, o := range objects {
		i, _ := o.Base.RecordIndex()
		n = max(n, i+1)
	}
	return n
}

func unlimited(file *mapping.NetCDFFile, name string) bool {
	return file != nil && slices.ContainsFunc(file.Dims, func(d mapping.FileDim) bool { return d.Name == name && d.Unlimited })
}
