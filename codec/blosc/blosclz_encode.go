package blosc

import (
	"encoding/binary"
	"math/bits"
)

// lzProbe is what the probe before compression asks for at each level: how large a part of the input
// it reads, as a divisor, and the smallest ratio that is worth it.
var lzProbe = [10]struct {
	divisor int
	ratio   float64
}{{8, 0}, {8, 2}, {4, 1.5}, {4, 1.2}, {2, 1.2}, {2, 1.2}, {2, 1.2}, {1, 1.15}, {1, 1.1}, {1, 1}}

// bloscLZ is an encoder. It writes the bytes that C-Blosc2 writes.
type bloscLZ struct {
	table [1 << 14]uint32
	level int
	shift uint // of a hash, to the bits of the level
	src   []byte
	dst   []byte
	out   int
	run   int // literals in the open run, whose length byte is before them
}

// encode compresses src into dst. It returns 0 when the result is not shorter, or not worth it.
func (z *bloscLZ) encode(dst, src []byte, level int) int {
	const minCapacity = 66
	hashBits := [10]uint{12, 12, 13, 14, 14, 14, 14, 14, 14, 14}[level]
	z.level, z.shift = level, 32-hashBits
	if len(src) < lzMinSize || len(dst) < minCapacity || !z.worthIt(src, 1<<hashBits) {
		return 0
	}
	clear(z.table[:1<<hashBits])
	z.src, z.dst = src, dst
	copy(dst[1:5], src)
	z.out, z.run = 5, 4
	a := 4
	for end := len(src) - 12; a < end; {
		n, distance := z.match(a, len(src)-1)
		if n < 4 || n <= 5 && distance > lzFar {
			if !z.literal(a) {
				return 0
			}
			a++
			continue
		}
		if !z.copy(n, distance-1) {
			return 0
		}
		a += n + 2
		z.remember(a - 2)
	}
	for ; a < len(src); a++ {
		if !z.literal(a) {
			return 0
		}
	}
	z.closeRun()
	dst[0] |= 1 << 5
	return z.out
}

func (z *bloscLZ) load(i int) uint32 { return binary.LittleEndian.Uint32(z.src[i:]) }

func (z *bloscLZ) hash(v uint32) uint32 { return v * 2654435761 >> z.shift & (1<<14 - 1) }

// match looks for bytes before a that are those at a, and enters a in the table. The length is 2 less
// than the bytes that a copy gives, and less than 0 when there are none. bound is where a match ends at
// the latest.
func (z *bloscLZ) match(a, bound int) (length, distance int) {
	v := z.load(a)
	h := z.hash(v)
	r := int(z.table[h])
	z.table[h] = uint32(a)
	distance = a - r
	if distance == 0 || distance >= lzMaxFar-1 || z.load(r) != v {
		return -1, 0
	}
	return min(matchEnd(z.src, r+4, a+4)+1, bound) - 4 - a, distance
}

// matchEnd returns the first position from i on whose byte differs from that at r on.
func matchEnd(src []byte, r, i int) int {
	for i+8 <= len(src) {
		if x := binary.LittleEndian.Uint64(src[i:]) ^ binary.LittleEndian.Uint64(src[r:]); x != 0 {
			return i + bits.TrailingZeros64(x)>>3
		}
		i, r = i+8, r+8
	}
	for i < len(src) && src[i] == src[r] {
		i, r = i+1, r+1
	}
	return i
}

// remember enters the end of a copy in the table.
func (z *bloscLZ) remember(i int) {
	v := z.load(i)
	z.table[z.hash(v)] = uint32(i)
	if z.level == 9 {
		z.table[z.hash(v>>8)] = uint32(i + 1)
	}
}

// literal adds the byte at a to the open run. It reports false when there is no room.
func (z *bloscLZ) literal(a int) bool {
	if z.out+2 > len(z.dst) {
		return false
	}
	z.dst[z.out] = z.src[a]
	z.out++
	if z.run++; z.run == lzRun {
		z.closeRun()
		z.openRun()
	}
	return true
}

// openRun reserves the length byte of a run.
func (z *bloscLZ) openRun() {
	z.out++
	z.run = 0
}

// closeRun writes the length of the run, or drops its length byte when it is empty.
func (z *bloscLZ) closeRun() {
	if z.run == 0 {
		z.out--
		return
	}
	z.dst[z.out-z.run-1] = byte(z.run - 1)
}

// copy writes a copy. It reports false when there is no room for it and the length byte that follows.
func (z *bloscLZ) copy(n, distance int) bool {
	z.closeRun()
	need := 3
	if n >= 7 {
		need += (n-7)/255 + 1
	}
	if distance >= lzFar {
		need += 2
	}
	if z.out+need > len(z.dst) {
		return false
	}
	high, low := distance>>8, distance
	if distance >= lzFar {
		high, low = 31, 255
	}
	z.put(byte(min(n, 7)<<5 + high))
	if n >= 7 {
		rest := n - 7
		for ; rest >= 255; rest -= 255 {
			z.put(255)
		}
		z.put(byte(rest))
	}
	z.put(byte(low))
	if distance >= lzFar {
		z.put(byte((distance - lzFar) >> 8))
		z.put(byte(distance - lzFar))
	}
	z.openRun()
	return true
}

func (z *bloscLZ) put(b byte) {
	z.dst[z.out] = b
	z.out++
}

// worthIt compresses the end of src without writing anything and reports whether that saves enough.
func (z *bloscLZ) worthIt(src []byte, most int) bool {
	probe := lzProbe[z.level]
	z.src = src[len(src)-len(src)/probe.divisor:]
	z.src = z.src[:min(len(z.src), most)]
	clear(z.table[:most])
	a, cost, run := 0, 5, 4
	for end := len(z.src) - 12; a < end; {
		n, distance := z.match(a, len(z.src)-1)
		if n < 4 {
			a++
			cost++
			if run++; run == lzRun {
				run = 0
				cost++
			}
			continue
		}
		cost += 3
		if run == 0 {
			cost--
		}
		if distance > lzFar {
			cost += 2
		}
		if n >= 7 {
			cost += (n-7)/255 + 1
		}
		run = 0
		a += n + 2
		z.remember(a - 2)
	}
	return float64(a)/float64(cost) >= probe.ratio
}
