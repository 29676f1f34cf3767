package grib

import (
	"encoding/binary"
	"math"
)

// A Section is the bytes of one section, its header included.
type Section struct {
	Number int
	Offset int64 // of its first byte in the input
	Data   []byte
}

// Layout constants of edition 2, octets counted from 0.
const (
	indicatorLen2 = 16 // "GRIB", reserved(2), discipline, edition, length uint64
	headerLen2    = 5  // length uint32, section number
	trailer       = "7777"
	magic         = "GRIB"
)

func be16(b []byte, i int) int { return int(binary.BigEndian.Uint16(b[i:])) }

func be24(b []byte, i int) int { return int(b[i])<<16 | int(b[i+1])<<8 | int(b[i+2]) }

// be32 gives a number that does not fit an int of 32 bits as the largest int. As a length or a
// number of points it is beyond anything that can be read there.
func be32(b []byte, i int) int { return int(min(uint64(binary.BigEndian.Uint32(b[i:])), math.MaxInt)) }

// sm16 reads GRIB's sign-and-magnitude integer of two octets.
func sm16(b []byte, i int) int {
	v := be16(b, i)
	if v&0x8000 != 0 {
		return -(v & 0x7fff)
	}
	return v
}

// sm32 reads GRIB's sign-and-magnitude integer of four octets.
func sm32(b []byte, i int) int {
	v := binary.BigEndian.Uint32(b[i:])
	if v>>31 != 0 {
		return -int(v & 0x7fffffff)
	}
	return int(v)
}
