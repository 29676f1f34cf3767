package tet

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/tgmconv/tgmconv/internal/codec/compress"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/nd"
)

// A DatasetSpec describes a dataset to write.
type DatasetSpec struct {
	Name       string
	DType      DType
	Shape      []int64
	ChunkShape []int64 // nil: one chunk
	Codec      Codec
	Level      int // of zstd, 1 to 22; 0 means 3
}

// WriterOptions hold the metadata and the history of a file to be written. The zero value writes no
// footer.
type WriterOptions struct {
	Execution Execution
	History   []Event
	Metadata  Metadata
	Workers   int // chunks to compress at the same time; 0 = GOMAXPROCS
}

// A Writer writes a file chunk by chunk. It is not safe for concurrent use.
type Writer struct {
	w        io.WriterAt
	options  WriterOptions
	records  []Record
	specs    []DatasetSpec
	grids    []*grid
	slots    [][]slot
	rows     int64 // of the index
	missing  int64 // chunks that were not written yet
	indexAt  int64
	at       int64 // where the next payload goes
	finished func(error) error
}

// NewWriter begins a file with these datasets. Directory and index, which precede the payloads, are
// written when the writer is closed; the payloads are written from the end of the index on.
func NewWriter(w io.WriterAt, specs []DatasetSpec, o WriterOptions) (*Writer, error) {
	wr := &Writer{w: w, options: o, specs: slices.Clone(specs), finished: func(err error) error { return err }}
	names := make(map[string]bool, len(specs))
	blob := int64(0)
	for _, spec := range specs {
		if names[spec.Name] {
			return nil, fault.Errorf("tet", "two datasets are named %q", spec.Name)
		}
		names[spec.Name] = true
		if err := wr.add(spec); err != nil {
			return nil, fault.Errorf("tet", "dataset %q: %w", spec.Name, err)
		}
		blob += wr.records[len(wr.records)-1].size()
	}
	wr.missing = wr.rows
	wr.indexAt, wr.at = superblockSize, superblockSize
	if len(specs) > 0 {
		wr.indexAt = align8(directoryStart + blob)
		wr.at = wr.indexAt + indexHeader + entrySize*wr.rows
	}
	if _, err := appendFooter(nil, wr.at, o.History, o.Metadata); err != nil {
		return nil, err
	}
	return wr, nil
}

// maxRows bounds the rows of an index that is written, which are held in memory.
const maxRows = 1 << 28

func (w *Writer) add(spec DatasetSpec) error {
	if spec.ChunkShape == nil {
		spec.ChunkShape = spec.Shape
	}
	switch {
	case len(spec.Name) == 0 || len(spec.Name) > maxName || !utf8.ValidString(spec.Name):
		return fmt.Errorf("expected a name of 1 to %d bytes of UTF-8", maxName)
	case spec.Codec != Raw && spec.Codec != Zstd:
		return fmt.Errorf("codec %d is not supported, expected 0 or 1", uint32(spec.Codec))
	}
	r := Record{Name: spec.Name, DType: spec.DType}
	for _, n := range spec.Shape {
		r.Shape = append(r.Shape, uint64(max(n, 0)))
	}
	for _, n := range spec.ChunkShape {
		r.ChunkShape = append(r.ChunkShape, uint64(max(n, 0)))
	}
	g, err := newGrid(r)
	if err != nil {
		return err
	}
	if w.rows += g.chunks; g.chunks > maxRows || w.rows > maxRows {
		return fmt.Errorf("more than %d chunks", maxRows)
	}
	w.records, w.grids = append(w.records, r), append(w.grids, g)
	w.slots = append(w.slots, make([]slot, g.chunks))
	return nil
}

// Datasets returns the descriptions of the datasets being written.
func (w *Writer) Datasets() []DatasetSpec { return slices.Clone(w.specs) }

// NumChunks returns the number of chunks of all datasets.
func (w *Writer) NumChunks() int64 { return w.rows }

// WriteChunk writes the chunk of a dataset with these coordinates in the chunk grid. The tile holds
// its elements in C order, little-endian, and is clipped to the dataset. Chunks may be written in
// any order; their order in the file is the order of the calls.
func (w *Writer) WriteChunk(dataset int, coords []int64, tile []byte) error {
	number, err := w.locate(dataset, coords, int64(len(tile)))
	if err != nil {
		return err
	}
	stored, err := w.encode(dataset, tile)
	if err != nil {
		return err
	}
	return w.put(dataset, number, stored, w.specs[dataset].Codec)
}

