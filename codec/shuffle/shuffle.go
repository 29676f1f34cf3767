// Package shuffle transposes the bytes of an array, so that the first bytes of all elements come first, then all
// second bytes, and so on. It loses nothing and makes numbers easier to compress.
package shuffle

import "fmt"

// Encode writes the shuffled form of src to dst, which must have the same length and not overlap it.
// size is the bytes per element and must divide the length.
func Encode(dst, src []byte, size int) error {
	n, err := check(dst, src, size)
	if err != nil {
		return err
	}
	for j := range size {
		for i := range n {
			dst[j*n+i] = src[i*size+j]
		}
	}
	return nil
}

// Decode undoes Encode.
func Decode(dst, src []byte, size int) error {
	n, err := check(dst, src, size)
	if err != nil {
		return err
	}
	for j := range size {
		for i := range n {
			dst[i*size+j] = src[j*n+i]
		}
	}
	return nil
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
		return 0, fmt.Errorf("shuffle: %d bytes of room for %d", len(dst), len(src))
	}
	return len(src) / size, nil
}
