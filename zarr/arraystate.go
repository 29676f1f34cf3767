package zarr

import (
	"crypto/sha256"
	"iter"
	"slices"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/hyperslab"
)

// An arrayState is what clients that read an array rely on.
type arrayState struct {
	unknown  bool              // it could not be found out
	document [sha256.Size]byte // of all but the lengths of dimensions and the chunk keys
	shape    []uint64
	chunk    []uint64           // shape of the chunks
	labels   map[string]*labels // by name
	held     *held              // nil if the values are computed
	file     string             // the only one with the values; "" if there are several
}

// describe takes what the document of the array says.
func (s *arrayState) describe(a *ArrayMetadata) error {
	s.shape, s.chunk = a.Shape, a.ChunkShape
	rest := *a
	rest.Shape, rest.ChunkKeys = nil, defaultKeys
	text, err := AppendJSON(nil, rest.document())
	s.document = sha256.Sum256(text)
	return err
}

// continues reports whether what clients know of s is right for next as well, but for positions that
// next does not have: these are no chunks of it, so that asking for them is an error.
func (s *arrayState) continues(next *arrayState) bool {
	if s.unknown || next.unknown || s.document != next.document || len(s.shape) != len(next.shape) {
		return false
	}
	if !noLonger(s.shape, next.shape) && !noLonger(next.shape, s.shape) {
		return false
	}
	for i, n := range next.shape {
		if n < s.shape[i] && n%s.chunk[i] != 0 {
			return false // a chunk that remains has elements that are no more
		}
	}
	if s.file != "" && next.file != "" && s.file != next.file || !s.held.within(next.held) || len(s.labels) != len(next.labels) {
		return false
	}
	for name, l := range s.labels {
		if other := next.labels[name]; other == nil || !l.agree(other) {
			return false
		}
	}
	return true
}

// merge is what clients know of an array that was s and is next, which continues it.
func (s *arrayState) merge(next *arrayState) *arrayState {
	if noLonger(s.shape, next.shape) {
		return next
	}
	merged := *s
	merged.held = s.held.with(next.held)
	return &merged
}

// noLonger reports whether a is nowhere longer than b, which has as many dimensions.
func noLonger(a, b []uint64) bool {
	for i := range a {
		if a[i] > b[i] {
			return false
		}
	}
	return true
}

// held are the chunks of a variable that are there.
type held struct {
	chunk, grid []uint64
	there       []bool // in C order; nil if all are
}

func newHeld(v *dataset.Variable) *held {
	refs := v.Refs()
	if refs == nil {
		return nil
	}
	h := &held{chunk: v.Chunk, grid: v.Grid()}
	if slices.ContainsFunc(refs, isHole) {
		h.there = make([]bool, len(refs))
		for i, ref := range refs {
			h.there[i] = !isHole(ref)
		}
	}
	return h
}

func isHole(ref int32) bool { return ref < 0 }

// at reports whether the chunk at a position of the grid is there.
func (h *held) at(index []uint64) bool { return h.there == nil || h.there[h.offset(index)] }

func (h *held) offset(index []uint64) uint64 {
	at := uint64(0)
	for i, n := range h.grid {
		at = at*n + index[i]
	}
	return at
}

// within reports whether all chunks of h are in other, as far as its grid has them.
func (h *held) within(other *held) bool {
	if other == nil || other.there == nil {
		return true
	}
	if h == nil || !slices.Equal(h.chunk, other.chunk) {
		return false
	}
	for index := range h.common(other) {
		if h.at(index) && !other.at(index) {
			return false
		}
	}
	return true
}

// with are the chunks of h and those of other that are in its grid.
func (h *held) with(other *held) *held {
	if h == nil || h.there == nil || other == nil || !slices.Equal(h.chunk, other.chunk) {
		return h
	}
	both := *h
	both.there = slices.Clone(h.there)
	for index := range h.common(other) {
		if other.at(index) {
			both.there[h.offset(index)] = true
		}
	}
	return &both
}

// common yields the positions that both grids have.
func (h *held) common(other *held) iter.Seq[[]uint64] {
	return hyperslab.Positions(least(h.grid, other.grid))
}

// least are the lesser lengths of two shapes of as many dimensions.
func least(a, b []uint64) []uint64 {
	n := slices.Clone(a)
	for i := range n {
		n[i] = min(n[i], b[i])
	}
	return n
}
