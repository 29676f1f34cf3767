package tozarr

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/internal/jsontext"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/zarr"
)

// An AppendError says why the arrays of a view cannot be appended to a store.
type AppendError struct {
	Path, Why string
	// Layout is set if the store has other arrays, or other dimensions of them, than the view: as if
	// it had been made of another arrangement of the same data.
	Layout bool
}

func (e *AppendError) Error() string { return "cannot append to " + e.Path + ": " + e.Why }

// extend changes the plan to add to the store at the target, if there is one.
func (p *plan) extend(ctx context.Context, target Target, nodes map[string]serve.Node, opts *Options) error {
	_, err := target.Get(ctx, rootKey)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if used := p.dimensions(); opts.Append != "" && !used[opts.Append] {
			return unknownDimension(opts.Append, used)
		}
		return p.checkFresh(ctx, target)
	case err != nil:
		return err
	case opts.Append == "":
		return ErrExists
	}
	e := &extension{plan: p, store: targetStore{target}, nodes: nodes, dim: opts.Append, lengths: make(map[string]uint64), maxMemory: opts.MaxMemory}
	return e.run(ctx)
}

// checkFresh refuses a folder that holds something else.
func (p *plan) checkFresh(ctx context.Context, target Target) error {
	if _, err := target.Get(ctx, planKey); err == nil {
		return nil
	}
	empty, err := target.Empty(ctx)
	if err == nil && !empty {
		err = errors.New("the folder is not empty and holds no Zarr store")
	}
	return err
}

// An extension is a plan that adds to a store along a dimension.
type extension struct {
	plan    *plan
	store   zarr.Store
	nodes   map[string]serve.Node
	dim     string
	lengths map[string]uint64 // of the dimension before, by group

	maxMemory int64
}

func (e *extension) run(ctx context.Context) error {
	byPath := make(map[string]*zarr.Array)
	documents := make(map[string]*zarr.ArrayMetadata)
	for a, err := range zarr.Arrays(ctx, e.store, "") {
		var opaque *zarr.OpaqueError
		switch {
		case err == nil:
			byPath[a.Path()] = a
			documents[a.Path()] = a.Metadata()
		case errors.As(err, &opaque):
			documents[opaque.Path] = opaque.Metadata
		default:
			return err
		}
	}
	for _, a := range e.plan.arrays {
		if err := e.adopt(a, byPath[a.path], documents[a.path]); err != nil {
			return err
		}
	}
	for _, a := range e.plan.arrays {
		if err := e.compare(ctx, a, byPath[a.path]); err != nil {
			return err
		}
	}
	if err := e.keepOthers(documents); err != nil {
		return err
	}
	return e.keepGroups(ctx)
}

// adopt gives an array the chunks and codecs it has in the store, and its place after the stored elements.
// For texts, old is nil.
func (e *extension) adopt(a *arrayPlan, old *zarr.Array, have *zarr.ArrayMetadata) error {
	switch {
	case have == nil:
		return &AppendError{Path: a.path, Why: "the store has no such array", Layout: true}
	case have.DataType != a.out.DataType:
		return &AppendError{Path: a.path, Why: fmt.Sprintf("its type is %s in the store, and %s in the inputs", have.DataType, a.out.DataType)}
	case !slices.Equal(have.DimensionNames, a.out.DimensionNames):
		return &AppendError{Path: a.path, Why: fmt.Sprintf("its dimensions are %v in the store, and %v in the inputs", have.DimensionNames, a.out.DimensionNames), Layout: true}
	}
	axis := slices.Index(have.DimensionNames, e.dim)
	for i, n := range have.Shape {
		if i != axis && n != a.in.Shape[i] {
			return &AppendError{Path: a.path, Why: fmt.Sprintf("%s has the length %d in the store, and %d in the inputs", have.DimensionNames[i], n, a.in.Shape[i])}
		}
	}
	for _, key := range meaning(a.out.DataType) {
		if !sameJSON(have.Attributes[key], a.out.Attributes[key]) {
			return &AppendError{Path: a.path, Why: fmt.Sprintf("%s is %v in the store, and %v in the inputs", key, have.Attributes[key], a.out.Attributes[key])}
		}
	}
	if a.opaque {
		if err := e.adoptTexts(a, have, axis); err != nil {
			return err
		}
	}
	out := *have
	out.Shape = slices.Clone(have.Shape)
	a.out = &out
	a.old = old
	if axis < 0 {
		a.skip = true
		return nil
	}
	group := parentOf(a.path)
	if n, ok := e.lengths[group]; ok && n != have.Shape[axis] {
		return &AppendError{Path: a.path, Why: fmt.Sprintf("%s has the length %d, others %d", e.dim, have.Shape[axis], n)}
	}
	e.lengths[group] = have.Shape[axis]
	a.offset[axis] = have.Shape[axis]
	out.Shape[axis] += a.in.Shape[axis]
	return nil
}

