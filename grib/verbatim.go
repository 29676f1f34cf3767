package grib

import (
	"encoding/binary"
	"fmt"

	"github.com/tgmconv/tgmconv/codec/aec"
)

// DataSections returns the octets that Header leaves out, for the packings that [Rebuild] cannot
// code. They are the bitmap that applies to the field, if any, and the data section.
//
//	edition 1   [3] 4
//	edition 2   6 7, where 6 is the section that indicator 254 refers to
func (f *Field) DataSections() []byte {
	if f.Edition == 1 {
		return append(append([]byte(nil), f.sections[3].Data...), f.sections[4].Data...)
	}
	bitmap := f.sections[6].Data
	if f.bitmap.Data != nil {
		bitmap = f.bitmap.Data
	}
	return append(append([]byte(nil), bitmap...), f.sections[7].Data...)
}

// verbatim1 appends a message of edition 1 to out, which is empty, with the octets of its data.
func (b *builder) verbatim1(out []byte) ([]byte, error) {
	bitmap, data := []byte(nil), b.Data
	if head := b.sections[3]; head != nil {
		n := be24(head, 0)
		if n < bitmapHead1 || n > len(data) {
			return nil, &BuildError{Section: 3, Msg: fmt.Sprintf("%d octets of data for a section of %d", len(data), n)}
		}
		bitmap, data = data[:n], data[n:]
	}
	if head := b.sections[4]; len(data) < len(head) || string(data[:len(head)]) != string(head) {
		return nil, &BuildError{Section: 4, Msg: "the octets of the data do not begin as the header says"}
	}
	out = append(out, b.sections[0]...)
	out = append(append(out, b.sections[1]...), b.sections[2]...)
	return whole1(append(append(append(out, bitmap...), data...), trailer...))
}

// whole1 returns a message of edition 1 if it has the length that it claims.
func whole1(out []byte) ([]byte, error) {
	if l, err := walk1((&Message{Data: out}).inMemory, 0); err != nil || l.length != int64(len(out)) {
		return nil, &BuildError{Msg: fmt.Sprintf("the sections make a message of %d octets, the header expects %d", len(out), l.length), Err: err}
	}
	return out, nil
}

// appendVerbatim2 appends a field of edition 2 whose sections 6 and 7 are given.
func (b *builder) appendVerbatim2(out []byte, first bool) ([]byte, error) {
	rest := b.Data
	var given [8][]byte
	for _, number := range []int{6, 7} {
		if len(rest) < minLen2[number] || int(rest[4]) != number || be32(rest, 0) < minLen2[number] || be32(rest, 0) > len(rest) {
			return nil, &BuildError{Section: number, Msg: fmt.Sprintf("the %d octets of the data do not begin with it", len(rest))}
		}
		n := be32(rest, 0)
		given[number], rest = rest[:n], rest[n:]
	}
	if len(rest) > 0 {
		return nil, &BuildError{Section: 7, Msg: fmt.Sprintf("%d octets after it, expected none", len(rest))}
	}
	if first {
		out = append(out, b.sections[0]...)
	}
	for number := 1; number <= 7; number++ {
		switch {
		case !first && b.Header[len(b.Header)-1]&(1<<number) == 0:
		case number == 7, number == 6 && (first || b.sections[6][5] != bitmapBefore):
			out = append(out, given[number]...)
		case number == 6:
			out = append(binary.BigEndian.AppendUint32(out, bitmapHead2), 6, bitmapBefore)
		default:
			out = append(out, b.sections[number]...)
		}
	}
	return out, nil
}

// Rebuildable reports whether Rebuild makes the octets of the field again of its Header and its
// values, without DataSections. Rebuild then codes the packing, and the octets after the values
// and the bitmap are zero. AEC streams are assumed to be written by libaec, as all known ones are.
func (f *Field) Rebuildable() bool {
	s, err := f.Header().sections()
	if err != nil || f.Message.Partial {
		return false
	}
	c, p, err := f.layout()
	if err != nil || !f.zeroPadded(p) {
		return false
	}
	coding, err := newCoding(s, f.Edition)
	if err != nil || coding.aec != nil && coding.aec.Flags&aec.Signed != 0 {
		return false
	}
	n := c.count()
	if n != 0 && n != p.ones {
		return false
	}
	data := f.dataOctets()
	bits := coding.bits
	switch {
	case coding.harmonics != nil:
		return f.spectralRebuilds()
	case coding.aec != nil && bits > 0:
		return true
	case coding.precision > 0:
		bits = 32 * coding.precision
		return coding.precision <= 2 && clean(data, n*bits) && !hasNaN(data[:n*bits/8], bits/8)
	}
	return clean(data, n*bits)
}

// Rebuilds reports whether [Rebuild] can code the packing of the header again. It can code simple,
// CCSDS, IEEE floats, spherical harmonics.
func (h Header) Rebuilds() bool {
	s, err := h.sections()
	if err != nil {
		return false
	}
	if h.Edition() == 1 {
		switch flags := s[4][3] >> 4; flags {
		case 0, integer1, additional1 | integer1, spectral1, spectral1 | complex1:
			return true
		}
		return false
	}
	switch be16(s[5], 9) {
	case 0, 4, 42, 50, 51, 53, 50000:
		return true
	}
	return false
}

// dataOctets returns the octets of the values.
func (f *Field) dataOctets() []byte {
	if f.Edition == 1 {
		b := f.sections[4].Data
		return b[dataHead1(b):]
	}
	return f.sections[7].Data[dataHead2:]
}

// zeroPadded reports whether only zeros follow the bitmap.
func (f *Field) zeroPadded(p presence) bool {
	b := f.bitmap.Data
	switch {
	case p.bits == nil:
		return true
	case f.Edition == 1:
		return clean(b[bitmapLen1:], p.points)
	}
	return clean(b[bitmapHead2:], p.points)
}

// clean reports whether only zeros follow the first bits of b, and no more zeros than Rebuild
// adds.
func clean(b []byte, bits int) bool {
	n := bits / 8
	if n > len(b) || len(b)-n > maxPadding {
		return false
	}
	for i, v := range b[n:] {
		if i == 0 {
			v &= 0xff >> (bits % 8)
		}
		if v != 0 {
			return false
		}
	}
	return true
}

// hasNaN reports whether any of the floats of size bytes is NaN, whose bits a mask does not keep.
func hasNaN(b []byte, size int) bool {
	for ; len(b) >= size; b = b[size:] {
		if size == 4 && binary.BigEndian.Uint32(b)<<1 > 0xff000000 || size == 8 && binary.BigEndian.Uint64(b)<<1 > 0xffe0000000000000 {
			return true
		}
	}
	return false
}
