package main

import (
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tgmconv/tgmconv/importers"
)

// A progress is the bar of a command on the user's terminal, or nothing. All that takes time moves
// the same bar. It goes away when anything else is printed.
type progress struct {
	mu        sync.Mutex
	terminal  *os.File // nil without one
	container *mpb.Progress
	bar       *mpb.Bar

	total, done int64
	inputs      map[string]*inputRead
	since       time.Time // when the first of them was
}

// progressOf is the progress of a command.
func progressOf(cmd *cobra.Command) *progress {
	if p := sessionOf(cmd.Context()).progress; p != nil {
		return p
	}
	return new(progress)
}

// silence lets no bar appear.
func (p *progress) silence() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.terminal = nil
}

// progress begins the bar of a conversion of total bytes, 0 when the total is not known.
func (c *conversion) progress(cmd *cobra.Command, total int64) *progress {
	p := progressOf(cmd)
	if c.quiet || c.json {
		p.silence()
	}
	p.begin(total, true)
	return p
}

// begin begins the bar: over bytes, or over other things.
func (p *progress) begin(total int64, bytes bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.total = total; total <= 0 {
		for _, in := range p.inputs {
			p.total += in.size
		}
	}
	p.show(bytes)
}

// show adds the bar if there is a terminal and no bar.
func (p *progress) show(bytes bool) {
	if p.terminal == nil || p.bar != nil {
		return
	}
	p.container = mpb.New(mpb.WithOutput(p.terminal), mpb.WithWidth(60), mpb.WithRefreshRate(200*time.Millisecond))
	if p.total <= 0 {
		p.bar = p.container.AddSpinner(0, mpb.BarRemoveOnComplete(), mpb.PrependDecorators(decor.CurrentKiloByte("% .1f")))
		return
	}
	counters := decor.CountersKiloByte("% .1f / % .1f")
	if !bytes {
		counters = decor.CountersNoUnit("%d / %d")
	}
	p.bar = p.container.AddBar(p.total, mpb.BarRemoveOnComplete(), mpb.PrependDecorators(counters),
		mpb.AppendDecorators(decor.Percentage(), decor.AverageETA(decor.ET_STYLE_GO, decor.WC{W: 8})))
}

// update moves the bar.
func (p *progress) update(now importers.Progress) { p.set(now.BytesIn, 0) }

// set moves the bar forward to done; a total other than 0 is a new one.
func (p *progress) set(done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.move(done, total)
}

func (p *progress) move(done, total int64) {
	p.done = max(p.done, done)
	if p.bar == nil {
		return
	}
	if total > 0 && total != p.total {
		p.total = total
		p.bar.SetTotal(total, false)
	}
	p.bar.SetCurrent(p.done)
}

// quietTime is how long inputs are read before a bar appears that nobody began.
const quietTime = 500 * time.Millisecond

// read notes that an input of size bytes was read from off up to end.
func (p *progress) read(input string, off, end, size int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.terminal == nil {
		return
	}
	if p.inputs == nil {
		p.inputs, p.since = make(map[string]*inputRead), time.Now()
	}
	in := p.inputs[input]
	if in == nil {
		in = &inputRead{size: size}
		p.inputs[input] = in
	}
	in.read(off, end)
	if time.Since(p.since) < quietTime {
		return
	}
	done, total := int64(0), int64(0)
	for _, in := range p.inputs {
		done, total = done+in.done(), total+in.size
	}
	total = max(total, p.total)
	if p.bar == nil {
		p.total = total
		p.show(true)
	}
	p.move(done, total)
}

// end takes the bar away, however far it is.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar == nil {
		return
	}
	p.bar.Abort(true)
	p.container.Wait()
	p.bar, p.done = nil, 0
}

// A readProgress moves the bar as an input is read.
type readProgress struct {
	*diskFile
	progress *progress
}

// ReadAt implements io.ReaderAt.
func (r *readProgress) ReadAt(b []byte, off int64) (int, error) {
	n, err := r.diskFile.ReadAt(b, off)
	r.progress.read(r.name, off, off+int64(n), r.size)
	return n, err
}
