package totet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tet"
)

// An objectPlan lists datasets in the order of the objects that they are.
type objectPlan struct {
	plan
	ctx     context.Context
	fields  dataset.Fields
	chunked map[string]*planned // that come in chunks, by name and shape
	layout  netcdfLayout
}

// A piece is an object that is a dataset, or one chunk of it.
type piece struct {
	object *dataset.Object
	coords []int64 // in the chunk grid; nil for a whole dataset
}

// refused is the error for a piece of a dataset that cannot be written. It says where the object is,
// as err does where that is known better.
func (p piece) refused(name string, err error) error {
	if at := (*fault.Error)(nil); errors.As(err, &at) {
		return &ObjectError{at.Place, name, at.Err}
	}
	return &ObjectError{p.object.Where, name, err}
}

// add plans objects. Objects that belong together follow one another.
func (p *objectPlan) add(objects dataset.Objects) error {
	var together []*dataset.Object
	for o, err := range objects {
		if err == nil {
			err = p.ctx.Err()
		}
		if err == nil && len(together) > 0 && (o.File != together[0].File || o.Within != together[0].Within) {
			err, together = p.addTogether(together), nil
		}
		if err != nil {
			return err
		}
		together = append(together, &o)
	}
	return p.addTogether(together)
}

// addTogether plans the objects of a message, or of a file of another format.
func (p *objectPlan) addTogether(objects []*dataset.Object) error {
	axes := labelAxes(objects)
	var labels []*dataset.Object // objects that may label axes
	for _, o := range objects {
		if len(o.Shape) == 1 && o.Shape[0] <= maxLabels && dtypes[o.DType] != 0 {
			labels = append(labels, o)
		}
	}
	for _, o := range objects {
		name := o.Base.Name(p.opts.ShortName)
		if _, isTet := o.Base.Tet(); !isTet && axes[axisOf(o.Base, name)] && len(o.Shape) == 1 {
			continue // made of the labels of a dataset, and made again of them
		}
		if err := p.addObject(o, labels); err != nil {
			refused := piece{object: o}.refused(name, err)
			if !p.opts.SkipBad {
				return refused
			}
			p.skipped = append(p.skipped, refused.Error())
		}
	}
	return nil
}

// An axis is one of a source.
type axis struct{ source, name string }

func axisOf(e mapping.Entry, name string) axis { return axis{e.Source(), name} }

// labelAxes are the axes whose labels datasets of the objects hold themselves.
func labelAxes(objects []*dataset.Object) map[axis]bool {
	axes := make(map[axis]bool)
	for _, o := range objects {
		if t, ok := o.Base.Tet(); ok {
			for name := range t.Coords {
				axes[axisOf(o.Base, name)] = true
			}
		}
	}
	return axes
}

// addObject plans an object; labels are the objects beside it that may label its axes.
func (p *objectPlan) addObject(o *dataset.Object, labels []*dataset.Object) error {
	spec, err := p.spec(o)
	if err != nil {
		return err
	}
	t, isTet := o.Base.Tet()
	if isTet && t.Start != nil {
		return p.addChunk(o, spec, t)
	}
	d := &planned{spec: spec, pieces: []piece{{object: o}}}
	d.spec.Name = p.unique(spec.Name)
	d.unpack = floatPacking(o)
	p.describe(d, o, labels)
	p.datasets = append(p.datasets, d)
	return nil
}

// floatPacking tells how the floating-point numbers of an object become values of the same type. It
// is nil if they are the values.
func floatPacking(o *dataset.Object) *mapping.Scaling {
	if s, ok := o.Base.Scaling(o.DType); ok && s.Float(o.DType) {
		return &s
	}
	return nil
}

