// Package fromgrib reads GRIB files as an [importers.Source]: each field of each message is a
// field, with its values, missing points, coordinates and the keys that ecCodes gives.
//
// Quantised fields provide their integers, so that a conversion rounds nothing. Values are put in
// row order, with all rows in the same direction, which the coordinates show. base[i] has
//
//	name            shortName
//	mars            the keys of MARS, with grid and area
//	grib_repro      the keys for writing the field as GRIB again
//	grib            with Options.Sections the message without its values, to be written again;
//	                with Options.AllKeys ecCodes' other namespaces
//	geometry        the grid, enough to compute the coordinates from (package grib/geometry); the
//	                coordinates have it as well
//	product         other keys that tell fields apart, of sections 1, 2 and 4
//	reference_time, valid_time, step, step_units, number, level, level_type, top, bottom
//	                typed labels, also for fields that MARS does not know
package fromgrib

import (
	"context"
	"fmt"
	"io"
	"iter"
	"sync"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
)

// Options configure a source. At most one of Split and GroupBy may be set; without either all
// fields go into one message.
type Options struct {
	Split   bool            // a message for each field
	GroupBy []string        // a message for each combination of the values of these keys, in the order they are met
	Where   mapping.Clauses // all must hold
	AllKeys bool
	// Sections keeps the octets of the message other than its values, so that the message can be
	// written again. KeepData keeps the octets of bitmap and values as well, if they cannot be
	// coded to the same octets again.
	Sections, KeepData bool
	// SkipBad goes on after messages that are broken; Parts yields an error for each.
	SkipBad bool
	// Stream reads inputs without random access, such as pipes and compressed files, message by message. Opener
	// must be an [importers.Streamer], and GroupBy not set. The parts then hold the messages, and can be listed
	// only once.
	Stream bool
	// MaxPoints bounds the points of a field; 0 is grib.DefaultMaxPoints.
	MaxPoints int
	// MaxArray bounds the bytes of decoded values of small messages; 0 is grib.DefaultMaxArray.
	MaxArray int64
	// MaxMessage bounds the bytes of a message; 0 is grib.DefaultMaxMessage.
	MaxMessage int64
	// Opener opens the inputs; nil is a storage.Client without settings.
	Opener importers.Opener
	// ValuesOnly leaves out of fields all but their values: names, attributes and namespaces, which take longer
	// than the values of small fields. Where must be empty.
	ValuesOnly bool
	// Learned is shared by the sources of a command; nil means that the source has one of its own.
	Learned *Learned
}

// Learned holds knowledge of sources that does not depend on the input: how the keys of messages are read,
// and grids. It may be used by several sources at a time, and is bounded.
type Learned struct {
	grids    *gridCache
	keys     readers
	products productKeys
	locals   localKeys
	entries  *Entries
}

// NewLearned returns a Learned for the sources of a command.
func NewLearned() *Learned {
	keys := newReaders()
	return &Learned{grids: newGridCache(), keys: keys, entries: newEntries(keys)}
}

// openFiles are the inputs that are open.
type (
	openFiles = importers.OpenFiles[*lastMessages]
	openFile  = importers.OpenFile[*lastMessages]
)

// idleFiles is how many inputs stay open that are not in use.
const idleFiles = 16

// Source is an importers.Source over GRIB files.
type Source struct {
	opts   Options
	inputs []importers.Input
	files  *openFiles
	*Learned
	limits   grib.Limits
	asked    mapping.Asked
	sparsely sync.Map // by the name of an input, whether it is read sparsely; others as the context says
}

// New returns a source of the inputs, in their order. Nothing is opened yet. A source without
// inputs reads the parts that another source has listed.
func New(inputs []importers.Input, opts Options) *Source {
	learned := opts.Learned
	if learned == nil {
		learned = NewLearned()
	}
	return &Source{
		opts: opts, inputs: inputs, Learned: learned,
		files:  importers.NewOpenFiles(opts.Opener, idleFiles, func(*importers.InputFile) *lastMessages { return new(lastMessages) }),
		limits: grib.Limits{MaxPoints: opts.MaxPoints, MaxArray: opts.MaxArray, MaxMessage: opts.MaxMessage},
	}
}

// Size returns the bytes of all inputs, 0 if a size is not known without reading the input.
func (s *Source) Size() int64 { return importers.SizeOf(s.inputs) }

// Close closes the inputs.
func (s *Source) Close() error { return s.files.Close() }

