package dataset

import (
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/internal/nameset"
	"github.com/tgmconv/tgmconv/mapping"
)

// A pieceSet is the pieces of one dataset of a .tet file that are there.
type pieceSet struct {
	tet    *mapping.Tet // of the first
	dims   []string
	pieces []placedPiece
}

// A placedPiece is a piece and the position of its first element in the dataset.
type placedPiece struct {
	Object
	start []uint64
}

// An axisPart is positions of an axis of a dataset. Axes of one name that have other labels, or other
// positions, are other dimensions.
type axisPart struct {
	name, labels       string
	first, size, total uint64
}

// isPiece reports whether an object is a piece of a dataset of a .tet file.
func isPiece(o *Object) bool {
	tet, ok := o.Base.Tet()
	return ok && tet.Start != nil
}

// hasPieces reports whether an object of some files is a piece.
func hasPieces(sources []*sourceFile) bool {
	return slices.ContainsFunc(sources, func(s *sourceFile) bool {
		return slices.ContainsFunc(s.objects, func(o Object) bool { return isPiece(&o) })
	})
}

// pieceSets divides the objects of a group into pieces, by their datasets, and the others. A piece that does
// not lie in its dataset is the piece of a dataset of its own.
func pieceSets(objects []Object) (sets []*pieceSet, rest []Object) {
	known := make(map[string]*pieceSet)
	for _, o := range objects {
		if !isPiece(&o) {
			rest = append(rest, o)
			continue
		}
		tet, _ := o.Base.Tet()
		dims := plainDims(&o, plainObjectName(&o))
		key := fmt.Sprintf("%q %q %v %v %q %q %q", plainObjectName(&o), dims, tet.Shape, o.DType, tet.Attributes, tet.Coords, o.Base.Units())
		placed := within(o.Shape, tet)
		if !placed {
			key = fmt.Sprint("lost ", o.Ref)
			tet.Coords = nil
		}
		set := known[key]
		if set == nil {
			set = &pieceSet{tet: tet, dims: dims}
			known[key] = set
			sets = append(sets, set)
		}
		if !placed {
			tet.Start, tet.Shape = make([]uint64, len(o.Shape)), o.Shape
		}
		set.pieces = append(set.pieces, placedPiece{o, tet.Start})
	}
	return sets, rest
}

// within reports whether a piece of a shape lies in its dataset.
func within(shape []uint64, tet *mapping.Tet) bool {
	if len(tet.Start) != len(shape) || len(tet.Shape) != len(shape) {
		return false
	}
	for i, n := range shape {
		if n == 0 || tet.Start[i] > tet.Shape[i] || n > tet.Shape[i]-tet.Start[i] {
			return false
		}
	}
	return true
}

// grid returns the pieces in C order, if they are the whole dataset in chunks of one shape. Only the last
// chunk along the first dimension may be shorter.
func (s *pieceSet) grid() (refs []int32, chunk []uint64, ok bool) {
	for _, p := range s.pieces {
		if !slices.ContainsFunc(p.start, func(n uint64) bool { return n > 0 }) {
			chunk = p.Shape
		}
	}
	if chunk == nil || slices.Contains(chunk, 0) {
		return nil, nil, false
	}
	counts, all := make([]uint64, len(chunk)), uint64(1)
	for i, n := range chunk {
		if i > 0 && s.tet.Shape[i]%n != 0 {
			return nil, nil, false
		}
		counts[i] = (s.tet.Shape[i]-1)/n + 1
		if counts[i] > uint64(len(s.pieces))/all {
			return nil, nil, false
		}
		all *= counts[i]
	}
	if all != uint64(len(s.pieces)) {
		return nil, nil, false
	}
	refs = slices.Repeat([]int32{-1}, len(s.pieces))
	for _, p := range s.pieces {
		at := uint64(0)
		for i, start := range p.start {
			if start%chunk[i] != 0 || p.Shape[i] != min(chunk[i], s.tet.Shape[i]-start) {
				return nil, nil, false
			}
			at = at*counts[i] + start/chunk[i]
		}
		if refs[at] >= 0 {
			return nil, nil, false // twice
		}
		refs[at] = int32(p.Ref)
	}
	return refs, chunk, true
}

// axis is the part of an axis that n positions from first on are.
func (s *pieceSet) axis(i int, first, n uint64) axisPart {
	return axisPart{s.dims[i], fmt.Sprintf("%q", s.tet.Coords[s.dims[i]]), first, n, s.tet.Shape[i]}
}

