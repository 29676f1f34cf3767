package grib

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/grib/internal/spectral"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
	intpack "github.com/tgmconv/tgmconv/internal/codec/packing"
)

// A Part is one field of a message to be built. It has its header and its values in the order
// they are stored (geometry.Restore undoes geometry.Reorder). Either Quantised is set or, for
// IEEE floats and spectral packing, Values with Missing.
type Part struct {
	Header    Header
	Quantised *Quantised
	Values    []float64
	Missing   *Mask // of Values, nil for none
	// Data is the result of Field.DataSections. If it is set, Quantised and Values are ignored, and
	// any packing can be rebuilt.
	Data []byte
}

// Rebuild returns the message that the parts were taken from, byte for byte. It does so for simple
// packing, CCSDS and IEEE floats, editions 1 and 2, with or without bitmap. The first part begins
// the message, even if its field was not the first of its message; each following part must be a
// field that was not the first. For other packings the error is an *UnsupportedError; otherwise
// errors are *BuildError.
func Rebuild(parts ...Part) ([]byte, error) { return RebuildIn(nil, parts...) }

// RebuildIn is Rebuild with a buffer for the message, which is used if it is large enough.
func RebuildIn(buffer []byte, parts ...Part) ([]byte, error) {
	if len(parts) == 0 {
		return nil, &BuildError{Msg: "no fields"}
	}
	out := buffer[:0]
	for i := range parts {
		s, err := parts[i].Header.sections()
		if err != nil {
			return nil, err
		}
		if i > 0 && parts[i].Header.FirstField() {
			return nil, &BuildError{Msg: fmt.Sprintf("field %d begins a message of its own", i)}
		}
		b := builder{Part: &parts[i], sections: s, edition: parts[i].Header.Edition()}
		switch {
		case b.edition == 1 && len(parts) > 1:
			return nil, &BuildError{Msg: fmt.Sprintf("a message of edition 1 of %d fields, expected 1", len(parts))}
		case b.edition == 1 && b.Data != nil:
			return b.verbatim1(out)
		case b.edition == 1:
			return b.message1(out)
		case b.Data != nil:
			if out, err = b.appendVerbatim2(out, i == 0); err != nil {
				return nil, err
			}
			continue
		}
		if out, err = b.appendField(out, i == 0); err != nil {
			return nil, err
		}
	}
	out = append(out, trailer...)
	binary.BigEndian.PutUint64(out[8:], uint64(len(out)))
	return out, nil
}

// builder builds one field.
type builder struct {
	*Part
	sections [9][]byte
	edition  int
}

// appendField appends a field of edition 2: all of its sections when it is the first of the
// message.
func (b *builder) appendField(out []byte, first bool) ([]byte, error) {
	own := b.Header[len(b.Header)-1]
	if first {
		own = math.MaxUint8
		out = append(out, b.sections[0]...)
	}
	count := be32(b.sections[5], 5)
	data, err := b.data(count, 7)
	if err != nil {
		return nil, err
	}
	out = slices.Grow(out, len(b.Header)+len(data)+bitmask.Size(b.points())+2*maxPadding)
	for number := 1; number <= 7; number++ {
		if own&(1<<number) == 0 {
			continue
		}
		switch number {
		case 6:
			out, err = b.appendBitmap2(out, first)
			if err != nil {
				return nil, err
			}
		case 7:
			n := max(be32(b.sections[7], 0), dataHead2+len(data)) // octets after the values are zero
			if n > dataHead2+len(data)+maxPadding {
				n = dataHead2 + len(data)
			}
			out = append(out, b.sections[7]...)
			binary.BigEndian.PutUint32(out[len(out)-dataHead2:], uint32(n))
			out = append(out, data...)
			out = append(out, make([]byte, n-dataHead2-len(data))...)
		default:
			out = append(out, b.sections[number]...)
		}
	}
	return out, nil
}

// maxPadding bounds the octets after the values that a length claims. Nothing is allocated on the
// word of a length alone.
const maxPadding = 1 << 12

// appendBitmap2 appends section 6. A bitmap of the field before is written out in the first field.
func (b *builder) appendBitmap2(out []byte, first bool) ([]byte, error) {
	indicator := b.sections[6][5]
	points := be32(b.sections[3], 6)
	missing := b.missing()
	if indicator == bitmapBefore && first && missing.Any() {
		indicator = bitmapHere
	}
	n := bitmapHead2
	if indicator == bitmapHere {
		if have := b.points(); have != points {
			return nil, &BuildError{Section: 6, Msg: fmt.Sprintf("%d values for a grid of %d points", have, points)}
		}
		n += bitmask.Size(points)
		if claimed := be32(b.sections[6], 0); claimed > n && claimed <= n+maxPadding {
			n = claimed
		}
	}
	out = binary.BigEndian.AppendUint32(out, uint32(n))
	out = append(out, 6, indicator)
	if indicator == bitmapHere {
		out = appendPresence(out, points, missing, n-bitmapHead2)
	}
	return out, nil
}

