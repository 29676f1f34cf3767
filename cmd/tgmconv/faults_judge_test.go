package main

import (
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/internal/disk"
)

// placeFor chooses where the inputs and outputs of a line lie.
func placeFor(r *rand.Rand, line *faultLine) place {
	p := place{line: line, in: "file", out: "file"}
	places := strings.Fields(line.places)
	if len(places) == 0 {
		places = []string{"file", "server", "store"}
		if line.input() != "" {
			places = append(places, "pipe")
		}
	}
	p.in = places[r.IntN(len(places))]
	if strings.Contains(line.args, "OUT") && !line.local && r.IntN(2) == 0 {
		p.out = "store"
	}
	return p
}

// judge returns the errors in the result of a run with faults, or of a run after such a run.
func (m *machine) judge(t *testing.T, p place, plan *plan, want, got *result, former bool) error {
	switch {
	case got.hangs:
		return fmt.Errorf("it was not over after %v", longest)
	case got.code == want.code:
		if err := alike(want, got); err != nil && !(plan != nil && plan.replaced.Load() && plan.from == 1) {
			return fmt.Errorf("it succeeds, and %w", err)
		}
	case got.code != cli.ExitFailed && got.code != cli.ExitSkipped && got.code != cli.ExitAgain && got.code != cli.ExitChanged:
		return fmt.Errorf("exit code %d", got.code)
	default:
		if err := m.said(p, plan, got); err != nil {
			return err
		}
		if err := m.nothingHalf(p, plan, want, got, former); err != nil {
			return err
		}
	}
	if len(got.left) > 0 {
		return fmt.Errorf("it leaves %v", got.left)
	}
	return m.inputsAreWhole(t, p)
}

// said expects the error to say where it was met.
func (m *machine) said(p place, plan *plan, got *result) error {
	text := got.stderr
	if p.line.lists {
		text += got.stdout
	}
	if !strings.HasPrefix(got.stderr, "tgmconv: ") && !p.line.lists {
		return fmt.Errorf("it says nothing")
	}
	if plan == nil {
		return nil
	}
	for on := range plan.on {
		name, alias := path.Base(on), ""
		switch {
		case plan.kind.of == string(disk.Read) && (strings.HasSuffix(on, "(unnamed)") || strings.HasPrefix(on, m.path("tmp"))):
			return nil // of a copy of what is named
		case on == "/dev/stdin":
			name = "standard input"
		case on == "/dev/stdout":
			name, alias = "standard output", "the output"
		case strings.HasPrefix(on, m.path("output")), strings.HasPrefix(on, "/output"):
			name, alias = "/out", "" // the rest may be that of a temporary file
		case strings.HasPrefix(on, m.path("tmp")):
			name, alias = m.path("tmp"), "temporary file"
		case strings.HasPrefix(on, m.path("cache")):
			return nil // the command does without
		}
		if strings.Contains(text, name) || alias != "" && strings.Contains(text, alias) {
			return nil
		}
	}
	return fmt.Errorf("it does not name the file")
}

// nothingHalf expects each output to be unchanged or complete.
func (m *machine) nothingHalf(p place, plan *plan, want, got *result, former bool) error {
	before := m.former(p, former)
	name := p.line.output()
	if before != nil {
		if _, ok := got.files[name]; !ok {
			return fmt.Errorf("the former output is gone")
		}
	}
	for file, text := range got.files {
		switch {
		case before != nil && file == name && text == string(before):
		case text == want.files[file] && text != "":
		case got.code == cli.ExitSkipped && file == name:
		case strings.Contains(file, "/.tgmconv-unfinished/") && plan != nil && plan.kind.of == "DELETE":
		case p.line.folder && !opens(got.files):
		default:
			return fmt.Errorf("there is %s, of %d bytes, expected none or %d", file, len(text), len(want.files[file]))
		}
	}
	return nil
}

// opens reports whether clients can open the outputs in a folder.
func opens(files map[string]string) bool {
	for name := range files {
		if strings.Count(name, "/") == 1 && strings.HasSuffix(name, "/zarr.json") {
			return true
		}
	}
	return false
}

// inputsAreWhole expects inputs to be as they were, and nothing beside them.
func (m *machine) inputsAreWhole(t *testing.T, p place) error {
	t.Helper()
	if p.line.inPlace {
		return nil
	}
	files, want := m.below(t, "input"), m.used(p)
	for name, text := range files {
		if string(want[name]) != text {
			return fmt.Errorf("the input %s has changed, or should not be there", name)
		}
	}
	if len(files) != len(want) {
		return fmt.Errorf("%d inputs are left of %d", len(files), len(want))
	}
	return nil
}
