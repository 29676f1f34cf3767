package zarr

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/zarr/internal/numpy"
)

// maxTexts bounds the bytes of the texts of a chunk, whose size is known only when it was decoded.
const maxTexts = 1 << 30

// vlen is the codec of elements of any length, of texts, bytes or lists:
//
//	uint32  number of elements
//	uint32  bytes of an element, and these; for each
type vlen struct{ readOnly }

func newVlen(c Codec, in spec) (stage, spec, error) {
	if !in.element.anyLength() {
		return nil, spec{}, fmt.Errorf("codec %s: elements of a fixed size, expected the data type string or variable_length_bytes", c.Name)
	}
	return vlen{readOnly(c.Name)}, in.serial(maxTexts), nil
}

func (v vlen) decode(_, _ []byte, _ int64) ([]byte, error) {
	return nil, fmt.Errorf("codec %s: elements of a fixed size", v.readOnly)
}

// decodeTexts checks that all elements are there before it takes memory for them.
func (v vlen) decodeTexts(src []byte, limit int64) (refs, texts []byte, err error) {
	n := limit / refBytes
	if len(src) < 4 || int64(binary.LittleEndian.Uint32(src)) != n || int64(len(src)-4)/4 < n || uint64(len(src)) > math.MaxUint32 {
		return nil, nil, fmt.Errorf("codec %s: %d bytes do not hold the number of elements and %d elements", v.readOnly, len(src), n)
	}
	refs = make([]byte, 0, limit)
	at := 4
	for i := range n {
		if len(src)-at < 4 {
			return nil, nil, fmt.Errorf("codec %s: %d bytes end before element %d of %d", v.readOnly, len(src), i, n)
		}
		length := int64(binary.LittleEndian.Uint32(src[at:]))
		at += 4
		if length > int64(len(src)-at) {
			return nil, nil, fmt.Errorf("codec %s: element %d of %d has %d bytes at byte %d, the data %d", v.readOnly, i, n, length, at, len(src))
		}
		refs = appendRef(refs, at, int(length))
		at += int(length)
	}
	return refs, src, nil
}

func appendRef(refs []byte, at, length int) []byte {
	refs = binary.LittleEndian.AppendUint32(refs, uint32(at))
	return binary.LittleEndian.AppendUint32(refs, uint32(length))
}

// textOf is the element that a reference leads to, in the memory of texts.
func textOf(ref, texts []byte) []byte {
	at := int(binary.LittleEndian.Uint32(ref))
	return texts[at : at+int(binary.LittleEndian.Uint32(ref[4:]))]
}

// json2 is a list in JSON: the elements, a NumPy type, and the list of the shape.
type json2 struct{ readOnly }

func newJSON2(c Codec, in spec) (stage, spec, error) {
	if in.element.Kind != KindText {
		return nil, spec{}, &UnsupportedError{What: "codec json2 of elements that are no objects"}
	}
	return json2{readOnly(c.Name)}, in.serial(maxTexts), nil
}

func (json2) decode(_, _ []byte, _ int64) ([]byte, error) {
	return nil, fmt.Errorf("codec json2: elements of a fixed size")
}

// decodeTexts gives strings unchanged, and other values as JSON.
func (json2) decodeTexts(src []byte, limit int64) (refs, texts []byte, err error) {
	n := limit / refBytes
	if n > int64(len(src)) { // an element takes a byte at least
		return nil, nil, fmt.Errorf("codec json2: %d bytes do not hold %d elements", len(src), n)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(src, &list); err != nil {
		return nil, nil, fmt.Errorf("codec json2: %w", err)
	}
	if len(list) < 2 {
		return nil, nil, fmt.Errorf("codec json2: a list of %d, expected the elements, the type and the shape", len(list))
	}
	list, err = flattened(list[:len(list)-2], n)
	if err != nil {
		return nil, nil, err
	}
	for _, item := range list {
		var text string
		at := len(texts)
		if json.Unmarshal(item, &text) != nil || string(item) == "null" {
			text = string(item)
		}
		texts = append(texts, text...)
		refs = appendRef(refs, at, len(text))
	}
	return refs, texts, nil
}

// flattened gives the n elements of lists in lists.
func flattened(list []json.RawMessage, n int64) ([]json.RawMessage, error) {
	for depth := 0; int64(len(list)) < n && depth < maxDimensions; depth++ {
		var inner []json.RawMessage
		for _, item := range list {
			var more []json.RawMessage
			if err := json.Unmarshal(item, &more); err != nil {
				return nil, fmt.Errorf("codec json2: %w", err)
			}
			inner = append(inner, more...)
		}
		list = inner
	}
	if int64(len(list)) != n {
		return nil, fmt.Errorf("codec json2: %d elements, expected %d", len(list), n)
	}
	return list, nil
}

// categorize numbers texts from 1 on; 0 is none of them, which reads as an empty text.
type categorize struct {
	readOnly
	stored numpy.Type
	refs   []byte // of each number
	texts  []byte
	fixed  [][]byte // of each number, where elements have a size
}

func newCategorize(c Codec, in spec) (stage, spec, error) {
	labels, _ := c.Configuration["labels"].([]any)
	g := &categorize{readOnly: readOnly(c.Name), refs: appendRef(nil, 0, 0), fixed: [][]byte{make([]byte, in.element.Size)}}
	if in.element.Kind != KindText && in.element.Kind != KindChars {
		return nil, spec{}, &UnsupportedError{What: "codec categorize of elements that are no texts"}
	}
	for _, label := range labels {
		text, ok := label.(string)
		if !ok {
			return nil, spec{}, &UnsupportedError{What: fmt.Sprintf("codec categorize with the label %.80s", fmt.Sprint(label))}
		}
		if in.element.Kind == KindChars {
			one, err := in.element.charsFill(text, true)
			if err != nil {
				return nil, spec{}, fmt.Errorf("codec categorize: label %.80q: %w", text, err)
			}
			g.fixed = append(g.fixed, one)
		}
		g.refs = appendRef(g.refs, len(g.texts), len(text))
		g.texts = append(g.texts, text...)
	}
	astype, err := configType(c, "astype", numpy.Uint8, in.serial(0))
	if err != nil {
		return nil, spec{}, err
	}
	g.stored = astype
	n, ok := nd.Bytes(in.shape, astype.Size)
	if !ok {
		return nil, spec{}, fmt.Errorf("codec categorize: the chunk is too large")
	}
	return g, in.serial(n), nil
}

// each calls do with the number of every element's label.
func (g *categorize) each(src []byte, n int64, do func(label int)) error {
	numbers, err := numpy.Convert(numpy.Int64, g.stored, src)
	if err != nil || int64(len(src)) != n*int64(g.stored.Size) {
		return fmt.Errorf("codec categorize: %d bytes, expected %d numbers", len(src), n)
	}
	labels := uint64(len(g.refs) / refBytes)
	for i := range n {
		v := binary.LittleEndian.Uint64(numbers[8*i:])
		if v >= labels {
			return fmt.Errorf("codec categorize: element %d is %d, there are %d labels", i, v, labels-1)
		}
		do(int(v))
	}
	return nil
}

func (g *categorize) decode(_, src []byte, limit int64) ([]byte, error) {
	size := int64(len(g.fixed[0]))
	var out []byte
	err := g.each(src, limit/size, func(label int) { out = append(out, g.fixed[label]...) })
	return out, err
}

func (g *categorize) decodeTexts(src []byte, limit int64) (refs, texts []byte, err error) {
	err = g.each(src, limit/refBytes, func(label int) { refs = append(refs, g.refs[refBytes*label:][:refBytes]...) })
	return refs, g.texts, err
}
