package fromnetcdf

import (
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/storage"
)

// expectMetadata says of a file on the network of which not all is converted that nothing but what
// [file.expect] names is to be fetched ahead.
func (f *file) expectMetadata() {
	if f.source.opts.chooses() {
		storage.Expect(f.Blob)
	}
}

// expect says that a box of a variable will be read, as the bytes of its chunks. Chunks that cannot
// be found are left to reading them.
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
