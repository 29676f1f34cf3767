package looking

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/export"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/screen"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/plot"
)

// show shows one panel after the other in the terminal, with its texts as text.
func (f *plotFlags) show(cmd *cobra.Command, panels []*plot.Panel, opts plot.Options) error {
	out := terminal.Plain(cmd.OutOrStdout()) // pictures are control characters
	screenFile := terminal.Of(out)
	protocol := screen.Protocol(f.terminal)
	columns, rows := 80, 24
	switch {
	case screenFile != nil:
		if w, h, err := term.GetSize(int(screenFile.Fd())); err == nil && w > 0 && h > 0 {
			columns, rows = w, h
		}
	case f.terminal == "auto":
		return cli.Misused(errNoTerminal)
	}
	if f.terminal == "auto" {
		protocol = screen.Detect(os.Getenv)
	}
	scales := opts.Scales
	for i, p := range panels {
		title := look.WithUnits(p.Title, p.Units)
		if p.Labels != "" {
			title += ", " + p.Labels
		}
		if _, err := fmt.Fprintln(out, safetext.Line(title)); err != nil {
			return cli.Written(err)
		}
		one := opts
		one.Bare, one.Scales = true, scales[i:i+1]
		img, err := plot.DrawInto(p, one, func(aspect float64) (int, int) {
			return fitted(protocol, aspect, columns, rows)
		})
		if err != nil {
			return err
		}
		if err := screen.Show(out, protocol, img); err != nil {
			return cli.Written(err)
		}
		bar := plot.Bar(&scales[i], min(columns, img.Bounds().Dx()), 2)
		if protocol != screen.ASCII {
			if err := screen.Show(out, protocol, bar); err != nil {
				return cli.Written(err)
			}
		}
		low, high := export.Number(scales[i].Low), export.Number(scales[i].High)
		gap := max(1, img.Bounds().Dx()-len(low)-len(high))
		if _, err := fmt.Fprintln(out, low+strings.Repeat(" ", gap)+high); err != nil {
			return cli.Written(err)
		}
	}
	return nil
}

// fitted is the size of a picture that fills the terminal without being distorted.
func fitted(protocol screen.Protocol, aspect float64, columns, rows int) (width, height int) {
	width, height = protocol.Size(columns, rows)
	tall := 1.0 // of a pixel, relative to its width
	if protocol == screen.ASCII {
		tall = 2
	}
	if h := float64(width) / aspect / tall; h <= float64(height) {
		return width, max(2, int(h))
	}
	return max(2, int(float64(height)*aspect*tall)), height
}
