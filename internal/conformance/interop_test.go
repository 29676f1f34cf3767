//go:build interop

package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/exact/interop.md")

const (
	ours     = "tgmconv"
	document = "../../docs/exact/interop.md"
)

// peers are the releases of the reference implementation with a Python package, and all that read.
var (
	peers   = map[string]string{"0.24.0": "../../.interop/venv/bin/python", "0.19.0": "../../.interop/venv019/bin/python"}
	parties = []string{ours, "0.24.0", "0.19.0"}
)

// result has the problems of one reader with the files of one writer, by file.
type result struct {
	writer, reader string
	cases          []Case
	problems       map[string]string // by file
}

// TestPeers lets every party write the suite and read the suites of all parties, and compares the
// outcome with docs/exact/interop.md. A file that tgmconv does not read is an error, even if the
// document lists it.
func TestPeers(t *testing.T) {
	for release, python := range peers {
		if _, err := os.Stat(python); err != nil {
			t.Skipf("tensogram %s is not installed: %v", release, err)
		}
	}
	var results []result
	for _, writer := range parties {
		folder := t.TempDir()
		if writer == ours {
			if _, err := Make(folder); err != nil {
				t.Fatal(err)
			}
		} else if _, err := python(peers[writer], "make.py", folder, writer); err != nil {
			t.Fatal(err)
		}
		cases, err := ReadManifest(folder)
		if err != nil || len(cases) < 2500 {
			t.Fatalf("%d files by %s: %v", len(cases), writer, err)
		}
		for _, reader := range parties {
			r := result{writer, reader, cases, read(t, reader, folder, cases)}
			if reader == ours && len(r.problems) > 0 {
				t.Errorf("of what %s writes we do not read %v", writer, r.problems)
			}
			results = append(results, r)
		}
	}
	got := render(results)
	page, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	start := bytes.Index(page, []byte(heading))
	if start < 0 {
		t.Fatalf("%s has no heading %q", document, heading)
	}
	if *update {
		if err := os.WriteFile(document, append(page[:start:start], got...), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(page[start:]) != got {
		t.Errorf("docs/exact/interop.md says other things; go test -tags interop ./internal/conformance -update gives\n%s", got)
	}
}

// python runs a script of this folder. An exit code of 1 is no error.
func python(interpreter, script string, args ...string) ([]byte, error) {
	interpreter, err := filepath.Abs(interpreter)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(interpreter, append([]string{script}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 && stderr.Len() == 0 {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", script, err, stderr.Bytes())
	}
	return out, err
}

func read(t *testing.T, reader, folder string, cases []Case) map[string]string {
	t.Helper()
	problems := map[string]string{}
	if reader == ours {
		for _, c := range cases {
			if err := Check(folder, c); err != nil {
				problems[c.File] = err.Error()
			}
		}
		return problems
	}
	out, err := python(peers[reader], "check.py", folder)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(out) {
		var found struct{ File, Problem string }
		if err := json.Unmarshal(line, &found); err != nil {
			t.Fatal(err)
		}
		problems[found.File] = found.Problem
	}
	return problems
}

// heading begins the part of docs/exact/interop.md that render makes.
const heading = "## Which files which reader decodes\n"

// render returns the last part of docs/exact/interop.md.
func render(results []result) string {
	var b strings.Builder
	b.WriteString(heading + `
` + "`go test -tags interop ./internal/conformance -update`" + ` writes this section, and ` + "`make interop`" + ` checks it.
The suite ([internal/conformance/README.md](https://github.com/tgmconv/tgmconv/blob/main/internal/conformance/README.md)) has a file for every codec, type, mask method, byte order
and layout (buffered or streamed). Its files are written by tgmconv and by the Python packages of the reference implementation, releases 0.24.0 and
0.19.0, and read by all three. A cell is the number of files that the reader decodes to the expected values, bit for bit; if this
is not all files, the cell has the number of all files too. Files that a writer refuses to make are not counted. Release 0.17.0 has no
Python package: ` + "`TestReference017Reads`" + ` in ` + "`tgm/`" + ` lets the command of this release validate and decode tgmconv's output.

### By codec

`)
	notes := &notes{}
	table(&b, results, "codec", func(c Case) string {
		if c.Mask == "blosc2" {
			return "" // in the other table
		}
		return c.Pipeline
	}, notes)
	b.WriteString("\nThe next table has the files with blosc2 masks.\n\n### By mask method\n\n")
	table(&b, results, "masks", func(c Case) string { return c.Mask }, notes)
	b.WriteString("\n")
	for i, text := range notes.texts {
		fmt.Fprintf(&b, "%d. %s\n", i+1, text)
	}
	return b.String()
}

// table has a row for each value of key, in the order of the files, and a column for each result.
func table(b *strings.Builder, results []result, title string, key func(Case) string, notes *notes) {
	var rows []string
	for _, r := range results {
		for _, c := range r.cases {
			if k := key(c); k != "" && !slices.Contains(rows, k) {
				rows = append(rows, k)
			}
		}
	}
	fmt.Fprintf(b, "| %s |", title)
	for _, r := range results {
		fmt.Fprintf(b, " %s → %s |", r.writer, r.reader)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(results)) + "\n")
	for _, row := range rows {
		fmt.Fprintf(b, "| %s |", row)
		for _, r := range results {
			b.WriteString(" " + r.cell(row, key, notes) + " |")
		}
		b.WriteString("\n")
	}
}

// cell counts the files of a row.
func (r *result) cell(row string, key func(Case) string, notes *notes) string {
	all, right, note := 0, 0, 0
	for _, c := range r.cases {
		if key(c) != row {
			continue
		}
		all++
		problem, wrong := r.problems[c.File]
		if !wrong {
			right++
		} else if note == 0 {
			note = notes.number(r, c, problem)
		}
	}
	switch {
	case all == 0:
		return ""
	case right == all:
		return fmt.Sprint(all)
	}
	return fmt.Sprintf("%d of %d [%d]", right, all, note)
}

// notes are the problems, each with a command that shows it.
type notes struct {
	known []string
	texts []string
}

func (n *notes) number(r *result, c Case, problem string) int {
	known := r.reader + problem
	if i := slices.Index(n.known, known); i >= 0 {
		return i + 1
	}
	make := "python internal/conformance/make.py suite"
	if r.writer == ours {
		make = "go run ./internal/conformance/make suite"
	}
	why := ""
	if strings.Contains(problem, "blosc2 from_buffer") {
		why = " The library is not initialised: the process reads such masks once it has decoded a blosc2 payload."
	}
	n.known = append(n.known, known)
	n.texts = append(n.texts, fmt.Sprintf("%s: %s.%s Proof: `%s && python internal/conformance/check.py suite %s`, with tensogram %s.",
		r.reader, problem, why, make, c.File, r.reader))
	return len(n.texts)
}
