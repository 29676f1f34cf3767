package grib

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/grib/internal/bits"
)

// A ValueIndex says where in its message, and how, the values of a field are stored. Some of them
// are then decoded from their bytes alone. It can be kept with the place of the message, see
// [ValueIndex.AppendBinary].
type ValueIndex struct {
	packing            // of the stored numbers
	form    indexForm  // of these
	points  int        // of the grid
	data    indexSpan  // where the numbers lie, in bytes from the first of the message on
	bitmap  indexSpan  // of length 0 if all points have a value
	params  aec.Params // of indexAEC
	offsets []uint64   // in bits, of the intervals of indexAEC
}

// An indexSpan is some bytes of a message.
type indexSpan struct{ at, length int64 }

// An indexForm is how numbers are stored.
type indexForm uint8

const (
	indexMissing indexForm = iota // no point has a value
	indexConstant
	indexSimple
	indexAEC
	indexIEEE // of bits bits
	numIndexForms
)

// ValueIndex returns the index of the values. It is nil for packings whose numbers depend on all
// numbers before them. Of a field in CCSDS packing it walks over the stream without decoding it.
func (f *Field) ValueIndex() (*ValueIndex, error) {
	c, p, err := f.layout()
	if err != nil {
		return nil, err
	}
	x := &ValueIndex{packing: packing{n: c.count()}, points: p.points}
	section, head := f.sections[7], int64(headerLen2)
	if f.Edition == 1 {
		section, head = f.sections[4], dataLen1
	}
	switch c := c.(type) {
	case noValues:
	case simple:
		x.packing, x.form, x.data.length = c.packing, indexSimple, int64(len(c.data))
	case ccsds:
		x.packing, x.form, x.data.length, x.params = c.packing, indexAEC, int64(len(c.data)), c.params
		if c.bits == 0 {
			break
		}
		if x.offsets, err = aec.ScanOffsets(c.data, c.params, c.n); err != nil {
			return nil, f.dataError(err)
		}
	case ieee:
		x.form, x.bits, x.data.length = indexIEEE, 8*c.width, int64(len(c.data))
	default:
		return nil, nil
	}
	if x.n == 0 {
		x.form = indexMissing
	} else if x.form != indexMissing && x.form != indexIEEE && x.bits == 0 {
		x.form = indexConstant
	}
	x.data.at = section.Offset - f.Message.Offset + int64(len(section.Data)) - x.data.length
	if x.form > indexConstant && x.data.at < section.Offset-f.Message.Offset+head {
		return nil, errors.New("grib: values outside their section")
	}
	if p.bits != nil && x.form != indexMissing {
		bitmap, head := f.bitmap, int64(headerLen2+1)
		if f.Edition == 1 {
			bitmap, head = f.sections[3], bitmapLen1
		}
		x.bitmap = indexSpan{bitmap.Offset - f.Message.Offset + head, int64(len(p.bits))}
	}
	return x, nil
}

// Points returns the number of points.
func (x *ValueIndex) Points() int { return x.points }

// Pick sets dst to the values of points; NaN where a point is missing. The points are given by their
// numbers in storage order, which ascend and may repeat. The bytes of the message are in message.
func (x *ValueIndex) Pick(message io.ReaderAt, dst []float64, at []uint64) error {
	for i, n := range at {
		if n >= uint64(x.points) || i > 0 && n < at[i-1] {
			return fmt.Errorf("grib: point %d, expected ascending numbers below %d", n, x.points)
		}
	}
	if len(at) == 0 {
		return nil
	}
	p, err := x.presence(message, int(at[len(at)-1])+1)
	if err != nil {
		return err
	}
	if p.bits == nil {
		return x.pick(message, dst, at)
	}
	return p.pick(func(dst []float64, at []uint64) error { return x.pick(message, dst, at) }, dst, at)
}

