package tet

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strconv"

	"github.com/edsrzf/mmap-go"
)

// A File is an open .tet file. It may be used by several goroutines.
type File struct {
	layout   *layout
	datasets []*Dataset
	byName   map[string]*Dataset
	close    func() error
}

// Open opens the file at path. Chunks are read when they are needed.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return closedBy(f.Close)(NewFile(f, st.Size()))
}

// OpenMapped maps the file at path into memory, so that raw chunks need not be copied. The file
// must not become shorter while it is open: reading beyond its new end kills the program.
func OpenMapped(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if st.Size() == 0 {
		return NewFile(bytes.NewReader(nil), 0)
	}
	m, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: map: %w", path, err)
	}
	return closedBy(m.Unmap)(newFile(source{r: bytes.NewReader(m), mem: m, size: int64(len(m))}))
}

// closedBy lets the opened file or mapping be released with the File, or at once if opening fails.
func closedBy(release func() error) func(*File, error) (*File, error) {
	return func(f *File, err error) (*File, error) {
		if err != nil {
			release()
			return nil, err
		}
		f.close = release
		return f, nil
	}
}

// NewFile opens a file of size bytes that r gives. It reads the directory, the index and the
// footer.
func NewFile(r io.ReaderAt, size int64) (*File, error) {
	return newFile(source{r: r, size: size})
}

func newFile(src source) (*File, error) {
	l, err := parseLayout(src)
	if err != nil {
		return nil, err
	}
	f := &File{layout: l, byName: make(map[string]*Dataset, len(l.records)), close: func() error { return nil }}
	if err := f.addDatasets(); err != nil {
		return nil, err
	}
	return f, f.readIndex()
}

// addDatasets checks the datasets, before memory is taken for their chunks.
func (f *File) addDatasets() error {
	rows := f.layout.head.rows
	left := rows
	at := int64(directoryStart)
	for i, r := range f.layout.records {
		fail := func(err error) error {
			return &FormatError{Region: fmt.Sprintf("dataset directory, record %d (%q)", i, r.Name), Offset: at, Err: err}
		}
		g, err := newGrid(r)
		if err != nil {
			return fail(err)
		}
		if uint64(g.chunks) > left {
			return fail(fmt.Errorf("%d chunks, the chunk index has %d rows for all datasets", g.chunks, rows))
		}
		left -= uint64(g.chunks)
		d := &Dataset{Record: r, file: f, id: i, grid: g}
		if _, ok := f.byName[r.Name]; ok {
			return fail(fmt.Errorf("the name is taken by a dataset before"))
		}
		f.byName[r.Name] = d
		f.datasets = append(f.datasets, d)
		at += r.size()
	}
	if left != 0 {
		return formatErrorf("chunk index", int64(f.layout.super.ChunkIndexOffset)+8, "%d rows, the datasets have %d chunks", rows, rows-left)
	}
	return nil
}

// A slot says where a chunk lies. The zero slot is of no chunk: no payload lies at byte 0.
type slot struct {
	offset, stored int64
	codec          Codec
	known          bool
}

// readIndex finds the chunks of all datasets. There are as many rows as chunks.
func (f *File) readIndex() error {
	for _, d := range f.datasets {
		d.slots = make([]slot, d.grid.chunks)
	}
	l := f.layout
	left := l.size // bytes that chunks that do not overlap can take
	return l.eachRow(func(i uint64, e *Entry) error {
		if err := e.check(l.end); err != nil {
			return l.rowError(i, err)
		}
		if e.DatasetID >= uint64(len(f.datasets)) {
			return l.rowError(i, fmt.Errorf("dataset %d, the file has %d", e.DatasetID, len(f.datasets)))
		}
		if left -= int64(e.StoredByteLen); left < 0 {
			return l.rowError(i, fmt.Errorf("the payloads take more than the %d bytes of the file: they overlap", l.size))
		}
		d := f.datasets[e.DatasetID]
		n, err := d.grid.locate(e)
		if err != nil {
			return l.rowError(i, err)
		}
		if d.slots[n].known {
			return l.rowError(i, fmt.Errorf("chunk %v of %q has a row before", d.grid.coords(n), d.Name))
		}
		d.slots[n] = slot{int64(e.PayloadOffset), int64(e.StoredByteLen), e.Codec, true}
		return nil
	})
}

// Close releases the file. Slices of a mapped file are not valid any more.
func (f *File) Close() error { return f.close() }

// Size returns the length of the file in bytes.
func (f *File) Size() int64 { return f.layout.size }