// WriteStored writes a chunk that is encoded already.
func (w *Writer) WriteStored(dataset int, coords []int64, stored []byte, c Codec) error {
	if dataset < 0 || dataset >= len(w.grids) || len(coords) != len(w.grids[dataset].counts) {
		return fault.Errorf("tet", "no chunk %v of dataset %d", coords, dataset)
	}
	number, err := w.locate(dataset, coords, -1)
	if err != nil {
		return err
	}
	if raw := w.grids[dataset].tileBytes(coords); c == Raw && int64(len(stored)) != raw {
		return fault.Errorf("tet", "chunk %v of %q: %d bytes, expected %d", coords, w.specs[dataset].Name, len(stored), raw)
	}
	return w.put(dataset, number, stored, c)
}

// locate checks a chunk that is to be written. Its length is not checked if it is negative.
func (w *Writer) locate(dataset int, coords []int64, length int64) (int64, error) {
	if dataset < 0 || dataset >= len(w.grids) {
		return 0, fault.Errorf("tet", "dataset %d, the file has %d", dataset, len(w.grids))
	}
	g, name := w.grids[dataset], w.specs[dataset].Name
	if len(coords) != len(g.counts) {
		return 0, fault.Errorf("tet", "chunk %v of %q: expected %d coordinates", coords, name, len(g.counts))
	}
	for i, c := range coords {
		if c < 0 || c >= g.counts[i] {
			return 0, fault.Errorf("tet", "chunk %v of %q: the chunk grid is %v", coords, name, g.counts)
		}
	}
	if want := g.tileBytes(coords); length >= 0 && length != want {
		return 0, fault.Errorf("tet", "chunk %v of %q: %d bytes, expected %d", coords, name, length, want)
	}
	number := g.number(coords)
	if w.slots[dataset][number].known {
		return 0, fault.Errorf("tet", "chunk %v of %q is written twice", coords, name)
	}
	return number, nil
}

func (w *Writer) encode(dataset int, tile []byte) ([]byte, error) {
	if w.specs[dataset].Codec == Raw {
		return tile, nil
	}
	return compress.EncodeZstd(nil, tile, w.specs[dataset].Level)
}

func (w *Writer) put(dataset int, number int64, stored []byte, c Codec) error {
	if int64(len(stored)) > math.MaxInt64/2-w.at {
		return fault.Errorf("tet", "the file becomes too large")
	}
	if _, err := w.w.WriteAt(stored, w.at); err != nil {
		return err
	}
	w.slots[dataset][number] = slot{w.at, int64(len(stored)), c, true}
	w.at += int64(len(stored))
	w.missing--
	return nil
}

// WriteArray writes all chunks of a dataset from its elements in C order, little-endian. They
// are read from r at offset 0. Chunks are compressed in parallel, and written in the order of
// the grid.
func (w *Writer) WriteArray(ctx context.Context, dataset int, r io.ReaderAt) error {
	if dataset < 0 || dataset >= len(w.grids) {
		return fault.Errorf("tet", "dataset %d, the file has %d", dataset, len(w.grids))
	}
	g := w.grids[dataset]
	src := source{r: r, size: g.bytes}
	return w.WriteEach(ctx, dataset, func(coords []int64) ([]byte, error) {
		tile, err := g.cut(src, coords)
		if err != nil {
			return nil, fmt.Errorf("dataset %q: %w", w.specs[dataset].Name, err)
		}
		return tile, nil
	})
}

