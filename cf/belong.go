package cf

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/mapping"
)

// Belongings tells which objects belong to others. These are coordinates, bounds, grid mappings, and
// other variables that attributes of CF name; of GRIB fields the latitudes and longitudes of their
// grid. The zero value is ready to use.
type Belongings struct {
	objects []related
	sources mapping.Sources
	names   map[named]*versions
	ragged  map[named][]int // objects that describe the elements along a dimension
	grids   map[gridded][]int
}

// An owner is a source. Of objects without a source it is a message.
type owner struct {
	source  int // from 1
	file    string
	message int
}

// A named thing is a variable or dimension of an owner.
type named struct {
	owner owner
	path  string
}

// A gridded object is a coordinate of a grid. It has the coordinates of the rows or columns in a
// message, or of the points, which have no message, in a file.
type gridded struct {
	owner    owner
	geometry uint64 // hash
}

// versions are the objects of one variable: itself, or its records.
type versions struct {
	all      []int
	byRecord map[uint64][]int
}

// related has the properties of an object that say which others belong to it.
type related struct {
	owner  owner
	record mapping.Opt[uint64]
	group  string
	needs  []string // names, of dimensions as well
	dims   []string
	grid   uint64 // hash of the geometry, 0 if there is none
}

// Add adds an object of a message of a file, and returns its number: 0, 1, …. The object is a record
// of a variable if record is known.
func (b *Belongings) Add(e mapping.Entry, file string, message, rank int, record mapping.Opt[uint64]) int {
	if b.names == nil {
		b.names, b.ragged, b.grids = make(map[named]*versions), make(map[named][]int), make(map[gridded][]int)
	}
	i := len(b.objects)
	o := related{owner: owner{file: file, message: message}, record: record, dims: e.Dims(rank)}
	name := e.Name(nil)
	n, isNetCDF := e.NetCDF()
	if isNetCDF || e.Source() != "" {
		o.owner = owner{source: b.sources.Add(e, file, message, o.record.Value).Source + 1}
	} else if g := e.Geometry(); g != nil {
		o.grid = geometryHash(g)
	}
	if isNetCDF {
		text := func(attr string) string { return attrText(n.Attributes[attr]) }
		o.group, o.dims, o.needs = strings.Trim(path.Dir("/"+name), "/"), n.Dims, Needs(text)
		for _, key := range []string{AttrSampleDimension, attrInstanceDimension} {
			if dim := text(key); dim != "" {
				key := named{o.owner, o.group + "/" + dim}
				b.ragged[key] = append(b.ragged[key], i)
			}
		}
		for _, other := range []string{n.Counts, n.CountsOf} {
			if other != "" {
				o.needs = append(o.needs, "/"+other)
			}
		}
	}
	o.needs = append(o.needs, o.dims...)
	b.objects = append(b.objects, o)
	if o.grid != 0 && mapping.IsGridCoordinate(name) && e.MARS() == nil {
		key := gridded{o.owner, o.grid}
		if name == mapping.PointLatitudes || name == mapping.PointLongitudes {
			key.owner = owner{file: file, message: -1}
		}
		b.grids[key] = append(b.grids[key], i)
		return i
	}
	v := b.names[named{o.owner, name}]
	if v == nil {
		v = new(versions)
		b.names[named{o.owner, name}] = v
	}
	v.all = append(v.all, i)
	if o.record.Known {
		if v.byRecord == nil {
			v.byRecord = make(map[uint64][]int)
		}
		v.byRecord[o.record.Value] = append(v.byRecord[o.record.Value], i)
	}
	return i
}

func attrText(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	return strings.Join(mapping.Texts(v), " ")
}

// geometryHash is a hash of the description of a grid, never 0.
func geometryHash(geometry map[string]any) uint64 {
	text, err := json.Marshal(geometry) // keys are sorted
	if err != nil {
		return 0
	}
	return max(1, xxh3.Hash(text))
}

// With returns the chosen objects and the objects that belong to them, in the order of their
// numbers.
func (b *Belongings) With(chosen []int) []int {
	all := make(map[int]bool, len(chosen))
	for rest := slices.Clone(chosen); len(rest) > 0; {
		i := rest[len(rest)-1]
		if rest = rest[:len(rest)-1]; !all[i] {
			all[i] = true
			rest = append(rest, b.of(i)...)
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// of returns the objects that belong to an object.
func (b *Belongings) of(i int) (list []int) {
	o := &b.objects[i]
	if o.grid != 0 {
		list = append(list, b.grids[gridded{o.owner, o.grid}]...)
		list = append(list, b.grids[gridded{owner{file: o.owner.file, message: -1}, o.grid}]...)
	}
	for _, name := range o.needs {
		exists := func(path string) bool { return b.names[named{o.owner, path}] != nil }
		if found, ok := Find(o.group, name, exists); ok {
			list = append(list, b.names[named{o.owner, found}].of(o.record)...)
		}
	}
	for _, dim := range o.dims {
		list = append(list, b.ragged[named{o.owner, o.group + "/" + dim}]...)
	}
	return list
}

// of returns the objects of a variable that go with a record. They are the objects of that
// record, or the first if the variable has no such record. Without a record it returns all of
// them.
func (v *versions) of(record mapping.Opt[uint64]) []int {
	switch {
	case !record.Known:
		return v.all
	case v.byRecord[record.Value] != nil:
		return v.byRecord[record.Value]
	}
	return v.all[:1]
}
