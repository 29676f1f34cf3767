package togrib

import (
	"errors"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/mapping"
)

// A maker makes messages of objects. It remembers grids, and is used by one goroutine.
type maker struct {
	opts  *Options
	grids gridCache
}

func newMaker(opts *Options) *maker { return &maker{opts: opts} }

// make makes the message of an object.
func (m *maker) make(o *Object) result {
	entry := mapping.ReadIn(o.Extra, o.Base())
	r, err := m.field(o, entry)
	if err != nil {
		r.err = &ObjectError{o.where(), entry.Name(nil), err}
	}
	return r
}

func (m *maker) field(o *Object, entry mapping.Entry) (result, error) {
	sections, err := entry.Sections()
	switch {
	case err != nil:
		return result{}, err
	case sections == nil:
		return m.withoutSections(o, entry)
	}
	header := grib.Header(sections.Header)
	if header.Edition() == 0 {
		return result{}, fmt.Errorf("%s.%s is no GRIB header", mapping.KeyGRIB, mapping.GRIBSections)
	}
	f := &field{object: o, header: header, sections: sections, opts: m.opts}
	if f.grid, err = m.grids.of(header); err != nil {
		return result{}, err
	}
	if m.opts.Packing == PackSource {
		r, err := f.asItWas()
		if !errors.Is(err, errOther) {
			return r, err
		}
	}
	return f.repack()
}

// withoutSections makes a message of keys.
func (m *maker) withoutSections(o *Object, entry mapping.Entry) (result, error) {
	if entry.MARS() == nil && entry.Reproduction() == nil && entry.Geometry() != nil {
		return result{coordinate: true}, nil
	}
	return result{}, errors.New("the object has no sections of a GRIB message")
}

// errOther says that a field cannot become the message that it was.
var errOther = errors.New("the values are others than those of the sections")

// integerTolerance is how far, in steps, the reference value of an object may be from that of its
// sections: importers/fromgrib moves it by less.
const integerTolerance = 1e-3

// near reports whether two reference values are the same but for rounding in fractions of a step.
func near(a, b, step float64) bool {
	return a == b || math.Abs(a-b) <= integerTolerance*math.Abs(step)
}
