// Package sz3 is the SZ3 compression of float64 arrays in one dimension, as Tensogram stores it. It
// decodes every such stream of SZ3 3.3 to the same bits as the C++ library, and the library reads
// the streams that it writes. No value differs by more than the error bound.
//
//	params := sz3.Params{Mode: sz3.Abs, Bound: 1e-3}
//	stream, err := sz3.Encode(nil, values, params)
//	back := make([]float64, len(values))
//	err = sz3.Decode(back, stream)
//
// # The stream
//
// All numbers are little-endian unless noted.
//
//	magic 4 | version 4 | bytes of the payload 8 | payload | configuration
//
// The payload is its size before compression, 8 bytes, and a zstd frame. The configuration has the
// number of values and the algorithm (see container.go). There are three:
//
//   - interpolation: values are predicted from their neighbours at twice the distance, level by
//     level (interpolate.go);
//   - Lorenzo: a value is predicted from one or two before it (lorenzo.go);
//   - lossless: the values as they are.
//
// The difference from a prediction is rounded to a multiple of twice the bound (quantizer.go) and
// coded with one Huffman tree for the stream (huffman.go). Values that cannot be so coded are
// stored as they are, so NaN and infinities are kept.
//
// # Which algorithm is used
//
// [Encode] codes samples of the data in several ways and takes the way that gives the fewest bytes,
// as the library does. The zstd encoder differs from the library's, so the choice and the bytes may
// differ.
package sz3
