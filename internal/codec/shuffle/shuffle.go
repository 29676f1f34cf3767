// Package shuffle transposes the bytes of an array: the first bytes of all elements come first,
// then all second bytes. It loses nothing and makes numbers easier to compress. It is the filter of
// that name of HDF5, Blosc and Tensogram; bytes that do not fill an element are an error here, as
// in Tensogram.
package shuffle

import "fmt"

// Encode writes the shuffled form of src to dst, which must have the same length and not overlap
// it. size is the bytes per element and must divide the length.
func Encode(dst, src []byte, size int) error {
	if _, err := check(dst, src, size); err != nil {
		return err
	}
	encodeParts(dst, src, size)
	return nil
}

// encodeTo is Encode after its checks.
func encodeTo(dst, src []byte, size int) {
	n := len(src) / size
	done := encodeFast(dst, src, size, n)
	switch size {
	case 1:
		copy(dst, src)
		return
	case 2:
		done = encode2(dst, src, done, n)
	case 4:
		done = encode4(dst, src, done, n)
	case 8:
		done = encode8(dst, src, done, n)
	}
	encodeBytes(dst, src, size, done, n)
}

// Decode undoes Encode.
func Decode(dst, src []byte, size int) error {
	if _, err := check(dst, src, size); err != nil {
		return err
	}
	decodeParts(dst, src, size)
	return nil
}

// decodeTo is Decode after its checks.
func decodeTo(dst, src []byte, size int) {
	n := len(src) / size
	done := decodeFast(dst, src, size, n)
	switch size {
	case 1:
		copy(dst, src)
		return
	case 2:
		done = decode2(dst, src, done, n)
	case 4:
		done = decode4(dst, src, done, n)
	case 8:
		done = decode8(dst, src, done, n)
	}
	decodeBytes(dst, src, size, done, n)
}

// check returns the number of elements.
func check(dst, src []byte, size int) (int, error) {
	if size < 1 {
		return 0, fmt.Errorf("shuffle: element size %d, expected at least 1", size)
	}
	if len(src)%size != 0 {
		return 0, fmt.Errorf("shuffle: %d bytes are not a multiple of the element size %d", len(src), size)
	}
	if len(dst) != len(src) {
		return 0, fmt.Errorf("shuffle: dst has %d bytes, expected %d", len(dst), len(src))
	}
	return len(src) / size, nil
}

// Elements are moved in runs that stay in the cache, because the planes are far apart in memory.
const run = 1024

// encodeBytes shuffles the elements [first, n) of any size, byte by byte.
func encodeBytes(dst, src []byte, size, first, n int) {
	for ; first < n; first += run {
		end := min(first+run, n)
		for j := range size {
			plane := dst[j*n+first : j*n+end]
			at := first*size + j
			for i := range plane {
				plane[i] = src[at]
				at += size
			}
		}
	}
}

// decodeBytes undoes encodeBytes.
func decodeBytes(dst, src []byte, size, first, n int) {
	for ; first < n; first += run {
		end := min(first+run, n)
		for j := range size {
			plane := src[j*n+first : j*n+end]
			at := first*size + j
			for i := range plane {
				dst[at] = plane[i]
				at += size
			}
		}
	}
}
