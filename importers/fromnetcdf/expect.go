package fromnetcdf

import (
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/storage"
)

// expectMetadata tells storage which parts of a file to fetch ahead: nothing but the parts that [file.expect]
// names. The file is on the network, and not all of it is converted.
func (f *file) expectMetadata() {
	if f.source.opts.chooses() {
		storage.Expect(f.Blob)
	}
}

// expect announces the reading of a box of a variable, by the bytes of its chunks. Chunks that
// cannot be found are left to reading them.
func (f *file) expect(v *netcdf.Var, s slab) {
	if !f.source.opts.chooses() || !storage.Expects(f.Blob) {
		return
	}
	var ranges []storage.Range
	for c, err := range v.Chunks(s.start, s.count) {
		if err != nil {
			break
		}
		ranges = append(ranges, storage.Range{Off: c.Offset, Len: int64(min(c.Stored, uint64(f.Size())))})
	}
	storage.Expect(f.Blob, ranges...)
}
