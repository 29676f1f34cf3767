package importers

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/tgmconv/tgmconv/storage"
)

// A Part is a part of a source that has been found and not yet read: a GRIB message, some fields of one, a
// netCDF variable, one record of a variable. It is plain data: the place of the part, and its description
// before it is read. It can be written to JSON and read by another [Source] with the same options, in this
// process or another, as long as the inputs have the names they had.
//
//	{"input": "f.grib2", "number": 3, "offset": 1234, "length": 5678, "bytes": 5678, "memory": 45424}
//	{"input": "f.nc", "number": 1, "variable": "t2m", "record": 7, "group": "file 0 record 7", "bytes": 210}
//
// Some parts are nothing but Notes, see [Part.OnlyNotes].
type Part struct {
	// Source is the number of the source of a [Chain] that the part belongs to, 0 elsewhere.
	Source int `json:"source,omitempty"`
	// Input is the location of the input, as package storage opens it.
	Input string `json:"input"`
	// Number is the number of the GRIB message or of the netCDF variable in its input, from 0.
	Number int `json:"number,omitempty"`

	// Offset and Length are the bytes of a GRIB message in its input.
	Offset int64 `json:"offset,omitempty"`
	Length int64 `json:"length,omitempty"`
	// Fields are the numbers, from 0, of the fields of the message in the part; nil means all.
	Fields []int `json:"fields,omitempty"`

	// Variable is the name of a netCDF variable with the groups around it: "forecast/t2m". It is
	// empty for a netCDF file without variables.
	Variable string `json:"variable,omitempty"`
	// Record is an index along the first unlimited dimension of the input, nil for variables that
	// are read whole.
	Record *uint64 `json:"record,omitempty"`
	// Repeated says that the variable does not have that dimension and is part of every record.
	Repeated bool `json:"repeated,omitempty"`

	// Data is the GRIB message where it came with a stream, and cannot be read again.
	Data []byte `json:"-"`
	// Last says that nothing follows Data in its input.
	Last bool `json:"-"`

	// Group is the group of the part's fields, see [Field]. If each field has a group of its own, it is their
	// common beginning.
	Group string `json:"group,omitempty"`
	// Bytes is the part's share of the input, for progress. It is 0 for parts whose bytes count with another
	// part's, and an estimate where the format does not say.
	Bytes int64 `json:"bytes,omitempty"`
	// Memory is about how many bytes of memory converting the part takes, 0 when that is little.
	// Large parts are converted one after the other.
	Memory int64 `json:"memory,omitempty"`
	// Notes are warnings about the input that belong to no field.
	Notes []string `json:"notes,omitempty"`
	// LeftOut are the variables of the input that Notes say are not read, each with the reason:
	// "name: reason".
	LeftOut []string `json:"left_out,omitempty"`
}

// Where names the place of the part, for errors: "file.grib2: message 3 at byte 1234".
func (p *Part) Where() string {
	name := storage.Display(p.Input)
	switch {
	case p.OnlyNotes(), p.Length == 0 && p.Variable == "":
		return name
	case p.Length > 0:
		return fmt.Sprintf("%s: message %d at byte %d", name, p.Number, p.Offset)
	case p.Record != nil && !p.Repeated:
		return fmt.Sprintf("%s: variable %s, record %d", name, p.Variable, *p.Record)
	}
	return fmt.Sprintf("%s: variable %s", name, p.Variable)
}

// OnlyNotes reports whether the part is nothing but notes: reading it gives no fields.
func (p *Part) OnlyNotes() bool { return len(p.Notes) > 0 && p.Length == 0 && p.Variable == "" }

// MarshalJSON encodes the part. Text that is not UTF-8, as file names may be, is an error: JSON
// cannot hold it.
func (p Part) MarshalJSON() ([]byte, error) {
	for _, s := range []string{p.Input, p.Variable, p.Group} {
		if !utf8.ValidString(s) {
			return nil, fmt.Errorf("%s: %q is not UTF-8 and cannot be written as JSON", p.Where(), s)
		}
	}
	type plain Part
	return json.Marshal(plain(p))
}
