package history

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// axis are labels along one dimension.
func axis(values ...byte) *Labels {
	return &Labels{Shape: []uint64{uint64(len(values))}, Size: 1, Data: values}
}

// steps is the state of an array of fields along steps.
func steps(values ...byte) *State {
	return &State{Shape: []uint64{uint64(len(values)), 6}, Chunk: []uint64{1, 6}, Labels: map[string]*Labels{"step": axis(values...)}, Forms: 4}
}

func TestContinues(t *testing.T) {
	for _, c := range []struct {
		name string
		next func(s *State)
		want bool
	}{
		{"the same", func(*State) {}, true},
		{"unknown", func(s *State) { s.Unknown = true }, false},
		{"another document", func(s *State) { s.Document[3] = 1 }, false},
		{"more dimensions", func(s *State) { s.Shape = append(s.Shape, 1) }, false},
		{"longer", func(s *State) { *s = *steps(0, 6, 12, 18) }, true},
		{"longer with other labels", func(s *State) { *s = *steps(0, 3, 6, 12) }, false},
		{"shorter", func(s *State) { *s = *steps(0, 6) }, true},
		{"shorter within a chunk", func(s *State) { s.Shape = []uint64{3, 5} }, false},
		{"shorter and longer", func(s *State) { *s = *steps(0, 6); s.Shape[1] = 12 }, false},
		{"labels of another type", func(s *State) { s.Labels["step"].Size = 2 }, false},
		{"labels of another name", func(s *State) { s.Labels["time"] = s.Labels["step"]; delete(s.Labels, "step") }, false},
		{"another label", func(s *State) { s.Labels["time"] = Identity("time") }, false},
		{"another file", func(s *State) { s.File = "b" }, false},
		{"several files", func(s *State) { s.File = "" }, true},
	} {
		s, next := steps(0, 6, 12), steps(0, 6, 12)
		s.File, next.File = "a", "a"
		c.next(next)
		if next.File != "" && c.name != "another file" {
			next.File = "a"
		}
		if got := s.Continues(next); got != c.want {
			t.Errorf("%s: %v, expected %v", c.name, got, c.want)
		}
	}
}

// Knowledge of the end of an axis counts also after it was shorter.
func TestKnownOfTheEnd(t *testing.T) {
	now := time.Unix(1e9, 0)
	h := new(History)
	show := func(s *State) int {
		p := h.Plan(map[string]*State{"t": s}, now)
		h = h.After(p, now)
		return p.Forms["t"]
	}
	show(steps(0, 6, 12))
	if form := show(steps(0, 6)); form != 0 {
		t.Errorf("shorter: form %d, expected 0", form)
	}
	if form := show(steps(0, 6, 15)); form != 1 {
		t.Errorf("another label at the end: form %d, expected 1", form)
	}
}

// An array takes each of its forms, and then none until one was not used for a day.
func TestForms(t *testing.T) {
	now := time.Unix(1e9, 0)
	h, uses := new(History), NewUses(func() time.Time { return now })
	plan := func(first byte) *Plan {
		h, _ = h.Used(uses)
		p := h.Plan(map[string]*State{"t": steps(first)}, now)
		uses.Follow(h, p)
		return p
	}
	for i := range 4 {
		p := plan(byte(i))
		if p.Forms["t"] != i || (p.Moved == 1) != (i > 0) || len(p.Withheld) > 0 {
			t.Fatalf("state %d: %+v, expected form %d", i, p, i)
		}
		h = h.After(p, now)
	}
	if p := plan(0); p.Forms["t"] != 0 || p.Moved != 0 {
		t.Errorf("the first state again: %+v, expected its form", p)
	}
	if p := plan(9); p.Forms["t"] != -1 || len(p.Withheld) != 1 {
		t.Errorf("a fifth state: %+v, expected no form", p)
	}
	for range 5 {
		now = now.Add(6 * time.Hour)
		for i := range 3 { // all but the last
			uses.Note("t", i)
		}
		plan(9)
	}
	if p := plan(9); p.Forms["t"] != 3 || p.Moved != 1 {
		t.Errorf("a fifth state after a day: %+v, expected form 3", p)
	}
	if h.Agrees(h.Plan(map[string]*State{"t": steps(1)}, now)) == false {
		t.Error("a plan does not agree with the history that it is of")
	}
	p := plan(9)
	h = h.After(p, now)
	old := &Plan{Forms: map[string]int{"t": 3}, states: map[string]*State{"t": steps(3)}}
	if h.Agrees(old) {
		t.Error("the form of other labels agrees")
	}
}

// A history is the same after it was stored, and a damaged one is an error.
func TestParse(t *testing.T) {
	now := time.Unix(1e9, 0)
	h := new(History)
	h = h.After(h.Plan(map[string]*State{"t": steps(0, 6), "u": steps(0, 6), "": {Forms: 2}}, now), now)
	h.Files = []byte("files")
	h.Add(Snapshot{"@1", []SnapshotFile{{"a", 1, "v"}}})
	b, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	c, err := again.Append(nil)
	if err != nil || !bytes.Equal(b, c) {
		t.Errorf("%v: %d bytes, and others, %d, when stored again", err, len(b), len(c))
	}
	if p := again.Plan(map[string]*State{"t": steps(0, 6, 12)}, now); p.Forms["t"] != 0 || p.Moved > 0 {
		t.Errorf("%+v, expected the form that it has", p)
	}
	for i := range b {
		damaged := bytes.Clone(b)
		damaged[i] ^= 1
		if _, err := Parse(damaged); err == nil {
			t.Errorf("byte %d is damaged, and there is no error", i)
		}
	}
}

// Servers that write at once lose nothing, and a reader sees the changes of others.
func TestFileOfSeveralServers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "below", "history")
	now := time.Unix(1e9, 0)
	var servers sync.WaitGroup
	for i := range 4 {
		servers.Go(func() {
			f := &File{Path: path, Warn: func(text string) { t.Error(text) }}
			for j := range 5 {
				name := string(rune('a'+i)) + string(rune('a'+j))
				err := f.Update(t.Context(), func(h *History) (*History, error) {
					return h.After(h.Plan(map[string]*State{name: steps(1)}, now), now), nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	first := &File{Path: path}
	before := first.Read()
	servers.Wait()
	if !first.Changed() {
		t.Error("the file is not said to have changed")
	}
	h := first.Read()
	if len(h.arrays) != 20 || h.Revision != 20 || h == before || first.Changed() {
		t.Errorf("%d arrays at revision %d, expected 20 at 20", len(h.arrays), h.Revision)
	}
}

// A history that cannot be written is kept in memory, with a warning.
func TestFileInMemory(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var warnings []string
	f := &File{Path: filepath.Join(file, "history"), Warn: func(text string) { warnings = append(warnings, text) }}
	now := time.Unix(1e9, 0)
	for range 2 {
		err := f.Update(t.Context(), func(h *History) (*History, error) {
			return h.After(h.Plan(map[string]*State{"t": steps(1)}, now), now), nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if h := f.Read(); h.Revision != 2 || len(warnings) != 1 || !strings.Contains(warnings[0], "cannot be kept") {
		t.Errorf("revision %d, warnings %q; expected 2 and one", h.Revision, warnings)
	}
}
