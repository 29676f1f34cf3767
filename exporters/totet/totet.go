// Package totet writes objects of files of any format, or labelled arrays, as datasets of a .tet file.
//
// Objects that came from a .tet file get back their names, chunks, labels, attributes and history.
// The attributes of other objects become texts, and their short coordinates become labels of the
// axes.
package totet

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tet"
)

// Options configure an export. The zero value is the default.
type Options struct {
	// Chunks is the chunk shape of arrays of that rank. Other arrays keep the chunks of their source, or get
	// chunks of rows of about 16 MiB.
	Chunks []int64
	Codec  string // raw or zstd; empty means zstd for objects that are compressed in their file
	Level  int    // of zstd, 0 means 3
	// Workers is the number of chunks to compress at the same time; 0 means one for each core.
	Workers int
	// SkipBad leaves out objects that .tet cannot hold, and lists them in the report.
	SkipBad bool
	// ShortName returns the name of a parameter for objects that have only its number; nil leaves
	// them unnamed.
	ShortName func(param int64) string
	Source    string    // of the history; empty means tgm
	Time      time.Time // of the history; zero means now
}

// A Report counts the datasets and chunks that were written.
type Report struct {
	Datasets int
	Chunks   int64
	Notes    []string // objects left out although all is well, and why
	Skipped  []string // objects that SkipBad left out, and why
}

// ErrNothing says that there was no object to write. The report that comes with it has only the objects left
// out.
var ErrNothing = fault.Errorf("totet", "there is no object to write")

// An ObjectError reports an object that .tet cannot hold.
type ObjectError struct {
	Where, Name string
	Err         error
}

func (e *ObjectError) Error() string {
	return fmt.Sprintf("%s (%s): %s", e.Where, e.Name, fault.Detail(e.Err))
}

// Unwrap returns the cause.
func (e *ObjectError) Unwrap() error { return e.Err }

// Export writes objects, whose values fields reads, to out as a .tet file, and commits it when it is
// complete. After an error the caller must abort out.
func Export(ctx context.Context, objects dataset.Objects, fields dataset.Fields, out storage.RandomWriter, opts Options) (*Report, error) {
	p := &objectPlan{plan: plan{opts: &opts, names: map[string]bool{}}, ctx: ctx, fields: fields, chunked: map[string]*planned{}}
	if err := p.add(objects); err != nil {
		return nil, err
	}
	var buffer []byte
	return p.write(out, func(w *tet.Writer, i int, d *planned) (err error) {
		for _, piece := range d.pieces {
			if err := ctx.Err(); err != nil {
				return err
			}
			if buffer, err = p.writePiece(w, i, d, piece, buffer); err != nil {
				return piece.refused(d.spec.Name, err)
			}
		}
		return nil
	})
}

// write writes the file, of whose datasets each writes the elements.
func (p *plan) write(out storage.RandomWriter, each func(w *tet.Writer, i int, d *planned) error) (*Report, error) {
	if len(p.datasets) == 0 {
		return &Report{Notes: p.notes, Skipped: p.skipped}, ErrNothing
	}
	specs := make([]tet.DatasetSpec, len(p.datasets))
	for i, d := range p.datasets {
		specs[i] = d.spec
	}
	w, err := tet.NewWriter(out, specs, p.writerOptions())
	if err != nil {
		return nil, err
	}
	defer w.Abort()
	for i, d := range p.datasets {
		if err := each(w, i, d); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return &Report{Datasets: len(specs), Chunks: w.NumChunks(), Notes: p.notes, Skipped: p.skipped}, out.Commit()
}

// writePiece writes an object: as the chunk that it is, or as all chunks of dataset i.
func (p *objectPlan) writePiece(w *tet.Writer, i int, d *planned, of piece, buffer []byte) ([]byte, error) {
	a, err := p.fields.Array(p.ctx, of.object.Ref)
	if err != nil {
		return buffer, err
	}
	if of.coords == nil {
		return buffer, writeArray(p.ctx, w, i, d, a, d.unpack)
	}
	if buffer, err = array.Read(p.ctx, a, a.Info().Whole(), buffer); err != nil {
		return buffer, err
	}
	finish(buffer, d.unpack, d.spec.DType, fillOf(d))
	return buffer, w.WriteChunk(i, of.coords, buffer)
}

// writeArray writes all chunks of dataset i. Blocks of the array that several chunks share are kept
// as long as there are few.
func writeArray(ctx context.Context, w *tet.Writer, i int, d *planned, a array.Array, s *mapping.Scaling) error {
	a = array.Cached(a, a.Info().Block, array.Last(sharedBlocks))
	rank := len(a.Info().Shape)
	return w.WriteEach(ctx, i, func(coords []int64) ([]byte, error) {
		r := array.Region{Start: make([]uint64, rank), Count: make([]uint64, rank)}
		for k := range rank {
			first := coords[k] * d.spec.ChunkShape[k]
			r.Start[k], r.Count[k] = uint64(first), uint64(min(d.spec.ChunkShape[k], d.spec.Shape[k]-first))
		}
		data, err := array.Read(ctx, a, r, nil)
		if err != nil {
			return nil, err
		}
		finish(data, s, d.spec.DType, fillOf(d))
		return data, nil
	})
}

// sharedBlocks is the number of blocks of an array that are kept: one of the blocks that follow each
// other along the first axis, and the blocks of chunks that are compressed meanwhile.
const sharedBlocks = 4

// finish makes values of packed floating-point numbers, and writes a value into the missing points.
func finish(data []byte, s *mapping.Scaling, t tet.DType, value float64) {
	if s != nil {
		s.UnpackFloats(data)
	}
	fill(data, t, value)
}

// fill writes a value into the missing points, which are NaN. Only floating-point arrays have some.
func fill(data []byte, t tet.DType, value float64) {
	if math.IsNaN(value) {
		return
	}
	switch t {
	case tet.Float32:
		for ; len(data) >= 4; data = data[4:] {
			if v := math.Float32frombits(binary.LittleEndian.Uint32(data)); v != v {
				binary.LittleEndian.PutUint32(data, math.Float32bits(float32(value)))
			}
		}
	case tet.Float64:
		for ; len(data) >= 8; data = data[8:] {
			if v := math.Float64frombits(binary.LittleEndian.Uint64(data)); v != v {
				binary.LittleEndian.PutUint64(data, math.Float64bits(value))
			}
		}
	}
}
