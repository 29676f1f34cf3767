package zarr

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// A Kind is the kind of an array's elements.
type Kind uint8

// The kinds of elements, and the form in which [Array.ReadRegion] gives elements with a size.
const (
	KindNumber    Kind = iota + 1 // little-endian; Element.Number is the type
	KindRaw                       // bytes without a meaning
	KindBytes                     // texts of bytes of a fixed size, filled with NULs
	KindChars                     // texts of characters of 4 bytes, little-endian, filled with NULs
	KindTime                      // int64, little-endian: Scale units since 1970; the lowest one means that there is none
	KindTimeDelta                 // int64, little-endian: Scale units
	KindStruct                    // Members, one after the other
	KindText                      // UTF-8 of any length: see Array.ReadStrings
	KindBlob                      // bytes of any length: see Array.ReadBlobs
	KindList                      // numbers of any count, little-endian: see Array.ReadBlobs
)

// An Element describes the elements of an array: a data type with its configuration.
type Element struct {
	Kind    Kind
	Size    int      // in bytes, as ReadRegion gives them; 0 for elements of any length
	Number  DataType // of numbers, and of the numbers in a list; int64 for times
	Unit    string   // of times, as NumPy writes it: "s"; "generic" if it is not known
	Scale   int64    // of times: the number of units that 1 stands for
	Members []Member // of a struct
	Missing []byte   // of numbers and times that may be missing: the element that stands for missing ones

	optional *Element // the stored element of these
}

// A Member is a part of a struct.
type Member struct {
	Name    string
	Offset  int      // of the first byte in the struct
	Shape   []uint64 // of a member that is an array in C order; nil for others
	Element *Element

	big bool // stored big-endian whatever the codec bytes says
}

const (
	stringType = "string"
	listType   = "variable_length_list" // of format 2; format 3 has no name for it
)

// refBytes is the size of elements of any length while their chunk is in memory: a place and a length
// in the bytes of all of them, four bytes each.
const refBytes = 8

// width is the number of bytes of an element in the memory of a chunk.
func (e *Element) width() int {
	if e.Size == 0 {
		return refBytes
	}
	return e.Size
}

// anyLength reports whether elements differ in length.
func (e *Element) anyLength() bool { return e.Size == 0 }

// maxElement bounds the bytes of an element, and maxNesting how deep structs are in structs.
const (
	maxElement = 1 << 20
	maxNesting = 8
)

// Element describes the elements of a. The error is an [*UnsupportedError] for a data type that is
// not known.
func (a *ArrayMetadata) Element() (*Element, error) {
	return newElement(a.DataType, a.DataTypeConfig, 0)
}

func number(t DataType) *Element { return &Element{Kind: KindNumber, Size: t.Size(), Number: t} }

// elementMaker returns the function that makes elements of a data type that is not a number and no raw
// bits. It is nil for an unknown type.
func elementMaker(t DataType) func(config map[string]any, depth int) (*Element, error) {
	switch t {
	case "raw_bytes":
		return sized(KindRaw, 1)
	case "null_terminated_bytes":
		return sized(KindBytes, 1)
	case "fixed_length_utf32":
		return sized(KindChars, 4)
	case "numpy.datetime64":
		return timed(KindTime)
	case "numpy.timedelta64":
		return timed(KindTimeDelta)
	case optionalName:
		return optionalElement
	case "struct", "structured":
		return structElement
	case stringType:
		return ofAnyLength(KindText)
	case "variable_length_bytes", "bytes":
		return ofAnyLength(KindBlob)
	case listType:
		return listElement
	}
	return nil
}

func newElement(t DataType, config map[string]any, depth int) (*Element, error) {
	if size := t.rawSize(); size > 0 {
		return &Element{Kind: KindRaw, Size: size}, nil
	}
	if t.Size() > 0 {
		return number(t), nil
	}
	if make := elementMaker(t); make != nil && depth <= maxNesting {
		return make(config, depth)
	}
	return nil, &UnsupportedError{What: fmt.Sprintf("data type %.80q", string(t))}
}

func sized(kind Kind, unit int) func(map[string]any, int) (*Element, error) {
	return func(config map[string]any, _ int) (*Element, error) {
		n, ok := wholeNumber(config["length_bytes"])
		if !ok || n < 1 || n > maxElement || n%int64(unit) != 0 {
			return nil, malformed("data_type: length_bytes", fmt.Sprintf("a multiple of %d from %d to %d", unit, unit, maxElement), "%v", config["length_bytes"])
		}
		return &Element{Kind: kind, Size: int(n)}, nil
	}
}

func timed(kind Kind) func(map[string]any, int) (*Element, error) {
	return func(config map[string]any, _ int) (*Element, error) {
		e := &Element{Kind: kind, Size: 8, Number: Int64, Unit: "generic", Scale: 1}
		if unit, ok := config["unit"].(string); ok && unit != "" {
			e.Unit = unit
		}
		if !slices.Contains(timeUnits, e.Unit) {
			return nil, &UnsupportedError{What: fmt.Sprintf("the unit %.40q of times", e.Unit)}
		}
		if scale, found := config["scale_factor"]; found {
			n, ok := wholeNumber(scale)
			if !ok || n < 1 || n > 1<<31-1 {
				return nil, malformed("data_type: scale_factor", "an integer from 1 to 2147483647", "%v", scale)
			}
			e.Scale = n
		}
		return e, nil
	}
}

