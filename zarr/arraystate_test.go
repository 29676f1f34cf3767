package zarr

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// Clients of one state of an array read the next one rightly, or they do not.
func TestArrayStates(t *testing.T) {
	axis := func(values ...byte) *labels {
		return &labels{shape: []uint64{uint64(len(values))}, size: 1, data: values}
	}
	state := func(change func(s *arrayState)) *arrayState {
		s := &arrayState{
			shape: []uint64{4, 6}, chunk: []uint64{1, 4}, file: "a",
			labels: map[string]*labels{"y": axis(0, 6, 12, 18), "yx": {shape: []uint64{4, 2}, size: 1, data: []byte("aAbBcCdD")}},
			held:   &held{chunk: []uint64{1, 6}, grid: []uint64{4, 1}, there: []bool{true, false, true, true}},
		}
		if change != nil {
			change(s)
		}
		return s
	}
	for _, test := range []struct {
		name string
		next func(s *arrayState)
		want bool
	}{
		{"the same", nil, true},
		{"unknown", func(s *arrayState) { s.unknown = true }, false},
		{"another document", func(s *arrayState) { s.document[3] = 1 }, false},
		{"more dimensions", func(s *arrayState) { s.shape = []uint64{4, 6, 1} }, false},
		{"longer", func(s *arrayState) {
			s.shape, s.labels["y"], s.held = []uint64{5, 6}, axis(0, 6, 12, 18, 24), &held{chunk: s.held.chunk, grid: []uint64{5, 1}}
		}, true},
		{"longer with other labels", func(s *arrayState) { s.shape, s.labels["y"] = []uint64{5, 6}, axis(0, 3, 6, 12, 18) }, false},
		{"other labels", func(s *arrayState) { s.labels["y"] = axis(0, 6, 12, 24) }, false},
		{"other labels along two dimensions", func(s *arrayState) {
			s.labels["yx"] = &labels{shape: []uint64{4, 3}, size: 1, data: []byte("aA.bB.cC.dE.")}
		}, false},
		{"more labels along two dimensions", func(s *arrayState) {
			s.labels["yx"] = &labels{shape: []uint64{5, 3}, size: 1, data: []byte("aA.bB.cC.dD.eE.")}
		}, true},
		{"labels of another type", func(s *arrayState) { s.labels["y"].size = 2 }, false},
		{"another label", func(s *arrayState) { s.labels["z"] = identity("z") }, false},
		{"a label of another name", func(s *arrayState) { s.labels["z"] = s.labels["y"]; delete(s.labels, "y") }, false},
		{"shorter", func(s *arrayState) { s.shape, s.labels["y"] = []uint64{3, 6}, axis(0, 6, 12) }, true},
		{"shorter within a chunk", func(s *arrayState) { s.shape = []uint64{4, 5} }, false},
		{"shorter by a chunk", func(s *arrayState) { s.shape = []uint64{4, 4} }, true},
		{"shorter and longer", func(s *arrayState) { s.shape = []uint64{3, 7} }, false},
		{"a field more", func(s *arrayState) { s.held.there[1] = true }, true},
		{"a field less", func(s *arrayState) { s.held.there[2] = false }, false},
		{"a field less in fields of another shape", func(s *arrayState) { s.held.chunk = []uint64{1, 3} }, false},
		{"another file", func(s *arrayState) { s.file = "b" }, false},
		{"several files", func(s *arrayState) { s.file = "" }, true},
	} {
		if got := state(nil).continues(state(test.next)); got != test.want {
			t.Errorf("%s: continues is %v, expected %v", test.name, got, test.want)
		}
	}
	// What a longer state had is remembered while a shorter one is shown.
	short := state(func(s *arrayState) {
		s.shape, s.labels["y"] = []uint64{3, 6}, axis(0, 6, 12)
		s.held = &held{chunk: s.held.chunk, grid: []uint64{3, 1}}
	})
	merged := state(nil).merge(short)
	if !merged.held.at([]uint64{1, 0}) || !merged.held.at([]uint64{3, 0}) {
		t.Errorf("chunks are %v, expected those of both", merged.held.there)
	}
	if merged.continues(state(func(s *arrayState) { s.labels["y"] = axis(0, 6, 12, 15); s.held.there = nil })) {
		t.Error("another label in the place of one that vanished continues the array")
	}
}

// The keys that are listed are those of chunks, whatever their form.
func TestFormsAreListed(t *testing.T) {
	c := newChanging(t, DatasetOptions{}, 0, 6, 12, 18, 24)
	var forms []ChunkKeys
	for _, step := range []int{-1, 6, 12, 18} {
		if step >= 0 {
			c.remove(step)
			c.serve()
		}
		r := c.open()
		keys := r.field.meta.ChunkKeys
		forms = append(forms, keys)
		want := []string{"2t/zarr.json"}
		for i := range r.steps {
			want = append(want, "2t/"+keys.Key([]uint64{0, uint64(i), 0, 0}))
		}
		slices.Sort(want)
		got := strings.Fields(listAll(t, c, "2t"))
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%v: listed are %v, expected %v", keys, got, want)
		}
		for _, key := range got {
			if _, err := Stat(t.Context(), c, key); err != nil {
				t.Errorf("%v: %s: %v", keys, key, err)
			}
		}
		for _, form := range keyForms {
			key := "2t/" + form.Key([]uint64{0, 0, 0, 0})
			if _, err := Stat(t.Context(), c, key); form != keys && !errors.Is(err, ErrGone) {
				t.Errorf("%v: %s gives %v, expected %v", keys, key, err, ErrGone)
			}
		}
		outside := "2t/" + keys.Key([]uint64{0, 9, 0, 0})
		if _, err := Stat(t.Context(), c, outside); !errors.Is(err, ErrGone) {
			t.Errorf("%v: %s gives %v, expected %v", keys, outside, err, ErrGone)
		}
	}
	if !slices.Equal(forms, keyForms[:]) {
		t.Errorf("the forms are %v, expected %v", forms, keyForms)
	}
}
