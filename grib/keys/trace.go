package keys

import "math/bits"

// A trace notes the dependencies of a result that is computed from a message:
// its bytes, and others. Package keys is deterministic, so another message with
// the same bytes there gives the same result.
type trace struct {
	bytes  [traceLimit / 64]uint64 // a bit per byte that was read
	linear [traceLimit / 64]uint64 // the same for reads that serve only to compute lengths, see layout
	high   int                     // no bit is set from this word on

	inLinear int  // within a read of a length
	unique   bool // depends on the data, or on more bytes than can be noted
	size     bool // depends on the length of the message
	tail     bool // depends on where keys after the data lie
	wrote    bool // has changed a variable
}

// traceLimit is how many bytes of a message can be noted. It covers the headers
// of nearly all messages, including the points per row of a reduced grid.
const traceLimit = 8192

func (t *trace) reset() {
	clear(t.bytes[:t.high])
	clear(t.linear[:t.high])
	*t = trace{bytes: t.bytes, linear: t.linear}
}

// read notes n bytes.
func (t *trace) read(off, n, size int) {
	if n <= 0 {
		return
	}
	if off < 0 || n > traceLimit || off > traceLimit-n || off+n > size {
		t.unique = true
		return
	}
	set := &t.bytes
	if t.inLinear > 0 {
		set = &t.linear
	}
	for i := off; i < off+n; i++ {
		set[i>>6] |= 1 << (i & 63)
	}
	t.high = max(t.high, (off+n+63)>>6)
}

// merge adds the notes of another trace.
func (t *trace) merge(x *trace) {
	for i := range x.high {
		t.bytes[i] |= x.bytes[i]
		t.linear[i] |= x.linear[i]
	}
	t.high = max(t.high, x.high)
	t.unique = t.unique || x.unique
	t.size = t.size || x.size
	t.tail = t.tail || x.tail
}

// nothing reports whether nothing was noted.
func (t *trace) nothing() bool { return t.high == 0 && !t.unique && !t.size && !t.tail && !t.wrote }

// A span is a run of bytes of a message.
type span struct{ off, n int }

// spans lists the runs of set bits in the first words of set.
func spans(set []uint64) (list []span, total int) {
	for w, x := range set {
		for x != 0 {
			from := bits.TrailingZeros64(x)
			n := bits.TrailingZeros64(^(x >> from))
			if at := len(list) - 1; at >= 0 && list[at].off+list[at].n == w<<6+from {
				list[at].n += n
			} else {
				list = append(list, span{w<<6 + from, n})
			}
			total += n
			if from+n == 64 {
				break
			}
			x &^= (1<<n - 1) << from
		}
	}
	return list, total
}

// overlap reports whether a span has a bit in set.
func overlap(set []uint64, s span) bool {
	for i := s.off; i < s.off+s.n; i++ {
		if i>>6 < len(set) && set[i>>6]&(1<<(i&63)) != 0 {
			return true
		}
	}
	return false
}
