package netcdf

import (
	"errors"
	"iter"

	"github.com/tgmconv/tgmconv/netcdf/internal/hdf5"
)

// Chunk is a stored piece of a variable. It has the elements from Start on, Count along each axis,
// its place (File, Offset, Stored), and whether filters were applied to it.
type Chunk = hdf5.Chunk

// A RawFile is an open file as bytes: the file that was opened, or an external file.
type RawFile = hdf5.RawFile

// Chunks yields the stored chunks that have elements in a box, in a fixed order. The box is given by
// start and count as in Read. Elements that are in no chunk have the value of [Var.Fill]. A variable
// that is not stored in chunks gives one piece, or one for each record of a classic file; a variable
// whose elements are in other datasets, or in several files of external data, gives none. For a
// variable that is in no netCDF file they are an error.
func (v *Var) Chunks(start, count []uint64) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		stop := errors.New("stop")
		err := v.eachChunk(start, count, func(c Chunk) error {
			if !yield(c, nil) {
				return stop
			}
			return nil
		})
		if err != nil && err != stop {
			yield(Chunk{}, err)
		}
	}
}

func (v *Var) eachChunk(start, count []uint64, yield func(Chunk) error) error {
	if v.Err != nil {
		return v.wrap(v.Err)
	}
	start, count, n, err := v.slab(start, count)
	if err != nil || n == 0 {
		return err
	}
	switch d := v.data.(type) {
	case *nc4Var:
		start, count = d.clip(start, count)
		return d.ds.Chunks(start, count, yield)
	case *classicVar:
		return d.chunks(start, count, yield)
	case *otherVar:
		return v.wrap(errElsewhere)
	}
	return nil
}

// chunks yields the whole, or the records of a box. The records of all variables of the file lie
// side by side.
func (l *classicVar) chunks(start, count []uint64, yield func(Chunk) error) error {
	if !l.record {
		return yield(Chunk{Start: make([]uint64, len(start)), Count: l.v.Shape(), File: l.raw, Offset: l.begin, Stored: l.v.Size(), Complete: true})
	}
	for r := start[0]; r < start[0]+count[0]; r++ {
		c := Chunk{Start: make([]uint64, len(start)), Count: l.v.Shape(), File: l.raw, Offset: l.begin + int64(r)*l.strides[0], Stored: uint64(l.slice), Complete: true}
		c.Start[0], c.Count[0] = r, 1
		if err := yield(c); err != nil {
			return err
		}
	}
	return nil
}

// Fill returns the element that stands where nothing was written, as Read stores it. It is nil for
// types that Read does not read.
func (v *Var) Fill() []byte {
	d, ok := v.data.(*nc4Var)
	if !ok || v.Type.Size == 0 || v.Err != nil {
		return nil
	}
	if fill := d.ds.NativeFill(); fill != nil {
		return fill
	}
	return make([]byte, v.Type.Size)
}
