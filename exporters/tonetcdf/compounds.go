package tonetcdf

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
	"github.com/tgmconv/tgmconv/tgm"
)

// A member of a compound, and where its elements are: one box of each variable's box, of sequences
// their values and their lengths.
type member struct {
	leaf
	values, counts []box
}

// A column is a member of all elements of a box: bytes, text or sequences.
type column struct {
	leaf
	data   []byte
	text   []string
	ragged *netcdf.Ragged
}

// compoundJobs are the jobs of a compound, whose members are an object each, two of sequences.
func (m *treeMaker) compoundJobs(v *variable, parts [][]box) (iter.Seq[job], error) {
	t := v.out.Type
	members, err := membersOf(t, parts)
	if err != nil {
		return nil, err
	}
	if len(members) == 0 {
		return nil, fmt.Errorf("type %s has no members", t.Name)
	}
	if slices.ContainsFunc(members, func(m member) bool { return m.heap != nil }) {
		return m.columnJobs(v, members), nil
	}
	return oneJob(v, parts[0], func(ctx context.Context, i int) (content, error) {
		data := make([]byte, int(parts[0][i].elements())*t.Size) // as many as the objects have
		var buffer []byte
		for _, k := range members {
			elements, err := m.member(ctx, &k, &k.values[i], buffer)
			if err != nil {
				return content{}, err
			}
			k.scatter(data, elements, t.Size)
			buffer = elements
		}
		return content{data: data}, nil
	}), nil
}

// membersOf finds the members of a compound among the boxes of its parts, and checks their sizes.
func membersOf(t *netcdf.Type, parts [][]box) ([]member, error) {
	found, err := leaves(t, 0, nil)
	if err != nil {
		return nil, err
	}
	var members []member
	for _, l := range found {
		k := member{leaf: l}
		for _, to := range k.parts() {
			if len(parts) == 0 {
				return nil, fmt.Errorf("there are not enough objects for the members of type %s", t.Name)
			}
			*to, parts = parts[0], parts[1:]
		}
		if l.bytes() == 0 {
			return nil, fmt.Errorf("a member of type %s has no bytes", t.Name)
		}
		for _, b := range k.values {
			if l.heap == nil && nd.Volume(b.object.Shape)*uint64(b.object.DType.Size()) != b.elements()*uint64(l.bytes()) {
				return nil, fmt.Errorf("%s has shape %v of %s, which does not make a member of type %s", b.object.Where, b.object.Shape, b.object.DType, t.Name)
			}
		}
		members = append(members, k)
	}
	if used := bytesOf(members); t.Size > 16*used+maxGaps {
		return nil, fmt.Errorf("type %s has %d bytes, of which its members take %d", t.Name, t.Size, used)
	}
	if len(parts) > 0 {
		return nil, fmt.Errorf("%d objects more than the members of type %s", len(parts), t.Name)
	}
	return members, nil
}

// maxGaps bounds the bytes between the members of a compound, beside 15 times the members.
const maxGaps = 256

func bytesOf(members []member) (n int) {
	for _, m := range members {
		n += m.bytes()
	}
	return n
}

// parts are the lists of boxes that a member has.
func (m *member) parts() []*[]box {
	if m.heap != nil && m.heap.Class == netcdf.Vlen {
		return []*[]box{&m.values, &m.counts}
	}
	return []*[]box{&m.values}
}

// columnJobs are the jobs of compounds that have text or sequences.
func (m *treeMaker) columnJobs(v *variable, members []member) iter.Seq[job] {
	return oneJob(v, members[0].values, func(ctx context.Context, i int) (content, error) {
		var c content
		for _, k := range members {
			col := column{leaf: k.leaf}
			var err error
			switch {
			case k.heap == nil:
				col.data, err = m.member(ctx, &k, &k.values[i], nil)
			case k.heap.Class == netcdf.String:
				col.text, err = m.texts(ctx, &k.values[i])
			default:
				col.ragged, err = m.ragged(ctx, k.heap.Base, &k.values[i], &k.counts[i])
			}
			if n := members[0].values[i].elements(); err == nil && k.heap != nil && n != uint64(col.len()) {
				err = fmt.Errorf("%s: %d texts or sequences, expected %d", k.values[i].object.Where, col.len(), n)
			}
			if err != nil {
				return content{}, err
			}
			c.columns = append(c.columns, col)
		}
		return c, nil
	})
}

// writeColumns writes the elements of a box of columns.
func writeColumns(ctx context.Context, w *ncwrite.Writer, r *result) error {
	v := r.v.out
	n := int(nd.Volume(r.count)) // as many as the objects have
	data := make([]byte, n*v.Type.Size)
	for _, c := range r.content.columns {
		refs := c.data
		if c.heap != nil {
			var err error
			if refs, err = c.references(ctx, w, v); err != nil {
				return err
			}
		}
		c.scatter(data, refs, v.Type.Size)
	}
	return w.WriteElements(ctx, v, r.start, r.count, data)
}

// len is the number of texts or sequences.
func (c *column) len() int {
	if c.ragged != nil {
		return len(c.ragged.Counts)
	}
	return len(c.text)
}

