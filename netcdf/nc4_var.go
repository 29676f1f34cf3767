package netcdf

import (
	"encoding/binary"
	"errors"
	"strings"

	"github.com/tgmconv/tgmconv/netcdf/internal/hdf5"
)

// Names that the netCDF library reserves.
const (
	attrClass      = "CLASS"
	attrName       = "NAME"
	attrDimList    = "DIMENSION_LIST"
	attrRefList    = "REFERENCE_LIST"
	attrDimID      = "_Netcdf4Dimid"
	attrCoords     = "_Netcdf4Coordinates"
	attrStrict     = "_nc3_strict"
	attrProperties = "_NCProperties"

	// A dataset whose name would clash with the name of a dimension.
	nonCoordPrefix = "_nc4_non_coord_"
	// NAME of scales that are not variables begins so.
	dimWithoutVar = "This is a netCDF dimension but not a netCDF variable"
)

// reserved attributes are not listed.
var reserved = map[string]bool{
	attrClass: true, attrName: true, attrDimList: true, attrRefList: true,
	attrDimID: true, attrCoords: true, attrStrict: true, attrProperties: true,
	"_IsNetcdf4": true, "_SuperblockVersion": true, "_Format": true,
	"_NCZARR_SUPERBLOCK": true, "_NCZARR_GROUP": true, "_NCZARR_ARRAY": true, "_NCZARR_ATTR": true,
	"_nczarr_superblock": true, "_nczarr_group": true, "_nczarr_array": true, "_nczarr_attr": true,
	"_ARRAY_DIMENSIONS": true, "_Codecs": true,
}

var errNull = errors.New("null dataspace: it has no elements")

// dataset adds a dimension, a variable, or both.
func (b *builder) dataset(gb *groupBuilder, c child) error {
	attrs, err := c.obj.Attributes()
	if err != nil {
		return err
	}
	if err := b.charge("dataset "+c.name, attrs); err != nil {
		return err
	}
	ds, err := c.obj.Dataset()
	if err != nil {
		return err
	}
	vb := &varBuilder{child: c, place: placeOf(c.obj), data: ds, shape: ds.Space.Dims, axes: make([]*scale, len(ds.Space.Dims))}
	if attrText(attrs, attrClass) == "DIMENSION_SCALE" && len(vb.shape) > 0 {
		vb.scale = b.addScale(gb, c, ds, attrs)
		if strings.HasPrefix(attrText(attrs, attrName), dimWithoutVar) {
			return nil
		}
	}
	name := c.name
	if len(name) > len(nonCoordPrefix) {
		name = strings.TrimPrefix(name, nonCoordPrefix)
	}
	vb.v = &Var{Name: name, Path: join(gb.g.Path, name)}
	vb.v.data = &nc4Var{vb.v, ds}
	vb.v.Storage = storage(ds)
	b.findAxes(vb, attrs)
	vb.v.Type, vb.v.Err = b.varType(ds)
	if t := vb.v.Type; t != nil {
		vb.v.Storage.NoFill = len(ds.Fill) == 0 && (t.Class.Numeric() || t.Class == Char)
	}
	if ds.Space.Null {
		vb.v.Err = errNull
	}
	if vb.v.Err == nil {
		vb.v.Err = ds.Supported()
	}
	vb.v.Attrs = b.attributes(attrs)
	vb.v.Storage.Fill = vb.v.otherFill(ds.NativeFill())
	gb.vars = append(gb.vars, vb)
	gb.g.Vars = append(gb.g.Vars, vb.v)
	return nil
}

// addScale makes the dimension of a dimension scale. Its length along an unlimited axis is found
// later.
func (b *builder) addScale(gb *groupBuilder, c child, ds *hdf5.Dataset, attrs []hdf5.Attribute) *scale {
	s := &scale{dim: &Dim{Name: c.name, Len: ds.Space.Dims[0]}, place: placeOf(c.obj), size: ds.Space.Dims[0]}
	s.dim.Unlimited = len(ds.Space.Max) > 0 && ds.Space.Max[0] == hdf5.Unlimited
	id := -1
	if ids := attrInts(attrs, attrDimID); len(ids) == 1 && ids[0] >= 0 && ids[0] < maxObjects {
		id = ids[0]
	}
	b.addDim(gb, s, id)
	b.scales[s.place] = s
	return s
}

