package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/internal/nameset"
	"github.com/tgmconv/tgmconv/mapping"
)

// addPlain adds objects of which little but names are known. Objects of .tet files are in the root
// only if this gives none of them the axes of another file; else the files are groups, named after
// them.
func (d *Dataset) addPlain(objects []Object, opts *Options, report *Report) {
	loose, sources := plainSources(objects, opts, report)
	if len(loose) > 0 {
		d.addPlainGroup(d.root(), loose, report)
	}
	if len(sources) == 0 {
		return
	}
	taken := nameset.New()
	for _, g := range d.Groups {
		taken.Claim(g.Name)
	}
	joined, apart := joinPlain(d.root(), sources, opts, report)
	if apart == nil {
		d.addPlainGroup(d.root(), joined, report)
		return
	}
	if len(sources) == 1 {
		report.separate("%s is a group: %v", sources[0].place, apart)
	} else {
		report.separate("%d .tet files are groups: %v", len(sources), apart)
	}
	for _, s := range sources {
		g := &Group{Name: groupOfFile(s.name, taken)}
		d.Groups = append(d.Groups, g)
		d.addPlainGroup(g, s.objects, report)
	}
}

// root is the group of the root, which is made if there is none.
func (d *Dataset) root() *Group {
	root := d.Group("")
	if root == nil {
		root = new(Group)
		d.Groups = slices.Insert(d.Groups, 0, root)
	}
	return root
}

// addPlainGroup adds a variable for each object to a group.
func (d *Dataset) addPlainGroup(g *Group, objects []Object, report *Report) {
	objects = d.addPieces(g, objects, report)
	names := nameset.New()
	sizes := make(map[string]uint64) // of the dimensions of the group
	for _, v := range g.Variables {
		names.Claim(v.Name)
		for i, dim := range v.Dims {
			sizes[dim] = v.Shape[i]
		}
	}
	axes := nameset.New()
	for dim := range sizes {
		axes.Claim(dim)
	}
	for _, o := range objects {
		v := plainVariable(&o, names.Next(plainObjectName(&o)), sizes, axes)
		g.Variables = append(g.Variables, v)
		report.shown(o.Ref, v.path(g.Name), 0)
	}
}

// plainSources divides objects among the .tet files that they come from, in order. loose are the other
// objects.
func plainSources(objects []Object, opts *Options, report *Report) (loose []Object, sources []*sourceFile) {
	tetFiles := make(map[string]bool) // files whose objects do not name their source
	for _, o := range objects {
		if o.Base.Source() == "" && o.Base.Namespace(mapping.KeyTet) != nil {
			tetFiles[o.File] = true
		}
	}
	type origin struct{ source, file string }
	known := make(map[origin]*sourceFile)
	first := make(map[string]*Object)
	for i := range objects {
		o := &objects[i]
		from := origin{source: o.Base.Source()}
		if from.source == "" {
			if from.file = o.File; !tetFiles[o.File] {
				loose = append(loose, *o)
				continue
			}
		}
		s := known[from]
		if s == nil {
			s = &sourceFile{name: o.File, place: o.File}
			known[from] = s
			sources = append(sources, s)
		}
		tet, isDataset := o.Base.Tet()
		var start []uint64
		if isDataset {
			start = tet.Start
		}
		piece := fmt.Sprintf("%q %q %q %v %v", from.source, from.file, o.Base.Name(nil), start, o.Shape)
		before := first[piece]
		if before != nil && from.source != "" && sameVariable(before, o, opts) {
			report.hidden(o.Ref, "the same variable of the same source is shown, "+report.locate(before.Ref))
			continue
		}
		if before == nil {
			first[piece] = o
		} else if from.source == "" && isDataset && start == nil {
			report.note("%s: several variables are named %s, and none names its source: their axes may be those of another one", o.File, o.Base.Name(nil))
		}
		s.objects = append(s.objects, *o)
	}
	namePlaces(sources)
	return loose, sources
}

func plainObjectName(o *Object) string {
	if name := o.Base.Name(nil); name != "" {
		return strings.ReplaceAll(name, "/", "_")
	}
	return "object"
}

// plainDims are the names of the dimensions of an object with that name.
func plainDims(o *Object, name string) []string {
	if dims := o.Base.Dims(len(o.Shape)); dims != nil {
		return dims
	}
	if len(o.Shape) == 1 && isCoordinateName(name) {
		return []string{name}
	}
	dims := make([]string, len(o.Shape))
	for i := range dims {
		dims[i] = "dim_" + numberText(float64(i))
	}
	return dims
}

// plainVariable is the array of one object under its own names. A dimension has another length
// under another name.
func plainVariable(o *Object, name string, sizes map[string]uint64, axes *nameset.Set) *Variable {
	v := &Variable{Name: name, Shape: o.Shape, Chunk: array.WholeBlock(o.Shape), DType: o.DType, refs: []int32{int32(o.Ref)}}
	for i, dim := range plainDims(o, name) {
		n := o.Shape[i]
		if known, ok := sizes[dim]; ok && known != n {
			dim = axes.Next(dim)
		}
		axes.Claim(dim)
		sizes[dim] = n
		v.Dims = append(v.Dims, dim)
	}
	v.Coordinate = len(v.Dims) == 1 && v.Dims[0] == v.Name
	if units := o.Base.Units(); units != "" {
		v.Attrs = append(v.Attrs, Attribute{cf.AttrUnits, units})
	}
	return v
}

// isCoordinateName reports whether a one-dimensional array of this name labels its dimension.
func isCoordinateName(name string) bool {
	switch name {
	case "latitude", "longitude", "lat", "lon", "time", "level", "step", "number", "x", "y":
		return true
	}
	return false
}
