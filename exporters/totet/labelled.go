package totet

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tgm"
)

// ExportDataset writes labelled arrays to out as a .tet file, as [Export] does objects. A variable
// becomes a dataset; the name of one in a group begins with the group. Coordinates of up to 64
// values are the labels of the axes, longer ones datasets of their own, scalar ones attributes.
// Holes and missing points are NaN.
func ExportDataset(ctx context.Context, set *dataset.Dataset, fields dataset.Fields, out storage.RandomWriter, opts Options) (*Report, error) {
	p := &labelledPlan{plan: plan{opts: &opts, names: map[string]bool{}}, ctx: ctx, fields: fields}
	for _, g := range set.Groups {
		if err := p.addGroup(g); err != nil {
			return nil, err
		}
	}
	return p.write(out, func(w *tet.Writer, i int, d *planned) error {
		r := &variableReader{ctx: ctx, v: p.variables[i], fields: fields, fill: fillOf(d)}
		if err := r.write(w, i, d.spec); err != nil {
			return &ObjectError{"dataset", d.spec.Name, err}
		}
		return nil
	})
}

// labelledPlan lists the datasets with the variables that they are.
type labelledPlan struct {
	plan
	ctx       context.Context
	fields    dataset.Fields
	variables []*dataset.Variable
}

func (p *labelledPlan) addGroup(g *dataset.Group) error {
	var coordinates []*dataset.Variable
	for _, v := range g.Variables {
		if v.Coordinate {
			coordinates = append(coordinates, v)
		}
	}
	prefix := ""
	if name := strings.Trim(g.Name, "/"); name != "" {
		prefix = name + "/"
	}
	inLabels := make(map[string]bool) // coordinates that need no dataset
	for _, v := range g.Variables {
		if v.Coordinate {
			continue
		}
		if err := p.add(prefix, v, coordinates, inLabels); err != nil {
			if !p.opts.SkipBad {
				return err
			}
			p.notes = append(p.notes, "left out: "+err.Error())
		}
	}
	for _, v := range coordinates {
		if inLabels[v.Name] || len(v.Shape) == 0 || dtypes[v.DType] == 0 {
			continue
		}
		if err := p.add(prefix, v, nil, nil); err != nil {
			p.notes = append(p.notes, "left out: "+err.Error())
		}
	}
	return nil
}

// add plans a variable.
func (p *labelledPlan) add(prefix string, v *dataset.Variable, coordinates []*dataset.Variable, inLabels map[string]bool) error {
	refused := func(format string, args ...any) error {
		return &ObjectError{"dataset", prefix + v.Name, fmt.Errorf(format, args...)}
	}
	spec := tet.DatasetSpec{Name: prefix + v.Name, DType: dtypes[v.DType], Level: p.opts.Level}
	switch {
	case v.Unpack != nil && !v.Unpack.Float(v.DType):
		return refused("packed integers that are to be shown as float32")
	case spec.DType == 0:
		return refused("dtype %v has no form in .tet (f16, f32, f64, i16, i32, i64, u8, u16, u32, u64 have)", v.DType)
	case len(v.Shape) > tet.MaxRank:
		return refused("%d dimensions, .tet has at most %d", len(v.Shape), tet.MaxRank)
	case slices.Contains(v.Shape, 0):
		return refused("shape %v, .tet has extents of at least 1", v.Shape)
	}
	for i, n := range v.Shape {
		spec.Shape = append(spec.Shape, int64(n))
		chunk := n
		if !v.Computed() {
			chunk = v.Chunk[i]
		}
		spec.ChunkShape = append(spec.ChunkShape, int64(min(chunk, n)))
	}
	scalarShape(&spec)
	if len(p.opts.Chunks) == len(spec.Shape) {
		if !v.Computed() && !rowsOnly(v) {
			return refused("chunks of the source, %v, are not runs of rows: --chunks does not go with them", v.Chunk)
		}
		spec.ChunkShape = p.opts.Chunks
	}
	if err := p.chooseCodec(&spec, true); err != nil {
		return err
	}
	if len(p.opts.Chunks) == 0 {
		p.sourceChunks(&spec, v)
		p.cutLarge(&spec, v)
	}
	d := &planned{spec: spec}
	d.spec.Name = p.unique(spec.Name)
	p.describeVariable(d, v, coordinates, inLabels)
	p.datasets, p.variables = append(p.datasets, d), append(p.variables, v)
	return nil
}

// sourceChunks gives a dataset the chunks in which its variable lies in its file, where that is one
// object whose file says it. Small records of netCDF-3 files stay together.
func (p *labelledPlan) sourceChunks(spec *tet.DatasetSpec, v *dataset.Variable) {
	layouts, ok := p.fields.(dataset.LayoutSource)
	if refs := v.Refs(); !ok || len(refs) != 1 || refs[0] < 0 {
		return
	}
	layout, err := layouts.Layout(p.ctx, int(v.Refs()[0]))
	if err != nil || layout.Records && layout.Small || len(layout.Chunk) != len(v.Shape) {
		return
	}
	for i, n := range layout.Chunk {
		spec.ChunkShape[i] = max(1, min(int64(min(n, math.MaxInt64)), spec.Shape[i]))
	}
}

