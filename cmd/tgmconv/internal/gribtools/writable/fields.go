// Package writable lists the fields of a file that can become GRIB: its objects, and the horizontal
// slices of its netCDF variables and of other arrays with named axes.
package writable

import (
	"context"
	"iter"

	"github.com/tgmconv/tgmconv/archive"
	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/exporters/togrib"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mapping/where"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// Options choose fields.
type Options struct {
	Where where.Clauses
	Asked *where.Asked     // records which keys were asked for; may be nil
	Set   []togrib.Setting // of the slices that are built

	Name     string         // of the file, as errors have it
	Location string         // of the file, for Client
	Client   archive.Client // opens the file once more to slice its arrays
}

// All yields the objects of a file that fulfil the clauses, and then the slices of its arrays that
// fulfil them.
func All(ctx context.Context, file *tgm.File, opts Options) iter.Seq2[togrib.Object, error] {
	if opts.Asked == nil {
		opts.Asked = new(where.Asked)
	}
	return func(yield func(togrib.Object, error) bool) {
		arrays := false
		for m, err := range catalog.Messages(ctx, file, opts.Name) {
			if err != nil {
				yield(togrib.Object{}, err)
				return
			}
			arrays = arrays || len(mapping.NetCDFFiles(m.Shared.Extra)) > 0
			for o, err := range m.Select(nil, nil) {
				if err == nil && isArray(m, o) {
					arrays = true // the clauses are about its slices
					continue
				}
				if err == nil && len(opts.Where) > 0 && !o.Known().Match(opts.Where, opts.Asked) {
					continue
				}
				object := togrib.Object{Object: o.Object, Extra: m.Shared.Extra, File: opts.Name}
				if !yield(object, err) || err != nil {
					return
				}
			}
		}
		if arrays {
			slices(ctx, opts, yield)
		}
	}
}

// isArray reports whether an object has several fields, as netCDF variables have.
func isArray(m *catalog.Message, o catalog.Object) bool {
	return o.Base()[mapping.KeyNetCDF] != nil || look.IsArray(mapping.ReadIn(m.Shared.Extra, o.Base()), o.Descriptor().Shape)
}

// slices yields the horizontal slices of the arrays of a file that fulfil the clauses. A variable
// that GRIB has no words for is an error once.
func slices(ctx context.Context, opts Options, yield func(togrib.Object, error) bool) {
	lister := look.NewLister(look.Options{Where: opts.Where, Asked: opts.Asked, Slices: true, Bounds: true, Arrays: true})
	inputs := []storage.Input{{Name: opts.Location}}
	a, err := archive.List(ctx, nil, archive.Options{Client: opts.Client, Inputs: inputs, Select: lister.Add})
	if err != nil {
		yield(togrib.Object{}, err)
		return
	}
	defer a.Close()
	found, err := lister.Fields(ctx, a)
	if err != nil {
		yield(togrib.Object{}, err)
		return
	}
	slicer, refused := togrib.NewSlicer(opts.Set...), make(map[string]bool)
	for _, f := range found {
		if f.Attributes == nil || refused[f.Where] {
			continue
		}
		object := togrib.Object{File: opts.Name + ": variable " + f.Name}
		object.Slice, err = slicer.Slice(ctx, f)
		if err != nil {
			refused[f.Where] = true
			err = &togrib.ObjectError{Where: object.File, Err: err}
		}
		if !yield(object, err) {
			return
		}
	}
}
