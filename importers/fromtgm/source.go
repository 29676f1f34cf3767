// Package fromtgm reads Tensogram files as an [importers.Source]: each object is a field, and the fields
// of a message stay together in one message.
//
// The integers of simple_packing are handed on as they are. Other payloads are decoded.
package fromtgm

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// Options configure a source. The zero value converts everything.
type Options struct {
	// Where are clauses that objects must match. The objects that these need are converted as well: coordinates,
	// bounds, grid mappings, see [cf.Belongings].
	Where mapping.Clauses
	// Opener opens the inputs; nil opens local files.
	Opener importers.Opener
	// Entries, which may be nil, completes the entries of objects.
	Entries Entries
}

// Entries completes the entries of objects, and knows more keys of them. The Entries of package fromgrib
// are such, for fields of GRIB.
type Entries interface {
	tgm.Completer
	Coded(mapping.Entry) mapping.Coded
}

// idleFiles is how many inputs stay open that are not in use.
const idleFiles = 4

// Source is an importers.Source over Tensogram files.
type Source struct {
	inputs []importers.Input
	opts   Options
	files  *importers.OpenFiles[*file]
	asked  mapping.Asked
}

// file is an open input.
type file struct {
	open func() (*tgm.File, error) // once

	mu   sync.Mutex
	last *message
}

// message is a message of a file, with the roles that objects have by the names in others.
type message struct {
	*tgm.Message
	extra map[string]any
	roles func() map[string]cf.Role // once
}

// New returns a source of the inputs, in their order. Nothing is opened yet. A source without
// inputs reads the parts that another source has listed.
func New(inputs []importers.Input, opts Options) *Source {
	s := &Source{inputs: inputs, opts: opts}
	var options []tgm.Option
	if opts.Entries != nil {
		options = append(options, tgm.WithCompleter(opts.Entries))
	}
	s.files = importers.NewOpenFiles(opts.Opener, idleFiles, func(in *importers.InputFile) *file {
		return &file{open: sync.OnceValues(func() (*tgm.File, error) {
			return tgm.NewFile(storage.ReaderAt(context.Background(), in.Blob), in.Blob.Size(), options...)
		})}
	})
	return s
}

// Size returns the number of bytes of the inputs, 0 when it is not known.
func (s *Source) Size() int64 { return importers.SizeOf(s.inputs) }

// Close closes the inputs.
func (s *Source) Close() error { return s.files.Close() }

// UnknownKeys returns the keys of Options.Where that no object has had so far.
func (s *Source) UnknownKeys() []string { return s.asked.Unknown() }

// Parts lists the objects of the inputs. A message without objects is one part.
func (s *Source) Parts(ctx context.Context) iter.Seq2[importers.Part, error] {
	return s.files.Parts(ctx, s.inputs, importers.FormatTensogram, func(index int, opened *importers.OpenFile[*file]) iter.Seq2[importers.Part, error] {
		return func(yield func(importers.Part, error) bool) {
			f, err := opened.Parsed.open()
			var chosen map[place]bool
			if err == nil && len(s.opts.Where) > 0 {
				chosen, err = s.choose(f, opened.Location)
			}
			if err != nil {
				yield(importers.Part{}, err)
				return
			}
			for m, err := range f.Messages() {
				if err != nil {
					yield(importers.Part{}, err)
					return
				}
				for p, err := range parts(m, fmt.Sprintf("file %d message %d", index, m.Index())) {
					unwanted := chosen != nil && (p.Fields == nil || !chosen[place{p.Number, p.Fields[0]}])
					if err == nil && unwanted {
						continue
					}
					if !yield(p, err) {
						return
					}
				}
			}
			if err := f.CheckWhole(); err != nil {
				yield(importers.Part{}, err)
			}
		}
	})
}

// parts lists the objects of a message.
func parts(m *tgm.Message, group string) iter.Seq2[importers.Part, error] {
	return func(yield func(importers.Part, error) bool) {
		p := importers.Part{Number: m.Index(), Offset: m.Offset(), Length: m.Length(), Group: group}
		n, err := m.NumObjects()
		p.Bytes = m.Length() / int64(max(1, n))
		if n == 0 || err != nil {
			yield(p, err)
			return
		}
		for j := range n {
			p.Fields = []int{j}
			if !yield(p, nil) {
				return
			}
		}
	}
}

// A place is where an object is in a file.
type place struct{ message, object int }

// choose finds the objects of a file that match the clauses, and the objects that they need.
func (s *Source) choose(f *tgm.File, location string) (map[place]bool, error) {
	var belongings cf.Belongings
	var places []place
	var matching []int
	for m, err := range f.Messages() {
		if err != nil {
			break // is met again where the parts are listed
		}
		shared, err := m.SharedMetadata()
		if err != nil {
			return nil, err
		}
		for o, err := range m.Objects() {
			if err != nil {
				return nil, err
			}
			e, rank := mapping.ReadIn(shared.Extra, o.Base()), len(o.Descriptor().Shape)
			var record mapping.Opt[uint64]
			record.Value, record.Known = e.RecordIndex()
			number := belongings.Add(e, location, m.Index(), rank, record)
			places = append(places, place{m.Index(), o.Index()})
			if s.known(e, o, location).Match(s.opts.Where, &s.asked) {
				matching = append(matching, number)
			}
		}
	}
	chosen := make(map[place]bool)
	for _, number := range belongings.With(matching) {
		chosen[places[number]] = true
	}
	return chosen, nil
}

