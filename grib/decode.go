package grib

import (
	"errors"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
	"github.com/tgmconv/tgmconv/internal/fault"
)

// coded is the content of a data section: count numbers in storage order, without
// points that the bitmap leaves out.
type coded interface {
	count() int
	// decode fills dst, which has count elements, and returns the mask of missing points, nil
	// for none.
	decode(dst []float64) (*bitmask.Mask, error)
}

// integral is a coded whose numbers are integers under one linear map.
type integral interface {
	coded
	linear() packing
	// constant returns the value of a field all of whose integers have 0 bits.
	constant() (float64, bool)
	// integers fills dst, which has count elements, with 0 where missing, or returns
	// ErrNotQuantised.
	integers(dst []uint32) (*bitmask.Mask, error)
	// raw puts the stored form of the integers into q if Quantised can hold it.
	raw(q *Quantised) bool
}

// packing is the linear map from integers q to values (q·2^e + r)·10^-d, and the width of the
// integers.
type packing struct {
	n, bits int
	r       float64
	e, d    int
}

// layout is the common preparation of decode and quantised before they take memory.
func (f *Field) layout() (coded, presence, error) {
	if f.Message.Partial {
		return nil, presence{}, fault.Errorf("grib", "%s: the data were not read", where(f.Offset(), -1))
	}
	c, err := f.coded()
	if err != nil {
		return nil, presence{}, err
	}
	p, err := f.presence()
	if err != nil {
		return nil, presence{}, err
	}
	if p.bits == nil {
		p.points, p.ones = c.count(), c.count()
	}
	if n := max(p.points, c.count()); n > f.maxPoints && !f.Constant() {
		return nil, presence{}, &LimitError{Offset: f.Offset(), What: limitPoints, Value: int64(n), Max: int64(f.maxPoints)}
	}
	if c.count() != 0 && c.count() < p.ones || c.count() > p.points {
		return nil, presence{}, f.dataError(fmt.Errorf("%d values for a bitmap of %d points with %d ones", c.count(), p.points, p.ones))
	}
	return c, p, nil
}

// CheckDecode returns the error that Decode gives for too many values, before it takes memory for
// them.
func (f *Field) CheckDecode() error {
	_, p, err := f.layout()
	if err != nil {
		return err
	}
	return f.checkSize(p.points)
}

// checkSize returns a LimitError if n values may not be decoded.
func (f *Field) checkSize(n int) error {
	if n > f.maxPoints {
		return &LimitError{Offset: f.Offset(), What: limitPoints, Value: int64(n), Max: int64(f.maxPoints)}
	}
	if size := 8 * int64(n); size > max(f.maxArray, maxExpansion*int64(len(f.Message.Data))) {
		return &LimitError{Offset: f.Offset(), What: limitArray, Value: size, Max: f.maxArray}
	}
	return nil
}

// Constant reports whether all values are the reference value, by the headers alone. They then
// have no bits, and there is no bitmap.
func (f *Field) Constant() bool {
	if f.Edition == 1 {
		b := f.sections[4].Data
		return f.sections[3].Data == nil && b[3]>>4&(spectral1|complex1|additional1) == 0 && b[10] == 0 && sm16(b, 4) != noData1
	}
	switch f.DataTemplate() {
	case 0, 40, 41, 42:
		b := f.sections[5].Data
		return len(b) >= 20 && b[19] == 0 && f.sections[6].Data[5] == noBitmap
	}
	return false
}

func (f *Field) coded() (coded, error) {
	if f.Edition == 1 {
		return f.coded1()
	}
	return f.coded2()
}

func (f *Field) points() (int, error) {
	if f.Message.Partial {
		return f.headPoints()
	}
	_, p, err := f.layout()
	return p.points, err
}

