package togrib

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/mapping"
)

// A maker makes messages of objects. It remembers grids, and is used by one goroutine.
type maker struct {
	opts    *Options
	grids   gridCache
	keys    keys.Reader
	payload []byte  // of the object before, to read into
	spare   buffers // for messages
}

func newMaker(opts *Options, spare buffers) *maker { return &maker{opts: opts, spare: spare} }

// make makes the message of an object.
func (m *maker) make(ctx context.Context, o *Object) result {
	switch {
	case o.Slice != nil:
		r, err := m.slice(ctx, o)
		if err != nil {
			r.err = o.refused(o.Slice.Name, err)
		}
		return r
	case o.Field != nil:
		r, err := m.stored(o)
		if err != nil {
			r.err = o.refused("", err)
		}
		return r
	}
	entry := mapping.ReadIn(o.Extra, o.StoredBase()) // keys that follow from sections are not edits
	r, err := m.field(o, entry)
	if err != nil {
		r.err = o.refused(entry.Name(nil), err)
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
		return result{}, fmt.Errorf("%s.%s is not a GRIB header", mapping.KeyGRIB, mapping.GRIBSections)
	}
	n, _ := o.Descriptor().Elements()
	m.grids.find(header, int(n))
	f := &field{maker: m, object: o, header: header, sections: sections, opts: m.opts, grid: m.grids.grid}
	edited := false
	if f.header, edited, err = m.apply(header, entry, m.grids.geometry); err != nil {
		return result{}, err
	}
	r, err := f.message()
	r.edited = edited
	return r, err
}

// withoutSections makes a message of the keys of an object.
func (m *maker) withoutSections(o *Object, entry mapping.Entry) (result, error) {
	if entry.MARS() == nil && entry.Reproduction() == nil && entry.Geometry() != nil {
		return result{coordinate: true}, nil
	}
	n, _ := o.Descriptor().Elements()
	if n > math.MaxInt32 {
		return result{}, fmt.Errorf("%d values are more than a GRIB message can have", n)
	}
	return m.fromKeys(&field{maker: m, object: o}, &builder{entry: entry, shape: o.Descriptor().Shape, points: int(n)})
}

// slice makes a message of the keys of a slice.
func (m *maker) slice(ctx context.Context, o *Object) (result, error) {
	f := &field{maker: m, object: o, opts: m.opts, read: func() ([]float64, error) { return o.Slice.Values(ctx) }}
	if k := o.Slice.kept; k != nil && (m.opts.Edition == 0 || m.opts.Edition == k.header.Edition()) {
		return m.keptMessage(f, k)
	}
	if o.Slice.Source != nil && m.opts.Edition == 0 {
		header, entry, err := o.Slice.Source(ctx)
		if err != nil {
			return result{}, err
		}
		if header = o.Slice.cut(header); header != nil {
			return m.part(f, header, entry)
		}
	}
	if o.Slice.noGrid != nil {
		return result{}, o.Slice.noGrid
	}
	if o.Slice.Packing != nil && m.opts.Packing == PackSource && m.opts.Bits == 0 {
		var err error
		if f.packing, err = o.Slice.Packing(ctx); err != nil {
			return result{}, err
		}
	}
	b := &builder{entry: mapping.Read(o.Slice.Base), shape: o.Slice.Shape, points: o.Slice.points()}
	r, err := m.fromKeys(f, b)
	var build *BuildError
	if errors.As(err, &build) && (strings.HasPrefix(build.Key, "paramId=") || strings.HasPrefix(build.Key, "shortName=")) {
		hint := "set the centre of a parameter that is local"
		if b.text("stepType") == "" {
			hint += ", or stepType and stepRange of a statistic over time"
		}
		err = fault.Noted(err, "%s", hint)
	}
	return r, err
}

// fromKeys makes the message of a field whose header the builder makes.
func (m *maker) fromKeys(f *field, b *builder) (result, error) {
	b.edition = b.editionOf(m.opts.Edition)
	header, err := m.built(b)
	if err != nil {
		return result{}, err
	}
	f.header, f.opts, f.grid, f.keys = header, m.opts, b.grid, b.encoding()
	r, err := f.repack()
	r.repacked, r.built, r.edited = false, true, len(m.opts.Set) > 0
	return r, err
}

// built returns the header that the keys make, with the settings.
func (m *maker) built(b *builder) (grib.Header, error) {
	header, err := b.build()
	if err != nil {
		return nil, err
	}
	if err := m.check(header, b.entry); err != nil {
		return nil, err
	}
	if b.message, err = header.Message(); err != nil {
		return nil, err
	}
	for _, s := range m.opts.Set {
		if slices.Contains(structuralKeys, s.Key) && b.holds(s.Key, s.Value) {
			continue // the sections were chosen by it
		}
		if b.message, err = keys.SetAll(b.message, s); err != nil {
			return nil, err
		}
	}
	return header.WithSectionsOf(b.message)
}

// check returns an error that names a MARS key of the entry that the header does not have.
func (m *maker) check(header grib.Header, entry mapping.Entry) error {
	message, err := header.Message()
	if err != nil {
		return err
	}
	h, err := m.keys.Handle(message, nil)
	if err != nil {
		return err
	}
	e := &edits{h: h}
	e.namespace(mapping.KeyMARS, entry.MARS())
	for _, s := range e.list {
		if s.Key == mapping.KeyMARS+".param" {
			continue // it has another form in another edition, and was set
		}
		return &BuildError{s.Key, fmt.Errorf("it is %s, which differs in the message built from the keys", s.Value)}
	}
	return nil
}

// errOther says that a field cannot become the message that it was.
var errOther = errors.New("the values differ from the sections")

// integerTolerance is the greatest distance, in steps, of an object's reference value from its sections:
// importers/fromgrib moves it by less.
const integerTolerance = 1e-3

// near reports whether two reference values are the same except for rounding in fractions of a
// step.
func near(a, b, step float64) bool {
	return a == b || math.Abs(a-b) <= integerTolerance*math.Abs(step)
}
