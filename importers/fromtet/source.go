// Package fromtet reads .tet files as an [importers.Source]: each dataset, or each chunk of a
// dataset, is a field with the name of the dataset.
//
// Elements equal to the attributes _FillValue or missing_value of floating-point datasets are
// missing points. Labels along an axis that are numbers or times, one for each position, become a
// coordinate; all labels are kept in base[i].tet.
package fromtet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tgm"
)

// Split is how datasets are divided among messages.
type Split int

// The ways of splitting.
const (
	SplitFile    Split = iota // one message for each file
	SplitDataset              // one for each dataset
	SplitChunk                // one for each chunk
)

// ErrNoDatasets is the error for a valid file without datasets.
var ErrNoDatasets = errors.New("the file has no datasets")

// Options configure a source.
type Options struct {
	Split Split
	// Where are clauses that datasets must match. The datasets of their axes' names are converted as well.
	Where mapping.Clauses
	// Opener opens the inputs; nil opens local files.
	Opener importers.Opener
	// MaxArray bounds the bytes of a dataset, or a chunk, stored in less than a 1024th of its size. 0 means
	// 64 MiB.
	MaxArray int64
}

// idleFiles is how many inputs stay open that are not in use.
const idleFiles = 4

// Source is an importers.Source over .tet files.
type Source struct {
	inputs []importers.Input
	opts   Options
	files  *importers.OpenFiles[*file]
	asked  mapping.Asked
}

// file is an open input. parse must be called before anything else is asked of it.
type file struct {
	*importers.InputFile
	parse func() (*tet.File, error) // once
	// referenced are the roles that datasets have by axes and attributes of others.
	referenced func() map[string]cf.Role // once
}

// New returns a source of the inputs, in their order. Nothing is opened yet. A source without
// inputs reads the parts that another source has listed.
func New(inputs []importers.Input, opts Options) *Source {
	s := &Source{inputs: inputs, opts: opts}
	s.files = importers.NewOpenFiles(opts.Opener, idleFiles, func(in *importers.InputFile) *file {
		f := &file{InputFile: in, parse: sync.OnceValues(func() (*tet.File, error) {
			return tet.NewFile(storage.ReaderAt(context.Background(), in.Blob), in.Blob.Size())
		})}
		f.referenced = sync.OnceValue(f.roles)
		return f
	})
	return s
}

// Size returns the number of bytes of the inputs, 0 when it is not known.
func (s *Source) Size() int64 { return importers.SizeOf(s.inputs) }

// Close closes the inputs.
func (s *Source) Close() error { return s.files.Close() }

// Parts lists the datasets of the inputs, or their chunks.
func (s *Source) Parts(ctx context.Context) iter.Seq2[importers.Part, error] {
	return s.files.Parts(ctx, s.inputs, importers.FormatTet, func(index int, opened *importers.OpenFile[*file]) iter.Seq2[importers.Part, error] {
		return func(yield func(importers.Part, error) bool) {
			f, err := opened.Parsed.parse()
			if err == nil && len(f.Datasets()) == 0 {
				err = ErrNoDatasets
			}
			if err != nil {
				yield(importers.Part{}, err)
				return
			}
			chosen := s.choose(f, opened.Parsed.Location)
			for p := range s.parts(f, index) {
				if chosen != nil && !chosen[p.Variable] {
					continue
				}
				if !yield(p, nil) {
					return
				}
			}
		}
	})
}