// decode is Decode for both types of values. read fills dst with the numbers of c.
func decode[T float32 | float64](f *Field, dst []T, read func(c coded, dst []T) (*bitmask.Mask, error)) ([]T, *bitmask.Mask, error) {
	c, p, err := f.layout()
	if err != nil {
		return nil, nil, err
	}
	if err := f.checkSize(p.points); err != nil {
		return nil, nil, err
	}
	dst = resize(dst, p.points)
	if c.count() == 0 { // then no point has a value, whatever the bitmap says
		m := fullMask(p.points)
		erase(dst, m)
		return dst, m, nil
	}
	m, err := read(c, dst[p.points-c.count():])
	if err != nil {
		return nil, nil, f.dataError(err)
	}
	if p.bits != nil {
		if c.count() > p.ones {
			copy(dst[p.points-p.ones:], dst[p.points-c.count():])
		}
		spread(p, dst, T(math.NaN()))
		m = p.spreadMask(m)
	}
	if rows := f.backwardRows(p.points); rows != nil {
		turnRows(dst, rows)
		turnMask(m, rows)
	}
	if m != nil && !m.Any() {
		m = nil
	}
	erase(dst, m)
	return dst, m, nil
}

func fullMask(n int) *bitmask.Mask {
	if n == 0 {
		return nil
	}
	return presence{bits: make([]byte, (n+7)/8), points: n}.missing()
}

// quantised gives the integers. With raw they are as in the message where that is possible.
func (f *Field) quantised(raw bool) (*Quantised, error) {
	c, p, err := f.layout()
	if err != nil {
		return nil, err
	}
	if _, none := c.(noValues); none || c.count() == 0 {
		return &Quantised{N: p.points, Missing: fullMask(p.points)}, nil
	}
	in, ok := c.(integral)
	if !ok {
		return nil, ErrNotQuantised
	}
	k := in.linear()
	q := &Quantised{N: p.points, Reference: k.r, BinaryScale: k.e, DecimalScale: k.d, Bits: k.bits}
	if value, constant := in.constant(); constant {
		return &Quantised{N: p.points, Reference: value, Missing: p.missing()}, nil
	}
	if err := f.checkSize(p.points); err != nil {
		return nil, err
	}
	if raw && p.ones == p.points && c.count() == p.points && in.raw(q) {
		return q, nil
	}
	return q, f.samples(in, p, q)
}

// samples decodes the integers into q.
func (f *Field) samples(in integral, p presence, q *Quantised) error {
	q.Samples = make([]uint32, p.points)
	m, err := in.integers(q.Samples[p.points-in.count():])
	if err != nil {
		if errors.Is(err, ErrNotQuantised) {
			return err
		}
		return f.dataError(err)
	}
	if p.bits != nil {
		if in.count() > p.ones {
			copy(q.Samples[p.points-p.ones:], q.Samples[p.points-in.count():])
		}
		spread(p, q.Samples, 0)
		m = p.spreadMask(m)
	}
	if rows := f.backwardRows(p.points); rows != nil {
		turnRows(q.Samples, rows)
		turnMask(m, rows)
	}
	if m.Any() {
		q.Missing = m
	}
	// Not every template gives the width of its integers: complex packing gives the width of a
	// group reference.
	q.Bits = max(1, widest(q.Samples))
	return nil
}

// dataSection is the number of the section that describes the data.
func (f *Field) dataSection() int {
	if f.Edition == 1 {
		return 4
	}
	return 5
}

// dataError says that the data section cannot be decoded.
func (f *Field) dataError(err error) error {
	n := 7
	if f.Edition == 1 {
		n = 4
	}
	return f.sectionError(n, err)
}

// sectionError puts err, met in section n, into a FormatError, unless err names its place
// already.
func (f *Field) sectionError(n int, err error) error {
	var format *FormatError
	var unsupported *UnsupportedError
	var limit *LimitError
	if errors.As(err, &format) || errors.As(err, &unsupported) || errors.As(err, &limit) {
		return err
	}
	return &FormatError{Offset: f.sections[n].Offset, Section: n, Msg: fmt.Sprintf("data representation %d", f.DataTemplate()), Err: err}
}

func (f *Field) unsupportedData() error {
	n := f.dataSection()
	return &UnsupportedError{Edition: f.Edition, Section: n, Template: f.DataTemplate(), Offset: f.sections[n].Offset, What: "data representation template"}
}

func resize[T any](dst []T, n int) []T {
	if cap(dst) < n {
		return make([]T, n)
	}
	return dst[:n]
}
