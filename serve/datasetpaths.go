package serve

import (
	"strings"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/nameset"
	"github.com/tgmconv/tgmconv/zarr"
)

// DatasetPaths are the paths of the nodes that show the groups and variables of a dataset. Each has
// a path of its own: where names differ only in characters that node names cannot have, or a group
// has the name of a variable beside it, the later one gets a number.
type DatasetPaths struct {
	groups    map[string]string       // by the name of the group
	names     map[string]*nameset.Set // of the nodes of a group, by its path
	variables map[placed]string
}

// placed is a variable in a group.
type placed struct {
	group    *dataset.Group
	variable *dataset.Variable
}

// NewDatasetPaths returns the paths in a [DatasetView] of a dataset.
func NewDatasetPaths(set *dataset.Dataset) *DatasetPaths {
	p := &DatasetPaths{groups: map[string]string{"": ""}, names: make(map[string]*nameset.Set), variables: make(map[placed]string)}
	for _, g := range set.Groups {
		path := p.groupPath(g.Name)
		for _, v := range g.Variables {
			p.variables[placed{g, v}] = p.child(path, v.Name)
		}
	}
	return p
}

// Group is the path of a group, "" for the root.
func (p *DatasetPaths) Group(g *dataset.Group) string { return p.groups[g.Name] }

// Variable is the path of the array that shows a variable of a group.
func (p *DatasetPaths) Variable(g *dataset.Group, v *dataset.Variable) string {
	return p.variables[placed{g, v}]
}

func (p *DatasetPaths) groupPath(name string) string {
	if path, ok := p.groups[name]; ok {
		return path
	}
	parent, own := "", name
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		parent, own = name[:i], name[i+1:]
	}
	path := p.child(p.groupPath(parent), own)
	p.groups[name] = path
	return path
}

// child is the path of a new node of a group.
func (p *DatasetPaths) child(group, name string) string {
	names := p.names[group]
	if names == nil {
		names = nameset.New()
		p.names[group] = names
	}
	return zarr.JoinKey(group, names.Next(nodeName(name)))
}