// Parts lists the messages of the inputs; with Options.GroupBy their fields, sorted into groups. With
// the error for a message comes a part with its number and offset.
func (s *Source) Parts(ctx context.Context) iter.Seq2[importers.Part, error] {
	if len(s.opts.GroupBy) > 0 {
		return s.grouped(ctx)
	}
	return func(yield func(importers.Part, error) bool) {
		for found, err := range s.scan(ctx) {
			p := importers.Part{Number: found.Index, Offset: found.Offset}
			if err == nil {
				p = s.part(found)
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// part is the message at a place, or the note about an input.
func (s *Source) part(at place) importers.Part {
	p := importers.Part{Input: s.inputs[at.input].Name}
	if at.note != "" {
		p.Bytes, p.Notes = at.Junk, []string{at.note}
		return p
	}
	p.Number, p.Offset, p.Length, p.Data, p.Last = at.Index, at.Offset, at.Length, at.data, at.last
	p.Bytes, p.Memory = at.Length, 8*at.Length
	if s.opts.Split {
		p.Group = fmt.Sprintf("input %d byte %d", at.input, at.Offset)
	}
	return p
}

// A place is a message that was found, or a note about an input.
type place struct {
	grib.Info
	input int
	note  string

	data []byte // of a stream
	last bool   // nothing follows data
}

// scan finds the messages of all inputs.
func (s *Source) scan(ctx context.Context) iter.Seq2[place, error] {
	return func(yield func(place, error) bool) {
		for i := range s.inputs {
			if !s.scanInput(ctx, i, yield) {
				return
			}
		}
	}
}

// scanInput finds the messages of one input and reports whether to go on with the next.
func (s *Source) scanInput(ctx context.Context, i int, yield func(place, error) bool) bool {
	if stream, err := s.stream(ctx, s.inputs[i].Name); stream != nil || err != nil {
		if err != nil {
			yield(place{}, err)
			return false
		}
		defer stream.Close()
		return s.scanStream(ctx, stream, i, yield)
	}
	f, err := s.files.Acquire(ctx, s.inputs[i].Name)
	if err != nil {
		yield(place{}, err)
		return false
	}
	defer f.Release()
	if err := importers.ExpectFormat(f, f.Size(), s.inputs[i], importers.FormatGRIB); err != nil {
		if importers.Ignored(s.inputs[i], err, importers.FormatGRIB) {
			return yield(place{input: i, note: "skipped: " + err.Error(), Info: grib.Info{Junk: f.Size()}}, nil)
		}
		return yield(place{}, &importers.BadInput{Where: f.Name, Err: err})
	}
	if places, ok := s.fromIndex(ctx, f, i); ok {
		for _, at := range places {
			if !yield(at, nil) {
				return false
			}
		}
		return true
	}
	if s.dense(ctx, f, i) {
		ctx = storage.Dense(ctx)
		if f, err = s.files.Acquire(ctx, s.inputs[i].Name); err != nil {
			yield(place{}, err)
			return false
		}
		defer f.Release()
	}
	scanner, wanted, err := s.scanner(ctx, f, i)
	if err != nil {
		yield(place{}, err)
		return false
	}
	messages := 0
	for {
		info, err := scanner.Next()
		if ctx.Err() != nil {
			yield(place{}, ctx.Err())
			return false
		}
		switch {
		case err == io.EOF:
			return endOfInput(f.Name, f.Size(), i, scanner.Junk(), messages, yield)
		case err != nil:
			where := fmt.Sprintf("%s: message %d at byte %d", f.Name, info.Index, info.Offset)
			if !yield(place{Info: info}, &importers.BadInput{Where: where, Err: err}) {
				return false
			}
			if !grib.IsRecoverable(err) {
				return true
			}
			messages++ // a broken one, which has been reported
			continue
		}
		messages++
		if !wanted.has(info) {
			continue
		}
		if !yield(place{Info: info, input: i}, nil) {
			return false
		}
	}
}

// endOfInput notes bytes that belong to no message.
func endOfInput(name string, size int64, input int, junk int64, messages int, yield func(place, error) bool) bool {
	if messages == 0 {
		return yield(place{}, &importers.BadInput{Where: name, Err: fmt.Errorf("no GRIB message in %d bytes", size)})
	}
	if junk == 0 {
		return true
	}
	return yield(place{input: input, note: fmt.Sprintf("%d bytes that belong to no GRIB message are skipped", junk)}, nil)
}
