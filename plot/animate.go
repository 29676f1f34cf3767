package plot

import (
	"fmt"
	"io"
	"time"

	"github.com/tgmconv/tgmconv/internal/plot/apng"
)

// Animate writes an animated PNG of n panels, for which it calls panel one after the other; each is
// shown for the given time. All must have maps of the same size: grids of one area and projection.
func Animate(w io.Writer, n int, panel func(i int) (*Panel, Scale, error), each time.Duration, opts Options) error {
	a, err := apng.NewWriter(w, n, each)
	if err != nil {
		return err
	}
	opts.maps = newMaps()
	for i := range n {
		p, s, err := panel(i)
		if err != nil {
			return err
		}
		opts.Scales = []Scale{s}
		img, err := Draw([]*Panel{p}, opts)
		if err != nil {
			return err
		}
		if err := a.Add(img); err != nil {
			return fmt.Errorf("%s: %w", p.Labels, err)
		}
	}
	return a.Close()
}
