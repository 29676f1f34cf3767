package hdf5

import (
	"fmt"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// check reports the first filter that cannot be undone, before any chunk is read. It goes by the
// number and the values of the filter.
func (p *pipeline) check(what string) error {
	if p == nil {
		return nil
	}
	for i := range p.filters {
		if need := p.filters[i].missing(); need != "" {
			return wire.Unsupported(what, -1, "%s", need)
		}
	}
	return nil
}

// missing names the feature of a filter that is not implemented, "" when all are.
func (f *Filter) missing() string {
	if decoders[f.ID] == nil {
		return f.text()
	}
	param := func(i int) uint32 {
		if i < len(f.Params) {
			return f.Params[i]
		}
		return 0
	}
	switch f.ID {
	case FilterSzip:
		if width := param(2); width > 32 && width != 64 {
			return fmt.Sprintf("%s with samples of %d bits", f.text(), width)
		}
	case FilterScaleOffset:
		if float := param(3) == 1; float && param(0) != 0 {
			return fmt.Sprintf("%s with a binary scale", f.text())
		}
	case FilterBlosc:
		const snappy = 3
		if param(6) == snappy {
			return f.text() + " with snappy"
		}
	case FilterBitshuffle:
		if codec := param(4); codec != 0 && codec != 2 && codec != 3 {
			return fmt.Sprintf("%s with codec %d", f.text(), codec)
		}
	}
	return ""
}

// text names the filter in errors.
func (f *Filter) text() string { return fmt.Sprintf("filter %d (%s)", f.ID, f.label()) }
