package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tgmconv/tgmconv/internal/cases"
	"github.com/tgmconv/tgmconv/internal/disk"
)

// Every verb runs in a small world of files, web servers and object stores that fail: disks are full
// or broken, servers are busy, silent, cut their answers, give those to other requests, or have
// another file meanwhile. Its clock is that of package synctest, so that a server that is silent for
// an hour costs nothing, and a run that waits for ever ends the test.
//
// All of a run is chosen by its seed: the verb, where inputs and outputs lie, what fails, and when.
// One run of a seed, and a thousand from a seed on, are
//
//	TGMCONV_FAULTS=4711 go test -run TestFaults ./cmd/tgmconv
//	TGMCONV_FAULTS=1:1000 go test -run TestFaults ./cmd/tgmconv
//
// TGMCONV_FAULTS_SHOW=1 prints what each run does. Reads of several goroutines come in any order, so
// that a seed may mean another read than before; what failed is printed with what is wrong.
const (
	faultsSeeds = "TGMCONV_FAULTS"
	faultsShow  = "TGMCONV_FAULTS_SHOW"
	faultsChild = "TGMCONV_FAULTS_CHILD" // file for what is being run
)

// defaultFaultRuns is how many runs are made, from seed 1 on, if the environment does not say it: one of faultsEach, or all.
const (
	defaultFaultRuns = 700
	faultsEach       = 5
)

// TestFaults runs verbs on a failing storage. Each verb must have the result of a run without faults, or
// end with an error that names the file and leave no partial output.
//
// It runs in a process of its own: what is made in a bubble of package synctest must not be used outside,
// and packages keep some of it.
func TestFaults(t *testing.T) {
	if os.Getenv(faultsChild) != "" {
		runFaults(t)
		return
	}
	doing := filepath.Join(t.TempDir(), "doing")
	cmd := exec.Command(os.Args[0], "-test.run=^TestFaults$", "-test.v", "-test.timeout=30m")
	cmd.Env = append(os.Environ(), faultsChild+"="+doing, "GOGC=400", "GOMEMLIMIT=1GiB") // else it collects most of the time
	out, err := cmd.CombinedOutput()
	if err != nil {
		text, _ := os.ReadFile(doing)
		t.Fatalf("%v during %s\n%s", err, text, out)
	}
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "    ") {
			t.Log(strings.TrimSpace(line))
		}
	}
}

// faultSeeds are the seeds of runs that the environment asks for.
func faultSeeds(t *testing.T) (seeds []int) {
	t.Helper()
	text, ok := os.LookupEnv(faultsSeeds)
	if !ok {
		some := cases.Of(t)
		for i := range defaultFaultRuns {
			if some.Has(i, faultsEach) {
				seeds = append(seeds, 1+i)
			}
		}
		return seeds
	}
	from, count, several := strings.Cut(text, ":")
	if !several {
		count = "1"
	}
	first, err1 := strconv.Atoi(from)
	runs, err2 := strconv.Atoi(count)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatalf("%s=%q, expected SEED or SEED:RUNS", faultsSeeds, text)
	}
	for i := range runs {
		seeds = append(seeds, first+i)
	}
	return seeds
}

func runFaults(t *testing.T) {
	seeds := faultSeeds(t)
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(t, dir)
		defer m.close()
		for _, seed := range seeds {
			m.seed(t, seed)
		}
		t.Log(m.counts.String())
	})
}

// seed makes the run of a seed, and judges it.
func (m *machine) seed(t *testing.T, seed int) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(seed), 30))
	line := &faultLines[seed%len(faultLines)]
	p := placeFor(r, line)
	if m.expected[p] == nil {
		m.expect(t, p)
	}
	want := m.expected[p]
	plan := newPlan(r, want.calls)
	describe := fmt.Sprintf("seed %d: %v: %v", seed, p, plan)
	if err := os.WriteFile(os.Getenv(faultsChild), []byte(describe), 0o666); err != nil {
		t.Fatal(err)
	}
	former := r.IntN(2) == 0
	began := time.Now()
	got := m.run(t, p, plan, former)
	if os.Getenv(faultsShow) != "" {
		t.Logf("%s\n%sexit code %d after %v: %s%s", describe, plan.met(), got.code, time.Since(began), got.stderr, abridged(got.stdout))
	}
	m.counts.add(line, plan, got)
	wrong := m.judge(t, p, plan, want, got, former)
	if wrong == nil && got.code != want.code && line.again {
		again := m.goOn(t, p)
		if wrong = m.judge(t, p, nil, want, again, former); wrong != nil {
			wrong = fmt.Errorf("the same command without faults afterwards: %w", wrong)
		}
	}
	if wrong != nil {
		t.Errorf("%s\n%sexit code %d: %s\nWRONG: %v", describe, plan.met(), got.code, got.stderr, wrong)
	}
}

