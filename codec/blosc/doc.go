// Package blosc reads and writes Blosc 1 buffers, Blosc 2 chunks and Blosc 2 contiguous frames.
// They hold bytes, cut into blocks, filtered (mostly shuffled, so that the first bytes of all
// elements come first) and compressed.
//
// A frame is the form of the blosc2 compression of Tensogram and of HDF5 filter 32026:
//
//	params := blosc.DefaultParams(8) // lz4, level 5, byte shuffle, elements of 8 bytes
//	frame, err := blosc.Encode(nil, raw, params)
//	raw, err := blosc.Decode(nil, frame, len(raw))
//
// [OpenFrame] reads ranges of a frame and touches only the blocks that hold them. A single buffer
// of Blosc 1, as in HDF5 filter 32001 and in Zarr, is read with [DecodeChunk] and written with
// [EncodeBlosc1]; DecodeChunk also reads a single chunk of Blosc 2, and [DecodePart] a part of such
// a buffer or chunk.
//
// # Wire layout
//
// A frame is a header, chunks, an index chunk with the offset of each chunk, and a trailer. The
// numbers of header and trailer are big-endian, the numbers of chunks little-endian. See
// frameHeader in frame.go for the header.
//
//	Blosc 2: header 32 | block starts 4 each | [dictionary] | blocks
//	Blosc 1: header 16 | block starts 4 each | blocks
//
// A block is one stream, or one stream for each byte of an element (a split block); a stream is its
// length and data. See chunk.go for the header and decode.go for streams.
//
// # Limits
//
// A few bytes may stand for any number of zero bytes, so every function that decodes is given the
// size that its caller expects and takes no more memory than a small multiple of it. User-defined
// codecs and filters, Snappy, sparse frames and lazy chunks give an [UnsupportedError], other input
// that cannot be decoded a [FormatError].
package blosc
