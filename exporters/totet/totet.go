// Package totet writes the objects of Tensogram files as datasets of a .tet file.
//
// Objects that came from a .tet file get back their names, chunks, labels, attributes and history.
// The attributes of other objects become texts, and their short coordinates become labels of the
// axes.
package totet

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tgm"
)

// Options configure an export. The zero value is the default.
type Options struct {
	// Chunks is the chunk shape of arrays of that rank; other arrays keep the chunks of their
	// source, or get chunks of rows of about 16 MiB.
	Chunks []int64
	Codec  string // raw or zstd; empty means zstd for objects that are compressed in the message
	Level  int    // of zstd, 0 means 3
	// Workers is the number of chunks to compress at the same time; 0 means one for each core.
	Workers int
	// SkipBad leaves out objects that .tet cannot hold, with a note in the report.
	SkipBad bool
	// ShortName returns the name of a parameter for objects that have only its number; nil leaves
	// them unnamed.
	ShortName func(param int64) string
	// Names are the locations of the files of [Export], which errors name; none may be given.
	Names  []string
	Source string    // of the history; empty means tgm
	Time   time.Time // of the history; zero means now
}

// A Report says what was written.
type Report struct {
	Datasets int
	Chunks   int64
	Notes    []string // what was left out, and why
}

// ErrNothing says that there was no object to write. The report that comes with it has notes only.
var ErrNothing = errors.New("totet: there is no object to write")

// An ObjectError reports an object that .tet cannot hold.
type ObjectError struct {
	Where, Name string
	Err         error
}

func (e *ObjectError) Error() string {
	return fmt.Sprintf("%s (%s): %s", e.Where, e.Name, strings.TrimPrefix(e.Err.Error(), "tgm: "))
}

// Unwrap returns the cause.
func (e *ObjectError) Unwrap() error { return e.Err }

// Export writes the objects of files to out as a .tet file, and commits it when it is complete.
// After an error the caller must abort out.
func Export(ctx context.Context, files []*tgm.File, out storage.RandomWriter, opts Options) (*Report, error) {
	p := &plan{opts: &opts, chunked: map[string]*planned{}, names: map[string]bool{}}
	for i, f := range files {
		p.file = ""
		if i < len(opts.Names) {
			p.file = storage.Display(opts.Names[i])
		}
		for m, err := range f.Messages() {
			if err == nil {
				err = ctx.Err()
			}
			if err == nil {
				err = p.addMessage(m)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	var buffer []byte
	return p.write(out, func(w *tet.Writer, i int, d *planned) (err error) {
		for _, piece := range d.pieces {
			if err := ctx.Err(); err != nil {
				return err
			}
			if buffer, err = writePiece(ctx, w, i, d, piece, buffer); err != nil {
				return piece.refused(d.spec.Name, err)
			}
		}
		return nil
	})
}

// write writes the file, of whose datasets each writes the elements.
func (p *plan) write(out storage.RandomWriter, each func(w *tet.Writer, i int, d *planned) error) (*Report, error) {
	if len(p.datasets) == 0 {
		return &Report{Notes: p.notes}, ErrNothing
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
	return &Report{Datasets: len(specs), Chunks: w.NumChunks(), Notes: p.notes}, out.Commit()
}

// writePiece writes an object, which is decoded into the memory of buffer if that is large enough.
// It returns what it used. A large dataset is written a few rows after the other.
func writePiece(ctx context.Context, w *tet.Writer, i int, d *planned, p piece, buffer []byte) ([]byte, error) {
	if p.coords == nil {
		l, err := objectLines(p.object, p.object.Descriptor().Shape, d.spec.ChunkShape, d.spec.DType)
		if err != nil {
			return buffer, err
		}
		if l != nil {
			l.done = func(a *tgm.Array) { finish(a, d.unpack, d.spec.DType, fillOf(d)) }
			return buffer, w.WriteArray(ctx, i, l)
		}
	}
	a, err := p.object.Decode(tgm.DecodeOptions{Dst: buffer})
	if err != nil {
		return buffer, err
	}
	finish(a, d.unpack, d.spec.DType, fillOf(d))
	if p.coords != nil {
		return a.Data, w.WriteChunk(i, p.coords, a.Data)
	}
	return a.Data, w.WriteArray(ctx, i, bytes.NewReader(a.Data))
}

// finish makes values of packed floating-point numbers, and writes a value into the missing points.
func finish(a *tgm.Array, s *mapping.Scaling, t tet.DType, value float64) {
	if s != nil {
		s.UnpackFloats(a.Data)
	}
	fill(a, t, value)
}

// fill writes a value into the missing points, if there are any. Only floating-point arrays have
// some.
func fill(a *tgm.Array, t tet.DType, value float64) {
	if a.Missing == nil || math.IsNaN(value) { // which is what they hold
		return
	}
	for i := range a.Missing.Indices() {
		switch t {
		case tet.Float32:
			binary.LittleEndian.PutUint32(a.Data[4*i:], math.Float32bits(float32(value)))
		case tet.Float64:
			binary.LittleEndian.PutUint64(a.Data[8*i:], math.Float64bits(value))
		}
	}
}
