package tgm

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// StageKind is the place of a stage in a pipeline.
type StageKind uint8

// The kinds of stages. Values go through encoding, filter and compression in this order; a mask
// method compresses the bits of one mask.
const (
	EncodingStage StageKind = iota
	FilterStage
	CompressionStage
	MaskStage
)

// String returns the name of the kind, such as "compression".
func (k StageKind) String() string {
	return [...]string{"encoding", "filter", "compression", "mask method"}[k]
}

// Stage describes a name that descriptors use for an encoding, a filter, a compression or a mask
// method.
type Stage struct {
	Kind   StageKind
	Name   string
	Params []Param // the parameters that Pipeline.Params can have
	Lossy  bool    // values come back changed, within bounds that the parameters give
	// Sample is a pipeline with the stage that keeps whole numbers from 0 to 255 exactly.
	Sample Pipeline
	takes  func(form) error
}

// Takes returns an error if arrays of the type cannot go through the stage. Mask methods take every
// mask.
func (s Stage) Takes(d DType) error {
	if s.takes == nil {
		return nil
	}
	return s.takes(formOf(d, 0))
}

// Stages returns every stage of a kind that can be written, "none" first.
func Stages(kind StageKind) []Stage {
	var list []Stage
	for i := range stages {
		if s, ok := stages[i].as(kind); ok {
			list = append(list, s)
		}
	}
	return list
}

// as describes the stage as one of a kind. The result ok is false if it is none.
func (s *stage) as(kind StageKind) (described Stage, ok bool) {
	switch {
	case kind == MaskStage && s.mask != nil:
		return Stage{Kind: kind, Name: s.name, Sample: sampleOf(kind, s)}, true
	case kind == s.kind:
		return Stage{
			Kind: kind, Name: s.name, Params: slices.Clone(s.params), Lossy: s.lossy, Sample: sampleOf(kind, s), takes: s.takes,
		}, true
	}
	return Stage{}, false
}

// sampleOf returns a pipeline that goes through the stage.
func sampleOf(kind StageKind, s *stage) Pipeline {
	switch kind {
	case EncodingStage:
		return Pipeline{Encoding: s.name, Params: s.sample}
	case FilterStage:
		return Pipeline{Filter: s.name, Params: s.sample}
	case MaskStage:
		masks := MaskOptions{NaN: s.name, PosInf: s.name, NegInf: s.name, SmallThreshold: -1}
		return Pipeline{Masks: masks, AllowNaN: true, AllowInf: true}
	}
	return Pipeline{Compression: s.name, Params: s.sample}
}

// StageNamed returns the stage of a kind and name, and false if there is none.
func StageNamed(kind StageKind, name string) (Stage, bool) {
	for i := range stages {
		if stages[i].name != name {
			continue
		}
		if s, ok := stages[i].as(kind); ok {
			return s, true
		}
	}
	return Stage{}, false
}

// StageNames returns the names of the stages of a kind, "none" first.
func StageNames(kind StageKind) []string {
	var names []string
	for _, s := range Stages(kind) {
		names = append(names, s.Name)
	}
	return names
}

// nameNone is the name of every stage that does nothing.
const nameNone = "none"

// stages is the table of everything a pipeline can do. A new codec is a file that makes a stage,
// and a line here.
var stages = [...]stage{
	{kind: EncodingStage, name: nameNone},
	simplePackingStage(),
	{kind: FilterStage, name: nameNone},
	shuffleStage(),
	{kind: CompressionStage, name: nameNone, mask: bitsMethod(nameNone)},
	zstdStage(),
	lz4Stage(),
	szipStage(),
	blosc2Stage(),
	bitmaskStage(nameRLE),
	bitmaskStage(nameRoaring),

	zfpStage(),
	sz3Stage(),
}