// known returns the description of an object, for clauses.
func (s *Source) known(e mapping.Entry, o *tgm.Object, location string) *mapping.Known {
	k, d := mars.KnownOf(e), o.Descriptor()
	k.Place = &mapping.Place{File: storage.Display(location), Message: o.Message().Index(), Object: o.Index()}
	k.Array = func() mapping.ArrayKeys {
		return mapping.ArrayKeys{DType: d.DType.String(), Shape: d.Shape, Dims: e.Dims(len(d.Shape))}
	}
	if s.opts.Entries != nil {
		k.Coded = s.opts.Entries.Coded(e)
	}
	return &k
}

// Read reads the descriptions of the objects of a part. Their values are read when they are asked for.
func (s *Source) Read(ctx context.Context, p importers.Part, _ *importers.Scratch) iter.Seq2[*importers.Field, error] {
	return func(yield func(*importers.Field, error) bool) {
		fields, err := s.read(ctx, &p)
		if err != nil {
			if ctx.Err() == nil {
				err = &importers.BadInput{Where: p.Where(), Err: err}
			}
			yield(nil, err)
			return
		}
		for _, f := range fields {
			if !yield(f, nil) {
				return
			}
		}
	}
}

func (s *Source) read(ctx context.Context, p *importers.Part) ([]*importers.Field, error) {
	opened, err := s.files.Acquire(ctx, p.Input)
	if err != nil {
		return nil, err
	}
	defer opened.Release()
	m, err := opened.Parsed.message(p)
	if err != nil {
		return nil, err
	}
	n, err := m.NumObjects()
	if err != nil {
		return nil, err
	}
	numbers := p.Fields
	if n == 0 {
		return []*importers.Field{{Group: p.Group, Where: p.Where(), Message: m.extra}}, nil
	}
	if numbers == nil {
		for j := range n {
			numbers = append(numbers, j)
		}
	}
	var fields []*importers.Field
	for _, j := range numbers {
		o, err := m.Object(j)
		if err != nil {
			return nil, err
		}
		fields = append(fields, s.field(m, o, p))
	}
	return fields, nil
}

// message returns the message that a part is of. The last one is kept: its other parts follow.
func (f *file) message(p *importers.Part) (*message, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.last != nil && f.last.Offset() == p.Offset && f.last.Length() == p.Length {
		return f.last, nil
	}
	opened, err := f.open()
	if err != nil {
		return nil, err
	}
	m, err := opened.MessageAt(p.Number, p.Offset, p.Length)
	if err != nil {
		return nil, err
	}
	shared, err := m.SharedMetadata()
	if err != nil {
		return nil, err
	}
	f.last = &message{Message: m, extra: shared.Extra}
	f.last.roles = sync.OnceValue(f.last.findRoles)
	return f.last, nil
}

// findRoles finds the objects that others name as their coordinates, bounds and so on.
func (m *message) findRoles() map[string]cf.Role {
	roles := make(map[string]cf.Role)
	for base, err := range m.BaseEntries() {
		if err != nil {
			break // is met again where the object is read
		}
		e := mapping.ReadIn(m.extra, base)
		cf.References(attributesOf(e), func(name string, role cf.Role) { roles[name] = role })
	}
	return roles
}

// attributesOf looks up the attributes of an object for the vocabulary of CF.
func attributesOf(e mapping.Entry) cf.Attributes {
	n, isNetCDF := e.NetCDF()
	return func(name string) (string, bool) {
		var v any
		var ok bool
		if isNetCDF {
			v, ok = n.Attributes[name]
		} else {
			v, ok = e.Lookup(name)
		}
		text, _ := v.(string)
		return text, ok
	}
}

// roleOf says why values may not be stored with less precision.
func (m *message) roleOf(e mapping.Entry, dims []string) cf.Role {
	name := e.Name(nil)
	if e.MARS() != nil {
		return cf.Data
	}
	if role := m.roles()[name]; role != cf.Data {
		return role
	}
	return cf.RoleOf(name, dims, attributesOf(e))
}

// field describes an object.
func (s *Source) field(m *message, o *tgm.Object, p *importers.Part) *importers.Field {
	base, d := maps.Clone(o.Base()), o.Descriptor()
	e := mapping.ReadIn(m.extra, base)
	dims := e.Dims(len(d.Shape))
	at := *p
	at.Fields = []int{o.Index()}
	v := &values{source: s, part: at, info: *o.Array(nil).Info()}
	f := &importers.Field{
		Group: p.Group, Where: fmt.Sprintf("%s: message %d, object %d", storage.Display(p.Input), m.Index(), o.Index()), Index: o.Index(),
		DType: v.info.DType, Attrs: new(mapping.Attributes), Extras: base, Message: m.extra, Values: v,
		StoredBytes: o.PayloadLength, Exact: string(m.roleOf(e, dims)), Shorter: true,
		Compressed: d.Compression != "" && d.Compression != "none" || d.Encoding != "" && d.Encoding != "none",
	}
	for _, n := range d.Shape {
		f.Shape = append(f.Shape, int(min(n, math.MaxInt))) // larger ones are refused by who takes memory
	}
	if name, ok := base[mapping.KeyName].(string); ok {
		f.Name = name
		delete(base, mapping.KeyName)
	}
	if _, given := base[mapping.KeyDims]; given {
		f.Dims = dims
	}
	for key := range base {
		if _, stored := o.StoredBase()[key]; !stored {
			f.Implied = append(f.Implied, key)
		}
	}
	slices.Sort(f.Implied)
	if s.opts.Entries != nil {
		f.Coded = s.opts.Entries.Coded(e)
	}
	if d.DType == tgm.Bitmask {
		f.Notes = append(f.Notes, "a bitmask becomes numbers of 0 and 1")
	}
	return f
}