// cutLarge cuts chunks that are too large to be held in memory into rows.
func (p *labelledPlan) cutLarge(spec *tet.DatasetSpec, v *dataset.Variable) {
	size := spec.DType.Size()
	for _, n := range spec.ChunkShape {
		size *= n
	}
	if size >= largeArray && rowsOnly(v) {
		spec.ChunkShape = p.chunkShape(spec.ChunkShape, spec.DType.Size(), nil)
	}
}

// Attributes of CF that name other variables.
const (
	attrCoordinates = cf.AttrCoordinates
	attrGridMapping = cf.AttrGridMapping
)

// rowsOnly reports whether the chunks of a variable follow each other in C order.
func rowsOnly(v *dataset.Variable) bool {
	cut := false
	for i, n := range v.Shape {
		switch {
		case cut && v.Chunk[i] < n:
			return false
		case v.Chunk[i] > 1:
			cut = true
		}
	}
	return true
}

func (p *labelledPlan) describeVariable(d *planned, v *dataset.Variable, coordinates []*dataset.Variable, inLabels map[string]bool) {
	if len(p.datasets) >= maxDescribed {
		if len(p.datasets) == maxDescribed {
			p.note(d.spec.Name, "metadata are written for the first %d datasets only", maxDescribed)
		}
		return
	}
	if len(v.Dims) == len(d.spec.Shape) {
		d.meta.DimNames = v.Dims
	}
	attrs := make(map[string]string)
	for _, a := range v.Attrs {
		addTexts(attrs, "", map[string]any{a.Key: a.Value})
	}
	scalars := strings.Fields(attrs[attrCoordinates])
	delete(attrs, attrCoordinates) // stand beside it, as attributes or labels
	for _, c := range coordinates {
		switch {
		case c.Name == attrs[attrGridMapping]:
			for _, a := range c.Attrs {
				addTexts(attrs, c.Name+".", map[string]any{a.Key: a.Value})
			}
		case len(c.Shape) == 0:
			if !slices.Contains(scalars, c.Name) {
				continue
			}
			if labels := p.labelsOf(c); len(labels) == 1 && attrs[c.Name] == "" {
				attrs[c.Name] = labels[0]
			}
		case len(c.Shape) == 1 && c.Dims[0] == c.Name && slices.Contains(v.Dims, c.Name) && c.Shape[0] <= maxLabels:
			if labels := p.labelsOf(c); labels != nil {
				p.addLabels(d, d.spec.Name, c.Name, labels)
				inLabels[c.Name] = true
			}
		}
	}
	p.addAttributes(d, d.spec.Name, attrs)
}

// labelsOf are the values of a coordinate as texts: points in time as ISO 8601 has them, numbers in
// the fewest digits. There are none of a coordinate that cannot be read.
func (p *labelledPlan) labelsOf(c *dataset.Variable) []string {
	if c.Text != dataset.NotText || dtypes[c.DType] == 0 {
		return nil
	}
	var data []byte
	var err error
	if c.Computed() {
		data, err = c.Data()
	} else {
		r := &variableReader{ctx: p.ctx, v: c, fields: p.fields, fill: math.NaN()}
		if err = r.load(make([]uint64, len(c.Shape))); err == nil {
			data = r.chunk
		}
	}
	size := int64(1)
	for _, n := range c.Shape {
		size *= int64(n)
	}
	if err != nil || int64(len(data)) != size*dtypes[c.DType].Size() {
		return nil
	}
	a := tet.Array{DType: dtypes[c.DType], Shape: []int64{size}, Data: data}
	units, _ := c.Attr(mapping.KeyUnits).(string)
	labels := make([]string, a.Shape[0])
	for i := range labels {
		if c.DType == tgm.Int64 && strings.HasPrefix(units, "seconds since 1970-01-01") {
			at := int64(binary.LittleEndian.Uint64(data[8*i:]))
			labels[i] = time.Unix(at, 0).UTC().Format("2006-01-02T15:04:05Z")
			continue
		}
		labels[i] = string(a.AppendText(nil, int64(i)))
	}
	return labels
}

// variableReader gives the elements of a variable in C order. ReadAt may be called by several
// goroutines; they share the chunk that was read last.
type variableReader struct {
	mu     sync.Mutex
	ctx    context.Context
	v      *dataset.Variable
	fields dataset.Fields
	fill   float64

	chunks []int64 // of the dataset; nil if chunks are not read in parts

	index []uint64 // of the current chunk, nil for none
	chunk []byte
	lines *lines // in place of chunk, of a large one
}

