package grib

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/scale"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
	intpack "github.com/tgmconv/tgmconv/internal/codec/packing"
)

// encode1 appends a message of edition 1 in simple packing.
func (e Encoder) encode1(dst []byte, fields []Draft) ([]byte, error) {
	d := &fields[0]
	switch {
	case len(fields) > 1:
		return dst, &BuildError{Msg: fmt.Sprintf("%d fields, a message of edition 1 has 1", len(fields))}
	case e.Packing != PackSimple:
		return dst, &BuildError{Section: 4, Msg: "edition 1 is written in simple packing only"}
	case len(d.Product) < productLen1 || be24(d.Product, 0) != len(d.Product):
		return dst, &BuildError{Section: 1, Msg: fmt.Sprintf("%d octets that are no section 1", len(d.Product))}
	case d.Grid != nil && (len(d.Grid) < gridLen1 || be24(d.Grid, 0) != len(d.Grid)):
		return dst, &BuildError{Section: 2, Msg: fmt.Sprintf("%d octets that are no section 2", len(d.Grid))}
	}
	n, missing, err := d.given()
	if err != nil {
		return dst, err
	}
	q := d.Quantised
	if q == nil {
		if q, err = e.quantise(d.Values, missing, floorIBM); err != nil {
			return dst, err
		}
	}
	data, err := section4(q)
	if err != nil {
		return dst, err
	}
	start := len(dst)
	out := append(append(dst, magic...), 0, 0, 0, 1)
	product := len(out)
	out = append(append(out, d.Product...), d.Grid...)
	setProduct1(out[product:], d.Grid != nil, missing != nil || d.Bitmap, q.DecimalScale)
	if missing != nil || d.Bitmap {
		out = appendBitmap1(out, n, missing)
	}
	section := len(out)
	out = append(append(out, data...), trailer...)
	return out, setLengths1(out[start:], out[section:], len(data))
}

// setProduct1 sets the flags and the scale of section 1 that depend on the other sections.
func setProduct1(b []byte, grid, bitmap bool, decimal int) {
	b[7] &^= hasGridFlag1 | hasBitmapFlag1
	if grid {
		b[7] |= hasGridFlag1
	}
	if bitmap {
		b[7] |= hasBitmapFlag1
	}
	putSigned16(b[decimalScale1:], decimal)
}

func appendBitmap1(out []byte, n int, missing *bitmask.Mask) []byte {
	size := bitmask.Size(n)
	size += size % 2
	at := len(out)
	out = append(out, make([]byte, bitmapLen1)...)
	put24(out[at:], bitmapLen1+size)
	out[at+3] = byte(8*size - n)
	return appendPresence(out, n, missing, size)
}

// section4 codes integers in a section of an even length.
func section4(q *Quantised) ([]byte, error) {
	word, err := ibm32(q.Reference)
	if err != nil {
		return nil, err
	}
	if q.Bits > 32 || max(q.BinaryScale, -q.BinaryScale) > math.MaxInt16 || max(q.DecimalScale, -q.DecimalScale) > math.MaxInt16 {
		return nil, &BuildError{Section: 4, Msg: fmt.Sprintf("%d bits and scale factors %d and %d do not fit", q.Bits, q.BinaryScale, q.DecimalScale)}
	}
	samples, err := q.present()
	if err != nil {
		return nil, &BuildError{Section: 4, Msg: "the integers", Err: err}
	}
	if need := widest(samples); need > q.Bits {
		return nil, &BuildError{Section: 4, Msg: fmt.Sprintf("integers of %d bits, expected %d", need, q.Bits)}
	}
	b := make([]byte, dataLen1)
	putSigned16(b[4:], q.BinaryScale)
	if len(samples) == 0 {
		putSigned16(b[4:], noData1)
	}
	binary.BigEndian.PutUint32(b[6:], word)
	b[10] = byte(q.Bits)
	b = intpack.PackUint32(b, samples, q.Bits)
	b = append(b, make([]byte, len(b)%2)...)
	b[3] = byte(8*(len(b)-dataLen1) - len(samples)*q.Bits)
	return b, nil
}

// setLengths1 sets the lengths of a message and of its section 4 of n octets, see walk1.
func setLengths1(message, section []byte, n int) error {
	total := len(message)
	if total < largeFlag1 {
		put24(message[4:], total)
		put24(section, n)
		return nil
	}
	units := (total - len(trailer) + largeUnit1 - 1) / largeUnit1
	if units >= largeFlag1 {
		return &BuildError{Msg: fmt.Sprintf("%d octets, a message of edition 1 has less than %d", total, largeFlag1*largeUnit1)}
	}
	put24(message[4:], largeFlag1|units)
	put24(section, units*largeUnit1-(total-len(trailer)))
	return nil
}

func putSigned16(b []byte, v int) {
	if v < 0 {
		v = 1<<15 | -v
	}
	binary.BigEndian.PutUint16(b, uint16(v))
}

// ibm32 returns the IBM float of 32 bits that is v.
func ibm32(v float64) (uint32, error) {
	word := scale.IBMBits(v)
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], word)
	if scale.IBM32(b[:]) != v {
		return 0, &BuildError{Section: 4, Msg: fmt.Sprintf("reference value %v is not an IBM float of 32 bits", v)}
	}
	return word, nil
}

// floorIBM returns the largest IBM float of 32 bits that is not above v, or -Inf.
func floorIBM(v float64) float64 {
	if math.IsInf(v, 0) || math.Abs(v) >= math.Ldexp(1, 252) {
		return math.Inf(-1)
	}
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], scale.IBMBits(v))
	return scale.IBM32(b[:])
}
