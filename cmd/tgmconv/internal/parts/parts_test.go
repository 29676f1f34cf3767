package parts

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/storage"
)

var past = time.Now().Add(-time.Hour)

// made makes a plan of three parts with outputs in a folder.
func made(t *testing.T, dir string, arguments ...string) (*Store, *Plan, bool, error) {
	t.Helper()
	s := At(new(storage.Client), filepath.Join(dir, "plan")+"/")
	p := &Plan{Format: Format, Program: "test", Verb: "convert", Arguments: arguments, Output: filepath.Join(dir, "out")}
	m, err := s.Make(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Abort()
	for _, name := range []string{"a", "b", "c"} {
		if err := m.Add(&Part{Inputs: []Input{{Name: "/in/" + name, Size: 3, ETag: "x"}}, Output: "d/" + name}); err != nil {
			t.Fatal(err)
		}
	}
	again, err := m.Finish(t.Context(), nil, nil)
	return s, p, again, err
}

// done writes the output and the result of a part.
func done(t *testing.T, s *Store, p *Plan, part *Part) {
	t.Helper()
	name := filepath.Join(p.Output, part.Output)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("output "+part.Output), 0o666); err != nil {
		t.Fatal(err)
	}
	o, err := Measure(t.Context(), s.client, name)
	if err != nil {
		t.Fatal(err)
	}
	o.Key = part.Output
	if err := s.PutResult(t.Context(), &Result{ID: part.ID, State: Done, Outputs: []Output{o}}); err != nil {
		t.Fatal(err)
	}
}

func all(t *testing.T, s *Store) (list []*Part) {
	t.Helper()
	for part, err := range s.Parts(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, part)
	}
	return list
}

func TestPlanIsMadeOnce(t *testing.T) {
	dir := t.TempDir()
	s, p, again, err := made(t, dir, "--a=1")
	if err != nil || again || p.Parts != 3 || p.Inputs != 3 || p.Bytes != 9 {
		t.Fatalf("%+v, again %t: %v", p, again, err)
	}
	first := all(t, s)
	if _, _, again, err := made(t, dir, "--a=1"); err != nil || !again {
		t.Errorf("the same plan: again %t, %v", again, err)
	}
	if _, _, _, err := made(t, dir, "--a=2"); !errors.Is(err, ErrOther) {
		t.Errorf("another plan: %v", err)
	}
	loaded, err := s.Load(t.Context())
	if err != nil || loaded.Hash != p.Hash || loaded.Arguments[0] != "--a=1" {
		t.Errorf("loaded %+v: %v", loaded, err)
	}
	other, _, _, err := made(t, t.TempDir(), "--a=2")
	if err != nil {
		t.Fatal(err)
	}
	if all(t, other)[0].ID == first[0].ID {
		t.Error("parts with other flags have the same id")
	}
}

func TestCommit(t *testing.T) {
	dir := t.TempDir()
	s, p, _, err := made(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	list := all(t, s)
	missing := func(n int, first *Part) {
		t.Helper()
		var e *MissingError
		if _, _, err := s.Commit(t.Context(), p, nil); !errors.As(err, &e) || e.Missing != n || e.First.ID != first.ID {
			t.Errorf("commit: %v, expected %d missing parts from %s on", err, n, first.Output)
		}
		if _, err := os.Stat(filepath.Join(dir, "plan", committedName)); err == nil {
			t.Error("a commit without all parts")
		}
	}
	missing(3, list[0])
	for _, part := range list {
		done(t, s, p, part)
	}
	name := filepath.Join(p.Output, list[1].Output)
	for what, change := range map[string]func() error{
		"other bytes": func() error { return os.WriteFile(name, []byte("0utput d/b"), 0o666) },
		"cut":         func() error { return os.Truncate(name, 3) },
		"gone":        func() error { return os.Remove(name) },
	} {
		if err := change(); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		missing(1, list[1])
		done(t, s, p, list[1])
	}
	result := filepath.Join(dir, "plan", resultName(list[2].ID))
	if err := os.WriteFile(result, []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	missing(1, list[2])
	done(t, s, p, list[2])

	// The bytes count, not the time of the file.
	if err := os.WriteFile(name, []byte("output d/b"), 0o666); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(p.Output, "d", ".tgmconv-LEFT.tmp")
	if err := os.WriteFile(left, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(left, past, past); err != nil {
		t.Fatal(err)
	}
	c, again, err := s.Commit(t.Context(), p, nil)
	if err != nil || again || c.Outputs != 3 || c.Bytes != 30 {
		t.Fatalf("%+v, again %t: %v", c, again, err)
	}
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the temporary file of a killed worker: %v", err)
	}
	if second, again, err := s.Commit(t.Context(), p, nil); err != nil || !again || *second != *c {
		t.Errorf("second commit: %+v, again %t: %v", second, again, err)
	}
}

func TestBadPlans(t *testing.T) {
	id := strings.Repeat("0", 32)
	for text, want := range map[string]string{
		"{":                                          "line 1: ",
		`{"id":"../x","output":"a"}`:                 `id is "../x"`,
		`{"id":"` + id + `"}`:                        "neither an output nor an array",
		`{"id":"` + id + `","output":"../../a"}`:     `output is "../../a"`,
		`{"id":"` + id + `","output":"/a"}`:          `output is "/a"`,
		`{"id":"` + id + `","array":"t","slabs":-1}`: "slabs -1 from 0 on",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, partsName), []byte(text+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		var last error
		for _, err := range At(new(storage.Client), dir).Parts(context.Background()) {
			last = err
		}
		if e := (*FormatError)(nil); !errors.As(last, &e) || !strings.Contains(e.Error(), want) {
			t.Errorf("%s: %v, expected %s", text, last, want)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, planName), []byte(`{"format":2}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := At(new(storage.Client), dir).Load(t.Context()); err == nil || !strings.Contains(err.Error(), "format is 2, expected 1") {
		t.Errorf("another format: %v", err)
	}
}
