package tonetcdf

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// join makes one file of several that follow one another along a dimension, as in their labelled
// dataset: the first file with a longer dimension. The error gives the reason why they cannot be
// joined.
func (b *planner) join(ctx context.Context) (*source, []string, error) {
	objects := make(map[int]*dataset.Object)
	of := make(map[int]*source)
	var all []dataset.Object
	for _, s := range b.sources {
		for _, name := range s.order {
			for _, o := range s.objects[name] {
				if _, ok := o.Base.RecordIndex(); ok {
					return nil, nil, fmt.Errorf("%s is divided into records", name)
				}
				all = append(all, o)
				objects[o.Ref], of[o.Ref] = &o, s
			}
		}
	}
	opts := b.opts.Dataset
	opts.Read = func(ref int) (*tgm.Array, error) { return dataset.Read(ctx, b.reader, ref, nil) }
	set, err := dataset.Build(dataset.ObjectList(all), opts)
	if err != nil {
		return nil, nil, err
	}
	if apart := set.Report.Apart(); apart != "" {
		return nil, nil, &apartError{apart}
	}
	j := joiner{set: set, starts: make(map[int][]uint64), objects: make(map[string][]dataset.Object), lengths: make(map[string]uint64), first: b.sources[0]}
	for _, g := range set.Groups {
		for _, v := range g.Variables {
			if err := j.add(v, objects, of); err != nil {
				return nil, nil, fmt.Errorf("variable %s: %w", v.Name, err)
			}
		}
	}
	for _, s := range b.sources {
		for _, name := range s.order {
			if j.objects[name] == nil {
				return nil, nil, fmt.Errorf("variable %s is not in all of them, or not shown in their labelled dataset", name)
			}
		}
		if len(s.order) != len(j.objects) {
			return nil, nil, errors.New("they have different variables")
		}
	}
	notes := set.Report.Notes()
	if differ := differences(b.sources, j.first); len(differ) > 0 {
		along := strings.Join(slices.Sorted(maps.Keys(j.lengths)), ", ")
		notes = append(notes, fmt.Sprintf("attributes that differ among the files are taken from the first along %s: %s", along, strings.Join(differ, ", ")))
	}
	return j.source(), notes, nil
}

// An apartError says that files are no parts of one dataset. The text names messages.
type apartError struct{ why string }

func (e *apartError) Error() string { return e.why }

// A joiner finds where the objects of files lie in the variables that they are parts of.
type joiner struct {
	set     *dataset.Dataset
	first   *source                     // whose file the others continue
	objects map[string][]dataset.Object // by the names of variables
	starts  map[int][]uint64            // of objects of variables that have several
	lengths map[string]uint64           // of the dimensions along which files are joined
}

// add adds a variable.
func (j *joiner) add(v *dataset.Variable, objects map[int]*dataset.Object, of map[int]*source) error {
	if v.Computed() {
		return nil
	}
	spans, err := spansOf(j.set, v)
	if err == nil && len(spans) == 0 {
		err = errors.New("no object has its values")
	}
	if err != nil {
		return err
	}
	texts := v.Text != dataset.NotText && j.isString(objects[spans[0].ref])
	name := objects[spans[0].ref].Base.Name(nil)
	first, _ := objects[spans[0].ref].Base.NetCDF()
	if len(spans) > 1 {
		j.first = of[spans[0].ref]
	}
	for _, p := range spans {
		o := objects[p.ref]
		if o.Base.Name(nil) != name || len(o.Shape) != len(v.Shape) {
			return fmt.Errorf("its parts are joined along a dimension that they do not have")
		}
		if last := len(v.Shape) - 1; v.Text != dataset.NotText && !texts && o.Shape[last] != v.Shape[last] {
			return errors.New("its texts have another number of characters in each of them")
		}
		if len(spans) > 1 && p.rows != 0 && p.rows != o.Shape[0] {
			return errors.New("its parts overlap")
		}
		if !sameAttributes(o.Base, first, cf.AttrScaleFactor, cf.AttrAddOffset) {
			return errors.New("its numbers are packed in another way in each of them")
		}
		j.objects[name] = append(j.objects[name], *o)
		if len(spans) == 1 {
			continue
		}
		j.starts[p.ref] = p.start
		for axis, dim := range v.Dims {
			if n := v.Shape[axis]; axis == 0 || v.Text == dataset.NotText && n != o.Shape[axis] {
				if before, ok := j.lengths[dim]; ok && before != n {
					return fmt.Errorf("dimension %s is %d and %d", dim, before, n)
				}
				j.lengths[dim] = n
			}
		}
	}
	return nil
}

