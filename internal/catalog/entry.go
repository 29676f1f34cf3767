package catalog

import (
	"fmt"
	"time"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// An Entry describes one object of a Tensogram file, or one field of a GRIB message. It may also
// describe a variable (or record of a variable) of a netCDF file, a dataset of a .tet file, or a
// coordinate that a source gives with a field. Its slices and maps are shared with other entries
// and must not be changed.
type Entry struct {
	File    string
	Message int // in the file; of a netCDF file, the variable
	Object  int // in the message
	Name    string
	Dims    []string // nil if nothing names the dimensions
	Shape   []uint64
	DType   tgm.DType
	Labels  Labels
	Grid    string // the same for fields on the same grid; empty without a grid
	Size    int64  // bytes in the file; of netCDF an estimate
	Record  mapping.Opt[uint64]
	// Kind is the number of the entry's kind. Entries of one kind have all fields above in common,
	// except for the place, the size, the labels outside of Keys, and Record.
	Kind int
	// Base is the metadata that entries of the kind share: base[i] without the labels, and, of
	// grib_repro, only the keys stepType, paramId, centre, pv and [mars.ProcessKeys].
	Base mapping.Entry
	// Coordinate is set for a coordinate that a source gives with a field. For example, it has the labels of an
	// axis of a .tet file. [Entry.Part] is the part of the field.
	Coordinate bool
	// Form is equal for objects of Tensogram files whose payloads are stored in the same way. It is
	// empty for entries of other files.
	Form string

	offset, length int64 // of the message in the file
	format         format
	variable       string // that the part of a coordinate has; others have the name
}

// A format is where an entry comes from.
type format uint8

const (
	formatTensogram format = iota
	formatGRIB
	formatNetCDF
)

// Labels are the values that distinguish a field from others of the same name.
type Labels struct {
	ReferenceTime, ValidTime mapping.Opt[time.Time]
	Step                     mapping.Opt[time.Duration]
	WindowStart              mapping.Opt[time.Duration] // of a statistic over time, as a step
	Level                    mapping.Opt[float64]
	LevelType                string
	Top, Bottom              mapping.Opt[float64] // of a layer
	Number                   mapping.Opt[int64]
	// Keys are the other keys that distinguish fields, under their own names. Examples are the keys of MARS
	// (class, stream, type, …) and percentileValue.
	Keys map[string]any
}

// End returns the end of the forecast step: Step, or for steps of months and years the time between
// the reference and the valid time. It is false for more than a [time.Duration] holds, 292 years.
func (l *Labels) End() (time.Duration, bool) {
	switch {
	case l.Step.Known:
		return l.Step.Value, true
	case l.ReferenceTime.Known && l.ValidTime.Known:
		step := l.ValidTime.Value.Sub(l.ReferenceTime.Value)
		return step, l.ReferenceTime.Value.Add(step).Equal(l.ValidTime.Value)
	}
	return 0, false
}

// ReadLabels takes the labels from the metadata of an object, without Keys.
func ReadLabels(e mapping.Entry) (l Labels) {
	l.ReferenceTime.Value, l.ReferenceTime.Known = e.ReferenceTime()
	l.ValidTime.Value, l.ValidTime.Known = e.ValidTime()
	l.Step.Value, l.Step.Known = e.Step()
	l.Level.Value, l.Level.Known = e.Level()
	l.LevelType = e.LevelType()
	if top, bottom, ok := e.Layer(); ok {
		l.Top, l.Bottom = mapping.Some(top), mapping.Some(bottom)
	}
	l.Number.Value, l.Number.Known = e.Member()
	stepRange, _ := e.Lookup(keyStepRange)
	text, _ := stepRange.(string)
	l.WindowStart = windowStart(text, &l)
	return l
}

// MessageSpan returns the place in the file of the message of an object. ok is false for entries
// that are not of a Tensogram file.
func (e *Entry) MessageSpan() (offset, length int64, ok bool) {
	return e.offset, e.length, e.format == formatTensogram
}

// Where names the place of the entry, for messages to users.
func (e *Entry) Where() string {
	file, _ := SplitState(e.File)
	if e.format == formatTensogram {
		return fmt.Sprintf("%s: message %d, object %d", storage.Display(file), e.Message, e.Object)
	}
	p, _ := e.Part()
	p.Input = file
	if e.Coordinate {
		return p.Where() + ", coordinate " + e.Name
	}
	return p.Where()
}

// Part returns the part by which an [importers.Source] reads the entry of a GRIB, netCDF, Zarr or .tet
// file. The result is false for an object of a Tensogram file.
func (e *Entry) Part() (importers.Part, bool) {
	p := importers.Part{Input: e.File, Number: e.Message, Bytes: e.Size}
	switch e.format {
	case formatGRIB:
		p.Offset, p.Length, p.Fields = e.offset, e.length, []int{e.Object}
	case formatNetCDF:
		if p.Variable = e.Name; e.Coordinate {
			p.Variable = e.variable
		}
		if record, ok := e.Record.Get(); ok {
			p.Record = &record
		}
	default:
		return p, false
	}
	return p, true
}

// Known returns the description of the entry for clauses. Its metadata are the labels, and the metadata that
// entries of the kind share.
func (e *Entry) Known() *mapping.Known {
	k := &mapping.Known{
		Entry: e.Base, Lookup: e.lookup, Label: e.label,
		Place: e.place(),
		Array: func() mapping.ArrayKeys {
			return mapping.ArrayKeys{DType: e.DType.String(), Shape: e.Shape, Dims: e.Dims}
		},
		Stored: e.stored,
	}
	if _, ok := mars.ParamOf(e.Base); ok {
		mars.NameParam(k, func() mapping.Entry { return e.Base })
	}
	return k
}

// stored returns facts on the storage of the entry. The size of a variable is an estimate, which nobody
// should see.
func (e *Entry) stored(key string) (any, bool) {
	return e.Size, key == "size" && e.format != formatNetCDF
}

func (e *Entry) place() *mapping.Place {
	file, _ := SplitState(e.File)
	return &mapping.Place{File: storage.Display(file), Message: e.Message, Object: e.Object}
}

// Value returns the value of a key, see [mapping.Known.Value].
func (e *Entry) Value(key string) (any, bool) { return e.Known().Value(key) }

// label is the name and labels of the entry.
func (e *Entry) label() mapping.Label {
	l := mars.LabelOf(e.Base)
	l.Name, l.Reference, l.Valid, l.Step = e.Name, e.Labels.ReferenceTime, e.Labels.ValidTime, e.Labels.Step
	l.Level, l.LevelType, l.Member = e.Labels.Level, e.Labels.LevelType, e.Labels.Number
	return l
}

// lookup is the value of a key of the labels, or of the metadata in common.
func (e *Entry) lookup(key string) (any, bool) {
	switch key {
	case mapping.KeyTop:
		return mapping.Number(e.Labels.Top.Value), e.Labels.Top.Known
	case mapping.KeyBottom:
		return mapping.Number(e.Labels.Bottom.Value), e.Labels.Bottom.Known
	}
	if v, ok := e.Labels.Keys[key]; ok {
		return v, true
	}
	return e.Base.Lookup(key)
}