// meaning are the attributes that change the meaning of elements of a type. Missing floats are NaN, whatever
// the attributes of a store say that another program wrote.
func meaning(t zarr.DataType) []string {
	keys := []string{cf.AttrUnits, cf.AttrCalendar, cf.AttrScaleFactor, cf.AttrAddOffset, "GRIB_paramId"}
	if isFloat(t) {
		return keys
	}
	return append(keys, cf.AttrFillValue, cf.AttrMissingValue, "flag_values", "flag_masks", "flag_meanings")
}

// compare checks an array of the inputs against the store. A coordinate that does not grow must be the same;
// another array that differs is noted. The coordinate of the dimension must go on where it ended.
func (e *extension) compare(ctx context.Context, a *arrayPlan, old *zarr.Array) error {
	grows := slices.Contains(a.out.DimensionNames, e.dim)
	label := coordinates(e.nodes)[a.path]
	if a.opaque {
		return e.compareTexts(ctx, a, label)
	}
	switch {
	case !label && !grows:
		return e.noteKept(ctx, a, old)
	case !label || grows && !strings.HasSuffix("/"+a.path, "/"+e.dim):
		return nil
	}
	before := make([]byte, int64(nd.Volume(old.Metadata().Shape))*int64(a.out.DataType.Size()))
	if err := old.Read(ctx, before); err != nil {
		return err
	}
	after, err := a.read(ctx)
	if err != nil {
		return err
	}
	if !grows {
		if !bytes.Equal(before, after) {
			return &AppendError{Path: a.path, Why: "its values in the inputs are not those in the store"}
		}
		return nil
	}
	_, last := extremes(a.out.DataType, before)
	first, _ := extremes(a.out.DataType, after)
	if last != nil && first != nil && first.Cmp(last) <= 0 {
		return &AppendError{Path: a.path, Why: fmt.Sprintf("the inputs begin at %s, and the store ends at %s", place(a.in.Attributes, first), place(a.in.Attributes, last))}
	}
	return nil
}

// place is a value of an axis with these attributes: a date, if it is one.
func place(attributes map[string]any, v *big.Float) string {
	units, _ := attributes[cf.AttrUnits].(string)
	calendar, _ := attributes[cf.AttrCalendar].(string)
	if t, err := cf.ParseTimeUnits(units, calendar); err == nil {
		f, _ := v.Float64()
		if date, ok := t.Date(f); ok {
			return date.String()
		}
	}
	return v.Text('f', -1)
}

// keepOthers adds the arrays of the store that the inputs lack. Arrays along the dimension become longer, by
// holes.
func (e *extension) keepOthers(documents map[string]*zarr.ArrayMetadata) error {
	grown := make(map[string]uint64) // by group
	for _, a := range e.plan.arrays {
		if i := slices.Index(a.out.DimensionNames, e.dim); i >= 0 {
			grown[parentOf(a.path)] = a.out.Shape[i]
		}
	}
	if len(grown) == 0 {
		return &AppendError{Path: "the store", Why: "no array of the inputs has the dimension " + e.dim, Layout: true}
	}
	for path, old := range documents {
		if _, ok := e.nodes[path]; ok {
			continue
		}
		out := *old
		out.Shape = slices.Clone(out.Shape)
		if i := slices.Index(out.DimensionNames, e.dim); i >= 0 {
			if n, ok := grown[parentOf(path)]; ok {
				out.Shape[i] = n
			}
		}
		e.nodes[path] = serve.Node{Array: &out}
		for group := parentOf(path); group != ""; group = parentOf(group) {
			e.nodes[group] = serve.Node{Group: new(zarr.GroupMetadata)}
		}
	}
	return nil
}

// keepGroups gives the groups the attributes that they have in the store.
func (e *extension) keepGroups(ctx context.Context) error {
	for path, node := range e.nodes {
		if node.Group == nil {
			continue
		}
		g, err := zarr.OpenGroup(ctx, e.store, path)
		if err != nil {
			return err
		}
		e.nodes[path] = serve.Node{Group: g}
	}
	return nil
}

// read reads all elements of an array of the view.
func (a *arrayPlan) read(ctx context.Context) ([]byte, error) {
	store := serve.NewStore(a.view, serve.StoreOptions{CacheBytes: -1})
	array, err := zarr.OpenArray(ctx, store, a.path)
	if err != nil {
		return nil, err
	}
	data := make([]byte, int64(nd.Volume(a.in.Shape))*int64(a.in.DataType.Size()))
	return data, array.Read(ctx, data)
}

// sameJSON reports whether two attributes are the same in a document.
func sameJSON(a, b any) bool {
	x, errX := jsontext.Append(nil, a)
	y, errY := jsontext.Append(nil, b)
	if errX != nil || errY != nil {
		return reflect.DeepEqual(a, b)
	}
	var u, v any
	return bytes.Equal(x, y) || json.Unmarshal(x, &u) == nil && json.Unmarshal(y, &v) == nil && reflect.DeepEqual(u, v)
}