// stage is one encoding, filter or compression.
type stage struct {
	kind   StageKind
	name   string
	params []Param
	sample map[string]any // parameters with which whole numbers from 0 to 255 come back exactly
	lossy  bool           // other numbers may not
	// takes returns an error for input that the stage cannot encode; nil takes everything.
	takes func(form) error
	// wholeBytes: packed integers must be 8, 16, 24 or 32 bits wide. The reference
	// implementation hands them over as if each stood in bytes of its own, and drops bits of all
	// other widths.
	wholeBytes bool
	// encode takes over s and returns the output of the stage. Parameters that a reader needs go to
	// the descriptor.
	encode func(w *encoder, s stored) (stored, error)
	// integers encodes quantised integers without packing them first; may be nil.
	integers func(w *encoder, q *Packed, n, width int) (stored, error)
	// open reads and checks the parameters of a descriptor, and returns the layer that undoes the
	// stage.
	open func(d *Descriptor, in form) (layer, error)
	// transform is the stage as other formats know it; nil if none does.
	transform func(d *Descriptor) (Transform, error)
	// mask is the stage as a mask method; may be nil.
	mask *maskMethod
}

// layer undoes a stage of one object.
type layer struct {
	in  form // of the input of the stage when encoding: decoding gives in.bytes bytes
	out form // of the output of the stage when encoding; bytes is unknown after a compression
	// decode fills dst, which has in.bytes bytes.
	decode func(dst, src []byte) error
	// inPlace decodes in.bytes bytes in their own memory; may be nil.
	inPlace func(b []byte) error
	// fits returns an error if n bytes cannot be decoded; nil if that depends on the bytes.
	fits func(n int) error
	// check decodes without keeping the result, in little memory; may be nil.
	check func(src []byte) error
	// stream writes the result of decode to w, in little memory; may be nil.
	stream func(w io.Writer, src []byte) error
	// readAt fills dst with the decoded bytes from off on, and reads no more of src than it needs.
	// It is nil if only the whole can be decoded.
	readAt func(dst []byte, off int64, src section) error
	// grain returns how many decoded bytes readAt decodes together, if reading so many from src
	// costs the same each time. It is nil if readAt can take any number of bytes at the same
	// cost for each.
	grain func(bytes int64, src section) int64
	// pick reads single samples, by their numbers, which ascend, and no more of src than they need; may
	// be nil.
	pick func(dst []uint32, at []uint64, src section) error
	// values fills dst with the values of samples that pick gives, little-endian. It is nil for a layer
	// whose values are not made of one sample each.
	values func(dst []byte, samples []uint32)
	// hostOrder: the output is in the byte order of this machine, not in the descriptor's.
	hostOrder bool
}

// form describes bytes on their way through a pipeline, as the stages need to know them.
type form struct {
	dtype   DType
	n       int  // elements of the array
	bytes   int  // all of them
	bits    int  // width of one sample as szip sees it; 0 if it is no whole number of bits
	element int  // bytes of one element as shuffle and blosc2 see it; 0 if it is no whole number
	packed  bool // integers from simple_packing, most significant byte first
	raw     bool // the array's own bytes: neither encoded nor filtered
}

// formOf returns the form of an array of the type.
func formOf(d DType, n int) form {
	f := form{dtype: d, n: n, bytes: n * d.Size(), bits: 8 * d.Size(), element: d.Size(), raw: true}
	if d == Bitmask {
		f.bytes = n/8 + (n%8+7)/8
	}
	return f
}

func missingParam(name string) error { return fmt.Errorf("%s is missing", name) }

// takesNot is the error of a stage for input of another kind.
func takesNot(expected, found string) error {
	return fmt.Errorf("takes %s, not %s", expected, found)
}

// section is the source that a layer reads from: a payload, or the output of the layer after it.
type section interface {
	io.ReaderAt
	Size() int64
}

// readFull fills b from off on.
func readFull(s section, b []byte, off int64) error {
	if off < 0 || int64(len(b)) > s.Size()-off {
		return encodingError(nil, "payload of %d bytes, expected %d", s.Size(), off+int64(len(b)))
	}
	_, err := s.ReadAt(b, off)
	return err
}

// layerSection gives the decoded bytes of a layer.
type layerSection struct {
	layer layer
	src   section
}

