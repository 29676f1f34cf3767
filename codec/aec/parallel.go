package aec

import (
	"encoding/binary"
	"runtime"
	"slices"

	"github.com/tgmconv/tgmconv/internal/parallel"
)

// Intervals depend on each other only by their first bit and the splitting position where the
// search begins. Groups of intervals are encoded at the same time with the position that the
// interval before leads to from any start, which nearly always is right. Groups for which it was
// not are encoded again, so that the bytes are the same however many groups there are.

// groupSamples is about how many samples a group has at least.
const groupSamples = 128 << 10

// group is the stream of some intervals.
type group struct {
	out        []byte
	bits       uint64
	offsets    []uint64
	begin, end uint // splitting positions
}

// encodeGroups is encode of samples that are in memory: load is called from several goroutines.
func encodeGroups(dst []byte, n int, p Params, container uint, load loader) ([]byte, []uint64, error) {
	if n < 2*groupSamples || runtime.GOMAXPROCS(0) == 1 {
		return encode(dst, n, p, container, load)
	}
	interval := p.interval()
	groups := make([]group, p.Intervals(n))
	err := parallel.Pieces(len(groups), 1, max(groupSamples/interval, 1), func(first, end int) error {
		k := uint(0)
		if first > 0 {
			before := newEncoder(nil, interval, p)
			if err := before.samples((first-1)*interval, first*interval, n, container, load); err != nil {
				return nil // the piece before has the error
			}
			k = before.k
		}
		return groups[first].encode(first*interval, min(end*interval, n), n, p, container, load, k)
	})
	if err != nil {
		return dst, nil, err
	}
	return joinGroups(dst, groups, n, p, container, load)
}

// encode encodes the samples [first, end) of n.
func (g *group) encode(first, end, n int, p Params, container uint, load loader, k uint) error {
	// The samples in their own width are about the most that a stream takes: it seldom has to grow.
	e := newEncoder(make([]byte, 0, (end-first)*p.BitsPerSample/8+64), end-first, p)
	e.k = k
	if err := e.samples(first, end, n, container, load); err != nil {
		return err
	}
	g.bits, g.offsets, g.begin, g.end = e.w.position(), e.offsets, k, e.k
	g.out = e.w.finish()
	return nil
}

// joinGroups appends the streams of groups. Groups that other groups took in are empty.
func joinGroups(dst []byte, groups []group, n int, p Params, container uint, load loader) ([]byte, []uint64, error) {
	interval := p.interval()
	size := 0
	for i := range groups {
		size += len(groups[i].out)
	}
	start := len(dst)
	dst = slices.Grow(dst, size+8)
	offsets := make([]uint64, 0, len(groups))
	at, k := uint64(0), uint(0)
	for i := 0; i < len(groups); {
		g := &groups[i]
		next := i + len(g.offsets)
		if g.begin != k {
			if err := g.encode(i*interval, min(next*interval, n), n, p, container, load, k); err != nil {
				return dst[:start], nil, err
			}
		}
		for _, offset := range g.offsets {
			offsets = append(offsets, at+offset)
		}
		dst = appendBits(dst, at, g.out, g.bits)
		at, k, g.out = at+g.bits, g.end, nil
		i = next
	}
	return dst, offsets, nil
}

// appendBits appends n bits to a stream of at bits that ends with dst. The bits after them in src
// are 0.
func appendBits(dst []byte, at uint64, src []byte, n uint64) []byte {
	shift := at & 7
	if shift == 0 {
		return append(dst, src...)
	}
	carry := uint64(dst[len(dst)-1])
	dst = dst[:len(dst)-1]
	whole := len(src) &^ 7
	for ; whole > 0; whole -= 8 {
		v := binary.BigEndian.Uint64(src)
		dst = binary.BigEndian.AppendUint64(dst, v>>shift|carry<<56)
		carry = v << (8 - shift) & 0xFF
		src = src[8:]
	}
	for _, b := range src {
		dst = append(dst, byte(carry)|b>>shift)
		carry = uint64(b<<(8-shift)) & 0xFF
	}
	if (n-1)&7 >= 8-shift {
		dst = append(dst, byte(carry))
	}
	return dst
}

// DecodeIntervals is [Decode] with the bit offsets of the intervals, as [Encode] and [ScanOffsets]
// give them. With these it decodes on several cores. Wrong offsets only cost time: the result does
// not depend on them.
func DecodeIntervals(dst, src []byte, p Params, offsets []uint64) error {
	size := p.SampleBytes()
	interval := p.interval()
	if p.validateDecode() != nil || len(dst)%size != 0 || len(offsets) != p.Intervals(len(dst)/size) || len(offsets) < 2 || offsets[0] != 0 {
		return Decode(dst, src, p)
	}
	err := parallel.Pieces(len(offsets), 1, max(groupSamples/interval, 1), func(first, end int) error {
		d, err := newDecoder(src, p)
		if err != nil {
			return err
		}
		if d.pos = offsets[first]; d.pos > 8*uint64(len(src)) {
			return ErrOffset
		}
		part := dst[first*interval*size : min(end*interval*size, len(dst))]
		d.want, d.block = len(part)/size, first*p.RSI
		if err := d.store(part, storeFunc(p)); err != nil {
			return err
		}
		if end < len(offsets) && (d.zeros > 0 || d.end() != offsets[end]) {
			return ErrOffset
		}
		return nil
	})
	if err != nil {
		return Decode(dst, src, p) // which has the error of the stream, if the offsets have none
	}
	return nil
}

// end is the bit at which the next interval begins.
func (d *decoder) end() uint64 {
	if d.params.Flags&PadRSI != 0 {
		return (d.pos + 7) &^ 7
	}
	return d.pos
}
