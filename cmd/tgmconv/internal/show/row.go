package show

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// A Row is an object in a list of objects.
type Row struct {
	mapping.Summary
	Name            string
	Descriptor      *tgm.Descriptor // of a field of another format: with its packing as the encoding, if it has one
	Message, Object int             // numbers
	Size            int64           // of the frame, or of the GRIB message, in bytes; 0 if it is not known
	Units           string          // of the object, or of its parameter
	Dims            []string        // of a netCDF variable
}

// RowOf returns the row of an object.
func RowOf(o catalog.Object) Row {
	s := Row{
		Summary:    o.Summary(),
		Name:       o.Name(),
		Descriptor: o.Descriptor(),
		Message:    o.Message.Index(),
		Object:     o.Index(),
		Size:       o.Length(),
		Units:      o.Units(),
	}
	if base := mapping.Read(o.StoredBase()); base.Namespace(mapping.KeyNetCDF) != nil {
		s.Dims = base.Dims(len(s.Descriptor.Shape))
	}
	return s
}

// stored describes the storage of the object.
func (s Row) stored() string {
	if s.Descriptor.Filter == "" { // it is not an object of Tensogram
		return s.Descriptor.Encoding
	}
	return catalog.StoredAs(s.Descriptor)
}

// size is the size with a unit.
func (s Row) size() string {
	if s.Size == 0 {
		return ""
	}
	return Bytes(s.Size)
}

// axes lists dimensions with their lengths: "time=3, lat=5".
func (s Row) axes() string {
	parts := make([]string, len(s.Dims))
	for i, dim := range s.Dims {
		parts[i] = fmt.Sprintf("%s=%d", dim, s.Descriptor.Shape[i])
	}
	return strings.Join(parts, ", ")
}

// A Column is one of the columns of a list of objects.
type Column struct {
	Title string
	Text  func(Row) string // empty if the object has no value for the column
	Right bool             // aligned to the right
}

// Columns returns the columns of a list of objects.
func Columns() []Column {
	return []Column{
		{"object", func(s Row) string { return fmt.Sprintf("%d.%d", s.Message, s.Object) }, false},
		{mapping.KeyName, func(s Row) string { return s.Name }, false},
		{"date", func(s Row) string { return dateText(s.Date) }, false},
		{"time", func(s Row) string { return clockText(s.Time) }, false},
		{mapping.KeyStep, func(s Row) string { return stepText(s) }, true},
		{mapping.KeyNumber, func(s Row) string { return optionalText(s.Number) }, true},
		{mapping.KeyLevel, func(s Row) string { return levelText(s) }, false},
		{mapping.KeyUnits, func(s Row) string { return s.Units }, false},
		{"dimensions", func(s Row) string { return s.axes() }, false},
		{"shape", func(s Row) string { return Shape(s.Descriptor.Shape) }, false},
		{"dtype", func(s Row) string { return s.Descriptor.DType.String() }, false},
		{"encoding", func(s Row) string { return s.stored() }, false},
		{"size", func(s Row) string { return s.size() }, true},
	}
}

// JSON returns the row as data, in the types of the metadata.
func (s Row) JSON(file string) map[string]any {
	d := s.Descriptor
	row := map[string]any{
		"file": file, "message": int64(s.Message), "object": int64(s.Object), mapping.KeyName: s.Name,
		"shape": d.Shape, "dtype": d.DType.String(),
	}
	if s.Size > 0 {
		row["size"] = s.Size
	}
	for key, stage := range map[string]string{"encoding": d.Encoding, "filter": d.Filter, "compression": d.Compression} {
		if stage != "" {
			row[key] = stage
		}
	}
	for key, value := range map[string]any{
		"date": s.Date, "time": s.Time, mapping.KeyStep: s.Step, mapping.KeyStepUnits: s.StepUnits,
		mapping.KeyLevel: s.Level, mapping.KeyLevelType: s.LevelType, mapping.KeyNumber: s.Number,
	} {
		if value != nil {
			row[key] = value
		}
	}
	if s.Units != "" {
		row[mapping.KeyUnits] = s.Units
	}
	if s.Dims != nil {
		row["dims"] = s.Dims
	}
	return row
}

func optionalText(v any) string {
	if v == nil {
		return ""
	}
	text, err := Text(v)
	if err != nil {
		return "?"
	}
	return text
}

// dateText shows 20260404 as 2026-04-04, anything else as it is.
func dateText(v any) string {
	text := optionalText(v)
	if len(text) != 8 || strings.Trim(text, "0123456789") != "" {
		return text
	}
	return text[:4] + "-" + text[4:6] + "-" + text[6:]
}

// clockText shows MARS' 0, 600 and 1200 as 00:00, 06:00 and 12:00, anything else as it is.
func clockText(v any) string {
	text := optionalText(v)
	n, err := strconv.Atoi(text)
	if err != nil || len(text) > 4 || n < 0 {
		return text
	}
	return fmt.Sprintf("%02d:%02d", n/100, n%100)
}

func stepText(s Row) string {
	text := optionalText(s.Step)
	if units := optionalText(s.StepUnits); text != "" && units != "h" {
		return text + units
	}
	return text
}

func levelText(s Row) string {
	level, kind := optionalText(s.Level), optionalText(s.LevelType)
	switch {
	case kind == "":
		return level
	case level == "" || (level == "0" && kind != "heightAboveGround"):
		return kind
	}
	return kind + " " + level
}