// appendPresence appends size octets of a bitmap: 1 where there is a value.
func appendPresence(out []byte, points int, missing *bitmask.Mask, size int) []byte {
	start := len(out)
	out = append(out, make([]byte, size)...)
	bits := out[start:]
	for i := range bitmask.Size(points) {
		bits[i] = 0xff
		if missing != nil {
			bits[i] = ^missing.Bits[i]
		}
	}
	if rest := points % 8; rest != 0 {
		bits[points/8] &= 0xff << (8 - rest)
	}
	return out
}

// message1 appends a message of edition 1 to out, which is empty.
func (b *builder) message1(out []byte) ([]byte, error) {
	points := b.points()
	count := points
	if b.sections[3] != nil {
		count -= b.missing().Count()
	}
	if sm16(b.sections[4], 4) == noData1 {
		count = 0
	}
	data, err := b.data(count, 4)
	if err != nil {
		return nil, err
	}
	out = slices.Grow(out, len(b.Header)+len(data)+bitmask.Size(points)+2*maxPadding)
	out = append(append(append(out, b.sections[0]...), b.sections[1]...), b.sections[2]...)
	if s := b.sections[3]; s != nil {
		n, unused := be24(s, 0)-bitmapHead1, int(s[3])
		switch {
		case be16(s, 4) != 0 && n == 0: // a bitmap known by its number
		case 8*n-unused != points:
			return nil, &BuildError{Section: 3, Msg: fmt.Sprintf("%d values for a bitmap of %d points", points, 8*n-unused)}
		}
		out = appendPresence(append(out, s...), min(points, 8*n), b.missing(), n)
	}
	head := b.sections[4]
	n := be24(head, 0)
	if coded := be24(b.sections[0], 4); coded&largeFlag1 != 0 && n < largeUnit1 {
		n = (coded&^largeFlag1)*largeUnit1 - n - len(out) // see walk1
	}
	fill := n - len(head) - len(data)
	if fill < 0 || fill > maxPadding {
		return nil, &BuildError{Section: 4, Msg: fmt.Sprintf("%d octets of values for a section of %d", len(data), n)}
	}
	out = append(append(append(out, head...), data...), make([]byte, fill)...)
	return whole1(append(out, trailer...))
}

// points returns how many points the values are for.
func (b *builder) points() int {
	if b.Quantised != nil {
		return b.Quantised.N
	}
	return len(b.Values)
}

func (b *builder) missing() *bitmask.Mask {
	if b.Quantised != nil {
		return b.Quantised.Missing
	}
	return b.Missing
}

// data codes the count values that are present for section number.
func (b *builder) data(count, number int) ([]byte, error) {
	c, err := b.coding()
	if err != nil {
		return nil, err
	}
	if missing := b.missing(); missing != nil && (missing.Len() != b.points() || len(missing.Bits) < bitmask.Size(b.points())) {
		return nil, &BuildError{Section: number, Msg: fmt.Sprintf("a mask of %d points for %d values", missing.Len(), b.points())}
	}
	if present := b.points() - b.missing().Count(); present != count && count != 0 {
		return nil, &BuildError{Section: number, Msg: fmt.Sprintf("%d values, the header expects %d", present, count)}
	}
	switch {
	case count == 0:
		return nil, nil
	case c.harmonics != nil:
		return b.spectral(c, number)
	case c.precision != 0:
		return b.floats(c.precision)
	case b.Quantised == nil:
		return nil, &BuildError{Section: number, Msg: "values without integers, and the field is quantised"}
	case c.bits == 0:
		return nil, nil
	}
	return b.integers(c, number)
}

// coding is the storage of the values that section 4 or 5 describes.
type coding struct {
	bits      int
	precision int         // of IEEE floats, else 0
	aec       *aec.Params // of CCSDS packing, else nil

	harmonics *spectral.Harmonics // of spectral packing, else nil
	first     *float64            // of simple spectral packing: the first coefficient
}

// stream returns the parameters of the CCSDS stream without the flags of samples in memory.
func (c coding) stream() aec.Params {
	p := *c.aec
	p.Flags &^= aec.MSB | aec.ThreeByte
	return p
}

