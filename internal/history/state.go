package history

import (
	"bytes"
	"crypto/sha256"
	"slices"

	"github.com/tgmconv/tgmconv/internal/nd"
)

// A State is the state of an array that clients rely on.
type State struct {
	// Unknown means that the state could not be found out.
	Unknown bool
	// Document is the hash of the metadata document without the lengths of dimensions and the form
	// of chunk keys.
	Document [sha256.Size]byte
	Shape    []uint64
	Chunk    []uint64           // shape of the chunks
	Labels   map[string]*Labels // of the positions, by name
	File     string             // the only one with the values; "" if there are several
	Forms    int                // the number of forms of chunk keys that the array can have
}

// Continues reports whether the knowledge that clients have of s is right for next as well. It need
// not be so for positions that next does not have: these are no chunks of it, so that asking for
// them is an error.
func (s *State) Continues(next *State) bool {
	if s.Unknown || next.Unknown || s.Document != next.Document || len(s.Shape) != len(next.Shape) {
		return false
	}
	if !noLonger(s.Shape, next.Shape) && !noLonger(next.Shape, s.Shape) {
		return false
	}
	for i, n := range next.Shape {
		if n < s.Shape[i] && n%s.Chunk[i] != 0 {
			return false // a chunk that remains has elements that are no more
		}
	}
	if s.File != "" && next.File != "" && s.File != next.File || len(s.Labels) != len(next.Labels) {
		return false
	}
	for name, l := range s.Labels {
		if other := next.Labels[name]; other == nil || !l.agree(other) {
			return false
		}
	}
	return true
}

// with is the knowledge that clients have of an array that was s and is next, which continues it.
func (s *State) with(next *State) *State {
	if noLonger(s.Shape, next.Shape) {
		return next
	}
	return s
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

// Labels are the values of a coordinate, or a text that stands for them: they are compared, and nothing else.
type Labels struct {
	Shape []uint64
	Size  int // of an element in bytes
	Data  []byte
}

// Identity returns labels that agree only with labels of an equal text.
func Identity(text string) *Labels {
	sum := sha256.Sum256([]byte(text))
	return &Labels{Size: len(sum), Data: sum[:]}
}

// agree reports whether both are the same at all positions that both have.
func (l *Labels) agree(other *Labels) bool {
	if l == other {
		return true
	}
	if l.Size != other.Size || len(l.Shape) != len(other.Shape) {
		return false
	}
	n := slices.Clone(l.Shape)
	for i := range n {
		n[i] = min(n[i], other.Shape[i])
	}
	return bytes.Equal(l.first(n), other.first(n))
}

// first are the first n elements along each dimension.
func (l *Labels) first(n []uint64) []byte {
	if slices.Equal(n, l.Shape) {
		return l.Data
	}
	return nd.Cut(nd.At(l.Data, l.Shape, nil), n, l.Size)
}

// valid reports whether the data fit the shape, as they may not in a damaged file.
func (l *Labels) valid() bool {
	size := uint64(max(0, l.Size))
	for _, n := range l.Shape {
		if n > 0 && size > uint64(len(l.Data))/n {
			return false
		}
		size *= n
	}
	return l.Size > 0 && size == uint64(len(l.Data))
}