// A pieceAdder adds the variables of pieces to a group. Each piece has the labels of its own part of
// the axes, whatever other objects of the message are named.
type pieceAdder struct {
	group  *Group
	report *Report
	names  *nameset.Set // of variables and dimensions
	dims   map[axisPart]string
}

// addPieces adds the datasets that pieces are, and returns the other objects but the labels of pieces.
// Where the pieces are not the whole dataset, or their shapes differ, each is a variable.
func (d *Dataset) addPieces(g *Group, objects []Object, report *Report) (rest []Object) {
	sets, others := pieceSets(objects)
	if len(sets) == 0 {
		return objects
	}
	used := make(map[string]uint64) // dimensions of datasets that are whole, and their lengths
	labelled := make(map[string]bool)
	for _, s := range sets {
		for _, dim := range s.dims {
			labelled[dim] = labelled[dim] || len(s.tet.Coords[dim]) > 0
		}
	}
	for _, o := range others {
		if _, isTet := o.Base.Tet(); isTet {
			for i, dim := range plainDims(&o, plainObjectName(&o)) {
				used[dim] = o.Shape[i]
			}
		}
	}
	a := &pieceAdder{group: g, report: report, names: nameset.New(), dims: make(map[axisPart]string)}
	for _, o := range others {
		name := plainObjectName(&o)
		_, isTet := o.Base.Tet()
		if n := used[name]; !isTet && len(o.Shape) == 1 && labelled[name] && n != o.Shape[0] {
			report.hidden(o.Ref, "the labels of a piece, which are shown with it")
			continue
		}
		rest = append(rest, o)
		a.names.Claim(name)
		for _, dim := range plainDims(&o, name) {
			a.names.Claim(dim)
		}
	}
	for _, v := range g.Variables {
		a.names.Claim(v.Name)
		for _, dim := range v.Dims {
			a.names.Claim(dim)
		}
	}
	for _, s := range sets {
		if refs, chunk, ok := s.grid(); ok {
			a.add(s, &s.pieces[0].Object, make([]uint64, len(chunk)), s.tet.Shape, chunk, refs)
			continue
		}
		report.note("%s: the pieces of %s are apart: %d of shape %v, expected all of %v in equal chunks", s.pieces[0].File, plainObjectName(&s.pieces[0].Object),
			len(s.pieces), s.pieces[0].Shape, s.tet.Shape)
		for _, p := range s.pieces {
			a.add(s, &p.Object, p.start, p.Shape, p.Shape, []int32{int32(p.Ref)})
		}
	}
	return rest
}

// add adds the variable that the refs of chunks are, and its dimensions with their labels.
func (a *pieceAdder) add(s *pieceSet, first *Object, start, shape, chunk []uint64, refs []int32) {
	v := &Variable{Shape: shape, Chunk: array.WholeBlock(chunk), DType: first.DType, refs: refs}
	v.short = len(shape) > 0 && shape[0]%v.Chunk[0] != 0
	name := plainObjectName(first)
	isLabel := len(s.dims) == 1 && s.dims[0] == name
	for i := range s.dims {
		part := s.axis(i, start[i], shape[i])
		dim, known := a.dims[part]
		if !known {
			dim = a.names.Next(s.dims[i])
			a.dims[part] = dim
			a.label(s, part, dim, isLabel)
		}
		v.Dims = append(v.Dims, dim)
	}
	if isLabel && a.group.Variable(v.Dims[0]) == nil {
		v.Name, v.Coordinate = v.Dims[0], true
	} else {
		v.Name = a.names.Next(name)
	}
	if units := first.Base.Units(); units != "" {
		v.Attrs = append(v.Attrs, Attribute{cf.AttrUnits, units})
	}
	a.group.Variables = append(a.group.Variables, v)
	for i, ref := range refs {
		a.report.shown(int(ref), v.path(a.group.Name), i)
	}
}

// label adds the labels of a part of an axis, if the file has some that are numbers or times. A variable
// that is the label of its own dimension has none.
func (a *pieceAdder) label(s *pieceSet, part axisPart, dim string, isLabel bool) {
	labels := s.tet.Coords[part.name]
	if isLabel || uint64(len(labels)) < part.first+part.size {
		return
	}
	values, units, ok := mapping.LabelValues(labels[part.first : part.first+part.size])
	if !ok {
		return
	}
	var attrs []Attribute
	if units != "" {
		attrs = append(attrs, Attribute{cf.AttrUnits, units})
	}
	a.group.Variables = append(a.group.Variables, floatVariable(dim, []string{dim}, []uint64{part.size}, attrs, constantFloats(values)))
}
