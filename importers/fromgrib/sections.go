package fromgrib

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
)

// largestData is the longest data section that goes into the metadata: readers bound these.
const largestData = 48 << 20

// keepSections returns the content of base[i].grib for writing the message again. Of a field whose data were
// not read there is nothing.
func (s *Source) keepSections(out *importers.Field, f *fieldAt) map[string]any {
	if !s.opts.Sections || f.Message.Partial {
		return nil
	}
	header := f.Header()
	kept := mapping.Sections{Header: header, Hash: mapping.HashData(f.Data())}
	if !s.rebuilds(f.Field) {
		if kept.Data = f.DataSections(); len(kept.Data) > largestData {
			out.Notes = append(out.Notes, fmt.Sprintf("the data sections of %d bytes are not kept, metadata have at most %d", len(kept.Data), largestData))
			kept.Data = nil
		}
	}
	return kept.Map()
}

// noteImplied lists the keys that follow from the sections that are kept. It notes when they would give a
// geometry that the field does not have.
func (s *Source) noteImplied(out *importers.Field, f *fieldAt, g *grid) error {
	if !s.opts.Sections || f.Message.Partial {
		return nil
	}
	header := f.Header()
	grid := s.entries.grid(header)
	switch {
	case g.geometry == nil && grid.decoded != nil:
		out.Extras[mapping.KeyGeometry] = nil
	case g.geometry != nil && s.entries.sayGeometry(g, grid):
		out.Implied = append(out.Implied, mapping.KeyGeometry)
	}
	same, err := s.sayReproduction(out, f, header)
	if same {
		out.Implied = append(out.Implied, mapping.KeyReproduction)
	}
	return err
}

// sayReproduction reports whether base[i].grib_repro follows from a header. A header lacks, in
// edition 1, octets of section 4 that packings other than simple packing of grid points have before
// the values.
func (s *Source) sayReproduction(out *importers.Field, f *fieldAt, header grib.Header) (bool, error) {
	if f.Edition == 2 {
		return true, nil
	}
	if s, err := header.Section(4); err == nil && s[3]&notSimple1 == 0 {
		return true, nil
	}
	own, err := mars.Reproduction(out.Attrs)
	if err != nil {
		return false, err
	}
	derived, err := s.entries.reproduction(header)
	return err == nil && reflect.DeepEqual(mapping.Decoded(own), any(derived)), nil
}

// notSimple1 are the flags of section 4 of edition 1 (code table 11) that exclude simple packing: spectral
// data, other packings, and additional flags.
const notSimple1 = 0b1101_0000

// rebuilds reports whether the message can be made of header and values, or need not be. Packings that keep
// integers or floats as they are rebuild except for odd octets after the values; these are kept in any case,
// as are packings whose values to-grib cannot code otherwise. Without Options.KeepData a CCSDS stream is
// taken to be from libaec.
func (s *Source) rebuilds(f *grib.Field) bool {
	again := f.Rebuildable()
	if !s.opts.KeepData {
		return again || !f.Header().Rebuilds() && !onlyAsItIs(f)
	}
	if !again || f.Edition != 2 || f.DataTemplate() != ccsdsTemplate {
		return again
	}
	q, err := f.Integers()
	if err != nil {
		return false
	}
	message, err := grib.Rebuild(grib.Part{Header: f.Header(), Quantised: q})
	return err == nil && bytes.Equal(message, f.Bytes())
}

// onlyAsItIs reports whether to-grib cannot write the values of the field in any packing: integers
// of more than 32 bits, and in edition 1 values that are not integers.
func onlyAsItIs(f *grib.Field) bool {
	q, linear := f.Header().Scaling()
	return linear && q.Bits > 32 || !linear && f.Edition == 1
}

// ccsdsTemplate is the number of the data representation template of CCSDS packing.
const ccsdsTemplate = 42
