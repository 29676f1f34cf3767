package terminal

import (
	"io"
	"os"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tgmconv/tgmconv/importers"
)

// A Progress is the bar of a command on the user's terminal, or nothing. All that takes time moves
// the same bar. It goes away when anything else is printed.
type Progress struct {
	mu        sync.Mutex
	terminal  *os.File // nil without one
	container *mpb.Progress
	bar       *mpb.Bar

	total, done int64
	inputs      map[string]*inputRead
	since       time.Time // when the first of them was
}

// NewProgress is the progress of a command that writes its messages to w, which may be a terminal.
func NewProgress(w io.Writer) *Progress {
	p := new(Progress)
	if os.Getenv("TERM") != "dumb" {
		p.terminal = Of(w)
	}
	return p
}

// Silence lets no bar appear.
func (p *Progress) Silence() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.terminal = nil
}

// Begin begins the bar: over bytes, or over other things.
func (p *Progress) Begin(total int64, bytes bool) {
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
func (p *Progress) show(bytes bool) {
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

// Update moves the bar.
func (p *Progress) Update(now importers.Progress) { p.Set(now.BytesIn, 0) }

// Set moves the bar forward to done; a total other than 0 is a new one.
func (p *Progress) Set(done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.move(done, total)
}

func (p *Progress) move(done, total int64) {
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

// quietTime is how long inputs are read before a bar appears by itself.
const quietTime = 500 * time.Millisecond

// Read notes that an input of size bytes was read from off up to end.
func (p *Progress) Read(input string, off, end, size int64) {
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

// End takes the bar away, however far it is.
func (p *Progress) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar == nil {
		return
	}
	p.bar.Abort(true)
	p.container.Wait()
	p.bar, p.done = nil, 0
}
