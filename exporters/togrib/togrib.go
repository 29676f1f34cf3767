// Package togrib writes GRIB messages from objects of Tensogram files, slices of other arrays, and fields of GRIB
// files.
//
// An object that was a GRIB field and has its sections (base[i].grib, see [mapping.Sections])
// becomes the same message again: the same octets for simple packing, CCSDS packing and IEEE
// floats, and for every packing whose data sections were kept; the same values for others, in CCSDS
// or simple packing. Fields that shared a message share one again. For an object without sections
// the message is built from its keys.
//
// A field of a GRIB file stays as it is but for the keys that are set, and the packing that is asked for.
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

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/parallel"
	"github.com/tgmconv/tgmconv/tgm"
)

// Options configure an export. The zero value writes messages as they were in the source.
type Options struct {
	// Packing is the packing of all messages; PackSource keeps the packing of the source if it can
	// be coded.
	Packing Packing
	// Bits is the width of the integers that values are quantised to. 0 means the width of the source, or 16. It
	// has no effect on integers that are kept as they are.
	Bits int
	// Edition is the edition of messages that are built from keys. 0 means the edition of the keys, or 2.
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

// An Object is the source of a GRIB field: an object of a Tensogram file, a slice of an array, or a field of
// a GRIB file.
type Object struct {
	*tgm.Object                // nil if one of the others is set
	Extra       map[string]any // metadata of its message
	File        string         // of an object its file, of others their place, for errors
	Slice       *Slice
	Field       *grib.Field
}

// refused is the error for an object of a name that cannot be written. It says where the object is
// unless err does.
func (o *Object) refused(name string, err error) *ObjectError {
	if o.Object == nil || tgm.IsAt(err, o.Message().Index(), o.Index()) {
		return &ObjectError{o.File, name, err}
	}
	return &ObjectError{fmt.Sprintf("%s: message %d, object %d", o.File, o.Message().Index(), o.Index()), name, err}
}

// size returns how many bytes the object takes in its file, and how many values it has.
func (o *Object) size() (bytes int64, values uint64) {
	switch {
	case o.Slice != nil:
		values = uint64(o.Slice.points())
		return int64(4 * values), values
	case o.Field != nil:
		n, _ := o.Field.NumberOfDataPoints() // where it fails, nothing is decoded
		return int64(len(o.Field.Message.Data) / len(o.Field.Message.Fields())), uint64(max(n, 0))
	}
	values, _ = o.Descriptor().Elements()
	return o.Length(), values
}

// A Report counts the fields and messages that were written.
type Report struct {
	Fields      int     `json:"fields"`
	Messages    int     `json:"messages"`
	Identical   int     `json:"identical"`   // fields whose data section equals the source's, octet for octet
	Repacked    int     `json:"repacked"`    // fields in another packing than the source's, or with other octets
	Built       int     `json:"built"`       // fields without sections, built of keys
	Edited      int     `json:"edited"`      // fields with changed keys
	Coordinates int     `json:"coordinates"` // objects that are coordinates of grids, and are in the sections of the fields
	Empty       int     `json:"empty"`       // slices of variables where the source had no field
	BytesIn     int64   `json:"bytes_in"`
	BytesOut    int64   `json:"bytes_out"`
	Skipped     []error `json:"-"`
}

// ErrNothing says that there was no field to write.
var ErrNothing = errors.New("togrib: there is no field to write")

// An ObjectError reports an object that cannot be written as GRIB. Where is empty if Err names the place.
type ObjectError struct {
	Where, Name string
	Err         error
}

func (e *ObjectError) Error() string {
	place := e.Where
	switch {
	case place == "":
		return fault.Detail(e.Err)
	case e.Name != "":
		place += " (" + e.Name + ")"
	}
	return place + ": " + fault.Detail(e.Err)
}

// Unwrap returns the cause.
func (e *ObjectError) Unwrap() error { return e.Err }

// budget bounds the memory of all fields in the making, by estimate. A field that needs more is worked on
// while no other is.
const budget = 256 << 20

// A job is an object, or an error of listing the objects.
type job struct {
	object Object
	err    error
}

// weight is the object's share of the budget.
func (j *job) weight() int64 {
	if j.err != nil {
		return 0
	}
	bytes, n := j.object.size()
	return min(3*bytes+int64(min(n, budget)), budget)
}

// Export writes objects to w in their order. An object that cannot be written gives an
// *ObjectError; errors of the iterator and of w are returned as they are.
func Export(ctx context.Context, w io.Writer, objects iter.Seq2[Object, error], opts Options) (*Report, error) {
	workers := opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	const ahead = 2
	spare := make(buffers, 2*workers+ahead)
	makers := make(chan *maker, workers)
	for range workers {
		makers <- newMaker(&opts, spare)
	}
	c := &collector{w: w, opts: &opts, report: new(Report), spare: spare}
	window := parallel.Window[job]{Workers: workers, Ahead: ahead, Memory: budget, Bytes: func(j job) int64 { return j.weight() }}
	for r, err := range parallel.Ordered(ctx, jobs(objects, opts.SkipBad), window, func(ctx context.Context, j job) (result, error) {
		if j.err != nil {
			return result{err: j.err}, nil
		}
		m := <-makers
		defer func() { makers <- m }()
		r := m.make(ctx, &j.object)
		r.bytes, _ = j.object.size()
		return r, nil
	}) {
		if err == nil {
			err = c.add(r)
		}
		if err != nil {
			return c.report, err
		}
	}
	if err := c.flush(); err != nil {
		return c.report, err
	}
	if c.report.Fields == 0 {
		return c.report, ErrNothing
	}
	return c.report, nil
}

// jobs yields the objects, up to an error that is not skipped.
func jobs(objects iter.Seq2[Object, error], skipBad bool) iter.Seq[job] {
	return func(yield func(job) bool) {
		for o, err := range objects {
			var object *ObjectError
			if !yield(job{o, err}) || err != nil && !(skipBad && errors.As(err, &object)) {
				return
			}
		}
	}
}