func (l layerSection) Size() int64 { return int64(l.layer.in.bytes) }

func (l layerSection) ReadAt(b []byte, off int64) (int, error) {
	if err := l.layer.readAt(b, off, l.src); err != nil {
		return 0, err
	}
	return len(b), nil
}

// findStage returns the stage of that kind and name.
func findStage(kind StageKind, name string) (*stage, bool) {
	for i := range stages {
		if s := &stages[i]; s.kind == kind && s.name == name {
			return s, true
		}
	}
	return nil, false
}

// pipelineStages returns the three stages of these names.
func pipelineStages(encoding, filter, compression string) (list [3]*stage, err error) {
	for i, name := range [3]string{encoding, filter, compression} {
		kind, ok := StageKind(i), false
		if list[i], ok = findStage(kind, name); !ok {
			return list, encodingError(nil, "%s %q is unknown", kind, name)
		}
	}
	return list, nil
}

// check returns an error if the stage cannot encode the input.
func (s *stage) check(in form) error {
	if s.takes == nil {
		return nil
	}
	err := s.takes(in)
	if err == nil || errors.As(err, new(*CompressionError)) {
		return err
	}
	return encodingError(nil, "%s %s %v", s.kind, s.name, err)
}

// ParamKind is the type of a parameter.
type ParamKind uint8

// The types of parameters.
const (
	IntParam ParamKind = iota
	FloatParam
	TextParam
)

// Param is a parameter of a stage, under its name in descriptors.
type Param struct {
	Name     string
	Kind     ParamKind
	Min, Max float64  // of numbers, if Max is above Min
	Words    []string // the values that a text can have
	Usage    string   // its meaning, and its default
}

// Check returns an error for a value that the parameter cannot have.
func (p Param) Check(v any) error {
	var x float64
	switch v := v.(type) {
	case int:
		x = float64(v)
	case int64:
		x = float64(v)
	case float64:
		if x = v; p.Kind != FloatParam {
			return p.mismatch(v)
		}
	case string:
		if p.Kind != TextParam || !slices.Contains(p.Words, v) {
			return p.mismatch(v)
		}
		return nil
	default:
		return p.mismatch(v)
	}
	if p.Kind == TextParam || p.Max > p.Min && !(x >= p.Min && x <= p.Max) {
		return p.mismatch(v)
	}
	return nil
}

// Parse reads a value that is given as text, and checks it.
func (p Param) Parse(text string) (v any, err error) {
	switch p.Kind {
	case IntParam:
		v, err = strconv.Atoi(text)
	case FloatParam:
		v, err = strconv.ParseFloat(text, 64)
	default:
		v = text
	}
	if err != nil {
		return nil, p.mismatch(text)
	}
	return v, p.Check(v)
}

func (p Param) mismatch(v any) error {
	switch {
	case p.Kind == TextParam:
		return fmt.Errorf("%s is %v, expected one of %v", p.Name, v, p.Words)
	case p.Max <= p.Min:
		return fmt.Errorf("%s is %v, expected %s", p.Name, v, [...]string{"an integer", "a number"}[p.Kind])
	}
	return fmt.Errorf("%s is %v, expected %s from %g to %g", p.Name, v, [...]string{"an integer", "a number"}[p.Kind], p.Min, p.Max)
}

// checkParams returns an error for parameters that none of the stages has, or that are out of
// range.
func checkParams(params map[string]any, list [3]*stage) error {
	for name, v := range params {
		i, j := 0, -1
		for i = range list {
			if j = slices.IndexFunc(list[i].params, func(p Param) bool { return p.Name == name }); j >= 0 {
				break
			}
		}
		if j < 0 {
			return encodingError(nil, "parameter %s belongs to none of %s, %s and %s", name, list[0].name, list[1].name, list[2].name)
		}
		if err := list[i].params[j].Check(v); err != nil {
			return encodingError(err, "%s %s", list[i].kind, list[i].name)
		}
	}
	return nil
}
