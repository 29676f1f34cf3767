package geometry

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A section reads the octets of a grid definition section by the numbers the WMO manual gives them,
// from 1. Reads beyond the end give zero and set the field short, which the caller checks once.
type section struct {
	b     []byte
	short int // the first octet that was wanted and is not there
}

func (s *section) at(octet, n int) []byte {
	if octet < 1 || octet-1+n > len(s.b) {
		if s.short == 0 {
			s.short = octet
		}
		return make([]byte, n)
	}
	return s.b[octet-1 : octet-1+n]
}

func (s *section) u1(octet int) uint8  { return s.at(octet, 1)[0] }
func (s *section) u2(octet int) uint16 { return binary.BigEndian.Uint16(s.at(octet, 2)) }
func (s *section) u4(octet int) uint32 { return binary.BigEndian.Uint32(s.at(octet, 4)) }
func (s *section) u8(octet int) uint64 { return binary.BigEndian.Uint64(s.at(octet, 8)) }

func (s *section) u3(octet int) uint32 {
	b := s.at(octet, 3)
	return uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2])
}

// The signed integers of GRIB are a sign bit and a magnitude.

func (s *section) s2(octet int) int64 { return signed(int64(s.u2(octet)), 15) }
func (s *section) s3(octet int) int64 { return signed(int64(s.u3(octet)), 23) }
func (s *section) s4(octet int) int64 { return signed(int64(s.u4(octet)), 31) }

func signed(v int64, bits uint) int64 {
	if v>>bits != 0 {
		return -(v & (1<<bits - 1))
	}
	return v
}

// ieee reads a 32-bit IEEE float.
func (s *section) ieee(octet int) float64 {
	return float64(math.Float32frombits(s.u4(octet)))
}

// ibm reads a 32-bit IBM System/360 float: sign, exponent of 16 biased by 64, 24 bits of fraction.
func (s *section) ibm(octet int) float64 {
	v := s.u4(octet)
	f := math.Ldexp(float64(v&0xffffff), 4*(int(v>>24&0x7f)-64)-24)
	if v>>31 != 0 {
		return -f
	}
	return f
}

// milli and micro read signed angles in the units of editions 1 and 2, as degrees.

func (s *section) milli(octet int) float64  { return float64(s.s3(octet)) / 1e3 }
func (s *section) micro(octet int) float64  { return float64(s.s4(octet)) / 1e6 }
func (s *section) umicro(octet int) float64 { return float64(s.u4(octet)) / 1e6 }

func (s *section) check(edition, template int) error {
	if s.short == 0 {
		return nil
	}
	return &FormatError{edition, template, s.short, fmt.Sprintf("the section ends after %d octets", len(s.b))}
}
