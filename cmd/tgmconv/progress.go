package main

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tgmconv/tgmconv/importers"
)

// progress is a bar on the user's terminal, or nothing.
type progress struct {
	container *mpb.Progress
	bar       *mpb.Bar
}

// progress begins a bar over total bytes, 0 when the total is not known.
func (c *conversion) progress(cmd *cobra.Command, total int64) *progress {
	w := cmd.ErrOrStderr()
	terminal := terminalOf(w)
	if c.quiet || c.json || terminal == nil {
		return &progress{}
	}
	p := &progress{container: mpb.New(mpb.WithOutput(terminal), mpb.WithWidth(60), mpb.WithRefreshRate(200*time.Millisecond))}
	if total > 0 {
		p.bar = p.container.AddBar(total, mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(decor.CountersKiloByte("% .1f / % .1f")),
			mpb.AppendDecorators(decor.Percentage(), decor.AverageETA(decor.ET_STYLE_GO, decor.WC{W: 8})))
	} else {
		p.bar = p.container.AddSpinner(0, mpb.BarRemoveOnComplete(), mpb.PrependDecorators(decor.CurrentKiloByte("% .1f")))
	}
	return p
}

// update moves the bar.
func (p *progress) update(now importers.Progress) {
	if p.bar != nil {
		p.bar.SetCurrent(now.BytesIn)
	}
}

// end takes the bar away, however far it is.
func (p *progress) end() {
	if p.bar != nil {
		p.bar.Abort(true)
		p.container.Wait()
	}
}