// parts lists the datasets of one file, or their chunks.
func (s *Source) parts(f *tet.File, index int) iter.Seq[importers.Part] {
	return func(yield func(importers.Part) bool) {
		for i, d := range f.Datasets() {
			p := importers.Part{Number: i, Variable: d.Name, Group: fmt.Sprintf("file %d", index)}
			if s.opts.Split == SplitChunk {
				chunk := uint64(0)
				for c := range d.Chunks() {
					q, number := p, chunk
					q.Record, q.Bytes, q.Memory = &number, c.Stored, memoryOf(c.Raw)
					q.Group = fmt.Sprintf("file %d dataset %d chunk %d", index, i, chunk)
					if !yield(q) {
						return
					}
					chunk++
				}
				continue
			}
			if s.opts.Split == SplitDataset {
				p.Group = fmt.Sprintf("file %d dataset %d", index, i)
			}
			for c := range d.Chunks() {
				p.Bytes += c.Stored
			}
			if p.Memory = memoryOf(d.Size()); !yield(p) {
				return
			}
		}
	}
}

// memoryOf is about the memory for converting n bytes of elements: these, and the output of a compression
// that cannot work in their memory.
func memoryOf(bytes int64) int64 { return min(bytes, 1<<61) * 2 }

// Read reads the description of a dataset or chunk; its values are read when they are asked for.
func (s *Source) Read(ctx context.Context, p importers.Part, _ *importers.Scratch) iter.Seq2[*importers.Field, error] {
	return importers.ReadOne(p, func(p importers.Part) (*importers.Field, error) { return s.read(ctx, &p) })
}

func (s *Source) read(ctx context.Context, p *importers.Part) (*importers.Field, error) {
	opened, err := s.files.Acquire(ctx, p.Input)
	if err != nil {
		return nil, err
	}
	defer opened.Release()
	d, chunk, err := opened.Parsed.find(p)
	if err != nil {
		return nil, err
	}
	f, err := opened.Parsed.parse()
	if err != nil {
		return nil, err
	}
	field, err := s.field(f, d, chunk, p)
	if err == nil {
		field.Exact = string(opened.Parsed.role(d))
	}
	return field, err
}

// sourceOf returns the function that names the source that an input is. Large files, of which only
// pieces are read, have the same name only if they have the same labels as well.
func (s *Source) sourceOf(input string) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) { return s.files.SourceID(ctx, input, (*file).writeLabels) }
}

// writeLabels writes the labels of all axes.
func (f *file) writeLabels(w io.Writer) error {
	t, err := f.parse()
	if err != nil {
		return err
	}
	for _, d := range t.Datasets() {
		for axis := range d.Shape {
			if _, err := io.WriteString(w, strings.Join(d.Labels(axis), "\x00")); err != nil {
				return err
			}
		}
	}
	return nil
}

// find is the dataset that p stands for, and the chunk if it stands for one.
func (f *file) find(p *importers.Part) (*tet.Dataset, *tet.Chunk, error) {
	t, err := f.parse()
	if err != nil {
		return nil, nil, err
	}
	all := t.Datasets()
	if p.Number < 0 || p.Number >= len(all) || all[p.Number].Name != p.Variable {
		return nil, nil, fmt.Errorf("dataset %d of the file is not %s: the input has changed", p.Number, p.Variable)
	}
	d := all[p.Number]
	if p.Record == nil {
		return d, nil, nil
	}
	if *p.Record >= uint64(d.NumChunks()) {
		return nil, nil, fmt.Errorf("chunk %d of %s, which has %d", *p.Record, p.Variable, d.NumChunks())
	}
	c := d.ChunkAt(int64(*p.Record))
	return d, &c, nil
}

// selection is the selection of a dataset, or of a chunk of it, for a region.
func selection(names []string, c *tet.Chunk, r array.Region) tet.Selection {
	var sel tet.Selection
	for axis, n := range r.Count {
		start := int64(r.Start[axis])
		if c != nil {
			start += c.Start[axis]
		}
		name := fmt.Sprint(axis)
		if slices.Contains(names, name) { // of an axis, which may be another one
			name = names[axis]
		}
		sel = append(sel, tet.Slice{Axis: name, Start: tet.Index(start), Stop: tet.Index(start + int64(n))})
	}
	return sel
}

