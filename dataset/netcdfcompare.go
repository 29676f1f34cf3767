package dataset

import (
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tgmconv/tgmconv/tgm"
)

// compare finds the variables without records that have other values than in the first file. Times
// in other units are not counted. The error says why the files cannot be one dataset.
func (p *joinPlan) compare(files []*sourceFile, times timeJoin, opts *Options) error {
	p.differ, p.unknown = make(map[string]bool), make(map[string]bool)
	c := newComparison(files, times)
	for name, size := range c.sizes {
		if size > maxCompared || opts.Read == nil {
			p.unknown[name] = true
		}
	}
	most := uint64(opts.MaxCompared)
	if most == 0 {
		most = maxAllCompared
	}
	first := make(map[string]*tgm.Array)
	for _, name := range c.order() {
		if p.unknown[name] || c.sizes[name] > most {
			p.unknown[name] = true
			continue
		}
		most -= c.sizes[name]
		if first[name] = readWhole(c.constants[0][name], opts.Read); first[name] == nil {
			delete(first, name)
			p.unknown[name] = true
		}
	}
	for i, found := range c.withFirst(first, opts) {
		for _, name := range found.differ {
			if why := p.apart(name, c.constants[0][name]); why != "" {
				return fmt.Errorf("%s has other values in %s than in %s%s", name, files[i].place, files[0].place, why)
			}
			p.differ[name] = true
		}
		for _, name := range found.failed {
			p.unknown[name] = true
		}
	}
	return nil
}

// A comparison is of the variables without records of several files.
type comparison struct {
	constants []map[string]*Object // of each file, by name
	sizes     map[string]uint64    // bytes in all files; more than maxCompared where there are too many
}

func newComparison(files []*sourceFile, times timeJoin) *comparison {
	c := &comparison{constants: make([]map[string]*Object, len(files)), sizes: make(map[string]uint64)}
	for i, f := range files {
		c.constants[i] = make(map[string]*Object)
		for j := range f.objects {
			o := &f.objects[j]
			name := o.Base.Name(nil)
			if c.constants[i][name] != nil || times[name] != nil || o.alongRecords() {
				continue
			}
			if n, _ := o.Base.NetCDF(); n == nil || n.Attributes["grid_mapping_name"] != nil {
				continue // its attributes count
			}
			c.constants[i][name] = o
			c.sizes[name] += min(rowBytes(append([]uint64{0}, o.Shape...), o.DType), maxCompared+1)
		}
	}
	return c
}

// order has the names of the variables of the first file, labels first.
func (c *comparison) order() []string {
	names := slices.Sorted(maps.Keys(c.constants[0]))
	slices.SortStableFunc(names, func(a, b string) int {
		switch x, y := isLabel(c.constants[0][a]), isLabel(c.constants[0][b]); {
		case x && !y:
			return -1
		case y && !x:
			return 1
		}
		return 0
	})
	return names
}

// compared lists variables of a file, by name, with other values than in the first file or unreadable values.
type compared struct{ differ, failed []string }

// withFirst compares the variables of all files with the variables of the first. The result has an element
// for each file.
func (c *comparison) withFirst(first map[string]*tgm.Array, opts *Options) []compared {
	found := make([]compared, len(c.constants))
	names := slices.Sorted(maps.Keys(first))
	var group errgroup.Group
	group.SetLimit(readers)
	for i, constants := range c.constants[1:] {
		found := &found[i+1]
		group.Go(func() error {
			for _, name := range names {
				o := constants[name]
				if o == nil {
					continue
				}
				switch a := readWhole(o, opts.Read); {
				case a == nil:
					found.failed = append(found.failed, name)
				case !sameValues(first[name], a, o):
					found.differ = append(found.differ, name)
				}
			}
			return nil
		})
	}
	_ = group.Wait() // the functions return nil
	return found
}
