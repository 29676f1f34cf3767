package catalog

import (
	"fmt"
	"time"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// An Entry describes one object of a Tensogram file, one field of a GRIB message, one variable (or
// record of a variable) of a netCDF file, one dataset of a .tet file, or a coordinate that a source
// gives with a field. Its slices and maps are shared with other entries and
// must not be changed.
type Entry struct {
	File    string
	Message int // in the file; of a netCDF file, the variable
	Object  int // in the message
	Name    string
	Dims    []string // nil if nothing names the dimensions
	Shape   []uint64
	DType   tgm.DType
	Labels  Labels
	Grid    string // the same for fields on the same grid; empty for those without a grid
	Size    int64  // bytes in the file; of netCDF an estimate
	Record  mapping.Opt[uint64]
	// Kind is the number of the entry's kind. Entries of one kind have all fields above in common,
	// except for the place, the size, the labels outside of Keys, and Record.
	Kind int
	// Base is the metadata that entries of the kind have in common: base[i] without the labels,
	// and, of grib_repro, only the keys stepType, paramId, centre, pv and those of [mars.ProcessKeys].
	Base mapping.Entry
	// Coordinate is set for a coordinate that a source gives with a field, such as the labels of an
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
	// Keys are the other keys that distinguish fields, such as those of MARS (class, stream, type,
	// …) and percentileValue, under their own names.
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
	if e.format == formatTensogram {
		return fmt.Sprintf("%s: message %d, object %d", storage.Display(e.File), e.Message, e.Object)
	}
	p, _ := e.Part()
	if e.Coordinate {
		return p.Where() + ", coordinate " + e.Name
	}
	return p.Where()
}

// Part returns the part by which an [importers.Source] reads the entry of a GRIB, netCDF or .tet
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

// Value returns the value of a key: a field of the entry (name, file, message, object, shape,
// dtype, size), or a label: date and time of reference as MARS has them, step in hours, level,
// level_type, top, bottom, number, and those of Labels.Keys.
func (e *Entry) Value(key string) (any, bool) {
	switch key {
	case "file":
		return e.File, true
	case "message":
		return int64(e.Message), true
	case "object":
		return int64(e.Object), true
	case "shape":
		return e.Shape, true
	case "dtype":
		return e.DType.String(), true
	case "size":
		return e.Size, true
	case mapping.KeyName:
		return e.Name, e.Name != ""
	}
	return e.Labels.Value(key)
}

// Value returns the value of a label.
func (l *Labels) Value(key string) (any, bool) {
	switch key {
	case mapping.KeyReferenceTime:
		return timeText(l.ReferenceTime)
	case mapping.KeyValidTime:
		return timeText(l.ValidTime)
	case "date":
		t := l.ReferenceTime.Value
		return int64(t.Year()*10000 + int(t.Month())*100 + t.Day()), l.ReferenceTime.Known
	case "time":
		t := l.ReferenceTime.Value
		return int64(t.Hour()*100 + t.Minute()), l.ReferenceTime.Known
	case mapping.KeyStep:
		return mapping.Number(l.Step.Value.Hours()), l.Step.Known
	case mapping.KeyLevel:
		return mapping.Number(l.Level.Value), l.Level.Known
	case mapping.KeyLevelType:
		return l.LevelType, l.LevelType != ""
	case mapping.KeyTop:
		return mapping.Number(l.Top.Value), l.Top.Known
	case mapping.KeyBottom:
		return mapping.Number(l.Bottom.Value), l.Bottom.Known
	case mapping.KeyNumber:
		return l.Number.Value, l.Number.Known
	}
	v, ok := l.Keys[key]
	return v, ok
}

func timeText(t mapping.Opt[time.Time]) (any, bool) {
	return t.Value.Format(time.RFC3339), t.Known
}
