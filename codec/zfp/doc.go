// Package zfp is the zfp compression of float64 arrays in one dimension, as Tensogram stores it. It
// also decodes grids of up to four dimensions, as HDF5 files have them. The streams are bit for bit
// the same as from the C library zfp 1.0.0, and decode to the same values.
//
//	params := zfp.Params{Mode: zfp.FixedAccuracy, Tolerance: 1e-3}
//	stream, err := zfp.Encode(nil, values, params)
//	back := make([]float64, len(values))
//	err = zfp.Decode(back, stream, params)
//
// A stream has no header: the mode and the number of values come from outside. [DecodeRange] reads
// a part of a stream of fixed rate; [Params.RangeBytes] returns the bytes that it needs.
//
// [ParseHeader] reads the header of a grid, and [Grid.Decode] its values.
//
// # The stream
//
// Bit i of a stream is bit i mod 8 of byte i/8, and numbers are stored lowest bit first. Each block
// holds four values, the last block padded:
//
//	0                                  all four values are 0
//	1 | exponent + 1023, 11 bits | bit planes, highest first
//
// The values of a block are scaled by a common power of two to integers, decorrelated by a lifting
// transform and written in negabinary. A bit plane is the bits of one weight of the four integers.
// For the integers that were not zero so far its bits are stored as they are; for the rest group
// tests follow (see planes.go). A block ends when its bits or its precision are used up. A stream
// is filled with zero bits to a multiple of 8 bytes.
//
// In d dimensions a block holds 4^d values, which are transformed along one axis after the other
// and ordered by frequency (order.go). Integers have no exponent. A stream without loss says of
// each block whether it holds scaled integers or the values' own bits, and how many planes there
// are; its transform takes differences (block.go).
//
// # Limits of the format
//
// NaN and infinities have no place in a stream; Encode refuses them. The sign of zero is lost. A
// precision of 64 is not lossless. Blocks near the largest double may overflow to an infinity at a
// low rate. The C library garbles blocks whose largest magnitude is below 2^-962; Encode stores
// them as zeros.
package zfp