// Read sets dst to the values of the points from first on, like [ValueIndex.Pick].
func (x *ValueIndex) Read(message io.ReaderAt, dst []float64, first uint64) error {
	if n := uint64(x.points); first > n || uint64(len(dst)) > n-first {
		return fmt.Errorf("grib: %d points from %d on, of %d", len(dst), first, x.points)
	}
	if len(dst) == 0 {
		return nil
	}
	end := int(first) + len(dst)
	p, err := x.presence(message, end)
	if err != nil {
		return err
	}
	if p.bits == nil {
		return x.run(message, dst, int(first))
	}
	before := countOnes(p.bits, int(first))
	p.ones = countOnes(p.bits, end) - before
	values := dst[len(dst)-p.ones:]
	if err := x.run(message, values, before); err != nil {
		return err
	}
	for i := range dst { // no value is overwritten before it is moved, as in spread
		if n := int(first) + i; p.bits[n/8]>>(7-n%8)&1 != 0 {
			dst[i], values = values[0], values[1:]
		} else {
			dst[i] = math.NaN()
		}
	}
	return nil
}

// presence reads the bits of the first points; they are nil if all points have a value.
func (x *ValueIndex) presence(message io.ReaderAt, points int) (presence, error) {
	if x.bitmap.length == 0 {
		return presence{}, nil
	}
	bitmap, err := x.bytes(message, x.bitmap, 0, (int64(points)+7)/8, nil)
	if err != nil {
		return presence{}, err
	}
	ones := countOnes(bitmap, points)
	if ones > x.n {
		return presence{}, fmt.Errorf("grib: %d points with a value, expected at most %d", ones, x.n)
	}
	return presence{bits: bitmap, points: points}, nil
}

// bytes reads some bytes of a part of the message, in the memory of buffer if it has room.
func (x *ValueIndex) bytes(message io.ReaderAt, of indexSpan, from, to int64, buffer []byte) ([]byte, error) {
	if from < 0 || to < from || to > of.length {
		return nil, fmt.Errorf("grib: bytes %d to %d of %d", from, to, of.length)
	}
	data := resize(buffer, int(to-from))
	if n, err := message.ReadAt(data, of.at+from); n < len(data) {
		return nil, fmt.Errorf("reading %d bytes at byte %d of the message: %w", len(data), of.at+from, err)
	}
	return data, nil
}

// fill sets dst to the single value of the field.
func (x *ValueIndex) fill(dst []float64) bool {
	switch x.form {
	case indexMissing:
		fill(dst, math.NaN())
	case indexConstant:
		fill(dst, x.r)
	default:
		return false
	}
	return true
}

// closeBytes is how far apart numbers may be that are read together.
const closeBytes = 4 << 10

// pick sets dst to stored numbers.
func (x *ValueIndex) pick(message io.ReaderAt, dst []float64, at []uint64) error {
	if x.fill(dst) {
		return nil
	}
	buffer := indexBytes.Get().(*[]byte)
	defer indexBytes.Put(buffer)
	for len(at) > 0 {
		from, to, err := x.span(at[0], at[0]+1)
		n := 1
		for ; err == nil && n < len(at); n++ {
			if at[n] == at[n-1] {
				continue
			}
			var next, end int64
			if next, end, err = x.span(at[n], at[n]+1); err == nil && next > to+closeBytes {
				break
			}
			to = max(to, end)
		}
		if err == nil {
			*buffer, err = x.bytes(message, x.data, from, to, *buffer)
		}
		if err == nil {
			err = x.decodePicked(dst[:n], *buffer, from, at[:n])
		}
		if err != nil {
			return err
		}
		dst, at = dst[n:], at[n:]
	}
	return nil
}

// span is where the numbers from first to end lie in the data, with earlier numbers of their
// interval.
func (x *ValueIndex) span(first, end uint64) (from, to int64, err error) {
	if end > uint64(x.n) {
		return 0, 0, fmt.Errorf("grib: value %d of %d", end-1, x.n)
	}
	if x.form != indexAEC {
		return int64(first) * int64(x.bits) / 8, (int64(end)*int64(x.bits) + 7) / 8, nil
	}
	size := x.interval()
	i, last := int(first/size), int((end-1)/size)
	if last >= len(x.offsets) {
		return 0, 0, fmt.Errorf("grib: interval %d of %d", last, len(x.offsets))
	}
	to = x.data.length
	if last+1 < len(x.offsets) {
		to = int64(x.offsets[last+1]+7) / 8
	}
	return int64(x.offsets[i]) / 8, to, nil
}

