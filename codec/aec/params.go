package aec

import (
	"fmt"
	"math"
)

// Flags say how samples lie in memory and which parts of the standard are in use. The values are
// libaec's, and also the values of octet 22 of GRIB 2 data template 5.42 and of Tensogram's
// szip_flags.
type Flags uint8

const (
	// Signed samples are in two's complement.
	Signed Flags = 1 << iota
	// ThreeByte keeps samples of 17 to 24 bits in 3 bytes instead of 4.
	ThreeByte
	// MSB stores the most significant byte of a sample first; otherwise the least significant byte
	// is first.
	MSB
	// Preprocess codes differences between neighbours instead of the samples themselves.
	Preprocess
	// Restricted uses the short option ids of the standard. Widths 5 to 8 do not allow it; above 8
	// it has no effect.
	Restricted
	// PadRSI starts every reference sample interval at a byte boundary. Only decoding uses it:
	// libaec as it is distributed does not pad when encoding, and the standard has no such padding.
	PadRSI
	// NotEnforce allows every even block size instead of 8, 16, 32 and 64 only.
	NotEnforce
)

const (
	// MaxBlockSize is the largest block size accepted, in samples. libaec names no limit.
	MaxBlockSize = 1 << 16
	// MaxRSI is the largest interval of an encoder, in blocks (CCSDS 121.0-B-3, section 4.3).
	MaxRSI = 4096
	// maxDecodeRSI is the largest interval that the 16 bits of GRIB 2 template 5.42 can say; libaec
	// decodes it.
	maxDecodeRSI = 1<<16 - 1
)

// Params describe a stream. They are not stored in it.
type Params struct {
	// BitsPerSample is the width n of a sample, 1 to 32.
	BitsPerSample int
	// BlockSize is the number of samples of a block.
	BlockSize int
	// RSI is the reference sample interval in blocks, 1 to MaxRSI.
	RSI int
	// Flags as libaec has them.
	Flags Flags
}

// ParamError says which parameter is out of range.
type ParamError struct {
	Name  string
	Value int
	Want  string
}

func (e *ParamError) Error() string {
	return fmt.Sprintf("aec: %s is %d, expected %s", e.Name, e.Value, e.Want)
}

// Validate reports the first parameter an encoder may not use, as a [*ParamError].
func (p Params) Validate() error {
	if err := p.validateDecode(); err != nil {
		return err
	}
	if p.Flags&NotEnforce == 0 {
		switch p.BlockSize {
		case 8, 16, 32, 64:
		default:
			return &ParamError{"block size", p.BlockSize, "8, 16, 32 or 64"}
		}
	}
	if p.RSI > MaxRSI {
		return &ParamError{"reference sample interval", p.RSI, "1 to 4096 blocks"}
	}
	return nil
}

// validateDecode checks the parameters that decoding needs. Like libaec's, it takes streams that an encoder must
// not write: any even block size without NotEnforce, and longer intervals.
func (p Params) validateDecode() error {
	if p.BitsPerSample < 1 || p.BitsPerSample > 32 {
		return &ParamError{"bits per sample", p.BitsPerSample, "1 to 32"}
	}
	if p.BlockSize < 2 || p.BlockSize > MaxBlockSize || p.BlockSize%2 != 0 {
		return &ParamError{"block size", p.BlockSize, fmt.Sprintf("an even number from 2 to %d", MaxBlockSize)}
	}
	if p.RSI < 1 || p.RSI > maxDecodeRSI {
		return &ParamError{"reference sample interval", p.RSI, "1 to 65535 blocks"}
	}
	if p.Flags&Restricted != 0 && p.BitsPerSample > 4 && p.BitsPerSample <= 8 {
		return &ParamError{"bits per sample", p.BitsPerSample, "1 to 4 with restricted code options"}
	}
	if p.Flags&^(Signed|ThreeByte|MSB|Preprocess|Restricted|PadRSI|NotEnforce) != 0 {
		return &ParamError{"flags", int(p.Flags), "0 to 127"}
	}
	return nil
}

// SampleBytes returns the size in bytes of a sample in memory. It is 1 for widths up to 8, 2 up
// to 16, else 4, or 3 for 17 to 24 bits with [ThreeByte].
func (p Params) SampleBytes() int {
	switch {
	case p.BitsPerSample <= 8:
		return 1
	case p.BitsPerSample <= 16:
		return 2
	case p.BitsPerSample <= 24 && p.Flags&ThreeByte != 0:
		return 3
	}
	return 4
}

// Intervals returns the number of reference sample intervals of a stream of n samples. It is also
// the number of its interval offsets. Params must be valid.
func (p Params) Intervals(samples int) int {
	n := p.interval()
	return samples/n + min(samples%n, 1)
}

// interval is the number of samples of a reference sample interval, or the largest int when that is
// less.
func (p Params) interval() int {
	return int(min(int64(p.RSI)*int64(p.BlockSize), math.MaxInt))
}

// idBits is the length of a block's option id.
func (p Params) idBits() uint {
	switch {
	case p.BitsPerSample > 16:
		return 5
	case p.BitsPerSample > 8:
		return 4
	case p.Flags&Restricted == 0:
		return 3
	case p.BitsPerSample > 2:
		return 2
	}
	return 1
}

// sampleMask has the n low bits set: it is the largest unsigned sample.
func (p Params) sampleMask() uint32 { return uint32(1<<p.BitsPerSample - 1) }
