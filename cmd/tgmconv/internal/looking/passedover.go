package looking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/look"
)

// passedOver are the variables with which a command has nothing to do, by the reasons.
type passedOver struct {
	reasons []string
	names   map[string][]string
}

func (p *passedOver) add(f *look.Field, reason string) {
	if p.names == nil {
		p.names = make(map[string][]string)
	}
	if p.names[reason] == nil {
		p.reasons = append(p.reasons, reason)
	}
	if !slices.Contains(p.names[reason], f.Name) {
		p.names[reason] = append(p.names[reason], f.Name)
	}
}

// namedOver is how many variables a line names.
const namedOver = 5

func (p *passedOver) print(w io.Writer) {
	for _, reason := range p.reasons {
		names := p.names[reason]
		list := strings.Join(names[:min(len(names), namedOver)], ", ")
		if len(names) > namedOver {
			list += ", …"
		}
		fmt.Fprintln(w, safetext.Line(fmt.Sprintf("tgmconv: skipped %s %s: %s", cli.Count(len(names), "variable"), reason, list)))
	}
}

// leaveOut leaves out the fields for which why returns an error. If that is all of them, it is the
// first error.
func (c *chosenFields) leaveOut(why func(*look.Field) (reason string, err error)) error {
	var kept []*look.Field
	var first error
	for _, f := range c.fields {
		if reason, err := why(f); err != nil {
			c.over.add(f, reason)
			first = cmp.Or(first, err)
		} else {
			kept = append(kept, f)
		}
	}
	if c.fields = kept; len(kept) == 0 && first != nil {
		return &NoFieldError{first}
	}
	return nil
}

// numbers leaves out texts, such as the names of stations.
func (c *chosenFields) numbers() error {
	return c.leaveOut(func(f *look.Field) (string, error) {
		if f.Text {
			return "of text", f.InFile(fmt.Errorf("%s holds text, expected numbers (netcdf dump shows it)", f.Where))
		}
		return "", nil
	})
}

// withPlaces leaves out fields that lie nowhere, such as the description of a grid. Those that cannot be read are
// left to who reads them.
func (c *chosenFields) withPlaces() error {
	return c.leaveOut(func(f *look.Field) (string, error) {
		if f.HasGrid() {
			return "", nil
		}
		_, err := f.Grid(context.Background()) // reads nothing
		return "without a place", err
	})
}

// computed leaves out fields whose places cannot be computed, such as spectral fields. With several
// it also leaves out fields with a single place.
func (c *chosenFields) computed(ctx context.Context, several bool) error {
	return c.leaveOut(func(f *look.Field) (string, error) {
		grid, err := f.Grid(ctx)
		var none *look.NoGridError
		switch {
		case errors.As(err, &none):
			return "without a place (" + none.Reason + ")", err
		case err == nil && several && !grid.Several():
			return "with one place, of which no map is drawn", f.InFile(fmt.Errorf("%s lies at one place, of which no map is drawn", f.Where))
		}
		return "", err
	})
}
