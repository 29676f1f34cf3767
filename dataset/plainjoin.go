package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// A plainJoin puts the variables of several .tet files into one group. It refuses variables named or labelled
// like variables of another file.
type plainJoin struct {
	opts   *Options
	dims   map[string]*plainDim
	names  map[string]string // of variables: the places that have them
	hidden map[int]*Object   // by Ref: the same labels, which are shown
}

// A plainDim is a dimension of a file.
type plainDim struct {
	place    string
	label    *Object // its coordinate; nil if it has none
	computed bool    // it has a coordinate, which is no object of a .tet file
	lengths  map[uint64]bool
}

// joinPlain returns the objects of all sources, and shared coordinates once. The error says why
// they cannot be in one group with the variables of the root.
func joinPlain(root *Group, sources []*sourceFile, opts *Options, report *Report) (joined []Object, apart error) {
	j := &plainJoin{opts: opts, dims: make(map[string]*plainDim), names: make(map[string]string), hidden: make(map[int]*Object)}
	const others = "another file"
	for _, v := range root.Variables {
		j.names[v.Name] = others
		for _, dim := range v.Dims {
			j.dims[dim] = &plainDim{place: others, computed: root.Variable(dim) != nil}
		}
	}
	if hasPieces(sources) && (len(sources) > 1 || len(root.Variables) > 0) {
		return nil, errors.New("pieces of datasets have axes of their own")
	}
	for _, s := range sources {
		if err := j.add(s); err != nil {
			return nil, err
		}
	}
	for _, s := range sources {
		for _, o := range s.objects {
			if shown := j.hidden[o.Ref]; shown != nil {
				hideSame(&o, shown, true, report)
				continue
			}
			joined = append(joined, o)
		}
	}
	return joined, nil
}

// add adds the names and dimensions of a file.
func (j *plainJoin) add(s *sourceFile) error {
	dims := make(map[string]*plainDim)
	names := make(map[string]bool) // of variables that are not labels
	for i := range s.objects {
		o := &s.objects[i]
		name := plainObjectName(o)
		own := plainDims(o, name)
		for axis, dim := range own {
			if dims[dim] == nil {
				dims[dim] = &plainDim{place: s.place, lengths: make(map[uint64]bool)}
			}
			dims[dim].lengths[o.Shape[axis]] = true
		}
		if len(own) == 1 && own[0] == name && dims[name].label == nil {
			dims[name].label = o
		} else {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if at := j.names[name]; at != "" {
			return fmt.Errorf("%s and %s have %s", at, s.place, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(dims)) {
		d, before := dims[name], j.dims[name]
		switch {
		case before == nil && d.label != nil && j.names[name] != "":
			return fmt.Errorf("%s and %s have %s", j.names[name], s.place, name)
		case before == nil:
			j.dims[name] = d
		case before.computed, (before.label == nil) != (d.label == nil):
			return fmt.Errorf("the dimension %s has other labels in %s than in %s", name, s.place, before.place)
		case d.label == nil:
		case len(before.lengths) > 1 || len(d.lengths) > 1 || !j.sameLabels(before.label, d.label):
			return fmt.Errorf("%s differs between %s and %s", name, before.place, s.place)
		default:
			j.hidden[d.label.Ref] = before.label
		}
	}
	for name := range names {
		j.names[name] = s.place
	}
	for name, d := range dims {
		if d.label != nil && j.names[name] == "" {
			j.names[name] = s.place
		}
	}
	return nil
}

// sameLabels reports whether two coordinates are known to be the same.
func (j *plainJoin) sameLabels(a, b *Object) bool {
	x, _ := a.Base.Tet()
	y, _ := b.Base.Tet()
	if a.DType != b.DType || !slices.Equal(a.Shape, b.Shape) || a.Base.Units() != b.Base.Units() {
		return false
	}
	if x != nil && y != nil && !maps.Equal(x.Attributes, y.Attributes) {
		return false
	}
	most := uint64(maxCompared)
	if j.opts.MaxCompared > 0 {
		most = min(most, uint64(j.opts.MaxCompared))
	}
	if j.opts.Read == nil || rowBytes(append([]uint64{0}, a.Shape...), a.DType) > most {
		return false
	}
	p, q := readWhole(a, j.opts.Read), readWhole(b, j.opts.Read)
	return p != nil && q != nil && bytes.Equal(p.Data, q.Data)
}
