package hdf5

import "sync"

// nameCache keeps the links of groups that paths led through, by name. A file may have as many soft
// links as its groups have members.
type nameCache struct {
	mu     sync.Mutex
	groups map[uint64]*namedLinks
}

type namedLinks struct {
	o     *Object
	links map[string]Link
}

const maxNamedGroups = 64

// of returns the links of a group by name.
func (n *nameCache) of(o *Object) (map[string]Link, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if g := n.groups[o.Addr]; g != nil {
		return g.links, nil
	}
	list, err := o.Links()
	if err != nil {
		return nil, err
	}
	g := &namedLinks{o, make(map[string]Link, len(list))}
	for _, l := range list {
		g.links[l.Name] = l
	}
	if n.groups == nil || len(n.groups) >= maxNamedGroups {
		n.groups = map[uint64]*namedLinks{}
	}
	n.groups[o.Addr] = g
	return g.links, nil
}

// group returns a group that was looked into, or nil.
func (n *nameCache) group(addr uint64) *Object {
	n.mu.Lock()
	defer n.mu.Unlock()
	if g := n.groups[addr]; g != nil {
		return g.o
	}
	return nil
}
