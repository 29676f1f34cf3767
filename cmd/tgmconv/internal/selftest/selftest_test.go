package selftest

import "testing"

func TestRun(t *testing.T) {
	trials := Run(t.Context())
	if len(trials) < len(sources)+10 || len(Features()) < len(trials) {
		t.Errorf("%d trials of %d features", len(trials), len(Features()))
	}
	for _, trial := range trials {
		if trial.Err != nil {
			t.Errorf("%s: %v", trial.Label, trial.Err)
		}
	}
}

// TestDifferentValues: a file with unexpected values is found.
func TestDifferentValues(t *testing.T) {
	s := sources[0]
	s.last++
	if err := s.try(t.Context()); err == nil {
		t.Error("no error for another value")
	}
}