// timeUnits are the units that NumPy has.
var timeUnits = []string{"generic", "Y", "M", "W", "D", "h", "m", "s", "ms", "us", "μs", "ns", "ps", "fs", "as"}

func ofAnyLength(kind Kind) func(map[string]any, int) (*Element, error) {
	return func(map[string]any, int) (*Element, error) { return &Element{Kind: kind}, nil }
}

func listElement(config map[string]any, _ int) (*Element, error) {
	name, _ := config["data_type"].(string)
	if t := DataType(name); t.Size() > 0 {
		return &Element{Kind: KindList, Number: t}, nil
	}
	return nil, &UnsupportedError{What: fmt.Sprintf("lists of the data type %.80q", name)}
}

// structElement reads the fields of a struct: objects with name and data_type, or pairs of these. A
// member without a name is a gap.
func structElement(config map[string]any, depth int) (*Element, error) {
	fields, _ := config["fields"].([]any)
	if len(fields) == 0 {
		return nil, malformed("data_type: fields", "a list", "%T", config["fields"])
	}
	e := &Element{Kind: KindStruct}
	for i, field := range fields {
		m, err := newMember(field, depth)
		if err != nil {
			return nil, err
		}
		n := m.count() * m.Element.Size
		if m.Element.Size == 0 || n < 1 || n > maxElement || e.Size+n > maxElement {
			return nil, malformed(fmt.Sprintf("data_type: fields[%d]", i), fmt.Sprintf("a member of fixed size in at most %d bytes", maxElement), "%v", m.Name)
		}
		if m.Name != "" && slices.ContainsFunc(e.Members, func(other Member) bool { return other.Name == m.Name }) {
			return nil, malformed(fmt.Sprintf("data_type: fields[%d]", i), "another name", "%q", m.Name)
		}
		m.Offset = e.Size
		e.Size += n
		if m.Name != "" {
			e.Members = append(e.Members, m)
		}
	}
	return e, nil
}

// count is the number of elements of a member, negative if there are too many.
func (m *Member) count() int {
	n := uint64(1)
	for _, length := range m.Shape {
		if length > maxElement {
			return -1
		}
		if n *= length; n > maxElement {
			return -1
		}
	}
	return int(n)
}

func newMember(field any, depth int) (Member, error) {
	object, ok := field.(map[string]any)
	if pair, isPair := field.([]any); isPair && len(pair) == 2 {
		object, ok = map[string]any{"name": pair[0], "data_type": pair[1]}, true
	}
	name, named := object["name"].(string)
	if !ok || !named {
		return Member{}, malformed("data_type: fields", "a name and a data type", "%.80s", fmt.Sprint(field))
	}
	t, config, err := typeOf(object["data_type"])
	if err != nil {
		return Member{}, err
	}
	m := Member{Name: name, big: object["endian"] == "big"}
	if shape, found := object["shape"]; found {
		if m.Shape, err = configShape(shape); err != nil {
			return Member{}, malformed("data_type: shape of "+name, "positive lengths", "%v", shape)
		}
	}
	if m.Element, err = newElement(t, config, depth+1); err == nil && m.Element.optional != nil {
		err = &UnsupportedError{What: fmt.Sprintf("data type %q in a struct", optionalName)}
	}
	return m, err
}

// typeOf reads a data type: a name, or an object with a configuration.
func typeOf(v any) (DataType, map[string]any, error) {
	if name, ok := v.(string); ok && name != "" {
		return DataType(name), nil, nil
	}
	object, _ := v.(map[string]any)
	name, _ := object["name"].(string)
	config, isObject := object["configuration"].(map[string]any)
	if name == "" || object["configuration"] != nil && !isObject {
		text, _ := json.Marshal(v) // it was JSON
		return "", nil, &UnsupportedError{What: fmt.Sprintf("data type %.80s", text)}
	}
	return DataType(name), config, nil
}

// A span is bytes of an element that are swapped as one where they are stored big-endian.
type span struct {
	offset, size int
	big          bool // whatever the codec bytes says
}

// spans are the parts of an element that have a byte order.
func (e *Element) spans() []span {
	switch e.Kind {
	case KindChars:
		parts := make([]span, e.Size/4)
		for i := range parts {
			parts[i] = span{4 * i, 4, false}
		}
		return parts
	case KindStruct:
		var parts []span
		for _, m := range e.Members {
			inner := m.Element.spans()
			for i := range m.count() {
				for _, s := range inner {
					parts = append(parts, span{m.Offset + i*m.Element.Size + s.offset, s.size, m.big || s.big})
				}
			}
		}
		return parts
	case KindNumber, KindTime, KindTimeDelta:
		var parts []span
		if size := e.Number.component(); size > 1 {
			for at := 0; at < e.Size; at += size {
				parts = append(parts, span{at, size, false})
			}
		}
		return parts
	}
	return nil
}

// wholeNumber is an integer of a document or of Go.
func wholeNumber(v any) (int64, bool) {
	switch v := v.(type) {
	case json.Number:
		n, err := strconv.ParseInt(v.String(), 10, 64)
		return n, err == nil
	case int64:
		return v, true
	case uint64:
		return int64(v), int64(v) >= 0
	case int:
		return int64(v), true
	}
	return 0, false
}
