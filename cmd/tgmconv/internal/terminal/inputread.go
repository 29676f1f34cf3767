package terminal

// An inputRead is how much of an input has been read. Readers may be at several places of it, and may skip
// bytes.
type inputRead struct {
	size   int64
	passed int64 // of all fronts
	fronts []front
}

// A front is a part of an input that a reader has gone through.
type front struct{ start, end int64 }

// A reader skips less than one part in frontParts of an input at once. A reader that goes further begins a
// new front; there are at most frontParts.
const frontParts = 64

// read notes that an input was read from off to end.
func (in *inputRead) read(off, end int64) {
	slack := in.size / frontParts
	for i := range in.fronts {
		if f := &in.fronts[i]; off >= f.start && off <= f.end+slack {
			in.passed += max(0, end-f.end)
			f.end = max(f.end, end)
			return
		}
	}
	if len(in.fronts) < frontParts {
		in.fronts = append(in.fronts, front{off, end})
		in.passed += end - off
	}
}

// done is the number of bytes that were read or skipped.
func (in *inputRead) done() int64 { return min(in.passed, in.size) }