// values reads the elements of a dataset or chunk.
type values struct {
	importers.Plain
	source *Source
	part   importers.Part // where to find it again
	shape  []int
	dtype  tet.DType
	chunk  []uint64  // shape of the chunks
	fills  []float64 // elements that mean a missing point
}

// blockBytes is about how many bytes a block has, unless a chunk has more.
const blockBytes = 4 << 20

// Info implements importers.Values. Blocks are runs of whole chunks.
func (v *values) Info(form importers.Form) *array.Info {
	if form != importers.AsValues && form != importers.AsWritten {
		return nil
	}
	info := importers.WholeInfo(v.shape, dtypes[v.dtype])
	if size := uint64(info.DType.Size()); v.part.Record == nil && info.Whole().Elements()*size > blockBytes {
		info.Block = nd.RowsOf(info.Shape, v.chunk, size, blockBytes)
	}
	info.Fits = func(bytes uint64) error {
		opened, err := v.source.files.Acquire(context.Background(), v.part.Input)
		if err != nil {
			return nil // the reader of the values meets it again
		}
		defer opened.Release()
		d, chunk, err := opened.Parsed.find(&v.part)
		if err != nil {
			return nil
		}
		return v.source.plausible(d, chunk, int64(min(bytes, math.MaxInt64)))
	}
	return info
}

// Read implements importers.Values.
func (v *values) Read(ctx context.Context, form importers.Form, r array.Region, scratch *importers.Scratch) (importers.Elements, error) {
	opened, err := v.source.files.Acquire(ctx, v.part.Input)
	if err != nil {
		return importers.Elements{}, err
	}
	defer opened.Release()
	d, chunk, err := opened.Parsed.find(&v.part)
	if err != nil {
		return importers.Elements{}, err
	}
	shape := d.Shape
	if chunk != nil {
		shape = unsigned(chunk.Shape)
	}
	if !slices.Equal(shape, importers.WholeInfo(v.shape, 0).Shape) || d.DType != v.dtype {
		return importers.Elements{}, errors.New("the file was opened again and has changed")
	}
	p, err := d.Plan(selection(d.DimNames(), chunk, r))
	if err != nil {
		return importers.Elements{}, err
	}
	if err := v.source.plausible(d, chunk, p.Bytes()); err != nil {
		return importers.Elements{}, err
	}
	// The budget of the file is for readers that have a choice. Elements that do not fit the memory are refused
	// before memory is taken.
	o := tet.ReadOptions{Workers: 1, Budget: tet.Budget{Bytes: mostMemory()}}
	if err := p.Check(o.Budget); err != nil {
		return importers.Elements{}, err
	}
	out := importers.Elements{Data: scratch.Data(int(p.Bytes()))}
	if err := p.ReadInto(ctx, out.Data, o); err != nil {
		return importers.Elements{}, err
	}
	if len(v.fills) > 0 && form != importers.AsWritten {
		out.Missing = missing(out.Data, v.dtype, v.fills)
	}
	return out, nil
}

// Bounds on elements that are stored in few bytes, as package tgm has them for objects.
const (
	freeBytes = 64 << 20
	expansion = 1024
)

// plausible reports an error if a dataset, or a chunk of it, takes very many more bytes than are
// stored.
func (s *Source) plausible(d *tet.Dataset, chunk *tet.Chunk, size int64) error {
	if size <= max(freeBytes, s.opts.MaxArray) {
		return nil
	}
	stored := int64(0)
	if chunk != nil {
		stored = chunk.Stored
	} else {
		for c := range d.Chunks() {
			stored += c.Stored
		}
	}
	if limit := max(freeBytes, s.opts.MaxArray, expansion*min(stored, math.MaxInt64/expansion)); size > limit {
		return &tgm.ExpansionError{Bytes: size, Payload: stored, Limit: limit}
	}
	return nil
}

// mostMemory is the most memory for the elements of one field.
func mostMemory() int64 {
	const least = 1 << 30
	if available, ok := tet.AvailableMemory(); ok {
		return max(least, available)
	}
	return least
}
