package catalog

import (
	"encoding/binary"
	"math"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// A TimeSpan is the first and the last time along a dimension, as [cf.Date] prints them.
type TimeSpan struct{ First, Last string }

// TimeSpans returns the times along the dimensions of a message that was a netCDF file: of each that
// has a coordinate variable in "UNITS since TIME". It reads the values of these.
func (m *Message) TimeSpans() (map[string]TimeSpan, error) {
	spans := make(map[string]TimeSpan)
	for o, err := range m.Message.Objects() {
		if err != nil {
			return nil, err
		}
		entry := mapping.Read(o.Base())
		n, ok := entry.NetCDF()
		if !ok || len(n.Dims) != 1 || len(o.Descriptor().Shape) != 1 {
			continue
		}
		text, _ := n.Attributes[mapping.KeyUnits].(string)
		calendar, _ := n.Attributes["calendar"].(string)
		units, err := cf.ParseTimeUnits(text, calendar)
		if err != nil || o.Descriptor().Shape[0] > maxTimes {
			continue
		}
		span, ok, err := timeSpan(o, units)
		if err != nil {
			return nil, err
		}
		if ok {
			spans[n.Dims[0]] = span
		}
	}
	return spans, nil
}

// maxTimes bounds the coordinate variables that are read.
const maxTimes = 1 << 20

// timeSpan decodes a coordinate variable.
func timeSpan(o *tgm.Object, units *cf.TimeUnits) (span TimeSpan, ok bool, err error) {
	array, err := o.Decode(tgm.DecodeOptions{ByteOrder: tgm.LittleEndian})
	if err != nil {
		return span, false, err
	}
	at := integerAt(array.DType)
	switch array.DType {
	case tgm.Float32:
		at = func(b []byte) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))) }
	case tgm.Float64:
		at = func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }
	}
	if at == nil {
		return span, false, nil
	}
	size := array.DType.Size()
	for b := array.Data; len(b) >= size; b = b[size:] {
		date, known := units.Date(at(b))
		t := date.String()
		switch {
		case !known:
		case !ok:
			span, ok = TimeSpan{t, t}, true
		default:
			span.First, span.Last = min(span.First, t), max(span.Last, t)
		}
	}
	return span, ok, nil
}
