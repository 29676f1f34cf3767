package sz3

import (
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"github.com/tgmconv/tgmconv/internal/codec/compress"
)

// plan is how values are coded.
type plan struct {
	algorithm   algorithm
	kind        kind
	alpha, beta float64
	radius      int
	block       int // of Lorenzo
}

const lorenzoBlock = 128

func defaultPlan() plan {
	return plan{algorithm: interpolation, kind: cubic, alpha: 1.25, beta: 2, radius: defaultRadius, block: lorenzoBlock}
}

// encoder keeps memory from one call to the next.
type encoder struct {
	quantizer quantizer
	huffman   huffmanEncoder
	pred      []float64
	choices   []int32
	work      []float64
	content   []byte
	packed    []byte
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

// Encode appends the stream that holds src to dst. No value differs by more than the bound that the
// parameters give; NaN and infinities are kept. There must be at least one value.
func Encode(dst []byte, src []float64, p Params) ([]byte, error) {
	if len(src) == 0 {
		return dst, &ParamError{"number of values", 0, "at least 1: the format has no empty stream"}
	}
	bound, err := p.absolute(src)
	if err != nil {
		return dst, err
	}
	if bound == 0 || math.IsInf(1/bound, 0) {
		return encodeLossless(dst, src, bound)
	}
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	best, err := e.choose(src, bound, p)
	if err != nil {
		return dst, err
	}
	payload, err := e.payload(src, bound, best)
	if err != nil {
		return dst, err
	}
	out := dst
	if best.algorithm != lossless {
		out = appendStream(dst, payload, best.config(len(src)), bound, 2*best.radius)
	}
	// If little is gained, the plain values may be smaller.
	const poor = 3
	if best.algorithm == lossless || 8*len(src) < poor*len(payload) {
		plain, err := encodeLossless(nil, src, bound)
		if err != nil {
			return dst, err
		}
		if best.algorithm == lossless || len(plain) < len(out)-len(dst) {
			return append(dst, plain...), nil
		}
	}
	return out, nil
}

func (b plan) config(n int) config {
	c := config{values: n, algorithm: b.algorithm, flags: flagLorenzo1 | flagLorenzo2 | flagRegression, blockSize: lorenzoBlock}
	if b.algorithm == lorenzo {
		c.flags = flagLorenzo1 | flagLorenzo2
	}
	return c
}

func encodeLossless(dst []byte, src []float64, bound float64) ([]byte, error) {
	content := appendDoubles(make([]byte, 0, 8*len(src)), src)
	payload, err := pack(nil, content)
	if err != nil {
		return dst, err
	}
	p := defaultPlan()
	p.algorithm = lossless
	return appendStream(dst, payload, p.config(len(src)), bound, 2*defaultRadius), nil
}

// payload codes all values. The result is valid until the next call.
func (e *encoder) payload(src []float64, bound float64, p plan) ([]byte, error) {
	if p.algorithm == lossless {
		return nil, nil
	}
	e.quantizer.reset(bound, p.radius)
	e.quantizer.symbols = slices.Grow(e.quantizer.symbols, len(src))
	e.choices = e.choices[:0]
	e.work = append(e.work[:0], src...)
	e.code(e.work, p)
	e.assemble(len(src), p)
	var err error
	e.packed, err = pack(e.packed[:0], e.content)
	return e.packed, err
}

// code adds the symbols of x, and replaces x by the decoded values.
func (e *encoder) code(x []float64, p plan) {
	if p.algorithm == lorenzo {
		e.choices = encodeLorenzo(x, &e.quantizer, p.block, e.choices)
		return
	}
	i := p.interpolator(len(x))
	i.pred = e.pred
	i.encode(x, &e.quantizer)
	e.pred = i.pred
}

func (b plan) interpolator(n int) *interpolator {
	return &interpolator{values: n, block: defaultBlock, kind: b.kind, stride: defaultStride, alpha: b.alpha, beta: b.beta}
}

// assemble makes the content of n values from symbols.
func (e *encoder) assemble(n int, p plan) {
	b := e.content[:0]
	if p.algorithm == lorenzo {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(e.choices)))
		b = e.huffman.append(b, e.choices, false)
	} else {
		b = p.interpolator(n).append(b)
	}
	b = e.quantizer.append(b)
	e.content = e.huffman.append(b, e.quantizer.symbols, true)
}

// trial returns the bytes of the samples when they are coded with a plan.
func (e *encoder) trial(samples [][]float64, bound float64, p plan) (int, error) {
	e.quantizer.reset(bound, p.radius)
	e.choices = e.choices[:0]
	for _, s := range samples {
		e.work = append(e.work[:0], s...)
		e.code(e.work, p)
	}
	e.assemble(len(samples[0]), p)
	var err error
	e.packed, err = compress.EncodeZstd(e.packed[:0], e.content, zstdLevel)
	return 8 + len(e.packed), err
}
