package blosc

import (
	"encoding/binary"
	"math/bits"
)

// lzProbe has the settings of the probe before compression at each level. They are how large a
// part of the input it reads, as a divisor, and the smallest ratio that is worth it.
var lzProbe = [10]struct {
	divisor int
	ratio   float64
}{{8, 0}, {8, 2}, {4, 1.5}, {4, 1.2}, {2, 1.2}, {2, 1.2}, {2, 1.2}, {1, 1.15}, {1, 1.1}, {1, 1}}

// bloscLZ is an encoder. It writes the bytes that C-Blosc2 writes.
type bloscLZ struct {
	table [lzTable]uint32
	level int
	shift uint // of a hash, to the bits of the level
	src   []byte
	dst   []byte
	out   int
	run   int // literals in the open run, whose length byte is before them
}

const lzTable = 1 << 14

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
		n, distance := -1, 0
		v, r := z.enter(a)
		if a-r < lzMaxFar-1 && a != r && load32(src, r) == v {
			n, distance = z.length(a, r), a-r
		}
		if n < 4 || n <= 5 && distance > lzFar {
			if !z.literal(src[a]) {
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
		if !z.literal(src[a]) {
			return 0
		}
	}
	z.closeRun()
	dst[0] |= 1 << 5
	return z.out
}

func load32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }

func (z *bloscLZ) hash(v uint32) uint32 { return v * 2654435761 >> z.shift & (lzTable - 1) }

// enter enters the bytes at a in the table. It returns them and the place that was entered for them
// before.
func (z *bloscLZ) enter(a int) (v uint32, r int) {
	v = load32(z.src, a)
	p := &z.table[z.hash(v)]
	r = int(*p)
	*p = uint32(a)
	return v, r
}

// length returns the length of a copy from r to a, whose first four bytes are equal, less 2.
func (z *bloscLZ) length(a, r int) int {
	return min(matchEnd(z.src, r+4, a+4)+1, len(z.src)-1) - 4 - a
}

// matchEnd returns the first position from i on whose byte differs from the byte at r on.
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
	v := load32(z.src, i)
	z.table[z.hash(v)] = uint32(i)
	if z.level == 9 {
		z.table[z.hash(v>>8)] = uint32(i + 1)
	}
}

// literal adds a byte to the open run. It reports false when there is no room.
func (z *bloscLZ) literal(b byte) bool {
	if z.out+2 > len(z.dst) {
		return false
	}
	z.dst[z.out] = b
	z.out++
	if z.run++; z.run == lzRun {
		z.nextRun()
	}
	return true
}

// nextRun opens a run after a full one.
func (z *bloscLZ) nextRun() {
	z.closeRun()
	z.openRun()
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

// copy writes a copy. It reports false when there is no room for it and the length byte that
// follows.
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

// worthIt compresses the end of src without writing and reports whether that saves enough.
func (z *bloscLZ) worthIt(src []byte, most int) bool {
	probe := lzProbe[z.level]
	z.src = src[len(src)-len(src)/probe.divisor:]
	z.src = z.src[:min(len(z.src), most)]
	clear(z.table[:most])
	a, cost, run := 0, 5, 4
	for end := len(z.src) - 12; a < end; {
		n := -1
		v, r := z.enter(a)
		if a-r < lzMaxFar-1 && a != r && load32(z.src, r) == v {
			n = z.length(a, r)
		}
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
		if a-r > lzFar {
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
