package fromnetcdf

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/storage"
)

// Bounds on the claims of a file. A few bytes can claim any shape; a claim is believed as far as the file
// could hold it.
const (
	// freeBytes is the size that a variable may have in a file of any size: chunks of fill values need not be
	// stored.
	freeBytes = 256 << 20
	// expansion is how many times larger than its file a variable may be beyond that: deflate
	// reaches 1032.
	expansion = 1100
	// loadedBytes is about the memory that an element of variable length takes: a text, or a sequence.
	// loadedExpansion is how many times larger than the file such elements of all variables may be beyond
	// freeBytes.
	loadedBytes     = 80
	loadedExpansion = 256
	// smallRecord is the least size of an array that makes a message of its own for its size alone. Each
	// message has metadata of about a kilobyte.
	smallRecord = 64 << 10
	// freeRecords is the number of records that a file of any size may have.
	freeRecords = 1 << 20
)

// stored is the number of bytes in the file. It is a very large number if the size is not known.
func (f *file) stored() int64 {
	if folder := storage.FolderOf(f.Blob); folder != nil && folder.Size() == 0 {
		return math.MaxInt64 / loadedExpansion
	}
	return f.Size()
}

// plausible reports an error if the elements of a slab could not come from the file. Each becomes
// size bytes in memory.
func (f *file) plausible(v *netcdf.Var, s slab, size int) error {
	if err := v.CheckRead(s.start, s.count); err != nil {
		return cause(err)
	}
	return f.claimed(v, s, size)
}

// forms are the arrays that a variable becomes. Variables that claim more than the file could hold are left
// out: one such variable is no reason to refuse the others.
func (f *file) forms(v *netcdf.Var) ([]variable, error) {
	list, err := forms(v, v.Attrs)
	kept := list[:0]
	for i := range list {
		p := &part{variable: &list[i], axis: -1}
		if f.record != nil {
			p.axis = slices.Index(v.Dims, f.record)
		}
		slab, _, _, claim := p.slab()
		switch size := p.v.Type.TextBytes; {
		case claim != nil:
		case p.form == asNumbers:
			claim = f.claimed(p.v, slab, p.elementSize())
		case p.form == asText && size > 0:
			claim = f.claimed(p.v, slab, size)
		default:
			claim = f.loadable(uint64(slab.elements))
		}
		switch {
		case claim == nil:
			kept = append(kept, list[i])
		case err == nil:
			err = claim
		}
	}
	return kept, err
}

// claimed reports an error if there are more elements in a slab than the file could hold.
func (f *file) claimed(v *netcdf.Var, s slab, size int) error {
	switch f.nc.Kind {
	case netcdf.CDF1, netcdf.CDF2, netcdf.CDF5:
		return nil // every element has been found to lie in the file
	case netcdf.Zarr:
		return nil // chunks that are not stored are common, and blocks are read one at a time
	}
	if v.Storage.Layout == netcdf.Virtual || v.Storage.Layout == netcdf.External {
		return nil // CheckRead knows the other files
	}
	in := uint64(max(v.Type.Size, v.Type.TextBytes, 1))
	out := max(uint64(size), in)
	n := uint64(s.elements)
	if n <= freeBytes/out {
		return nil
	}
	if hi, stored := bits.Mul64(n, in); hi == 0 && stored/expansion <= uint64(f.stored()) {
		return nil
	}
	hi, total := bits.Mul64(n, out)
	if hi != 0 {
		total = math.MaxUint64
	}
	return fmt.Errorf("shape %v takes %d bytes, more than a file of %d bytes can hold", v.Shape(), total, f.stored())
}

// loadable counts texts or sequences of a variable. It reports an error if the file has too many for its
// size. Empty ones take next to nothing in the file. Options.MaxArray allows more. Refused elements do not
// count.
func (f *file) loadable(elements uint64) error {
	most := max(freeBytes, uint64(max(0, f.source.opts.MaxArray)), uint64(f.stored())*loadedExpansion) / loadedBytes
	if elements > most || f.loaded > most-elements {
		return fmt.Errorf("%d texts or sequences, with %d of other variables, expected at most %d in a file of %d bytes (they take %d MB, the limit of an array is %d MB)",
			elements, f.loaded, most, f.Size(), mebibytes((f.loaded+elements)*loadedBytes), mebibytes(most*loadedBytes))
	}
	f.loaded += elements
	return nil
}

// mebibytes is a number of bytes in MB, rounded up.
func mebibytes(n uint64) uint64 { return n/(1<<20) + 1 }

// cause drops the name of the variable from an error of the reader: it stands in front of every
// error of a field already.
func cause(err error) error {
	if inner := errors.Unwrap(err); inner != nil && strings.HasPrefix(err.Error(), "variable ") {
		return inner
	}
	return err
}

// plausibleRecords reports an error if a file of that size cannot have that many records.
func (f *file) plausibleRecords(d *netcdf.Dim) error {
	if most := max(freeRecords, uint64(f.stored())); d.Len > most {
		return fmt.Errorf("the dimension %s has %d records, a file of %d bytes at most %d", d.Name, d.Len, f.Size(), most)
	}
	return nil
}

// sparse reports whether less than half of a slab is stored in the file: the rest costs little when it
// is compressed. Which chunks of a Zarr store are there is not asked, as each may be a request: it is
// enough that the store is smaller than its arrays, or that its size is not known.
func (f *file) sparse(v *netcdf.Var, s slab) bool {
	if f.nc.Kind == netcdf.Zarr {
		folder := storage.FolderOf(f.Blob)
		return folder != nil && uint64(folder.Size()) < plainBytes(f.nc.Root())
	}
	switch v.Storage.Layout {
	case netcdf.Chunked, netcdf.Contiguous:
	default:
		return false
	}
	if s.elements == 0 {
		return false
	}
	stored := uint64(0)
	for c, err := range v.Chunks(s.start, s.count) {
		if err != nil {
			return false // reading reports it
		}
		n := uint64(1)
		for i := range c.Count {
			n *= min(c.Start[i]+c.Count[i], s.start[i]+s.count[i]) - max(c.Start[i], s.start[i])
		}
		if stored += n; stored > uint64(s.elements)/2 {
			return false
		}
	}
	return true
}

// plainBytes is how many bytes the variables in and below a group take that are stored without compression.
func plainBytes(g *netcdf.Group) (bytes uint64) {
	for _, v := range g.Vars {
		if !v.Storage.Compressed() {
			bytes += v.Size()
		}
	}
	for _, sub := range g.Groups {
		bytes += plainBytes(sub)
	}
	return bytes
}

// weighedFile is the size of files up to which more effort is made to keep variables small. In larger files
// few variables matter so much.
const weighedFile = 1 << 20

// storedBytes is how many bytes the chunks of the elements take in the file.
func (v *values) storedBytes() int64 {
	stored := uint64(0)
	for c, err := range v.v.v.Chunks(v.slab.start, v.slab.count) {
		if err != nil || c.Stored > weighedFile {
			return 0 // a damaged index, which reading reports
		}
		stored += c.Stored
	}
	return int64(min(stored, weighedFile))
}