// interval is how many samples a reference sample interval has.
func (x *ValueIndex) interval() uint64 { return uint64(x.params.BlockSize) * uint64(x.params.RSI) }

// decodePicked decodes numbers of data, which begin at byte from.
func (x *ValueIndex) decodePicked(dst []float64, data []byte, from int64, at []uint64) error {
	switch x.form {
	case indexAEC:
		samples := pickedSamples.Get().(*[]uint32)
		defer pickedSamples.Put(samples)
		*samples = resize(*samples, len(at))
		i := at[0] / x.interval()
		base := i * x.interval()
		if err := aec.Pick(*samples, data, x.params, x.offsets[i:], x.n-int(base), at, base); err != nil {
			return err
		}
		x.scale().Uint32s(dst, *samples)
	case indexIEEE:
		first := uint64(from) / uint64(x.bits/8)
		near := make([]uint64, len(at))
		for i, n := range at {
			near[i] = n - first
		}
		return ieee{width: x.bits / 8, data: data}.pick(dst, near)
	default:
		scale := x.scale()
		for i, n := range at {
			dst[i] = scale.Value(float64(bits.Uint(data, int(int64(n)*int64(x.bits)-8*from), x.bits)))
		}
	}
	return nil
}

// run sets dst to the stored numbers from first on.
func (x *ValueIndex) run(message io.ReaderAt, dst []float64, first int) error {
	if len(dst) == 0 || x.fill(dst) {
		return nil
	}
	begin := first
	if x.form == indexSimple {
		begin = first &^ 7 // which is the first of a byte
	}
	from, to, err := x.span(uint64(begin), uint64(first+len(dst)))
	if err != nil {
		return err
	}
	buffer := indexBytes.Get().(*[]byte)
	defer indexBytes.Put(buffer)
	if *buffer, err = x.bytes(message, x.data, from, to, *buffer); err != nil {
		return err
	}
	switch x.form {
	case indexAEC:
		samples := pickedSamples.Get().(*[]uint32)
		defer pickedSamples.Put(samples)
		*samples = resize(*samples, len(dst))
		i := first / int(x.interval())
		start := []uint64{x.offsets[i] % 8}
		if err := aec.DecodeUint32Range(*samples, *buffer, x.params, start, first-i*int(x.interval())); err != nil {
			return err
		}
		x.scale().Uint32s(dst, *samples)
	case indexIEEE:
		_, err = ieee{n: len(dst), width: x.bits / 8, data: *buffer}.decode(dst)
	default:
		var head [8]float64
		whole := head[:min(8, first-begin+len(dst))]
		if first > begin { // the numbers of a byte that first is in
			x.scale().Packed(whole, *buffer, x.bits)
			n := copy(dst, whole[first-begin:])
			dst, *buffer = dst[n:], (*buffer)[min(x.bits, len(*buffer)):]
		}
		x.scale().Packed(dst, *buffer, x.bits)
	}
	return err
}

// Memory that is used again by one call after the other.
var indexBytes = sync.Pool{New: func() any { return new([]byte) }}

// AppendBinary appends the index to dst, for [ParseValueIndex]. It takes some tens of bytes, and about
// three for each interval of CCSDS packing.
func (x *ValueIndex) AppendBinary(dst []byte) ([]byte, error) {
	dst = append(dst, byte(x.form))
	for _, n := range []int64{
		int64(x.points), int64(x.n), int64(x.e), int64(x.d), int64(x.bits), x.data.at, x.data.length, x.bitmap.at, x.bitmap.length,
	} {
		dst = binary.AppendVarint(dst, n)
	}
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(x.r))
	if x.form != indexAEC {
		return dst, nil
	}
	for _, n := range []int{x.params.BlockSize, x.params.RSI, int(x.params.Flags), len(x.offsets)} {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	before := uint64(0)
	for _, o := range x.offsets {
		dst = binary.AppendUvarint(dst, o-before)
		before = o
	}
	return dst, nil
}

