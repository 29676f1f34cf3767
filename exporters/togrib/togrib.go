// Package togrib writes the objects of Tensogram files as GRIB messages.
//
// An object that was a GRIB field and has its sections (base[i].grib, see [mapping.Sections])
// becomes the same message again: the same octets for simple packing, CCSDS packing and IEEE
// floats, and for every packing whose data sections were kept; the same values for others, in CCSDS
// or simple packing. Fields that shared a message share one again. For an object without sections
// the message is built from its keys.
//
// If a key of an object was changed after the conversion, the new value is set in the message; it
// is an error if the message cannot have it.
package togrib

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/tgm"
)

// Options configure an export. The zero value writes messages as they were in the source.
type Options struct {
	// Packing is the packing of all messages; PackSource keeps the packing of the source if it can
	// be coded.
	Packing Packing
	// Bits is the width of the integers that values are quantised to; 0 means that of the source,
	// or 16. It has no effect on integers that are kept as they are.
	Bits int
	// Edition is the edition of messages that are built from keys; 0 means the one that the keys
	// have, or 2.
	Edition int
	// Set are keys to change in every message, in this order.
	Set []Setting
	// Workers is the number of fields to work on at a time; 0 means one for each core.
	Workers int
	// SkipBad leaves out objects that cannot be written, and lists them in the report.
	SkipBad bool
	// Progress is called after each object, if it is not nil.
	Progress func(Report)
}

// A Setting is a key with its new value.
type Setting = keys.Setting

// A Packing is a way to pack values.
type Packing string

// The packings.
const (
	PackSource  Packing = ""
	PackSimple  Packing = "simple"
	PackCCSDS   Packing = "ccsds"
	PackIEEE    Packing = "ieee"
	PackComplex Packing = "complex"
)

// Packings returns the names of the packings that [Options.Packing] may have.
func Packings() []string {
	return []string{"source", string(PackSimple), string(PackCCSDS), string(PackIEEE), string(PackComplex)}
}

// An Object is an object to be written, or a slice of one.
type Object struct {
	*tgm.Object
	Extra map[string]any // metadata of its message
	File  string         // for errors
	// Slice, if not nil, is the field to be written; Object is nil then.
	Slice *Slice
}

// refused is the error for an object of a name that cannot be written. It says where the object is
// unless err does.
func (o *Object) refused(name string, err error) *ObjectError {
	if o.Slice != nil || tgm.IsAt(err, o.Message().Index(), o.Index()) {
		return &ObjectError{o.File, name, err}
	}
	return &ObjectError{fmt.Sprintf("%s: message %d, object %d", o.File, o.Message().Index(), o.Index()), name, err}
}

// size returns how many bytes the object takes in its file, and how many values it has.
func (o *Object) size() (bytes int64, values uint64) {
	if o.Slice != nil {
		values = uint64(o.Slice.points())
		return int64(4 * values), values
	}
	values, _ = o.Descriptor().Elements()
	return o.Length(), values
}

// A Report says what was written.
type Report struct {
	Fields      int     `json:"fields"`
	Messages    int     `json:"messages"`
	Identical   int     `json:"identical"`   // fields whose data section is that of the source, octet for octet
	Repacked    int     `json:"repacked"`    // fields in another packing than the source's, or with other octets
	Built       int     `json:"built"`       // fields without sections, built of keys
	Edited      int     `json:"edited"`      // fields of which keys were set
	Coordinates int     `json:"coordinates"` // objects that are coordinates of grids, and are in the sections of the fields
	BytesIn     int64   `json:"bytes_in"`
	BytesOut    int64   `json:"bytes_out"`
	Skipped     []error `json:"-"`
}

// ErrNothing says that there was no field to write.
var ErrNothing = errors.New("togrib: there is no field to write")

// An ObjectError reports an object that cannot be written as GRIB.
type ObjectError struct {
	Where, Name string
	Err         error
}

func (e *ObjectError) Error() string {
	cause := strings.TrimPrefix(e.Err.Error(), "tgm: ")
	if e.Name == "" {
		return e.Where + ": " + cause
	}
	return fmt.Sprintf("%s (%s): %s", e.Where, e.Name, cause)
}

// Unwrap returns the cause.
func (e *ObjectError) Unwrap() error { return e.Err }

// budget is how much memory the fields in the making may take together, by estimate. A field that
// needs more is worked on while no other is.
const budget = 256 << 20

// A job is an object on its way through the workers to the writer, which takes jobs in order.
type job struct {
	object Object
	err    error // of listing the objects
	weight int64
	done   chan result
}

// Export writes objects to w in their order. An object that cannot be written gives an
// *ObjectError; errors of the iterator and of w are returned as they are.
func Export(ctx context.Context, w io.Writer, objects iter.Seq2[Object, error], opts Options) (*Report, error) {
	ctx, cancel := context.WithCancel(ctx)
	workers := opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	memory := semaphore.NewWeighted(budget)
	work, order := make(chan *job), make(chan *job, workers+2)
	spare := make(buffers, workers+cap(order))
	c := &collector{w: w, opts: &opts, report: new(Report), spare: spare}

	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() {
		defer close(order)
		defer close(work)
		produce(ctx, objects, memory, opts.SkipBad, work, order)
	})
	for range workers {
		running.Go(func() {
			m := newMaker(&opts, spare)
			for j := range work {
				j.done <- m.make(ctx, &j.object)
			}
		})
	}
	for j := range order {
		select {
		case r := <-j.done:
			if err := c.add(j, r); err != nil {
				return c.report, err
			}
			memory.Release(j.weight)
		case <-ctx.Done():
			return c.report, ctx.Err()
		}
	}
	if err := ctx.Err(); err != nil {
		return c.report, err
	}
	if err := c.flush(); err != nil {
		return c.report, err
	}
	if c.report.Fields == 0 {
		return c.report, ErrNothing
	}
	return c.report, nil
}

// produce hands each object to the workers, and to the writer in the same order.
func produce(ctx context.Context, objects iter.Seq2[Object, error], memory *semaphore.Weighted, skipBad bool, work, order chan<- *job) {
	for o, err := range objects {
		j := &job{object: o, err: err, done: make(chan result, 1)}
		if err != nil {
			j.done <- result{err: err}
		} else {
			bytes, n := o.size()
			j.weight = min(3*bytes+int64(min(n, budget)), budget)
		}
		if memory.Acquire(ctx, j.weight) != nil {
			return
		}
		select {
		case order <- j:
		case <-ctx.Done():
			return
		}
		var object *ObjectError
		if skipBad && errors.As(err, &object) {
			continue // the writer counts it
		}
		if err != nil {
			return
		}
		select {
		case work <- j:
		case <-ctx.Done():
			return
		}
	}
}
