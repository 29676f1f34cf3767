// Package fromgrib makes GRIB files a source of fields: one for each field of each message, with
// the values, the missing points, the coordinates and the keys that ecCodes gives.
//
// Quantised fields hand over their integers, so that nothing is rounded on the way. Rows are put in
// one direction, one after the other; where they run is in the coordinates. base[i] has
//
//	name                      shortName
//	mars                      the keys of MARS, with grid and area
//	grib_repro                what it takes to write the field as GRIB again
//	grib                      with Options.AllKeys: ecCodes' other namespaces
//	geometry                  the grid, enough to compute the coordinates from (package grib/geometry); they have it as well
//	reference_time, valid_time, step, step_units, number, level, level_type
//	                          typed labels, for fields that MARS does not know as well
package fromgrib

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
)

// Options configure a source. Of Split and GroupBy at most one may be set; without both, all fields
// go into one message.
type Options struct {
	Split   bool     // a message for each field
	GroupBy []string // a message for each combination of the values of these keys, in the order they are met
	Where   []Clause // all must hold
	AllKeys bool
	// SkipBad goes on after messages whose frame is broken; the driver is told of them.
	SkipBad bool
	// MaxPoints bounds the points of a field; 0 is grib.DefaultMaxPoints.
	MaxPoints int
	// Opener opens the inputs; nil will do for files.
	Opener *importers.Opener
}

// Source is an importers.Source over GRIB files.
type Source struct {
	opts     Options
	files    *files
	grids    *gridCache
	keys     readers
	products productKeys
	reader   grib.Options
	asked    askedKeys
}

// New makes a source of the inputs, in their order. Nothing is opened yet.
func New(inputs []importers.Input, opts Options) *Source {
	if opts.Opener == nil {
		opts.Opener = new(importers.Opener)
	}
	return &Source{
		opts: opts, files: newFiles(inputs, opts.Opener), grids: newGridCache(), keys: newReaders(),
		reader: grib.Options{MaxPoints: opts.MaxPoints, SkipBad: opts.SkipBad},
	}
}

// Size is the bytes of all inputs, 0 if one of them cannot tell without being read.
func (s *Source) Size() int64 { return s.files.size() }

// Close closes the inputs.
func (s *Source) Close() error { return s.files.close() }

// Pending yields the messages of the inputs; with Options.GroupBy their fields, sorted into groups.
func (s *Source) Pending(ctx context.Context) iter.Seq2[importers.Pending, error] {
	if len(s.opts.GroupBy) > 0 {
		return s.grouped(ctx)
	}
	return func(yield func(importers.Pending, error) bool) {
		for found, err := range s.scan(ctx) {
			p := importers.Pending{}
			switch {
			case err != nil:
			case found.note != "":
				p = importers.Pending{Where: found.where(), Bytes: found.Junk, Notes: []string{found.note}}
			default:
				p = s.pending(found, func(int) bool { return true })
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// A place is a message that was found, or something to be said about an input.
type place struct {
	grib.Info
	input int
	name  string // of the input
	note  string
}

func (p *place) where() string {
	if p.note != "" {
		return p.name
	}
	return fmt.Sprintf("%s: message %d at byte %d", p.name, p.Index, p.Offset)
}

// scan finds the messages of all inputs.
func (s *Source) scan(ctx context.Context) iter.Seq2[place, error] {
	return func(yield func(place, error) bool) {
		for i := range s.files.inputs {
			if !s.scanInput(ctx, i, yield) {
				return
			}
		}
	}
}

// scanInput finds the messages of one input and says whether to go on with the next.
func (s *Source) scanInput(ctx context.Context, i int, yield func(place, error) bool) bool {
	f, err := s.files.acquire(ctx, i)
	if err != nil {
		yield(place{}, err)
		return false
	}
	defer s.files.release(f)
	if err := importers.ExpectFormat(f.InputFile, s.files.inputs[i], importers.FormatGRIB); err != nil {
		if s.files.inputs[i].FromFolder {
			return yield(place{name: f.Name, note: "passed over: " + err.Error(), Info: grib.Info{Junk: f.Size}}, nil)
		}
		return yield(place{}, &importers.BadInput{Where: f.Name, Err: err})
	}
	scanner := grib.NewScanner(f, f.Size)
	messages := 0
	for {
		info, err := scanner.Next()
		if ctx.Err() != nil {
			yield(place{}, ctx.Err())
			return false
		}
		switch {
		case err == io.EOF:
			return s.endOfInput(f, scanner.Junk(), messages, yield)
		case err != nil:
			where := fmt.Sprintf("%s: message %d at byte %d", f.Name, info.Index, info.Offset)
			if !yield(place{}, &importers.BadInput{Where: where, Err: err}) {
				return false
			}
			if !recoverable(err) {
				return true
			}
			messages++ // a broken one, and told of
			continue
		}
		messages++
		if !yield(place{Info: info, input: i, name: f.Name}, nil) {
			return false
		}
	}
}

// endOfInput tells of bytes that belong to no message.
func (s *Source) endOfInput(f *openFile, junk int64, messages int, yield func(place, error) bool) bool {
	if messages == 0 {
		return yield(place{}, &importers.BadInput{Where: f.Name, Err: fmt.Errorf("no GRIB message in %d bytes", f.Size)})
	}
	if junk == 0 {
		return true
	}
	return yield(place{name: f.Name, note: fmt.Sprintf("%d bytes that belong to no GRIB message are passed over", junk)}, nil)
}

// recoverable tells a broken message from a broken input: after the former the scan goes on.
func recoverable(err error) bool {
	var format *grib.FormatError
	var unsupported *grib.UnsupportedError
	return errors.As(err, &format) || errors.As(err, &unsupported)
}
