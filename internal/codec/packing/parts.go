package packing

import (
	"runtime"

	"github.com/tgmconv/tgmconv/internal/parallel"
)

const (
	// partUnit is the number of values whose integers are whole bytes at any width: parts begin at
	// a multiple of it.
	partUnit = 8
	// partValues is the least that is worth a goroutine of its own, a multiple of partUnit.
	partValues = 128 << 10
	// waveParts is how many parts a core has of each wave.
	waveParts = 4
)

// encodeParts is encode on several cores. dst may lie in the memory of the values, if it begins no later than
// they do: packed bytes go there a wave at a time, once all values of the wave have been read.
func encodeParts(dst []byte, values []float64, p Params) {
	cores := runtime.GOMAXPROCS(0)
	if cores == 1 || len(values) < 2*partValues || p.Bits == 0 {
		encode(dst, values, p)
		return
	}
	wave := min(cores*waveParts*partValues, len(values))
	scratch := make([]byte, (wave*p.Bits+7)/8)
	for len(values) > 0 {
		n := min(wave, len(values))
		packed := scratch[:(n*p.Bits+7)/8]
		parallel.Do(n, partUnit, partValues, func(first, end int) {
			encode(packed[first*p.Bits/8:(end*p.Bits+7)/8], values[first:end], p)
		})
		values, dst = values[n:], dst[copy(dst, packed):]
	}
}

// decodeParts is decode on several cores.
func decodeParts(dst []float64, src []byte, p Params) {
	parallel.Do(len(dst), partUnit, partValues, func(first, end int) {
		decode(dst[first:end], src[first*p.Bits/8:(end*p.Bits+7)/8], p)
	})
}