// addDim gives a dimension its ID, the next free ID if id is -1.
func (b *builder) addDim(gb *groupBuilder, s *scale, id int) {
	if id < 0 {
		id = b.nextID
	}
	b.nextID = max(b.nextID, id+1)
	s.id = id
	b.dims[id] = s
	gb.scales = append(gb.scales, s)
}

// findAxes notes the dimensions that the attributes name. Dimension IDs are looked up later, when
// all dimensions are known; so are references.
func (b *builder) findAxes(vb *varBuilder, attrs []hdf5.Attribute) {
	if ids := attrInts(attrs, attrCoords); len(ids) == len(vb.axes) && len(ids) > 0 {
		vb.coords = true
		for i, id := range ids {
			vb.axes[i] = &scale{id: id}
		}
		return
	}
	if vb.scale != nil {
		vb.axes[0] = vb.scale
		return
	}
	a := find(attrs, attrDimList)
	if a == nil {
		return
	}
	refs, err := a.ReadVlen()
	if err != nil || len(refs) != len(vb.axes) {
		return
	}
	for i, r := range refs {
		// Of several scales on an axis the library takes the last.
		if n := len(r); n >= 8 {
			vb.axes[i] = &scale{id: -1, place: place{vb.data.File(), binary.LittleEndian.Uint64(r[n-8:])}}
		}
	}
}

func storage(ds *hdf5.Dataset) Storage {
	s := Storage{Layout: Contiguous, BigEndian: ds.Type.BigEndian, Limit: ds.Space.Max}
	if s.Limit == nil {
		s.Limit = ds.Space.Dims
	}
	switch {
	case ds.External():
		s.Layout = External
	case ds.Layout == hdf5.Virtual:
		s.Layout = Virtual
	case ds.Layout == hdf5.Compact:
		s.Layout = Compact
	case ds.Layout == hdf5.Chunked:
		s.Layout = Chunked
		s.ChunkShape = ds.Chunk
	}
	for _, f := range ds.Filters {
		level := -1
		if (f.ID == FilterDeflate || f.ID == FilterZstd) && len(f.Params) > 0 {
			level = int(int32(f.Params[0]))
		}
		s.Filters = append(s.Filters, Filter{ID: f.ID, Name: f.Name, Level: level, Params: f.Params})
	}
	s.Stored = ds.StoredSize()
	return s
}

func find(attrs []hdf5.Attribute, name string) *hdf5.Attribute {
	for i := range attrs {
		if attrs[i].Name == name {
			return &attrs[i]
		}
	}
	return nil
}

// attrText returns the value of a text attribute, else "".
func attrText(attrs []hdf5.Attribute, name string) string {
	a := find(attrs, name)
	if a == nil || a.Err() != nil {
		return ""
	}
	switch {
	case a.Type.Class == hdf5.String:
		raw, _ := a.Read()
		return cutNull(raw)
	case a.Type.VarString:
		if list, err := a.ReadVlen(); err == nil && len(list) == 1 {
			return cutNull(list[0])
		}
	}
	return ""
}

// attrInts returns the value of an attribute of integers, else nil.
func attrInts(attrs []hdf5.Attribute, name string) []int {
	a := find(attrs, name)
	if a == nil || a.Err() != nil || a.Type.Class != hdf5.Integer || a.Space.Len() > 1024 {
		return nil
	}
	c, err := integerClass(a.Type)
	if err != nil {
		return nil
	}
	raw, err := a.Read()
	if err != nil {
		return nil
	}
	out := make([]int, len(raw)/atomicSizes[c])
	for i := range out {
		out[i] = int(enumValue(raw[i*atomicSizes[c]:][:atomicSizes[c]], c))
	}
	return out
}

// cutNull ends text at the first zero byte, as C does.
func cutNull(b []byte) string {
	s, _, _ := strings.Cut(string(b), "\x00")
	return s
}
