package fromnetcdf

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/tgm"
)

// missing collects missing points, and the fill value of each. The mask is made with the first of them.
type missing struct {
	n    int
	mask *tgm.Mask
	*holes
}

// holes are the elements at missing points. They are collected from the pieces of an array one
// after the other.
type holes struct {
	values fillElements
	others []uint64 // bits of NaN and of zeros that differ from values, at most maxOthers
	runs   []int64  // pairs: a number of missing points, and the position of their element
}

// fillElements are the elements that mean a missing point: from the attributes, in their order. NaN is
// missing as well, and comes after them.
type fillElements struct {
	bytes []byte
	size  int
	// partial says that some fill values of the attributes cannot be elements.
	partial bool
}

func elementBytes[T element](fills []T, partial bool) fillElements {
	var none [1]T
	e := fillElements{size: binary.Size(none[0]), partial: partial}
	e.bytes, _ = binary.Append(nil, binary.LittleEndian, fills)
	return e
}

// Bounds on the memory for the places of fill values.
const (
	maxRuns   = 1 << 17
	maxOthers = 1 << 8
)

func newMissing(n int) *missing { return &missing{n: n, holes: new(holes)} }

// set marks point i, which has the fill value number kind.
func (m *missing) set(i, kind int) {
	if m.mask == nil {
		m.mask = &tgm.Mask{N: m.n, Bits: make([]byte, (m.n+7)/8)}
	}
	m.mask.Set(i)
	last := len(m.runs) - 2
	switch {
	case last >= 0 && m.runs[last+1] == int64(kind):
		m.runs[last]++
	case len(m.runs) <= maxRuns:
		m.runs = append(m.runs, 1, int64(kind))
	}
}

// nanKind is the number of the fill value of a NaN. usual is the number for NaN with the usual bits.
func (h *holes) nanKind(bits uint64, usual int) int {
	if bits == h.values.nan() {
		return usual
	}
	return h.otherKind(bits, usual)
}

// otherKind is the number of the fill value with bits that no attribute has. It is usual if there
// are too many of them.
func (h *holes) otherKind(bits uint64, usual int) int {
	i := slices.Index(h.others, bits)
	if i < 0 {
		if len(h.others) == maxOthers {
			return usual
		}
		i, h.others = len(h.others), append(h.others, bits)
	}
	return len(h.values.bytes)/h.values.size + 1 + i
}

// described is the description of the missing points in the metadata: nothing if each of them has the first
// fill value.
func (h *holes) described() map[string]any {
	if h == nil || len(h.runs) == 0 || len(h.runs) == 2 && h.runs[1] == 0 && !h.values.partial {
		return nil
	}
	d := map[string]any{mapping.MissingValues: h.bytes()}
	if len(h.runs) <= maxRuns {
		d[mapping.MissingRuns] = h.runs
	}
	return d
}

// bytes returns the fill values, NaN, and the other elements at missing points.
func (h *holes) bytes() []byte {
	b := h.values.withNaN()
	for _, bits := range h.others {
		b = appendBits(b, bits, h.values.size)
	}
	return b
}

// nan is the usual bits of NaN.
func (e *fillElements) nan() uint64 {
	if e.size == 4 {
		return 0x7fc00000
	}
	return 0x7ff8 << 48
}

// withNaN returns the elements followed by NaN.
func (e *fillElements) withNaN() []byte {
	if e.size != 4 && e.size != 8 {
		return e.bytes
	}
	return appendBits(e.bytes, e.nan(), e.size)
}

func appendBits(b []byte, bits uint64, size int) []byte {
	if size == 4 {
		return binary.LittleEndian.AppendUint32(b, uint32(bits))
	}
	return binary.LittleEndian.AppendUint64(b, bits)
}

// floatBits is the bits of a floating-point number.
func floatBits[T element](x T) uint64 {
	switch x := any(x).(type) {
	case float32:
		return uint64(math.Float32bits(x))
	case float64:
		return math.Float64bits(x)
	}
	return 0
}

// hasUnusualNaN reports whether some of the numbers of a class are NaN with other bits than the
// usual ones.
func hasUnusualNaN(raw []byte, class netcdf.Class) bool {
	switch class {
	case netcdf.Float:
		for ; len(raw) >= 4; raw = raw[4:] {
			if x := binary.LittleEndian.Uint32(raw); x&0x7fffffff > 0x7f800000 && x != 0x7fc00000 {
				return true
			}
		}
	case netcdf.Double:
		for ; len(raw) >= 8; raw = raw[8:] {
			if x := binary.LittleEndian.Uint64(raw); x&(1<<63-1) > 0x7ff<<52 && x != 0x7ff8<<48 {
				return true
			}
		}
	}
	return false
}
