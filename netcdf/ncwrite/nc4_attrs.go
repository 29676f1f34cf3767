package ncwrite

import (
	"math"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/internal/h5enc"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// addText adds an attribute of ASCII text.
func addText(o *h5enc.Object, name, text string, terminated bool) {
	if terminated {
		text += "\x00"
	}
	data := &h5enc.Block{}
	data.Text(text)
	o.AddAttr(name, h5enc.String(len(text), h5enc.NullTerminated, false), h5enc.Scalar(), data)
}

// addInts adds an attribute of integers of four bytes.
func addInts(o *h5enc.Object, name string, space *h5enc.Block, values ...int) {
	data := &h5enc.Block{}
	for _, n := range values {
		data.U32(uint32(n))
	}
	o.AddAttr(name, h5enc.Integer(4, true, false), space, data)
}

// dimensionList adds DIMENSION_LIST to a variable that is not a scale. It has a list of one reference
// for each axis, and an empty list for a phony dimension. Without any reference there is no such
// attribute.
func (m *metadata) dimensionList(o *h5enc.Object, v *variable) error {
	if !slices.ContainsFunc(v.dims, func(d *dim) bool { return !d.phony }) {
		return nil
	}
	data := &h5enc.Block{}
	for _, d := range v.dims {
		if d.phony {
			data.Zeros(h5enc.HeapRefBytes)
			continue
		}
		ref := &h5enc.Block{}
		ref.Ref(m.scales[d].Block)
		element, err := m.heap.Put(1, ref)
		if err != nil {
			return err
		}
		data.Append(element)
	}
	o.AddAttr("DIMENSION_LIST", h5enc.Vlen(h5enc.Reference()), h5enc.Simple([]uint64{uint64(len(v.dims))}, nil), data)
	return nil
}

// addReferences adds REFERENCE_LIST to a scale: the variable and the axis number of each axis on
// the dimension.
func (m *metadata) addReferences(o *h5enc.Object, d *dim) {
	users := m.users[d]
	if len(users) == 0 {
		return
	}
	const size = 16
	t := h5enc.Compound(size, []h5enc.Field{
		{Name: "dataset", Offset: 0, Type: h5enc.Reference()},
		{Name: "dimension", Offset: 8, Type: h5enc.Integer(4, true, false)},
	})
	data := &h5enc.Block{}
	for _, u := range users {
		data.Ref(m.vars[u.v].Block)
		data.U32(uint32(u.axis))
		data.U32(0)
	}
	o.AddAttr("REFERENCE_LIST", t, h5enc.Simple([]uint64{uint64(len(users))}, nil), data)
}

// attr adds an attribute of the model. Text of type char is one string, all else a list, or a
// scalar or an array where the attribute says so.
func (m *metadata) attr(o *h5enc.Object, a *netcdf.Attr, path string) error {
	if reference(a.Type) {
		return m.references(o, a, path)
	}
	raw, err := attrElements(a, &encoder{put: m.f.put})
	if err != nil {
		return modelError(path+":"+a.Name, "%w", err)
	}
	data := &h5enc.Block{Data: raw}
	if a.Type.Class == netcdf.Char {
		t := h5enc.String(max(1, len(raw)), padding(a.Type, h5enc.NullTerminated), a.Type.UTF8)
		space := h5enc.Scalar()
		if len(raw) == 0 {
			space = h5enc.Null()
		}
		o.AddAttr(a.Name, t, space, data)
		return nil
	}
	size := fileSize(a.Type)
	if len(raw)%size != 0 {
		return modelError(path+":"+a.Name, "%d bytes for elements of %d", len(raw), size)
	}
	bigEndian := a.BigEndian && a.Type.Numeric()
	if bigEndian {
		wire.Swap(data.Data, size)
	}
	o.AddAttr(a.Name, m.typeOf(a.Type, bigEndian), spaceOf(a, len(raw)/size), data)
	return nil
}

// references adds an attribute of references, whose values are the paths of groups and variables,
// empty for references to nothing.
func (m *metadata) references(o *h5enc.Object, a *netcdf.Attr, path string) error {
	paths, ok := a.Value.([]string)
	if !ok {
		return modelError(path+":"+a.Name, "references as %T, expected paths", a.Value)
	}
	data, err := m.refer(paths, path+":"+a.Name)
	if err != nil {
		return err
	}
	o.AddAttr(a.Name, h5enc.Reference(), spaceOf(a, len(paths)), data)
	return nil
}

// refer returns the references to the objects of paths.
func (m *metadata) refer(paths []string, of string) (*h5enc.Block, error) {
	data := &h5enc.Block{}
	for _, to := range paths {
		if to == "" {
			data.U64(0)
			continue
		}
		block := m.object(to)
		if block == nil {
			return nil, modelError(of, "a reference to %q, which is not in the file", to)
		}
		data.Ref(block)
	}
	return data, nil
}

// object returns the object of a path, nil if the file has none.
func (m *metadata) object(path string) *h5enc.Block {
	if g := m.f.findGroup(path); g != nil {
		return m.groups[g].Block
	}
	i := strings.LastIndexByte(path, '/')
	g := m.f.findGroup(path[:max(i, 0)])
	if g == nil {
		return nil
	}
	for _, v := range g.vars {
		if v.Name != path[i+1:] {
			continue
		}
		if v.Same != nil {
			v = m.f.byVar[v.Same]
		}
		return m.vars[v].Block
	}
	return nil
}

// spaceOf is the dataspace of an attribute of n elements.
func spaceOf(a *netcdf.Attr, n int) *h5enc.Block {
	switch {
	case len(a.Shape) > 0 && len(a.Shape) <= maxRank && volume(a.Shape) == uint64(n):
		return h5enc.Simple(a.Shape, nil)
	case n == 1 && a.Scalar:
		return h5enc.Scalar()
	case n > 0:
		return h5enc.Simple([]uint64{uint64(n)}, nil)
	}
	return h5enc.Null()
}

// volume is the number of elements of an array, or the largest uint64 if it is larger.
func volume(shape []uint64) uint64 {
	n := uint64(1)
	for _, d := range shape {
		var ok bool
		if n, ok = wire.Mul(n, d); !ok {
			return math.MaxUint64
		}
	}
	return n
}
