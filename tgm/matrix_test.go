package tgm

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
)

// sampleData returns n elements of a type, little-endian: a smooth series with noise.
func sampleData(d DType, n int) []byte {
	rng := rand.New(rand.NewPCG(42, uint64(n)))
	value := func(i int) float64 { return 280 + 30*math.Sin(float64(i)/17) + rng.NormFloat64() }
	if d == Bitmask {
		b := make([]byte, (n+7)/8)
		for i := range n {
			if i%7 < 3 {
				b[i/8] |= 0x80 >> (i % 8)
			}
		}
		return b
	}
	var out []byte
	for i := range n {
		v := value(i)
		for range d.Size() / d.Component() {
			out = appendNumber(out, d, v)
			v = -v
		}
	}
	return out
}

// appendNumber appends one component of the type, little-endian.
func appendNumber(out []byte, d DType, v float64) []byte {
	le := binary.LittleEndian
	switch d {
	case Float16:
		return le.AppendUint16(out, halfBits(v))
	case BFloat16:
		return le.AppendUint16(out, uint16(math.Float32bits(float32(v))>>16))
	case Float32, Complex64:
		return le.AppendUint32(out, math.Float32bits(float32(v)))
	case Float64, Complex128:
		return le.AppendUint64(out, math.Float64bits(v))
	}
	u := uint64(int64(v * 1.7))
	for range d.Component() {
		out = append(out, byte(u))
		u >>= 8
	}
	return out
}

// halfBits cuts a normal number to half precision.
func halfBits(v float64) uint16 {
	b := math.Float32bits(float32(v))
	return uint16(b>>16&0x8000) | uint16((b>>23&0xFF)-127+15)<<10 | uint16(b>>13&0x3FF)
}

// specials returns NaN, positive and negative infinity of a type, one component each.
func specials(d DType) [3][]byte {
	var out [3][]byte
	for k := range maskKinds {
		b := make([]byte, 8)
		switch d.Component() {
		case 2:
			v := maskKinds[k].bits16
			if d == BFloat16 {
				v = maskKinds[k].bfloat16
			}
			putUint16(b, v, LittleEndian)
		case 4:
			putUint32(b, maskKinds[k].bits32, LittleEndian)
		case 8:
			putUint64(b, maskKinds[k].bits64, LittleEndian)
		}
		out[k] = b[:d.Component()]
	}
	return out
}

// withHoles puts NaN and infinities into some elements, in both parts of complex ones.
func withHoles(d DType, data []byte) []byte {
	data = append([]byte(nil), data...)
	s, size, part := specials(d), d.Size(), d.Component()
	put := func(i, kind int) {
		for c := 0; c < size; c += part {
			copy(data[i*size+c:], s[kind])
		}
	}
	n := len(data) / size
	for i := 3; i < n; i += 17 {
		put(i, kindNaN)
	}
	for i := 7; i < n/2; i += 29 {
		put(i, kindNegInf)
	}
	put(5, kindPosInf)
	return data
}
