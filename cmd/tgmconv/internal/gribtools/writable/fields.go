// Package writable lists the fields of files that can become GRIB: the objects of Tensogram files, the fields of
// GRIB files, and the horizontal slices of netCDF variables and of other arrays with named axes.
package writable

import (
	"context"
	"errors"
	"io"
	"iter"
	"math"

	"github.com/tgmconv/tgmconv/exporters/togrib"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// Options choose fields.
type Options struct {
	Where mapping.Clauses
	Asked *mapping.Asked   // records which keys were asked for; may be nil
	Set   []togrib.Setting // of the slices that are built
	// Chosen, which may be nil, chooses among the objects and fields that match the clauses.
	Chosen func(mapping.Place) bool

	Name     string         // of the file, as errors have it
	Location string         // of the file, for Client
	Client   archive.Client // opens the file once more to slice its arrays

	// Missing are numbers that mean a missing point in netCDF files, see [archive.Options].
	Missing []float64
	// Take, which may be nil, counts bytes of values that are about to be decoded.
	Take func(bytes int64) error
	// Keep is given the sources of slices of arrays, to be closed when all fields were written: [togrib.Export] reads
	// some after the last was yielded. Without it, slices can be read until the next is asked for.
	Keep func(io.Closer)
	// LeftOut, which may be nil, is called for each unread variable of a netCDF file, with the reason.
	LeftOut func(why string)
}

// take counts bytes of values that are about to be decoded.
func (o *Options) take(bytes float64) error {
	if o.Take == nil {
		return nil
	}
	return o.Take(int64(min(bytes, math.MaxInt64/2)))
}

// matches reports whether an object or a field is to be written.
func (o *Options) matches(k *mapping.Known) bool {
	return (o.Chosen == nil || k.Place != nil && o.Chosen(*k.Place)) && (len(o.Where) == 0 || k.Match(o.Where, o.Asked))
}

// Fields are the fields that can be written, and errors: a [*togrib.ObjectError] stands for one field, and the
// others follow; any other error is the last.
type Fields = iter.Seq2[togrib.Object, error]

// OfTensogram yields the objects of a file that match the clauses, and then the matching slices of its
// arrays.
func OfTensogram(ctx context.Context, file *tgm.File, opts Options) Fields {
	if opts.Asked == nil {
		opts.Asked = new(mapping.Asked)
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
				if err == nil && !opts.matches(o.Known()) {
					continue
				}
				object := togrib.Object{Object: o.Object, Extra: m.Shared.Extra, File: opts.Name}
				if !yield(object, err) || err != nil {
					return
				}
			}
		}
		if arrays && opts.Chosen == nil { // which is about objects
			OfArrays(ctx, opts)(yield)
		}
	}
}

// isArray reports whether an object is the values of coordinates of its own: it may have several fields, as netCDF
// variables have.
func isArray(m *catalog.Message, o catalog.Object) bool {
	base := o.Base()
	return base[mapping.KeyNetCDF] != nil || mapping.ByOther(base) || look.IsArray(mapping.ReadIn(m.Shared.Extra, base), o.Descriptor().Shape)
}

// OfGRIB yields the fields of a source, which has no clauses of its own, that match the clauses.
func OfGRIB(ctx context.Context, source *fromgrib.Source, opts Options) Fields {
	var match func(*mapping.Known) bool
	if len(opts.Where) > 0 || opts.Chosen != nil {
		match = opts.matches
	}
	return func(yield func(togrib.Object, error) bool) {
		for f, err := range source.Stored(ctx, match) {
			var bad *importers.BadInput
			if errors.As(err, &bad) {
				err = &togrib.ObjectError{Where: bad.Where, Err: bad.Err}
			}
			if err == nil {
				n, _ := f.NumberOfDataPoints() // of an error nothing is decoded
				err = opts.take(8 * float64(n))
			}
			if !yield(togrib.Object{Field: f.Field, File: f.Where}, err) || err != nil && bad == nil {
				return
			}
		}
	}
}

// OfArrays yields the horizontal slices of the arrays of a file of any format that match the clauses. A variable
// that GRIB has no words for is an error once.
func OfArrays(ctx context.Context, opts Options) Fields {
	return func(yield func(togrib.Object, error) bool) {
		lister := look.NewLister(look.Options{Where: opts.Where, Asked: opts.Asked, Slices: true, Bounds: true, Arrays: true})
		inputs := []storage.Input{{Name: opts.Location}}
		a, err := archive.List(ctx, nil, archive.Options{Client: opts.Client, Inputs: inputs, Missing: opts.Missing, Select: lister.Add})
		if err != nil {
			yield(togrib.Object{}, err)
			return
		}
		if opts.Keep != nil {
			opts.Keep(a)
		} else {
			defer a.Close()
		}
		for _, bad := range a.Bad {
			if !yield(togrib.Object{}, &togrib.ObjectError{Err: errors.New(bad)}) {
				return
			}
		}
		if opts.LeftOut != nil {
			for _, why := range a.LeftOut() {
				opts.LeftOut(why)
			}
		}
		found, err := lister.Fields(ctx, a)
		if err != nil {
			yield(togrib.Object{}, err)
			return
		}
		slices(ctx, found, nil, opts, yield)
	}
}

// OfDataset yields the horizontal slices of the variables of the labelled dataset of an archive.
func OfDataset(ctx context.Context, a *archive.Archive, opts Options) Fields {
	return func(yield func(togrib.Object, error) bool) {
		found, err := look.DatasetFields(ctx, a.Set, a, look.Options{Slices: true, Bounds: true, Arrays: true})
		if err != nil {
			yield(togrib.Object{}, err)
			return
		}
		slices(ctx, found, a, opts, yield)
	}
}

// slices yields fields for writing, in an archive with the messages that they were.
func slices(ctx context.Context, found []*look.Field, a *archive.Archive, opts Options, yield func(togrib.Object, error) bool) {
	if err := opts.take(look.GridWork(found)); err != nil {
		yield(togrib.Object{}, err)
		return
	}
	slicer, refused := togrib.NewSlicer(opts.Set...), make(map[string]bool)
	for _, f := range found {
		if f.Attributes == nil || refused[f.Where] {
			continue
		}
		object := togrib.Object{File: opts.Name + ": variable " + f.Name}
		source := messageOf(a, f)
		var err error
		object.Slice, err = slicer.Slice(ctx, f)
		if err != nil && source != nil {
			object.Slice, err = slicer.Part(ctx, f)
		}
		if err != nil {
			refused[f.Where] = true
			err = &togrib.ObjectError{Where: object.File, Err: err}
		} else if err = opts.take(8 * float64(nd.Volume(f.Shape))); err != nil {
			yield(object, err)
			return
		} else {
			object.Slice.Source = source
		}
		if !yield(object, err) {
			return
		}
	}
}

// messageOf returns a function that reads the header of a message. A field of an archive was cut from this message.
// It is nil if the message is not known.
func messageOf(a *archive.Archive, f *look.Field) func(context.Context) (grib.Header, mapping.Entry, error) {
	ref, ok := f.Chunk()
	for a != nil && ok {
		parts := a.Set.Parts(ref)
		if parts == nil {
			return func(ctx context.Context) (grib.Header, mapping.Entry, error) { return a.Header(ctx, ref) }
		}
		ref, ok = parts[0].Ref, len(parts) == 1
	}
	return nil
}