// WriteEach writes all chunks of a dataset; read gives the elements of each. Its errors come back as
// they are.
func (w *Writer) WriteEach(ctx context.Context, dataset int, read func(coords []int64) ([]byte, error)) error {
	if dataset < 0 || dataset >= len(w.grids) {
		return fault.Errorf("tet", "dataset %d, the file has %d", dataset, len(w.grids))
	}
	g := w.grids[dataset]
	type encoded struct {
		number int64
		stored []byte
	}
	work := func(number int64) (encoded, error) {
		tile, err := read(g.coords(number))
		if err != nil {
			return encoded{}, err
		}
		stored, err := w.encode(dataset, tile)
		return encoded{number, stored}, err
	}
	return inOrder(ctx, upTo(g.chunks), ReadOptions{Workers: w.options.Workers}.NumWorkers(), work, func(e encoded) error {
		if w.slots[dataset][e.number].known {
			return fault.Errorf("tet", "chunk %v of %q is written twice", g.coords(e.number), w.specs[dataset].Name)
		}
		return w.put(dataset, e.number, e.stored, w.specs[dataset].Codec)
	})
}

func upTo(n int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for i := int64(0); i < n && yield(i); i++ {
		}
	}
}

// cut reads a tile out of an array in C order.
func (g *grid) cut(src source, coords []int64) ([]byte, error) {
	tile := make([]byte, g.tileBytes(coords))
	from, to := nd.Strides(g.shape, g.elem), nd.Strides(g.tileShape(coords), g.elem)
	r := region{}
	for i, c := range coords {
		r.src += c * g.chunk[i] * from[i]
		if n := g.extent(i, c); n > 1 {
			r.axes = append(r.axes, BlockAxis{n, from[i], to[i]})
		}
	}
	r.axes = mergeAxes(r.axes)
	if r.isRun(g.elem) {
		return tile, src.fill(tile, r.src)
	}
	return tile, r.walk(&inFile{src: src}, g.elem, func(b Block) error {
		b.copyTo(tile, g.elem)
		return nil
	})
}

// Close writes the start of the file and the footer. All chunks must have been written.
func (w *Writer) Close() error { return w.finished(w.close()) }

func (w *Writer) close() error {
	if w.missing > 0 {
		return fault.Errorf("tet", "%d of %d chunks were not written", w.missing, w.rows)
	}
	footer, err := appendFooter(nil, w.at, w.options.History, w.options.Metadata)
	if err != nil {
		return err
	}
	if len(footer) > 0 {
		if _, err := w.w.WriteAt(footer, w.at); err != nil {
			return err
		}
	}
	if err := w.writeIndex(); err != nil {
		return err
	}
	_, err = w.w.WriteAt(w.head(len(footer) > 0), 0)
	return err
}

// head is the superblock, the directory and the head of the index.
func (w *Writer) head(footer bool) []byte {
	super := Superblock{LayoutVersion: layoutVersion, DatasetCount: uint32(len(w.records)), ChunkIndexOffset: uint64(w.indexAt)}
	if footer {
		super.Flags = flagFooter
	}
	if len(w.records) == 0 {
		return super.append(nil)
	}
	super.ChunkIndexLength = uint64(indexHeader + entrySize*w.rows)
	b := super.append(nil)
	b = append(b, make([]byte, 8)...)
	for _, r := range w.records {
		b = r.append(b)
	}
	binary.LittleEndian.PutUint64(b[superblockSize:], uint64(len(b)-directoryStart))
	b = append(b, make([]byte, w.indexAt-int64(len(b)))...)
	return indexHead{rows: uint64(w.rows), execution: w.options.Execution}.append(b)
}

// writeIndex writes the rows in the order of the datasets and their grids.
func (w *Writer) writeIndex() error {
	at := w.indexAt + indexHeader
	var b []byte
	flush := func() error {
		if len(b) == 0 {
			return nil
		}
		_, err := w.w.WriteAt(b, at)
		at, b = at+int64(len(b)), b[:0]
		return err
	}
	for id, slots := range w.slots {
		coords := make([]int64, len(w.grids[id].counts))
		for _, s := range slots {
			e := Entry{DatasetID: uint64(id), PayloadOffset: uint64(s.offset), StoredByteLen: uint64(s.stored), Codec: s.codec}
			for i, c := range coords {
				e.ChunkIndex[i] = uint64(c)
			}
			e.RawByteLen = uint64(w.grids[id].tileBytes(coords))
			if b = e.append(b); len(b) >= windowSize {
				if err := flush(); err != nil {
					return err
				}
			}
			w.grids[id].next(coords)
		}
	}
	return flush()
}

// Abort discards the file. A file that [Create] began is removed.
func (w *Writer) Abort() { w.finished(errAborted) }

var errAborted = fmt.Errorf("aborted")
