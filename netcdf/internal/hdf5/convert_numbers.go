package hdf5

import (
	"encoding/binary"
	"math"
	"math/big"

	"github.com/tgmconv/tgmconv/internal/half"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// The IEEE 754 layouts.
var (
	ieeeHalf   = Datatype{Class: Float, Size: 2, Precision: 16, Layout: FloatLayout{15, 10, 5, 0, 10, 15, true, false, false}}
	ieeeSingle = Datatype{Class: Float, Size: 4, Precision: 32, Layout: FloatLayout{31, 23, 8, 0, 23, 127, true, false, false}}
	ieeeDouble = Datatype{Class: Float, Size: 8, Precision: 64, Layout: FloatLayout{63, 52, 11, 0, 52, 1023, true, false, false}}
)

// nativeFloat returns the smallest IEEE type that holds every value of t exactly.
func nativeFloat(t *Datatype) (*Datatype, error) {
	mant := t.Layout.MantBits
	if !t.Layout.ImpliedOne {
		mant--
	}
	least := 1 - int(t.Layout.Bias) - mant // exponent of the smallest positive number
	most := 1<<min(t.Layout.ExpBits, 30) - 2 - int(t.Layout.Bias)
	for _, n := range []*Datatype{&ieeeHalf, &ieeeSingle, &ieeeDouble} {
		l := n.Layout
		if mant <= l.MantBits && least >= 1-int(l.Bias)-l.MantBits && most <= int(l.Bias) {
			d := *n
			d.Committed = t.Committed
			return &d, nil
		}
	}
	return nil, wire.Unsupported("datatype", -1, "floating-point number of %d bytes with %d bits of exponent and %d of mantissa",
		t.Size, t.Layout.ExpBits, t.Layout.MantBits)
}

// bits64 returns the count ≤ 64 bits of a little-endian number from bit first on.
func bits64(b []byte, first, count int) uint64 {
	var u uint64
	for i := range count {
		bit := first + i
		u |= uint64(b[bit/8]>>(bit%8)&1) << i
	}
	return u
}

// littleEndian copies an element of t into scratch with its least significant byte first.
func littleEndian(t *Datatype, scratch, src []byte) {
	copy(scratch, src[:t.Size])
	switch {
	case t.Class == Float && t.Layout.VAX:
		// Little-endian words of 16 bits, the most significant word first.
		for i, j := 0, t.Size-2; i < j; i, j = i+2, j-2 {
			scratch[i], scratch[i+1], scratch[j], scratch[j+1] = scratch[j], scratch[j+1], scratch[i], scratch[i+1]
		}
	case t.BigEndian:
		wire.Swap(scratch, t.Size)
	}
}

func integerConverter(t, n *Datatype) func(dst, src []byte) {
	return func(dst, src []byte) {
		scratch := make([]byte, t.Size)
		littleEndian(t, scratch, src)
		u := bits64(scratch, t.BitOffset, t.Precision)
		if t.Signed && u>>(t.Precision-1) != 0 {
			u |= ^uint64(0) << t.Precision
		}
		var full [8]byte
		binary.LittleEndian.PutUint64(full[:], u)
		copy(dst[:n.Size], full[:])
	}
}

func floatConverter(t, n *Datatype) func(dst, src []byte) {
	l := t.Layout
	return func(dst, src []byte) {
		scratch := make([]byte, t.Size)
		littleEndian(t, scratch, src)
		f := l.value(scratch)
		switch n.Size {
		case 2:
			binary.LittleEndian.PutUint16(dst, half.Bits(f))
		case 4:
			binary.LittleEndian.PutUint32(dst, math.Float32bits(float32(f)))
		default:
			binary.LittleEndian.PutUint64(dst, math.Float64bits(f))
		}
	}
}

// value computes the number in a little-endian element. nativeFloat has made sure that a float64
// holds it.
func (l *FloatLayout) value(b []byte) float64 {
	exp := bits64(b, l.ExpBit, min(l.ExpBits, 32))
	mant := bits64(b, l.MantBit, min(l.MantBits, 64))
	sign := 1.0
	if bits64(b, l.Sign, 1) != 0 {
		sign = -1
	}
	top := uint64(1)<<min(l.ExpBits, 32) - 1
	scale := int(exp) - int(l.Bias) - l.MantBits
	switch {
	case exp == top && !l.VAX && mant == 0:
		return math.Inf(int(sign))
	case exp == top && !l.VAX && l.ImpliedOne:
		// All mantissa bits set, as the HDF5 library converts every NaN.
		return math.Copysign(math.Float64frombits(1<<63-1), sign)
	case l.ImpliedOne && exp != 0:
		mant |= 1 << l.MantBits
	case l.ImpliedOne && l.VAX:
		return 0
	case l.ImpliedOne:
		scale++ // subnormal
	default:
		scale++ // the leading bit is one of the mantissa's bits
	}
	f, _ := new(big.Float).SetMantExp(new(big.Float).SetUint64(mant), scale).Float64()
	return sign * f
}