// references stores the texts or sequences of a column in the heap of the file, and returns their references.
func (c *column) references(ctx context.Context, w *ncwrite.Writer, v *ncwrite.Var) ([]byte, error) {
	var refs []byte
	put := func(n int, data []byte) error {
		ref, err := w.Heap(ctx, v, n, data)
		refs = append(refs, ref...)
		return err
	}
	if c.heap.Class == netcdf.String {
		for _, s := range c.text {
			if s == ncwrite.Null {
				refs = append(refs, make([]byte, referenceBytes)...)
				continue
			}
			if err := put(len(s), []byte(s)); err != nil {
				return nil, err
			}
		}
		return refs, nil
	}
	size := uint64(max(1, c.heap.Base.Size))
	values := c.ragged.Values
	for i, count := range c.ragged.Counts {
		if count > uint64(len(values))/size {
			return nil, fmt.Errorf("sequence %d of %d elements, %d left", i, count, uint64(len(values))/size)
		}
		if err := put(int(count), values[:count*size]); err != nil {
			return nil, err
		}
		values = values[count*size:]
	}
	return refs, nil
}

// A leaf is a member of a compound that is no compound itself: where its bytes lie in an element.
type leaf struct {
	pieces []piece
	heap   *netcdf.Type // of text and sequences, for which references stand; else nil
	number *netcdf.Type // of floating-point numbers, or arrays of them; else nil
}

// member reads the bytes of a member from the object of a box, with the NaN that the source had. It uses
// buffer if it has room. Attributes of a compound do not apply to the numbers in it.
func (m *treeMaker) member(ctx context.Context, l *member, b *box, buffer []byte) ([]byte, error) {
	a, written, err := m.array(ctx, b)
	if err != nil {
		return nil, err
	}
	info := a.Info()
	data, err := array.Read(ctx, a, info.Whole(), buffer)
	if t := l.number; err != nil || written || t == nil || !info.DType.IsFloat() || info.DType.Size() != t.Size {
		return data, err
	}
	c, err := (&converter{class: l.number.Class, size: l.number.Size, fill: fillOf(l.number.Class, nil)}).of(&b.object)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.object.Where, err)
	}
	return c.convert(&tgm.Array{Shape: info.Shape, DType: info.DType, Data: data})
}

type piece struct{ offset, bytes int }

func (l leaf) bytes() (n int) {
	for _, p := range l.pieces {
		n += p.bytes
	}
	return n
}

// scatter puts the bytes of the member of all elements in their places.
func (l leaf) scatter(dst, src []byte, size int) {
	for at := 0; len(src) > 0; at += size {
		for _, p := range l.pieces {
			copy(dst[at+p.offset:], src[:p.bytes])
			src = src[p.bytes:]
		}
	}
}

// leaves lists the members of a type in the order of netcdf.Type.MemberPaths.
func leaves(t *netcdf.Type, offset int, list []leaf) ([]leaf, error) {
	for _, f := range t.Fields {
		found, err := leavesOf(f.Type, offset+f.Offset)
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", f.Name, err)
		}
		list = append(list, found...)
	}
	return list, nil
}

func leavesOf(t *netcdf.Type, offset int) ([]leaf, error) {
	switch t.Class {
	case netcdf.Array:
		return repeated(t, offset)
	case netcdf.Compound:
		return leaves(t, offset, nil)
	case netcdf.Vlen:
		if base := t.Base.Class; base == netcdf.Vlen || base == netcdf.String || base == netcdf.Compound || base == netcdf.Array {
			return nil, fmt.Errorf("type %s within a compound is not written", t.Describe())
		}
		return []leaf{{pieces: []piece{{offset, referenceBytes}}, heap: t}}, nil
	case netcdf.String:
		if t.TextBytes > 0 {
			return []leaf{{pieces: []piece{{offset, t.TextBytes}}}}, nil
		}
		return []leaf{{pieces: []piece{{offset, referenceBytes}}, heap: t}}, nil
	}
	return []leaf{{pieces: []piece{{offset, t.Size}}, number: floating(t)}}, nil
}

// floating is t if its elements are floating-point numbers of netCDF.
func floating(t *netcdf.Type) *netcdf.Type {
	if t.Class == netcdf.Float || t.Class == netcdf.Double {
		return t
	}
	return nil
}

// inHeap reports whether references stand for elements of a type, which lie elsewhere in the file.
func inHeap(t *netcdf.Type) bool {
	return t.Class == netcdf.Vlen || t.Class == netcdf.String && t.TextBytes == 0
}

// maxRepeated bounds the compounds in an array within a compound.
const maxRepeated = 1 << 14

// repeated are the members of the elements of an array one after the other.
func repeated(t *netcdf.Type, offset int) ([]leaf, error) {
	if t.Base.Class != netcdf.Compound && t.Base.Class != netcdf.Array {
		if inHeap(t.Base) {
			return nil, fmt.Errorf("arrays of type %s within a compound are not written", t.Base.Describe())
		}
		return []leaf{{pieces: []piece{{offset, t.Size}}, number: floating(t.Base)}}, nil
	}
	if t.Base.Size > 0 && t.Size/t.Base.Size > maxRepeated {
		return nil, fmt.Errorf("%d compounds within a compound", t.Size/t.Base.Size)
	}
	var all []leaf
	for at := 0; t.Base.Size > 0 && at < t.Size; at += t.Base.Size {
		found, err := leavesOf(t.Base, offset+at)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = make([]leaf, len(found))
		}
		for i := range found {
			if found[i].heap != nil {
				return nil, fmt.Errorf("type %s within an array within a compound is not written", found[i].heap.Describe())
			}
			all[i].pieces = append(all[i].pieces, found[i].pieces...)
		}
	}
	return all, nil
}
