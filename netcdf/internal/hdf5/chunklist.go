package hdf5

// Chunk is a piece of a dataset that is stored.
type Chunk struct {
	Start, Count []uint64 // its elements within the dataset
	File         *RawFile // that has the bytes, which need not be the file that was opened
	Offset       int64    // in that file
	Stored       uint64   // bytes in that file
	Filtered     bool     // the filters of the dataset were applied, or some of them
	Complete     bool     // all filters were applied
}

// Chunks calls yield for each stored chunk that has elements in a box. The order is fixed; an error
// of yield ends it. Elements that are in no chunk have the fill value. A dataset that is not stored
// in chunks gives one piece; a dataset whose elements are in other datasets, or in several files of
// external data, gives none.
func (d *Dataset) Chunks(start, count []uint64, yield func(Chunk) error) error {
	if err := d.prepare(); err != nil {
		return err
	}
	if n, err := d.checkSlab(start, count); err != nil || n == 0 {
		return err
	}
	switch {
	case d.Layout == Chunked:
	case d.external != nil:
		return d.externalChunk(yield)
	case d.Layout == Compact || d.Layout == Contiguous && d.layout.addr != undefined:
		return yield(Chunk{Start: make([]uint64, len(start)), Count: d.Space.Dims,
			File: d.f.raw, Offset: d.f.src.Base + clamp(d.layout.addr), Stored: d.StoredSize(), Complete: true})
	default:
		return nil
	}
	lo, hi := d.chunkBox(start, count)
	return d.index.each(lo, hi, func(at []uint64, ref chunkRef) error {
		c := Chunk{Start: make([]uint64, len(at)), Count: make([]uint64, len(at)), File: d.f.raw, Offset: d.f.src.Base + clamp(ref.addr),
			Stored: ref.size, Filtered: len(d.Filters) > 0 && ref.mask&(1<<len(d.Filters)-1) != 1<<len(d.Filters)-1}
		edge := false
		for i, p := range at {
			c.Start[i] = p * d.Chunk[i]
			c.Count[i] = min(d.Chunk[i], d.Space.Dims[i]-c.Start[i])
			edge = edge || c.Count[i] < d.Chunk[i]
		}
		c.Filtered = c.Filtered && !(edge && d.layout.plainEdges)
		c.Complete = ref.mask&(1<<len(d.Filters)-1) == 0 && (c.Filtered || len(d.Filters) == 0)
		return yield(c)
	})
}

// chunkBox returns the first and the last chunk of a box that is not empty, on each axis.
func (d *Dataset) chunkBox(start, count []uint64) (lo, hi []uint64) {
	lo, hi = make([]uint64, len(start)), make([]uint64, len(start))
	for i := range start {
		lo[i], hi[i] = start[i]/d.Chunk[i], (start[i]+count[i]-1)/d.Chunk[i]
	}
	return lo, hi
}
