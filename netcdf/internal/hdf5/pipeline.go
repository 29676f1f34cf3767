package hdf5

import (
	"fmt"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// Filter numbers of the registry of The HDF Group that this package decodes.
const (
	FilterDeflate     = 1
	FilterShuffle     = 2
	FilterFletcher32  = 3
	FilterSzip        = 4
	FilterNbit        = 5
	FilterScaleOffset = 6
	FilterBzip2       = 307
	FilterLZF         = 32000
	FilterBlosc       = 32001
	FilterLZ4         = 32004
	FilterBitshuffle  = 32008
	FilterZstd        = 32015
	FilterZFP         = 32013
	FilterBlosc2      = 32026
)

// filterNames names filters that files may carry without a name.
var filterNames = map[int]string{
	1: "deflate", 2: "shuffle", 3: "fletcher32", 4: "szip", 5: "nbit", 6: "scaleoffset",
	305: "lzo", 307: "bzip2", 32000: "lzf", 32001: "blosc", 32004: "lz4", 32008: "bitshuffle",
	32013: "zfp", 32015: "zstd", 32017: "sz", 32018: "fcidecomp", 32019: "jpeg", 32022: "bitgroom",
	32023: "granular bitround", 32024: "sz3", 32026: "blosc2",
}

// Filter is one stage of a dataset's filter pipeline.
type Filter struct {
	ID     int
	Name   string // as in the file, or the usual one
	Flags  uint16 // bit 0: a chunk may have gone without it
	Params []uint32
}

// pipeline undoes filters.
type pipeline struct{ filters []Filter }

// maxFilters is the largest number of filters HDF5 allows; a chunk's mask has a bit for each.
const maxFilters = 32

// parsePipeline reads a filter message (section IV.A.2.l):
//
//	v1: version, filters, 0 6, then for each: ID 2, name length 2, flags 2,
//	    values 2, name padded to 8, values 4 each, [0 4 when their number is odd]
//	v2: version, filters, then for each: ID 2, [name length 2 from ID 256 on],
//	    flags 2, values 2, [name], values 4 each
func parsePipeline(c *cursor) (*pipeline, error) {
	version := c.version(1, 2)
	n := int(c.u8())
	if version == 1 {
		c.skip(6)
	}
	if c.err == nil && n > maxFilters {
		c.fail("%d filters, expected at most %d", n, maxFilters)
	}
	p := &pipeline{}
	for range n {
		var f Filter
		f.ID = int(c.u16())
		nameLen := 0
		if version == 1 || f.ID >= 256 {
			nameLen = int(c.u16())
		}
		f.Flags = c.u16()
		values := int(c.u16())
		if version == 1 {
			nameLen = (nameLen + 7) &^ 7
		}
		name := cursor{b: c.take(nameLen)}
		if nameLen > 0 && c.err == nil {
			f.Name = name.text(1)
		}
		if !c.checkCount("filter values", uint64(values), 4) {
			return nil, c.err
		}
		for range values {
			f.Params = append(f.Params, c.u32())
		}
		if version == 1 && values%2 == 1 {
			c.skip(4)
		}
		if known := filterNames[f.ID]; known != "" {
			f.Name = known
		}
		p.filters = append(p.filters, f)
	}
	return p, c.err
}

// decoder undoes one filter. It stores the result in the memory of dst when that is large enough,
// or returns part of src. want is the exact size of the result, or with exact false a limit.
type decoder func(dst, src []byte, f *Filter, want int, exact bool) ([]byte, error)

var decoders = map[int]decoder{
	FilterDeflate:     undeflate,
	FilterShuffle:     unshuffle,
	FilterFletcher32:  checkFletcher32,
	FilterSzip:        unszip,
	FilterNbit:        unnbit,
	FilterScaleOffset: unscaleOffset,
	FilterBzip2:       unbzip2,
	FilterLZF:         unlzf,
	FilterBlosc:       unblosc,
	FilterLZ4:         unlz4,
	FilterBitshuffle:  unbitshuffle,
	FilterZstd:        unzstd,
	FilterZFP:         unzfp,
	FilterBlosc2:      unblosc2,
}

func (f *Filter) undo(dst, src []byte, want int, exact bool) ([]byte, error) {
	if need := f.missing(); need != "" {
		return nil, wire.Unsupported("filter pipeline", -1, "%s", need)
	}
	b, err := decoders[f.ID](dst, src, f, want, exact)
	if err != nil {
		return nil, fmt.Errorf("filter %d (%s): %w", f.ID, f.label(), err)
	}
	return b, nil
}

func (f *Filter) label() string {
	if f.Name == "" {
		return "unknown"
	}
	return f.Name
}

// bounds computes the input of each filter when writing, given the input of the first. It is an
// exact size, or a limit after a filter that compresses.
func (p *pipeline) bounds(size int, exact bool) (want [maxFilters + 1]int, isExact [maxFilters + 1]bool) {
	want[0], isExact[0] = size, exact
	for i, f := range p.filters {
		want[i+1], isExact[i+1] = want[i], isExact[i]
		switch f.ID {
		case FilterShuffle:
		case FilterFletcher32:
			want[i+1] += 4
		default:
			want[i+1], isExact[i+1] = 2*want[i]+(64<<10), false
		}
	}
	return want, isExact
}

// scratch is memory that a worker uses again and again. It holds the bytes of the file, and
// the two buffers that filters write to in turns.
type scratch struct {
	raw, chunk []byte
	bufs       [2][]byte

	ahead   []byte // the bytes read of the file from aheadAt on
	aheadAt uint64
}

// inPlaceBytes is the size from which a chunk is unshuffled in the memory it was decompressed to.
// That takes a little longer.
const inPlaceBytes = 16 << 20

// undo reverses the filters that mask (a set bit: the filter was not applied) leaves. src may be
// overwritten. The last filter writes to dst if it can; the result has exactly size bytes, and is
// dst or lies in s or src.
func (p *pipeline) undo(dst, src []byte, mask uint32, s *scratch) ([]byte, error) {
	want, exact := p.bounds(len(dst), true)
	last := 0
	for last < len(p.filters) && mask>>last&1 != 0 {
		last++
	}
	direct := last // dst is the place of the output of this filter and the filters before it
	if len(dst) >= inPlaceBytes && last+1 < len(p.filters) && p.filters[last].ID == FilterShuffle && exact[last+1] {
		direct++
	}
	b := src
	turn := 0
	for i := len(p.filters) - 1; i >= 0; i-- {
		if mask>>i&1 != 0 {
			continue
		}
		out, other := dst, false
		switch id := p.filters[i].ID; {
		case i <= direct:
		case id == FilterFletcher32, id == FilterShuffle && len(b) >= inPlaceBytes:
			out = b // where the result lies
		default:
			other = true
			if exact[i] {
				s.bufs[turn] = room(s.bufs[turn], want[i])
			}
			out = s.bufs[turn]
		}
		r, err := p.filters[i].undo(out, b, want[i], exact[i])
		if err != nil {
			return nil, err
		}
		if other && len(r) > 0 && len(out) > 0 && &r[0] == &out[0] {
			turn = 1 - turn
		}
		b = r
	}
	if last == len(p.filters) && len(b) > len(dst) {
		b = b[:len(dst)] // no filter was applied: the library takes the bytes it needs
	}
	if len(b) != len(dst) {
		return nil, fmt.Errorf("%d bytes, expected %d", len(b), len(dst))
	}
	return b, nil
}

// decode reverses the filters of a block whose size is known.
func (p *pipeline) decode(src []byte, mask uint32, size int) ([]byte, error) {
	return p.undo(make([]byte, size), src, mask, &scratch{})
}

// decodeUnknown reverses the filters of a block that unpacks to at most limit bytes.
func (p *pipeline) decodeUnknown(src []byte, mask uint32, limit int) ([]byte, error) {
	want, _ := p.bounds(limit, false)
	b := src
	for i := len(p.filters) - 1; i >= 0; i-- {
		if mask>>i&1 != 0 {
			continue
		}
		var err error
		if b, err = p.filters[i].undo(nil, b, want[i], false); err != nil {
			return nil, err
		}
	}
	return b, nil
}