func (b *builder) coding() (coding, error) {
	if b.edition == 1 {
		s := b.sections[4]
		switch flags := s[3] >> 4; flags {
		case 0, integer1:
			if s[10] > 32 {
				return coding{}, b.tooWide(int(s[10]))
			}
			return coding{bits: int(s[10])}, nil
		case additional1 | integer1:
			return coding{precision: int(s[11])}, nil
		case spectral1, spectral1 | complex1:
			return b.spectral1(flags&complex1 != 0)
		default:
			return coding{}, &UnsupportedError{Edition: 1, Section: 4, Template: int(flags), What: "rebuilding data representation"}
		}
	}
	s := b.sections[5]
	template := be16(s, 9)
	known, _ := dataTemplate2(template)
	if len(s) < known.length {
		return coding{}, &BuildError{Section: 5, Msg: fmt.Sprintf("%d octets, template %d has %d", len(s), template, known.length)}
	}
	if (template == 0 || template == 42) && s[19] > 32 {
		return coding{}, b.tooWide(int(s[19]))
	}
	switch template {
	case 0:
		return coding{bits: int(s[19])}, nil
	case 4:
		return coding{precision: int(s[11])}, nil
	case 42:
		return coding{bits: int(s[19]), aec: &aec.Params{BitsPerSample: int(s[19]), Flags: aec.Flags(s[21]), BlockSize: int(s[22]), RSI: be16(s, 23)}}, nil
	}
	if template == 50 || template == 51 {
		return b.spectral2(template)
	}
	return coding{}, &UnsupportedError{Edition: 2, Section: 5, Template: template, What: "rebuilding data representation template"}
}

// tooWide says that values are integers which Quantised cannot hold.
func (b *builder) tooWide(bits int) error {
	return &UnsupportedError{Edition: b.edition, Section: 3 + b.edition, Template: -1, What: fmt.Sprintf("rebuilding integers of %d bits", bits)}
}

// floats codes IEEE floats.
func (b *builder) floats(precision int) ([]byte, error) {
	if b.Values == nil || precision > 2 {
		return nil, &BuildError{Section: 7, Msg: "IEEE floats without values, or of an unknown precision"}
	}
	out := make([]byte, 0, 4*precision*len(b.Values))
	for i, v := range b.Values {
		switch {
		case b.Missing.Get(i):
		case precision == 1:
			if f := float32(v); float64(f) != v && v == v {
				return nil, &BuildError{Section: 7, Msg: fmt.Sprintf("value %d, %v, is not a float of 32 bits", i, v)}
			}
			out = binary.BigEndian.AppendUint32(out, math.Float32bits(float32(v)))
		default:
			out = binary.BigEndian.AppendUint64(out, math.Float64bits(v))
		}
	}
	return out, nil
}

// integers codes integers, or takes coded integers as they are if their coding is the same.
func (b *builder) integers(c coding, number int) ([]byte, error) {
	q := b.Quantised
	switch {
	case q.AEC != nil && c.aec != nil && q.Bits == c.bits && q.AEC.Params(q.Bits) == c.stream():
		return q.AEC.Data, nil
	case q.Packed != nil && c.aec == nil && q.Bits == c.bits:
		return q.Packed, nil
	case q.AEC != nil && c.aec != nil && q.Bits > c.bits && q.AEC.Params(c.bits) == c.stream() && !q.Missing.Any():
		out, err := aec.Narrow(make([]byte, 0, len(q.AEC.Data)), q.AEC.Data, q.AEC.Params(q.Bits), c.bits, q.N)
		if err != nil {
			return nil, &BuildError{Section: number, Msg: "CCSDS", Err: err}
		}
		return out, nil
	}
	samples, err := q.present()
	if err != nil {
		return nil, &BuildError{Section: number, Msg: "the integers", Err: err}
	}
	if widest(samples) > c.bits {
		return nil, &BuildError{Section: number, Msg: fmt.Sprintf("integers of %d bits, the header expects %d", widest(samples), c.bits)}
	}
	if c.aec == nil {
		return intpack.PackUint32(nil, samples, c.bits), nil
	}
	out, _, err := aec.EncodeUint32(nil, samples, *c.aec)
	if err != nil {
		return nil, &BuildError{Section: number, Msg: "CCSDS", Err: err}
	}
	return out, nil
}

// Unpacked returns one integer for each point, 0 where missing, in any form of q.
func (q *Quantised) Unpacked() ([]uint32, error) {
	switch {
	case q.Samples != nil:
		if len(q.Samples) != q.N {
			return nil, fmt.Errorf("%d integers for %d points", len(q.Samples), q.N)
		}
		return q.Samples, nil
	case q.AEC != nil:
		out := make([]uint32, q.N)
		return out, aec.DecodeUint32(out, q.AEC.Data, aec.Params{
			BitsPerSample: q.Bits, Flags: aec.Flags(q.AEC.Flags), BlockSize: q.AEC.BlockSize, RSI: q.AEC.RSI})
	case q.Packed != nil:
		out := make([]uint32, q.N)
		return out, intpack.UnpackUint32(out, q.Packed, q.Bits)
	}
	return make([]uint32, q.N), nil
}

// present returns the integers of the points that are not missing.
func (q *Quantised) present() ([]uint32, error) {
	all, err := q.Unpacked()
	if err != nil || !q.Missing.Any() {
		return all, err
	}
	out := make([]uint32, 0, q.N-q.Missing.Count())
	for i, v := range all {
		if !q.Missing.Get(i) {
			out = append(out, v)
		}
	}
	return out, nil
}
