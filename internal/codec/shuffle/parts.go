package shuffle

import "github.com/tgmconv/tgmconv/internal/parallel"

// partBytes is the least that is worth a goroutine of its own.
const partBytes = 2 << 20

// encodeParts is encodeTo on several cores. Blocks of elements are shuffled by themselves, and
// their pieces copied to the planes.
func encodeParts(dst, src []byte, size int) {
	if !inParts(src, size) {
		encodeTo(dst, src, size)
		return
	}
	eachBlock(len(src)/size, size, func(first, k int, scratch []byte) {
		encodeTo(scratch, src[first*size:(first+k)*size], size)
		for j := range size {
			copy(dst[j*(len(src)/size)+first:], scratch[j*k:(j+1)*k])
		}
	})
}

// decodeParts undoes encodeParts.
func decodeParts(dst, src []byte, size int) {
	if !inParts(src, size) {
		decodeTo(dst, src, size)
		return
	}
	eachBlock(len(src)/size, size, func(first, k int, scratch []byte) {
		for j := range size {
			copy(scratch[j*k:(j+1)*k], src[j*(len(src)/size)+first:])
		}
		decodeTo(dst[first*size:(first+k)*size], scratch, size)
	})
}

// inParts reports whether elements of size bytes are worth more than one goroutine.
func inParts(src []byte, size int) bool {
	return len(src) >= 2*partBytes && size <= maxInPlace && size > 1
}

// eachBlock calls do for blocks of n elements of size bytes, on several cores: with the first
// element of the block, the number of its elements, and memory for them.
func eachBlock(n, size int, do func(first, k int, scratch []byte)) {
	per := blockBytes / size
	parallel.Do(n, per, partBytes/size/per*per, func(first, end int) {
		scratch := make([]byte, per*size)
		for ; first < end; first += per {
			k := min(per, end-first)
			do(first, k, scratch[:k*size])
		}
	})
}
