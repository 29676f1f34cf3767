package fromzarr

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/internal/half"
	"github.com/tgmconv/tgmconv/internal/jsontext"
	"github.com/tgmconv/tgmconv/netcdf"
)

// dimensionsAttr is the attribute by which xarray names the dimensions of an array of format 2.
const dimensionsAttr = "_ARRAY_DIMENSIONS"

// attributes are the attributes of a group, or of an array with elements of a type, by name. Attributes
// that are not meant for users are left out, as xarray does: the names of dimensions, and NCZarr's own.
func attributes(all map[string]any, elements *netcdf.Type) []netcdf.Attr {
	var list []netcdf.Attr
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if elements != nil && name == dimensionsAttr || len(name) > 2 && strings.EqualFold(name[:3], "_nc") {
			continue
		}
		a := netcdf.Attr{Name: name}
		a.Type, a.Value, a.JSON = typedValue(all[name])
		if t := typeInNCZarr(all, name); t != nil {
			likeElements(&a, t)
		} else if elements != nil && describesElements(name) {
			likeElements(&a, elements)
		}
		list = append(list, a)
	}
	return list
}

// typedValue gives a JSON value a type of netCDF: text, numbers, or a list of these. Anything else
// becomes its JSON as text.
func typedValue(value any) (t *netcdf.Type, typed any, isJSON bool) {
	list, isList := value.([]any)
	if !isList {
		if text, ok := value.(string); ok {
			return netcdf.NewType(netcdf.Char), text, false
		}
		list = []any{value}
	}
	if t, numbers := numbersOf(list); t != nil {
		return t, numbers, false
	}
	texts := make([]string, len(list))
	for i, v := range list {
		text, ok := v.(string)
		if !ok {
			return netcdf.NewType(netcdf.Char), jsonOf(value), true
		}
		texts[i] = text
	}
	return &netcdf.Type{Class: netcdf.String, Name: netcdf.String.String(), UTF8: true}, texts, false
}

// jsonOf is a value as JSON, safe within HTML. Numbers that JSON does not have become their names.
func jsonOf(value any) string {
	text, err := jsontext.Append(nil, value)
	if err != nil { // it was JSON
		return ""
	}
	var safe bytes.Buffer
	json.HTMLEscape(&safe, text)
	return safe.String()
}

// numbersOf are the numbers in a list: int64 if all of them are, else uint64, else double. The type is
// nil if one is not a number.
func numbersOf(list []any) (*netcdf.Type, any) {
	ints, uints, floats := make([]int64, len(list)), make([]uint64, len(list)), make([]float64, len(list))
	isInt, isUint := len(list) > 0, len(list) > 0
	for i, v := range list {
		var text string
		switch v := v.(type) {
		case json.Number:
			text = v.String()
		case float64: // which JSON does not have
			isInt, isUint, floats[i] = false, false, v
			continue
		case bool:
			if text = "0"; v {
				text = "1"
			}
		default:
			return nil, nil
		}
		var err error
		if ints[i], err = strconv.ParseInt(text, 10, 64); err != nil {
			isInt = false
		}
		if uints[i], err = strconv.ParseUint(text, 10, 64); err != nil {
			isUint = false
		}
		floats[i], _ = strconv.ParseFloat(text, 64) // beyond the range it is infinite
	}
	switch {
	case isInt:
		return netcdf.NewType(netcdf.Int64), ints
	case isUint:
		return netcdf.NewType(netcdf.UInt64), uints
	}
	return netcdf.NewType(netcdf.Double), floats
}

// describesElements reports whether the value of an attribute is a value of an element.
func describesElements(name string) bool {
	switch name {
	case fillAttr, "missing_value", "valid_min", "valid_max", "valid_range", "flag_values", "flag_masks":
		return true
	}
	return false
}

// fillAttr is the attribute with the value that missing elements have.
const fillAttr = "_FillValue"

// likeElements gives the value of an attribute the type of the elements if that holds it.
func likeElements(a *netcdf.Attr, t *netcdf.Type) {
	if !t.Numeric() {
		return
	}
	if text, ok := a.Value.(string); ok {
		f, ok := floatOf(text)
		if !ok || !t.Class.IsFloat() {
			return
		}
		a.Value = []float64{f}
	}
	if value, ok := convert(a.Value, t); ok {
		a.Type, a.Value = t, value
	}
}

// numbersIn is a little-endian element of a type of numbers as the value of an attribute.
func numbersIn(raw []byte, t *netcdf.Type) any {
	bits := binary.LittleEndian.Uint64(append(slices.Clone(raw), make([]byte, 8)...))
	switch c := t.Class; {
	case c.Unsigned():
		return []uint64{bits}
	case c.Signed():
		shift := 64 - 8*t.Size
		return []int64{int64(bits<<shift) >> shift}
	case c == netcdf.Half:
		return []float64{half.Float64(uint16(bits))}
	case c == netcdf.Float:
		return []float64{float64(math.Float32frombits(uint32(bits)))}
	}
	return []float64{math.Float64frombits(bits)}
}

// floatOf is the number that a text stands for as a fill value. Zarr writes numbers that JSON does not
// have as names; xarray writes all numbers in format 3 as base64 of their bytes.
func floatOf(text string) (float64, bool) {
	switch text {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) != 8 {
		return 0, false
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(raw)), true
}

// convert gives numbers another type if that holds all of them.
func convert(value any, t *netcdf.Type) (any, bool) {
	var floats []float64
	var ints []int64
	exact := true
	switch v := value.(type) {
	case []int64:
		ints = v
		for _, x := range v {
			floats = append(floats, float64(x))
		}
	case []uint64:
		if t.Class == netcdf.UInt64 {
			return v, true
		}
		for _, x := range v {
			floats, exact = append(floats, float64(x)), false
		}
	case []float64:
		floats = v
		for _, x := range v {
			exact = exact && x == math.Trunc(x) && math.Abs(x) < 1<<63
			if exact {
				ints = append(ints, int64(x))
			}
		}
	default:
		return nil, false
	}
	bits := 8 * t.Size
	switch {
	case t.Class.IsFloat():
		return floats, true
	case !exact:
		return nil, false
	case t.Class.Signed():
		for _, x := range ints {
			if x < -1<<(bits-1) || x > 1<<(bits-1)-1 {
				return nil, false
			}
		}
		return ints, true
	}
	uints := make([]uint64, len(ints))
	for i, x := range ints {
		if x < 0 || bits < 64 && x >= 1<<bits {
			return nil, false
		}
		uints[i] = uint64(x)
	}
	return uints, true
}
