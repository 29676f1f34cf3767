package archive

import (
	"slices"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
)

// A chooser chooses the objects of a catalogue that Options.Select chooses, and finds the objects
// that they need. Until all objects are known the catalogue has every object that may be needed.
type chooser struct {
	opts       *Options
	catalog    *catalog.Catalog
	belongings cf.Belongings
	refs       []int            // by the numbers that the belongings have for objects
	chosen     []int            // such numbers
	every      bool             // all objects stay in the catalogue until finish, for [Archive.SaveIndex]
	alone      []int            // refs of chosen objects that need no other
	objects    []dataset.Object // by ref, for Options.Chosen
}

// keep reports whether an object is chosen, or may be needed.
func (c *chooser) keep(e *catalog.Entry, known *mapping.Known) bool {
	all := known.Entry
	o := dataset.Object{
		Ref: c.catalog.Len(), Where: e.Where(), File: e.File, Message: e.Message, Index: e.Object, Base: all, Shape: e.Shape, DType: e.DType,
		Known: known,
	}
	if _, _, stored := e.MessageSpan(); stored {
		o.Within = e.Message
	}
	if c.every {
		if o.Ref = len(c.refs); c.opts.Select(&o) {
			c.refs = append(c.refs, c.catalog.Len())
		}
		return true
	}
	chosen := c.opts.Select(&o)
	o.Known = nil
	if !c.opts.WithNeeded {
		if chosen && c.opts.Chosen != nil {
			c.opts.Chosen(&o)
		}
		return chosen
	}
	if catalog.OnGrid(all) {
		if !chosen {
			return false
		}
		c.alone = append(c.alone, o.Ref)
	} else {
		n := c.belongings.Add(all, e.File, o.Within, len(e.Shape), e.Record)
		c.refs = append(c.refs, o.Ref)
		if chosen {
			c.chosen = append(c.chosen, n)
		}
	}
	if c.opts.Chosen != nil {
		c.objects = append(c.objects, o)
	}
	return true
}

// finish leaves the chosen objects, and the objects that they need, in the catalogue.
func (c *chooser) finish() {
	if !c.opts.WithNeeded {
		return
	}
	refs := slices.Clone(c.alone)
	for _, n := range c.belongings.With(c.chosen) {
		refs = append(refs, c.refs[n])
	}
	slices.Sort(refs)
	c.catalog.Retain(refs)
	if c.opts.Chosen == nil {
		return
	}
	for i, ref := range refs {
		o := c.objects[ref]
		o.Ref = i
		c.opts.Chosen(&o)
	}
}

// chooseKnown is [Archive.catalogue] for inputs whose index has all that Options.Select asks for. It
// reports false for other inputs.
func (a *Archive) chooseKnown(inputs []storage.Input, states []look, known *catalog.Catalog) bool {
	if known == nil || !a.opts.SelectIndexed || a.opts.WithNeeded || a.opts.Chosen != nil || !a.allKnown(inputs, states, known.Files()) {
		return false
	}
	if !answers(known) {
		return false
	}
	var refs []int
	for ref, e := range known.All() {
		o := dataset.Object{
			Ref: len(refs), Where: e.Where(), File: e.File, Message: e.Message, Index: e.Object, Base: e.Base, Shape: e.Shape, DType: e.DType,
			Known: e.Known(),
		}
		if a.opts.Select(&o) {
			refs = append(refs, ref)
		}
	}
	a.retain(known, refs)
	a.Catalog, a.Indexed = known, len(inputs)
	return true
}

// answers reports whether a catalogue has all that Options.Select asks for with Options.SelectIndexed.
func answers(c *catalog.Catalog) bool {
	for _, e := range c.All() {
		if e.Coordinate || e.Base.Namespace(mapping.KeyNetCDF) != nil || e.Base.Source() != "" || e.Base.Other() != nil {
			return false // coordinates are read to choose
		}
		if e.Labels.Top.Known && !e.Labels.Level.Known {
			return false // ecCodes has a level for layers
		}
	}
	return true
}