// Superblock returns the first 32 bytes of the file.
func (f *File) Superblock() Superblock { return f.layout.super }

// Execution returns the memory budget that the file asks for.
func (f *File) Execution() Execution { return f.layout.head.execution }

// History returns the operations that made the file, the oldest first.
func (f *File) History() []Event { return f.layout.foot.history }

// Metadata returns the metadata of the file and its datasets.
func (f *File) Metadata() Metadata { return f.layout.foot.metadata }

// Datasets returns the datasets in the order of the directory.
func (f *File) Datasets() []*Dataset { return f.datasets }

// Dataset returns the dataset of that name.
func (f *File) Dataset(name string) (*Dataset, bool) {
	d, ok := f.byName[name]
	return d, ok
}

// NumChunks returns the number of chunks of all datasets.
func (f *File) NumChunks() int64 { return int64(f.layout.head.rows) }

// Entries returns the rows of the chunk index in the order of the file.
func (f *File) Entries() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		err := f.layout.eachRow(func(_ uint64, e *Entry) error {
			if !yield(*e, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && err != errStop {
			yield(Entry{}, err)
		}
	}
}

var errStop = fmt.Errorf("stop")

// A Dataset is an array of a file.
type Dataset struct {
	Record
	file  *File
	id    int
	grid  *grid
	slots []slot // by number of the chunk
}

// ID returns the position of the dataset in the directory.
func (d *Dataset) ID() int { return d.id }

// Budget returns the bytes of memory that a call may take, see [File.Budget].
func (d *Dataset) Budget(b Budget) int64 { return d.file.Budget(b) }

// Size returns the bytes that all elements take.
func (d *Dataset) Size() int64 { return d.grid.bytes }

// NumChunks returns the number of chunks.
func (d *Dataset) NumChunks() int64 { return d.grid.chunks }

// Metadata returns the metadata of the dataset.
func (d *Dataset) Metadata() DatasetMetadata { return d.file.layout.foot.metadata.Datasets[d.Name] }

// DimNames returns the names of the dimensions, nil unless the file names all of them.
func (d *Dataset) DimNames() []string {
	if names := d.Metadata().DimNames; len(names) == len(d.Shape) {
		return names
	}
	return nil
}

// Labels returns the labels along an axis, nil if there are none. There may be fewer than the axis
// is long.
func (d *Dataset) Labels(axis int) []string {
	coords := d.Metadata().Coords
	if names := d.DimNames(); names != nil {
		if c, ok := coords[names[axis]]; ok {
			return c.Labels
		}
	}
	return coords[strconv.Itoa(axis)].Labels
}

// A Chunk is a tile of a dataset and where it is stored.
type Chunk struct {
	Coords []int64 // in the chunk grid
	Start  []int64 // of its first element in the dataset
	Shape  []int64 // clipped to the dataset
	Offset int64   // of the payload in the file
	Stored int64   // length of the payload
	Raw    int64   // length once decoded
	Codec  Codec
}

// Chunk returns the chunk with these coordinates in the chunk grid.
func (d *Dataset) Chunk(coords ...int64) (Chunk, bool) {
	if len(coords) != len(d.grid.counts) {
		return Chunk{}, false
	}
	for i, c := range coords {
		if c < 0 || c >= d.grid.counts[i] {
			return Chunk{}, false
		}
	}
	return d.chunk(slices.Clone(coords)), true
}

func (d *Dataset) chunk(coords []int64) Chunk {
	s := d.slots[d.grid.number(coords)]
	return Chunk{coords, d.grid.tileStart(coords), d.grid.tileShape(coords), s.offset, s.stored, d.grid.tileBytes(coords), s.codec}
}

// ChunkAt returns chunk number n in the order of the grid; there are [Dataset.NumChunks].
func (d *Dataset) ChunkAt(n int64) Chunk { return d.chunk(d.grid.coords(n)) }

// Chunks returns the chunks in the order of the grid, the last axis fastest.
func (d *Dataset) Chunks() iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		coords := make([]int64, len(d.grid.counts))
		for range d.grid.chunks {
			if !yield(d.chunk(slices.Clone(coords))) {
				return
			}
			d.grid.next(coords)
		}
	}
}

// Stored returns a reader of the payload of a chunk, as it is stored in the file.
func (d *Dataset) Stored(c Chunk) *io.SectionReader {
	return io.NewSectionReader(d.file.layout.r, c.Offset, c.Stored)
}