// spec describes an object as a dataset of its own.
func (p *objectPlan) spec(o *dataset.Object) (tet.DatasetSpec, error) {
	spec := tet.DatasetSpec{Name: o.Base.Name(p.opts.ShortName), DType: dtypes[o.DType], Level: p.opts.Level}
	if spec.Name == "" {
		spec.Name = fmt.Sprintf("object_%d", o.Index)
	}
	if spec.DType == 0 {
		return spec, fmt.Errorf("dtype %v cannot be written as .tet, expected f16, f32, f64, i16, i32, i64, u8, u16, u32 or u64", o.DType)
	}
	if len(o.Shape) > tet.MaxRank {
		return spec, fmt.Errorf("%d dimensions, .tet has at most %d", len(o.Shape), tet.MaxRank)
	}
	for _, n := range o.Shape {
		if n == 0 || n > math.MaxInt64 {
			return spec, fmt.Errorf("shape %v, .tet has extents of at least 1", o.Shape)
		}
		spec.Shape = append(spec.Shape, int64(n))
	}
	scalarShape(&spec)
	t, isTet := o.Base.Tet()
	source := p.netcdfChunks(o)
	if isTet {
		source = t.Chunks
	}
	spec.ChunkShape = p.chunkShape(spec.Shape, spec.DType.Size(), source)
	packed := isTet && t.Codec == tet.Zstd.String()
	if !isTet {
		layout, err := p.fields.Layout(p.ctx, o.Ref)
		packed = err != nil || len(layout.Transforms) > 0 // an error: it is met again where the object is read
	}
	err := p.chooseCodec(&spec, packed)
	return spec, err
}

// A netcdfLayout is the shapes of the chunks in which the variables of a netCDF file were stored, by
// name.
type netcdfLayout struct {
	file, source string
	within       int
	chunks       map[string][]uint64
}

// netcdfChunks returns the shape of a netCDF variable's chunks, nil without chunks or for another
// object.
func (p *objectPlan) netcdfChunks(o *dataset.Object) []uint64 {
	if _, ok := o.Base.NetCDF(); !ok {
		return nil
	}
	if l := &p.layout; l.chunks == nil || l.file != o.File || l.within != o.Within || l.source != o.Base.Source() {
		*l = netcdfLayout{o.File, o.Base.Source(), o.Within, make(map[string][]uint64)}
		if layout := o.Base.NetCDFLayout(); layout != nil {
			for _, v := range layout.Variables {
				l.chunks[v.Name] = v.Chunks
			}
		}
	}
	chunks := slices.Clone(p.layout.chunks[o.Base.Name(nil)])
	for i := range chunks {
		if i < len(o.Shape) { // chunks of an unlimited dimension may be longer than it is
			chunks[i] = min(chunks[i], o.Shape[i])
		}
	}
	return chunks
}

// addChunk plans an object that is one chunk of a dataset.
func (p *objectPlan) addChunk(o *dataset.Object, spec tet.DatasetSpec, t *mapping.Tet) error {
	rank := len(spec.Shape)
	if len(t.Start) != rank || len(t.Shape) != rank || len(t.Chunks) != rank {
		return fmt.Errorf("start %v, shape %v and chunks %v of a chunk of %d dimensions", t.Start, t.Shape, t.Chunks, rank)
	}
	coords := make([]int64, rank)
	whole := spec
	whole.Shape, whole.ChunkShape = make([]int64, rank), make([]int64, rank)
	for i, n := range spec.Shape {
		chunk, extent, start := t.Chunks[i], t.Shape[i], t.Start[i]
		if chunk == 0 || extent == 0 || extent > math.MaxInt64 || start >= extent || start%chunk != 0 || uint64(n) != min(chunk, extent-start) {
			return fmt.Errorf("start %v and shape %v are no chunk %v of %v", t.Start, spec.Shape, t.Chunks, t.Shape)
		}
		coords[i], whole.Shape[i], whole.ChunkShape[i] = int64(start/chunk), int64(extent), int64(min(chunk, extent))
	}
	key := fmt.Sprint(o.Base.Source(), "\x00", spec.Name, "\x00", whole.Shape, whole.ChunkShape, spec.DType)
	d := p.chunked[key]
	if d == nil {
		d = &planned{spec: whole}
		d.spec.Name = p.unique(spec.Name)
		p.describe(d, o, nil)
		p.chunked[key] = d
		p.datasets = append(p.datasets, d)
	}
	d.pieces = append(d.pieces, piece{o, coords})
	return nil
}