// A result is the outcome of a run.
type result struct {
	code   int
	stdout string
	stderr string
	files  map[string]string // the content of the folder or bucket of outputs
	calls  calls             // that were made
	hangs  bool
	left   []string // that should be gone: temporary files, goroutines, uploads
}

// longest is how long a run may take by its clock.
const longest = 24 * time.Hour

// run runs a line in a new world.
func (m *machine) run(t *testing.T, p place, plan *plan, former bool) *result {
	t.Helper()
	m.begin(t, p, former)
	return m.goWith(t, p, plan)
}

// goOn runs a line again, without faults, in the world as it is.
func (m *machine) goOn(t *testing.T, p place) *result {
	t.Helper()
	return m.goWith(t, p, newPlan(nil, calls{}))
}

func (m *machine) goWith(t *testing.T, p place, plan *plan) *result {
	t.Helper()
	m.plan.Store(plan)
	synctest.Wait()
	before := len(goroutines())
	disk.SetFault(plan.disk)
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	var stdout, stderr bytes.Buffer
	root := rootOf(m.args(p))
	root.SetOut(&faultyWriter{plan, &stdout})
	root.SetErr(&stderr)
	if p.in == "pipe" {
		root.SetIn(&faultyReader{plan, bytes.NewReader(m.inputs[p.line.input()])})
	}
	code := run(ctx, root, m.args(p), &stderr)
	got := &result{code: code, stdout: stdout.String(), stderr: stderr.String(), hangs: ctx.Err() != nil, calls: plan.seen()}
	cancel()
	disk.SetFault(nil)
	time.Sleep(longest) // what ends by itself
	synctest.Wait()
	if stacks := goroutines(); len(stacks) > before {
		got.left = append(got.left, stacks...)
	}
	got.files = m.outputs(t, p)
	got.left = append(got.left, m.leftovers(t)...)
	return got
}

// goroutines are the stacks of the goroutines of the world.
func goroutines() (stacks []string) {
	b := make([]byte, 1<<20)
	for stack := range strings.SplitSeq(string(b[:runtime.Stack(b, true)]), "\n\n") {
		if head, _, _ := strings.Cut(stack, "\n"); strings.Contains(head, "synctest bubble") {
			stacks = append(stacks, stack)
		}
	}
	return stacks
}

// A faultyWriter is standard output.
type faultyWriter struct {
	plan *plan
	to   io.Writer
}

func (w *faultyWriter) Write(p []byte) (int, error) {
	n, err := w.plan.stream("stdout", len(p))
	if err == nil {
		return w.to.Write(p)
	}
	n, _ = w.to.Write(p[:n])
	return n, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: err}
}

// A faultyReader is standard input.
type faultyReader struct {
	plan *plan
	from io.Reader
}

func (r *faultyReader) Read(p []byte) (int, error) {
	n, _ := r.from.Read(p)
	if n == 0 {
		return 0, io.EOF
	}
	n, err := r.plan.stream("stdin", n)
	if err != nil {
		err = &fs.PathError{Op: "read", Path: "/dev/stdin", Err: err}
	}
	return n, err
}

// expect runs a line without faults, and keeps its result.
func (m *machine) expect(t *testing.T, p place) {
	t.Helper()
	none := newPlan(nil, calls{})
	got := m.run(t, p, none, false)
	if got.code != p.line.code || got.hangs || len(got.left) > 0 {
		t.Errorf("%v: exit code %d without faults, expected %d; left %v; %s", p, got.code, p.line.code, got.left, got.stderr)
	}
	m.expected[p] = got
}

// alike compares the printed texts and written files of two runs.
func alike(want, got *result) error {
	if got.stdout != want.stdout {
		return fmt.Errorf("it prints %q, expected %q", abridged(got.stdout), abridged(want.stdout))
	}
	names := func(files map[string]string) []string { return sorted(files) }
	if !slices.Equal(names(got.files), names(want.files)) {
		return fmt.Errorf("it writes %q, expected %q", names(got.files), names(want.files))
	}
	for name, text := range want.files {
		if got.files[name] != text {
			return fmt.Errorf("%s differs: %d bytes, expected %d", name, len(got.files[name]), len(text))
		}
	}
	return nil
}

func abridged(text string) string { return text[:min(len(text), 1500)] }
