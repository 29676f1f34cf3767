package zarr

import (
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/nd"
)

// A chain makes elements of the stored bytes of a chunk ("Codecs"), and the other way round.
//
//	elements → array-to-array stages → one array-to-bytes stage → bytes-to-bytes stages → stored
type chain struct {
	stages []stage
	specs  []spec // of the input of each stage when a chunk is written; then of the stored bytes
}

// A stage is a codec with its configuration, for chunks of one shape and element.
type stage interface {
	// decode undoes the codec. The result has at most limit bytes; if it is an array, exactly these.
	// It may be in the memory of dst, or of src, which does not change.
	decode(dst, src []byte, limit int64) ([]byte, error)
	encode(src []byte) ([]byte, error)
}

// A textStage makes elements of any length: references, each a place and a length in texts.
type textStage interface {
	stage
	decodeTexts(src []byte, limit int64) (refs, texts []byte, err error)
}

// A spec describes data between two stages.
type spec struct {
	own     *Element // of the array
	element *Element
	shape   []uint64
	fill    []byte // one element
	bytes   bool   // not an array any more
	size    int64  // in bytes; at most, if it is no array
	depth   int    // of shards in shards

	decoders map[string]Decoder // further codecs
}

// array is the spec of an array of another element or shape.
func (s spec) array(e *Element, shape []uint64) (spec, error) {
	size, ok := nd.Bytes(shape, e.width())
	if !ok {
		return spec{}, fmt.Errorf("chunk shape %v: the size does not fit 63 bits", shape)
	}
	s.element, s.shape, s.size = e, shape, size
	return s, nil
}

// serial is the spec of at most size bytes.
func (s spec) serial(size int64) spec {
	s.bytes, s.size = true, size
	return s
}

// newChain makes the chain of the codecs of chunks. The order the specification asks for,
// array-to-array before array-to-bytes before bytes-to-bytes, is checked.
func newChain(codecs []Codec, in spec) (*chain, error) {
	c := &chain{specs: []spec{in}}
	for _, codec := range codecs {
		t := codecTypeOf(codec.Name)
		if foreign, out := foreignStage(codec, in); foreign != nil {
			c.stages, c.specs = append(c.stages, foreign), append(c.specs, out)
			in = out
			continue
		}
		if t == nil {
			return nil, &UnsupportedError{What: fmt.Sprintf("codec %.80q", codec.Name)}
		}
		switch {
		case !in.bytes && t.takes&arrays == 0:
			return nil, fault.Errorf("zarr", "codec %s: expected the codec bytes, or another from arrays to bytes, before it", codec.Name)
		case in.bytes && t.takes&serial == 0:
			return nil, fault.Errorf("zarr", "codec %s: it follows a codec from arrays to bytes", codec.Name)
		case !in.bytes && in.element.optional != nil && !takesOptional(codec.Name):
			return nil, &UnsupportedError{What: fmt.Sprintf("codec %.80q of the data type %q", codec.Name, optionalName)}
		}
		stage, out, err := t.open(codec, in)
		if err != nil {
			return nil, err
		}
		c.stages, c.specs = append(c.stages, stage), append(c.specs, out)
		in = out
	}
	if !in.bytes {
		return nil, fault.Errorf("zarr", "codecs: expected the codec bytes, found none")
	}
	return c, nil
}

// takesOptional reports whether a codec takes elements that need not be there.
func takesOptional(name string) bool {
	return name == optionalName || name == shardingName || name == "transpose"
}

// stored bounds the bytes of a chunk.
func (c *chain) stored() int64 { return c.specs[len(c.specs)-1].size }

// decode gives the little-endian elements of a chunk, exactly size bytes. This is less than the whole
// chunk where one was stored without its part beyond the edge. For elements of any length they are
// references to texts. They may be in the memory of dst.
func (c *chain) decode(dst, stored []byte, size int64) (data, texts []byte, err error) {
	clipped := size != c.specs[0].size
	if clipped && (len(c.stages) == 0 || !c.specs[1].bytes) {
		return nil, nil, &UnsupportedError{What: "a part of a chunk whose codecs change the order of elements"}
	}
	data = stored
	for i, s := range slices.Backward(c.stages) {
		in := c.specs[i]
		limit := in.size
		if i == 0 {
			limit = size
		}
		if t, ok := s.(textStage); ok && in.element.anyLength() && !in.bytes {
			data, texts, err = t.decodeTexts(data, limit)
		} else {
			var room []byte
			if i == c.untouched() {
				room = dst
			}
			data, err = s.decode(room, data, limit)
		}
		if err != nil {
			return nil, nil, err
		}
		if !in.bytes && int64(len(data)) != limit {
			return nil, nil, fmt.Errorf("chunk decodes to %d bytes, expected %d", len(data), limit)
		}
	}
	return data, texts, nil
}

// encode makes the stored bytes of the little-endian elements of a chunk. It may return data
// itself, which it does not change.
func (c *chain) encode(data []byte) ([]byte, error) {
	if c.specs[0].element.anyLength() {
		return nil, &UnsupportedError{What: "writing elements of any length"}
	}
	var err error
	for _, s := range c.stages {
		if data, err = s.encode(data); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// untouched is the number of the first stage that changes the elements: its decoded output is the result.
func (c *chain) untouched() int {
	if len(c.stages) > 1 && c.littleFirst() {
		return 1
	}
	return 0
}

// copies reports whether elements are never in the memory of the stored bytes.
func (c *chain) copies() bool {
	return slices.ContainsFunc(c.stages, func(s stage) bool {
		switch s := s.(type) {
		case *byteOrder:
			return len(s.swaps) > 0
		case *checked, same:
			return false
		}
		return true
	})
}

// plain reports whether the stored bytes are the little-endian elements themselves.
func (c *chain) plain() bool { return len(c.stages) == 1 && c.littleFirst() }

// littleFirst reports whether the first codec stores little-endian elements as they are.
func (c *chain) littleFirst() bool {
	b, ok := c.stages[0].(*byteOrder)
	return ok && len(b.swaps) == 0
}

// stageSlack is the most that a compressor adds to incompressible data, beside a sixteenth of its size.
const stageSlack = 64 << 10

// compressed is the spec after a compressor.
func (s spec) compressed() spec {
	const most = math.MaxInt64 / 2
	return s.serial(min(s.size, most) + min(s.size, most)/16 + stageSlack)
}

// readOnly is part of stages that only read.
type readOnly string

func (r readOnly) encode([]byte) ([]byte, error) {
	return nil, &UnsupportedError{What: fmt.Sprintf("writing with codec %q", string(r))}
}
