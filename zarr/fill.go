package zarr

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// FillElement returns the bytes of the element that stands for absent chunks, as ReadRegion and
// ReadBlobs give it. Without a fill value, which format 2 permits, it is zero; for times it is NaT.
func (a *ArrayMetadata) FillElement() ([]byte, error) {
	e, err := a.Element()
	if err != nil {
		return nil, err
	}
	return a.fillOf(e)
}

func (a *ArrayMetadata) fillOf(e *Element) ([]byte, error) {
	fill, err := e.fill(a.FillValue, a.Format == 2)
	if err != nil {
		return nil, fault.Errorf("zarr", "fill value %v of data type %s: %w", a.FillValue, a.DataType, err)
	}
	return fill, nil
}

// fill is the element that a JSON value stands for. Of format 2, all forms that were ever written are
// understood.
func (e *Element) fill(v any, format2 bool) ([]byte, error) {
	if e.optional != nil {
		return e.optionalFill(v)
	}
	if v == nil && format2 {
		return e.zero(), nil
	}
	switch e.Kind {
	case KindNumber:
		if format2 {
			v = oldNumber(e.Number, v)
		}
		return e.Number.fillBytes(v)
	case KindTime, KindTimeDelta:
		if text, ok := v.(string); ok && text == "NaT" {
			return e.zero(), nil
		}
		return Int64.fillBytes(v)
	case KindText:
		return textFill(v, format2)
	case KindStruct:
		if members, ok := v.(map[string]any); ok {
			return e.structFill(members)
		}
		return e.storedFill(v, format2)
	case KindChars:
		return e.charsFill(v, format2)
	case KindList:
		return nil, nil // it is never written
	}
	return e.storedFill(v, format2)
}

// zero is the element where there is no fill value.
func (e *Element) zero() []byte {
	if e.Kind == KindTime || e.Kind == KindTimeDelta {
		return littleEndian(1<<63, 8) // "not a time"
	}
	return make([]byte, e.Size)
}

// oldNumber is a fill value of format 2 as format 3 has it: integers without a fraction, truth values
// as such.
func oldNumber(t DataType, v any) any {
	text, isNumber := v.(json.Number)
	switch t {
	case Float16, Float32, Float64, Complex64, Complex128:
		if isNumber && t.component() < t.Size() {
			return []any{v, json.Number("0")}
		}
		return v
	case Bool:
		if isNumber {
			return text != "0"
		}
		return v
	}
	if b, ok := v.(bool); ok {
		return map[bool]int64{true: 1}[b]
	}
	if isNumber {
		if f, err := strconv.ParseFloat(text.String(), 64); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return int64(f)
		}
	}
	return v
}

func textFill(v any, format2 bool) ([]byte, error) {
	text, ok := v.(string)
	if number, isNumber := v.(json.Number); isNumber && format2 {
		return []byte(number), nil // zarr-python 2 wrote 0, which its successor reads as a text
	}
	if !ok {
		return nil, fmt.Errorf("found %T, expected a string", v)
	}
	return []byte(text), nil
}

func (e *Element) charsFill(v any, format2 bool) ([]byte, error) {
	if v == json.Number("0") && format2 {
		return e.zero(), nil
	}
	text, err := textFill(v, false)
	if err != nil {
		return nil, err
	}
	if n := utf8.RuneCount(text); 4*n > e.Size {
		return nil, fmt.Errorf("%d characters, expected at most %d", n, e.Size/4)
	}
	fill := make([]byte, 0, e.Size)
	for _, r := range string(text) {
		fill = binary.LittleEndian.AppendUint32(fill, uint32(r))
	}
	return fill[:e.Size], nil
}

func (e *Element) structFill(values map[string]any) ([]byte, error) {
	fill := make([]byte, e.Size)
	for _, m := range e.Members {
		one, err := m.Element.fill(values[m.Name], false)
		if err != nil {
			return nil, fmt.Errorf("member %q: %w", m.Name, err)
		}
		for i := range m.count() {
			copy(fill[m.Offset+i*m.Element.Size:], one)
		}
	}
	return fill, nil
}

// storedFill reads an element that is written as its stored bytes: base64, or a list of bytes. Bytes
// that are missing at the end are 0.
func (e *Element) storedFill(v any, format2 bool) ([]byte, error) {
	var fill []byte
	switch v := v.(type) {
	case []byte:
		fill = v
	case []any:
		for _, b := range v {
			n, err := strconv.ParseUint(numberText(b), 10, 8)
			if err != nil {
				return nil, err
			}
			fill = append(fill, byte(n))
		}
		if len(fill) < e.Size {
			return nil, fmt.Errorf("%d bytes, expected %d", len(fill), e.Size)
		}
	case string:
		var err error
		if fill, err = base64.StdEncoding.DecodeString(v); err != nil || len(fill) > e.Size && !e.anyLength() {
			if !format2 || e.Kind != KindBytes {
				return nil, fmt.Errorf("expected base64 of at most %d bytes", e.Size)
			}
			fill = []byte(v) // as the netCDF library writes it
		}
	case json.Number:
		if !format2 || v != "0" {
			return nil, fmt.Errorf("found %s, expected base64", v)
		}
	default:
		return nil, fmt.Errorf("found %T, expected base64", v)
	}
	if e.anyLength() {
		return fill, nil
	}
	if len(fill) > e.Size {
		return nil, fmt.Errorf("%d bytes, expected %d", len(fill), e.Size)
	}
	out := make([]byte, e.Size)
	copy(out, fill)
	if e.Kind == KindStruct {
		e.swapStored(out)
	}
	return out, nil
}

// swapStored makes members that are always big-endian little-endian.
func (e *Element) swapStored(element []byte) {
	for _, s := range e.spans() {
		if s.big {
			reverse(element[s.offset : s.offset+s.size])
		}
	}
}
