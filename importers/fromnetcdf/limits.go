package fromnetcdf

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/tgmconv/tgmconv/netcdf"
)

// What a file may ask for. A few bytes can claim any shape; what they claim is believed as far as the file could hold it.
const (
	// freeBytes is how large a variable may be whatever the size of its file: nothing need be stored of chunks that hold
	// only fill values.
	freeBytes = 256 << 20
	// expansion is how many times larger than its file a variable may be beyond that: deflate reaches 1032.
	expansion = 1100
	// freeRecords is how many records a file may have whatever its size.
	freeRecords = 1 << 20
)

// plausible reports an error if the elements of a slab could not come from the file.
func (f *file) plausible(v *netcdf.Var, s slab) error {
	hi, size := bits.Mul64(uint64(s.elements), uint64(max(v.Type.Size, 1)))
	if hi != 0 || size > math.MaxInt64 {
		size = math.MaxInt64
	}
	most := uint64(f.Size)
	switch f.nc.Kind {
	case netcdf.CDF1, netcdf.CDF2, netcdf.CDF5:
		// Every element lies in the file.
	default:
		most = freeBytes + min(uint64(f.Size), math.MaxInt64/expansion/2)*expansion
	}
	if size > most {
		return fmt.Errorf("shape %v takes %d bytes, a file of %d bytes can hold %d of them", v.Shape(), size, f.Size, most)
	}
	return nil
}

// plausibleRecords reports an error if a file of that size cannot have so many records.
func (f *file) plausibleRecords(d *netcdf.Dim) error {
	if most := max(freeRecords, uint64(f.Size)); d.Len > most {
		return fmt.Errorf("the unlimited dimension %s has %d records, a file of %d bytes at most %d", d.Name, d.Len, f.Size, most)
	}
	return nil
}
