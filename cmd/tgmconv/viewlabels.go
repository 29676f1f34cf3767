package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
	"github.com/tgmconv/tgmconv/tgm"
)

// A summary is what ls shows of an object.
type summary struct {
	mapping.Summary
	name            string
	descriptor      *tgm.Descriptor
	message, object int
	size            int64 // of the frame, in bytes
	units           string
	dims            []string // of a netCDF variable
}

// summarise finds the labels of an object.
func summarise(o catalog.Object) summary {
	s := summary{
		Summary:    o.Summary(),
		name:       o.Name(),
		descriptor: o.Descriptor(),
		message:    o.Message.Index(),
		object:     o.Index(),
		size:       o.Length(),
		units:      fieldUnits(o),
	}
	if base := mapping.Read(o.Base()); base.Namespace(mapping.KeyNetCDF) != nil {
		s.dims = base.Dims(len(s.descriptor.Shape))
	}
	return s
}

// fieldUnits are the units of an object: its own, or those of its parameter.
func fieldUnits(o catalog.Object) string {
	base := mapping.Read(o.Base())
	if units := base.Units(); units != "" {
		return units
	}
	if id, ok := mapping.Int(base.MARS()["param"]); ok {
		if p, known := mars.LookupParam(int(id)); known && p.Units != "~" {
			return p.Units
		}
	}
	return ""
}

// axes lists dimensions with their lengths: "time=3, lat=5".
func (s summary) axes() string {
	parts := make([]string, len(s.dims))
	for i, dim := range s.dims {
		parts[i] = fmt.Sprintf("%s=%d", dim, s.descriptor.Shape[i])
	}
	return strings.Join(parts, ", ")
}

// columns are what ls shows when no keys are asked for. A column that is empty for all objects is
// left out.
var columns = []struct {
	title string
	text  func(summary) string
	right bool // aligned to the right
}{
	{"object", func(s summary) string { return fmt.Sprintf("%d.%d", s.message, s.object) }, false},
	{"name", func(s summary) string { return s.name }, false},
	{"date", func(s summary) string { return dateText(s.Date) }, false},
	{"time", func(s summary) string { return clockText(s.Time) }, false},
	{"step", func(s summary) string { return stepText(s) }, true},
	{"number", func(s summary) string { return optionalText(s.Number) }, true},
	{"level", func(s summary) string { return levelText(s) }, false},
	{"units", func(s summary) string { return s.units }, false},
	{"dimensions", func(s summary) string { return s.axes() }, false},
	{"shape", func(s summary) string { return shapeText(s.descriptor.Shape) }, false},
	{"dtype", func(s summary) string { return s.descriptor.DType.String() }, false},
	{"encoding", func(s summary) string { return catalog.StoredAs(s.descriptor) }, false},
	{"size", func(s summary) string { return byteText(s.size) }, true},
}

// json is the summary as ls --json shows it, in the types of the metadata.
func (s summary) json(file string) map[string]any {
	d := s.descriptor
	row := map[string]any{
		"file": file, "message": int64(s.message), "object": int64(s.object), mapping.KeyName: s.name,
		"shape": d.Shape, "dtype": d.DType.String(),
		"encoding": d.Encoding, "filter": d.Filter, "compression": d.Compression, "size": s.size,
	}
	for key, value := range map[string]any{
		"date": s.Date, "time": s.Time, mapping.KeyStep: s.Step, mapping.KeyStepUnits: s.StepUnits,
		mapping.KeyLevel: s.Level, mapping.KeyLevelType: s.LevelType, mapping.KeyNumber: s.Number,
	} {
		if value != nil {
			row[key] = value
		}
	}
	if s.units != "" {
		row[mapping.KeyUnits] = s.units
	}
	if s.dims != nil {
		row["dims"] = s.dims
	}
	return row
}

func optionalText(v any) string {
	if v == nil {
		return ""
	}
	text, err := valueText(v)
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

func stepText(s summary) string {
	text := optionalText(s.Step)
	if units := optionalText(s.StepUnits); text != "" && units != "h" {
		return text + units
	}
	return text
}

func levelText(s summary) string {
	level, kind := optionalText(s.Level), optionalText(s.LevelType)
	switch {
	case kind == "":
		return level
	case level == "" || (level == "0" && kind != "heightAboveGround"):
		return kind
	}
	return kind + " " + level
}

func shapeText(shape []uint64) string {
	if len(shape) == 0 {
		return "scalar"
	}
	parts := make([]string, len(shape))
	for i, n := range shape {
		parts[i] = strconv.FormatUint(n, 10)
	}
	return strings.Join(parts, "x")
}

// byteText shows a number of bytes with three digits and a decimal unit.
func byteText(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	value := float64(n)
	for _, unit := range []string{"kB", "MB", "GB", "TB"} {
		value /= 1000
		switch {
		case value < 9.995:
			return fmt.Sprintf("%.2f %s", value, unit)
		case value < 99.95:
			return fmt.Sprintf("%.1f %s", value, unit)
		case value < 999.5:
			return fmt.Sprintf("%.0f %s", value, unit)
		}
	}
	return fmt.Sprintf("%.0f PB", value/1000)
}
