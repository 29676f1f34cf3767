// Package aec is the adaptive entropy coder of CCSDS 121.0-B-3. It is known as AEC, CCSDS packing
// (GRIB 2 data template 5.42) and szip (HDF5, Tensogram). Encoder and decoder agree bit for bit
// with libaec 1.1.
//
// Most callers need [Decode] or [DecodeUint32] to read a stream, [Encode] or [EncodeUint32] to
// write a stream. [DecodeRange] reads a part of a stream whose interval offsets are known;
// [ScanOffsets] finds these offsets without producing samples.
//
// # The stream
//
// Samples of 1 to 32 bits are cut into blocks of [Params.BlockSize] samples, and blocks into
// reference sample intervals (RSI) of [Params.RSI] blocks. With [Preprocess] the first sample of an
// interval is stored as it is, and every other as its mapped difference from the sample before
// (section 4 of the standard), a small non-negative number. A stream has no header: parameters and
// sample count come from outside. Each block is one coded data set, most significant bit first,
// with no padding between blocks:
//
//	[option id] [reference sample, n bits, in the first block of an interval] [data]
//
//	id (3, 4 or 5 bits)      data
//	00…0 0                   zero block run: a unary count of blocks whose samples are all zero
//	                         (section 3.4)
//	00…0 1                   second extension: one unary code for each pair of samples
//	                         (section 3.5)
//	k+1                      sample splitting: all samples >> k in unary, then the k low bits of
//	                         all samples (section 3.3)
//	11…1                     no compression: n bits a sample; the reference sample is its first
//	                         sample (section 3.6)
//
// The id has 3 bits for widths up to 8, 4 up to 16 and 5 up to 32; [Restricted] shortens it to 1
// bit for widths 1 and 2 and to 2 bits for 3 and 4. A unary code of m is m clear bits and a set
// bit. The last block is filled up by repeating the last sample, the last byte with zero bits.
//
// # Hostile input
//
// Decoding never reads outside src, never writes outside dst and allocates no memory because of
// what a stream claims. A stream that cannot be decoded gives a [*StreamError] that says at which
// bit.
package aec
