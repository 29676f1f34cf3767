package fromnetcdf

import (
	"encoding/binary"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// missing collects missing points, and which of the fill values each of them has; the mask is made
// with the first of them.
type missing struct {
	n    int
	mask *tgm.Mask

	values fillElements
	runs   []int64 // pairs: a number of missing points, and the position of their element
}

// fillElements are the elements that mean a missing point: those of the attributes in their order.
// NaN is missing as well, and comes after them.
type fillElements struct {
	bytes []byte
	size  int
	// partial says that some fill values of the attributes are no elements.
	partial bool
}

func elementBytes[T element](fills []T, partial bool) fillElements {
	var none [1]T
	e := fillElements{size: binary.Size(none[0]), partial: partial}
	e.bytes, _ = binary.Append(nil, binary.LittleEndian, fills)
	return e
}

// maxRuns bounds what is kept of which fill value stands where.
const maxRuns = 1 << 17

func newMissing(n int) *missing { return &missing{n: n} }

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

// described is what the metadata say of the missing points: nothing if each of them has the first
// fill value.
func (m *missing) described() map[string]any {
	if m == nil || len(m.runs) == 0 || len(m.runs) == 2 && m.runs[1] == 0 && !m.values.partial {
		return nil
	}
	d := map[string]any{mapping.MissingValues: m.values.withNaN()}
	if len(m.runs) <= maxRuns {
		d[mapping.MissingRuns] = m.runs
	}
	return d
}

// withNaN returns the elements followed by NaN.
func (e *fillElements) withNaN() []byte {
	switch e.size {
	case 4:
		return binary.LittleEndian.AppendUint32(e.bytes, 0x7fc00000)
	case 8:
		return binary.LittleEndian.AppendUint64(e.bytes, 0x7ff8<<48)
	}
	return e.bytes
}