// ParseValueIndex reads the output of [ValueIndex.AppendBinary], and checks that it can be used.
func ParseValueIndex(b []byte) (*ValueIndex, error) {
	r := indexReader{rest: b}
	x := new(ValueIndex)
	x.form = indexForm(r.byte())
	x.points, x.n, x.e, x.d, x.bits = r.int(), r.int(), r.int(), r.int(), r.int()
	x.data, x.bitmap = indexSpan{int64(r.int()), int64(r.int())}, indexSpan{int64(r.int()), int64(r.int())}
	x.r = math.Float64frombits(r.uint64())
	if x.form == indexAEC {
		x.params = aec.Params{BitsPerSample: x.bits, BlockSize: int(r.uvarint()), RSI: int(r.uvarint()), Flags: aec.Flags(r.uvarint())}
		if n := r.uvarint(); n > uint64(len(r.rest)) {
			r.bad = true
		} else {
			x.offsets = make([]uint64, n)
		}
		before := uint64(0)
		for i := range x.offsets {
			before += r.uvarint()
			x.offsets[i] = before
		}
	}
	if r.bad || len(r.rest) > 0 || !x.valid() {
		return nil, errors.New("grib: the index of values is damaged")
	}
	return x, nil
}

// valid reports whether all that the index says fits together.
func (x *ValueIndex) valid() bool {
	if x.form >= numIndexForms || x.points < 0 || x.n < 0 || x.n > x.points || !x.data.valid() || !x.bitmap.valid() {
		return false
	}
	if x.bitmap.length != 0 && x.bitmap.length != (int64(x.points)+7)/8 || x.bitmap.length == 0 && x.form != indexMissing && x.n != x.points {
		return false
	}
	switch x.form {
	case indexSimple:
		return x.bits > 0 && x.bits <= bits.MaxWidth && int64(x.n) <= x.data.length*8/int64(x.bits)
	case indexIEEE:
		return (x.bits == 32 || x.bits == 64) && int64(x.n) <= x.data.length/int64(x.bits/8)
	case indexAEC:
		if x.params.Validate() != nil || len(x.offsets) != x.params.Intervals(x.n) {
			return false
		}
		for i, o := range x.offsets {
			if o > uint64(x.data.length)*8 || i > 0 && o < x.offsets[i-1] {
				return false
			}
		}
	}
	return true
}

// valid reports whether there can be such bytes.
func (s indexSpan) valid() bool {
	return s.at >= 0 && s.length >= 0 && s.length <= DefaultMaxMessage && s.at <= 1<<40
}

// An indexReader reads numbers one after the other.
type indexReader struct {
	rest []byte
	bad  bool
}

// take takes n bytes, which are 0 where there are fewer.
func (r *indexReader) take(n int) []byte {
	if n <= 0 || n > len(r.rest) {
		r.bad, r.rest = true, nil
		return make([]byte, 8)
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *indexReader) byte() byte { return r.take(1)[0] }

func (r *indexReader) uint64() uint64 { return binary.LittleEndian.Uint64(r.take(8)) }

func (r *indexReader) int() int {
	v, n := binary.Varint(r.rest)
	r.take(n)
	return int(v)
}

func (r *indexReader) uvarint() uint64 {
	v, n := binary.Uvarint(r.rest)
	r.take(n)
	return v
}

// HasParts reports whether [Field.ValueIndex] makes an index of the packing, by the headers
// alone.
func (f *Field) HasParts() bool {
	if f.Edition == 2 {
		n := f.DataTemplate()
		return n == 0 || n == 4 || n == 42
	}
	flags := f.sections[4].Data[3] >> 4
	return flags&(spectral1|complex1) == 0 && (flags&additional1 == 0 || flags&integer1 != 0)
}

// Near returns how far apart points may be that are decoded together at the cost of the last of them.
func (x *ValueIndex) Near() int {
	if x.form == indexAEC {
		return int(x.interval())
	}
	return 512
}
