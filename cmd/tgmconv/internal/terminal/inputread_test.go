package terminal

import "testing"

func TestInputRead(t *testing.T) {
	in := &inputRead{size: 6400}
	for _, step := range []struct{ off, end, done int64 }{
		{0, 100, 100}, {100, 200, 200}, {250, 260, 260}, {50, 120, 260}, // in order, over a gap, and again
		{3000, 3010, 270}, {3100, 3110, 370}, {300, 310, 420}, // in two places
		{200, 6400, 6400}, {6000, 6400, 6400}, // never more than there is
	} {
		if in.read(step.off, step.end); in.done() != step.done {
			t.Errorf("after %d to %d: %d, expected %d", step.off, step.end, in.done(), step.done)
		}
	}
}