// write writes all chunks of dataset i.
func (r *variableReader) write(w *tet.Writer, i int, spec tet.DatasetSpec) error {
	if r.v.Computed() {
		data, err := r.v.Data()
		if err != nil {
			return err
		}
		return w.WriteArray(r.ctx, i, bytes.NewReader(data))
	}
	if len(r.v.Shape) > 0 && !sameShape(spec.ChunkShape, r.v.Chunk) {
		r.chunks = spec.ChunkShape
		return w.WriteArray(r.ctx, i, r)
	}
	coords := make([]int64, len(spec.Shape))
	index := make([]uint64, len(r.v.Shape))
	for more := true; more; more = next(coords, spec) {
		for k := range index {
			index[k] = uint64(coords[k])
		}
		if err := r.load(index); err != nil {
			return err
		}
		if err := w.WriteChunk(i, coords, r.chunk); err != nil {
			return err
		}
	}
	return nil
}

func sameShape(a []int64, b []uint64) bool {
	return slices.EqualFunc(a, b, func(x int64, y uint64) bool { return uint64(x) == y })
}

// load reads a chunk.
func (r *variableReader) load(index []uint64) error {
	if r.index != nil && slices.Equal(r.index, index) {
		return nil
	}
	if err := r.ctx.Err(); err != nil {
		return err
	}
	size := r.v.DType.Size()
	shape := make([]uint64, len(r.v.Shape))
	for k, n := range r.v.Shape {
		shape[k] = min(r.v.Chunk[k], n-index[k]*r.v.Chunk[k])
		size *= int(shape[k])
	}
	r.index, r.chunk, r.lines = nil, nil, nil
	ref, ok := r.v.Ref(index)
	if !ok {
		hole, err := r.hole(size)
		if err != nil {
			return err
		}
		r.index, r.chunk = slices.Clone(index), hole
		return nil
	}
	if large, err := r.loadLines(ref, index, shape); large || err != nil {
		return err
	}
	a, err := r.fields.Read(r.ctx, ref, nil)
	if err != nil {
		return err
	}
	if a.DType != r.v.DType || len(a.Data) != size {
		return fmt.Errorf("a chunk of %d bytes of %v, expected %d of %v", len(a.Data), a.DType, size, r.v.DType)
	}
	finish(a, r.v.Unpack, dtypes[a.DType], r.fill)
	r.index, r.chunk = slices.Clone(index), a.Data
	return nil
}

// loadLines makes a chunk ready to be read in parts, and reports whether it will be.
func (r *variableReader) loadLines(ref int, index, shape []uint64) (bool, error) {
	t := dtypes[r.v.DType]
	l, err := fieldLines(r.ctx, r.fields, ref, shape, r.chunks, t)
	if l == nil || err != nil {
		return false, err
	}
	l.done = func(a *tgm.Array) { finish(a, r.v.Unpack, t, r.fill) }
	r.index, r.lines = slices.Clone(index), l
	return true, nil
}

// hole is a chunk that nothing is known of.
func (r *variableReader) hole(size int) ([]byte, error) {
	b := make([]byte, size)
	switch r.v.DType {
	case tgm.Float32:
		for i := 0; i < size; i += 4 {
			binary.LittleEndian.PutUint32(b[i:], math.Float32bits(float32(r.fill)))
		}
	case tgm.Float64:
		for i := 0; i < size; i += 8 {
			binary.LittleEndian.PutUint64(b[i:], math.Float64bits(r.fill))
		}
	default:
		return nil, errors.New("a part of it is missing in the inputs, and integers have no value for missing points")
	}
	return b, nil
}

// ReadAt implements io.ReaderAt for variables whose chunks are runs of rows.
func (r *variableReader) ReadAt(b []byte, off int64) (n int, err error) {
	for n < len(b) {
		index, within, ok := r.find(off + int64(n))
		if !ok {
			return n, io.EOF
		}
		r.mu.Lock()
		err := r.load(index)
		switch {
		case err == nil && r.lines != nil:
			var read int
			if read, err = r.lines.ReadAt(b[n:], within); errors.Is(err, io.EOF) {
				err = nil // the rest is in the next chunk
			}
			n += read
		case err == nil:
			n += copy(b[n:], r.chunk[within:])
		}
		r.mu.Unlock()
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// find returns the chunk that holds a byte, and where in it.
func (r *variableReader) find(off int64) (index []uint64, within int64, ok bool) {
	at := uint64(off) / uint64(r.v.DType.Size()) // in elements
	index = make([]uint64, len(r.v.Shape))
	stride := uint64(1)
	for _, n := range r.v.Shape {
		stride *= n
	}
	if at >= stride {
		return nil, 0, false
	}
	var start uint64
	rest := at
	for k, n := range r.v.Shape {
		stride /= n
		place := rest / stride
		rest %= stride
		index[k] = place / r.v.Chunk[k]
		start += index[k] * r.v.Chunk[k] * stride
	}
	return index, off - int64(start)*int64(r.v.DType.Size()), true
}
