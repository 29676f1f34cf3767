package main

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/tgmconv/tgmconv/internal/disk"
)

// calls counts calls of the world by kind: calls of the disk by their Op, requests by their method,
// and bytes of standard input and output as "stdin" and "stdout".
type calls map[string]int

// A fault is one way to fail.
type faultKind struct {
	of   string // kind of calls, see calls
	name string
	err  error   // of the disk, standard input and output
	do   respond // of servers
}

var diskFaults = []faultKind{
	{of: string(disk.Read), name: "error", err: syscall.EIO},
	{of: string(disk.Read), name: "end", err: io.EOF},
	{of: string(disk.Open), name: "error", err: syscall.EMFILE},
	{of: string(disk.Open), name: "denied", err: syscall.EACCES},
	{of: string(disk.Create), name: "full", err: syscall.ENOSPC},
	{of: string(disk.Create), name: "denied", err: syscall.EACCES},
	{of: string(disk.Write), name: "full", err: syscall.ENOSPC},
	{of: string(disk.Write), name: "error", err: syscall.EIO},
	{of: string(disk.Sync), name: "error", err: syscall.EIO},
	{of: string(disk.Close), name: "full", err: syscall.EDQUOT},
	{of: string(disk.Truncate), name: "error", err: syscall.EIO},
	{of: string(disk.Rename), name: "denied", err: syscall.EPERM},
	{of: "stdin", name: "error", err: syscall.EIO},
	{of: "stdout", name: "full", err: syscall.ENOSPC},
}

// A plan says which calls of a run fail.
type plan struct {
	kind *faultKind // nil for a run without faults
	from int        // the first that fails, from 1
	last int        // the last that may fail
	each int        // after the first, one call of this many fails
	r    *rand.Rand

	replaced atomic.Bool // the files on servers

	mu   sync.Mutex
	made calls
	log  []string
	on   map[string]bool // files and addresses on which calls have failed
}

// newPlan chooses the calls that fail, among the calls of a run without faults. A nil r means
// nothing.
func newPlan(r *rand.Rand, possible calls) *plan {
	p := &plan{r: r, made: calls{}, on: make(map[string]bool)}
	if r == nil {
		return p
	}
	var groups []string
	for kind, n := range possible {
		if n > 0 && slices.ContainsFunc(allFaults(), func(k faultKind) bool { return k.of == kind }) {
			groups = append(groups, kind)
		}
	}
	slices.Sort(groups)
	if len(groups) == 0 {
		return p
	}
	group := groups[r.IntN(len(groups))]
	var kinds []faultKind
	for _, k := range allFaults() {
		if k.of == group {
			kinds = append(kinds, k)
		}
	}
	p.kind = &kinds[r.IntN(len(kinds))]
	p.from = 1 + int(r.Float64()*float64(possible[group])) // nearly the same if there is a call more or less
	switch r.IntN(3) {
	case 0: // one
		p.last, p.each = p.from, 1
	case 1: // all from there on
		p.last, p.each = 1<<30, 1
	default: // some
		p.last, p.each = 1<<30, 2+r.IntN(3)
	}
	return p
}

func allFaults() []faultKind { return slices.Concat(diskFaults, serverFaults) }

func (p *plan) String() string {
	if p.kind == nil {
		return "no fault"
	}
	span := "alone"
	if p.last > p.from {
		span = fmt.Sprintf("and one of %d afterwards", p.each)
	}
	return fmt.Sprintf("%s: %s at %d %s", p.kind.of, p.kind.name, p.from, span)
}

// next counts a call, and reports whether it fails.
func (p *plan) next(kind, place string, n int, about string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.made[kind]
	p.made[kind] += n
	if p.kind == nil || p.kind.of != kind || before+n < p.from || before >= p.last {
		return false
	}
	if before >= p.from && p.each > 1 && p.r.IntN(p.each) > 0 {
		return false
	}
	p.on[place] = true
	p.log = append(p.log, fmt.Sprintf("  %s %s %s: %s\n", kind, filepath.Base(place), about, p.kind.name))
	return true
}

// part is how much of n bytes is done before a failure.
func (p *plan) part(n int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n == 0 || p.r.IntN(2) == 0 {
		return 0
	}
	return p.r.IntN(n)
}

// disk decides about calls of the system.
func (p *plan) disk(c disk.Call) (int, error) {
	if !p.next(string(c.Op), c.Name, 1, fmt.Sprint(c.Len)) {
		return c.Len, nil
	}
	return p.part(c.Len), p.kind.err
}

// stream decides about n bytes from standard input or to standard output.
func (p *plan) stream(kind string, n int) (int, error) {
	if !p.next(kind, "/dev/"+kind, n, "") {
		return n, nil
	}
	return p.part(n), p.kind.err
}

// seen are the calls that were made.
func (p *plan) seen() calls {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.made)
}

// met lists the calls that have failed, a line for each.
func (p *plan) met() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.log) > 20 {
		return strings.Join(p.log[:20], "") + fmt.Sprintf("  and %d more\n", len(p.log)-20)
	}
	return strings.Join(p.log, "")
}

// hits is how many calls have failed.
func (p *plan) hits() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.log)
}

// faultCounts are the runs that were made.
type faultCounts struct {
	runs, faulty, failed int
	lines                map[string]int
	kinds                map[string]int
}

func (c *faultCounts) add(line *faultLine, p *plan, got *result) {
	c.runs++
	c.lines[line.verb()]++
	if p.hits() > 0 {
		c.faulty++
		c.kinds[p.kind.of+" "+p.kind.name]++
	}
	if got.code != line.code {
		c.failed++
	}
}

func (c *faultCounts) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d runs of %d verbs, %d of them with faults, %d failed; runs with", c.runs, len(c.lines), c.faulty, c.failed)
	for i, kind := range sorted(c.kinds) {
		if i > 0 {
			text.WriteString(",")
		}
		fmt.Fprintf(&text, " %s %d", kind, c.kinds[kind])
	}
	return text.String()
}
