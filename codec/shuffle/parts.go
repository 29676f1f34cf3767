package shuffle

import "github.com/tgmconv/tgmconv/internal/parallel"

// partBytes is the least that is worth a goroutine of its own.
const partBytes = 2 << 20

// pieces is [parallel.Pieces] of what cannot fail.
func pieces(n, unit, least int, do func(first, end int)) {
	// The error is always nil.
	_ = parallel.Pieces(n, unit, least, func(first, end int) error {
		do(first, end)
		return nil
	})
}

// encodeParts is encodeTo on several cores. Blocks of elements are shuffled by themselves, and
// their pieces copied to the planes.
func encodeParts(dst, src []byte, size int) {
	if len(src) < 2*partBytes || size > maxInPlace || size == 1 {
		encodeTo(dst, src, size)
		return
	}
	n, per := len(src)/size, blockBytes/size
	pieces(n, per, partBytes/size/per*per, func(first, end int) {
		scratch := make([]byte, per*size)
		for ; first < end; first += per {
			k := min(per, end-first)
			encodeTo(scratch[:k*size], src[first*size:(first+k)*size], size)
			for j := range size {
				copy(dst[j*n+first:], scratch[j*k:(j+1)*k])
			}
		}
	})
}

// decodeParts undoes encodeParts.
func decodeParts(dst, src []byte, size int) {
	if len(src) < 2*partBytes || size > maxInPlace || size == 1 {
		decodeTo(dst, src, size)
		return
	}
	n, per := len(src)/size, blockBytes/size
	pieces(n, per, partBytes/size/per*per, func(first, end int) {
		scratch := make([]byte, per*size)
		for ; first < end; first += per {
			k := min(per, end-first)
			for j := range size {
				copy(scratch[j*k:(j+1)*k], src[j*n+first:])
			}
			decodeTo(dst[first*size:(first+k)*size], scratch[:k*size], size)
		}
	})
}