// isString reports whether the elements of an object are of type string in its file.
func (j *joiner) isString(o *dataset.Object) bool {
	if j.first.layout == nil {
		return false
	}
	name := o.Base.Name(nil)
	i := slices.IndexFunc(j.first.layout.Variables, func(v mapping.LayoutVariable) bool { return v.Name == name })
	return i >= 0 && j.first.layout.Variables[i].Type == "string"
}

// A span is an object of a variable, and where it begins in it.
type span struct {
	ref   int
	start []uint64
	rows  uint64 // along the first axis; 0 for all
}

// spansOf are the objects that a variable is made of, unchanged.
func spansOf(set *dataset.Dataset, v *dataset.Variable) ([]span, error) {
	var list []span
	for i, ref := range v.Refs() {
		if ref < 0 {
			return nil, errors.New("a part of it is in none of them")
		}
		start, _ := nd.Tile(uint64(i), v.Shape, v.Chunk)
		parts := set.Parts(int(ref))
		if parts == nil {
			list = append(list, span{int(ref), start, 0})
			continue
		}
		for _, p := range parts {
			if p.Unpack != nil {
				return nil, errors.New("its numbers are packed in another way in each of them")
			}
			if n := len(list); n > 0 && list[n-1].ref == p.Ref {
				list[n-1].rows += p.Rows
			} else {
				list = append(list, span{p.Ref, slices.Clone(start), p.Rows})
			}
			start[0] += p.Rows
		}
	}
	return list, nil
}

// source is the file of all objects.
func (j *joiner) source() *source {
	s := *j.first
	s.objects, s.starts = j.objects, j.starts
	file := *s.file
	file.Dims = slices.Clone(file.Dims)
	for i := range file.Dims {
		if n, ok := j.lengths[file.Dims[i].Name]; ok {
			file.Dims[i].Len = n
		}
	}
	s.file = &file
	if s.layout != nil {
		layout := *s.layout
		layout.Leftovers = nil
		layout.Variables = slices.Clone(layout.Variables)
		for i := range layout.Variables {
			layout.Variables[i].Limit = nil
		}
		s.layout = &layout
	}
	return &s
}

// differences are the names of attributes that are not the same in all files.
func differences(sources []*source, first *source) []string {
	names := make(map[string]bool)
	compare := func(prefix string, a, b map[string]any) {
		for _, list := range []map[string]any{a, b} {
			for key := range list {
				if !reflect.DeepEqual(a[key], b[key]) {
					names[prefix+key] = true
				}
			}
		}
	}
	attributes := func(o *dataset.Object) map[string]any {
		if n, ok := o.Base.NetCDF(); ok {
			return n.Attributes
		}
		return nil
	}
	for _, s := range sources {
		if s == first || s.file == nil || first.file == nil {
			continue
		}
		compare("", s.file.Global, first.file.Global)
		for name, objects := range s.objects {
			if others := first.objects[name]; len(others) > 0 {
				compare(name+":", attributes(&objects[0]), attributes(&others[0]))
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// joinedBoxes are the boxes of the objects of a variable that is joined of several files.
func (s *source) joinedBoxes(v *variable, objects []dataset.Object) ([]box, error) {
	list := make([]box, len(objects))
	for i, o := range objects {
		start := s.starts[o.Ref]
		if len(start) < len(v.shape) || len(o.Shape) < len(v.shape) {
			return nil, fmt.Errorf("%s has shape %v, expected %d axes", o.Where, o.Shape, len(v.shape))
		}
		list[i] = box{object: o, start: start[:len(v.shape)], count: o.Shape[:len(v.shape)]}
	}
	return list, nil
}
