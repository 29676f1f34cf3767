package fromgrib

import (
	"bytes"
	"fmt"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
)

// largestData is the longest data section that goes into the metadata: readers bound these.
const largestData = 48 << 20

// keepSections returns what goes into base[i].grib so that the message can be written again, and
// gives out what the fields of its message share. Of a field whose data were not read there is
// nothing.
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
	var ranges [][2]int
	if !s.alone(f) {
		ranges = header.Repeated()
	}
	entry, message := kept.Map(ranges)
	out.Message = message
	return entry
}

// rebuilds reports whether the message can be made of header and values, or need not be. Packings
// that keep integers or floats as they are rebuild except for odd octets after the values; these
// are kept in any case, as are those whose values to-grib cannot code otherwise. Without
// Options.KeepData a CCSDS stream is taken for what libaec makes.
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

// onlyAsItIs reports whether no packing that to-grib writes holds the values of the field: integers
// of more than 32 bits, and in edition 1 what is no integers at all.
func onlyAsItIs(f *grib.Field) bool {
	q, linear := f.Header().Scaling()
	return linear && q.Bits > 32 || !linear && f.Edition == 1
}

// ccsdsTemplate is the number of the data representation template of CCSDS packing.
const ccsdsTemplate = 42

// alone reports whether the field is the only one of its message.
func (s *Source) alone(f *fieldAt) bool {
	return s.opts.Split || f.onlyMessage && len(f.Message.Fields()) == 1
}
