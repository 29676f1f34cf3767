package totet

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/zarr"
)

// zarrTypes are the element types of the layout, by those of Zarr. Both have a byte for a bool.
var zarrTypes = map[zarr.DataType]tet.DType{
	zarr.Float16: tet.Float16, zarr.Float32: tet.Float32, zarr.Float64: tet.Float64,
	"int16": tet.Int16, "int32": tet.Int32, "int64": tet.Int64,
	"uint8": tet.Uint8, "uint16": tet.Uint16, "uint32": tet.Uint32, "uint64": tet.Uint64, zarr.Bool: tet.Uint8,
}

// ExportZarr writes the arrays of a Zarr v3 store to out as a .tet file, as [Export] does objects.
// A dataset has the path of its array, its chunks, its dimension names, and its attributes as
// texts; arrays of up to 64 values along a dimension of their name are labels as well.
func ExportZarr(ctx context.Context, store zarr.Store, out storage.RandomWriter, opts Options) (*Report, error) {
	p := &zarrPlan{plan: plan{opts: &opts, names: map[string]bool{}}, labels: map[string][]string{}}
	if err := p.addAll(ctx, store); err != nil {
		return nil, err
	}
	for i, d := range p.datasets {
		if i == maxDescribed {
			p.note(d.spec.Name, "metadata are written for the first %d datasets only", maxDescribed)
			break
		}
		p.describe(d, p.arrays[i])
	}
	return p.write(out, func(w *tet.Writer, i int, _ *planned) error {
		if err := writeZarr(ctx, w, i, p.arrays[i]); err != nil {
			return &ObjectError{"array", p.arrays[i].Path(), err}
		}
		return nil
	})
}

// zarrPlan lists the datasets with the arrays that they are.
type zarrPlan struct {
	plan
	arrays []*zarr.Array
	labels map[string][]string // by the path of a short coordinate
}

func (p *zarrPlan) addAll(ctx context.Context, store zarr.Store) error {
	for a, err := range zarr.Arrays(ctx, store, "") {
		if err == nil {
			if err = p.add(ctx, a); err == nil {
				continue
			}
			err = &ObjectError{"array", a.Path(), err}
		}
		if !p.opts.SkipBad || ctx.Err() != nil {
			return err
		}
		p.skipped = append(p.skipped, err.Error())
	}
	return nil
}

func (p *zarrPlan) add(ctx context.Context, a *zarr.Array) error {
	meta := a.Metadata()
	spec := tet.DatasetSpec{Name: a.Path(), DType: zarrTypes[meta.DataType], Level: p.opts.Level}
	switch {
	case spec.DType == 0:
		return fmt.Errorf("data type %s cannot be written as .tet, expected float16, float32, float64, int16, int32, int64, uint8, uint16, uint32, uint64 or bool", meta.DataType)
	case len(meta.Shape) > tet.MaxRank:
		return fmt.Errorf("%d dimensions, .tet has at most %d", len(meta.Shape), tet.MaxRank)
	case spec.Name == "":
		spec.Name = "data" // the store is an array
	}
	for i, n := range meta.Shape {
		if n == 0 || n > math.MaxInt64 {
			return fmt.Errorf("shape %v, .tet has extents of at least 1", meta.Shape)
		}
		spec.Shape = append(spec.Shape, int64(n))
		spec.ChunkShape = append(spec.ChunkShape, int64(min(meta.ChunkShape[i], n)))
	}
	scalarShape(&spec)
	if len(p.opts.Chunks) == len(spec.Shape) {
		spec.ChunkShape = p.opts.Chunks
	}
	if err := checkGrid(spec); err != nil {
		return err
	}
	coder, err := zarr.NewCoder(meta)
	if err != nil {
		return err
	}
	if err := p.chooseCodec(&spec, !coder.Plain()); err != nil {
		return err
	}
	spec.Name = p.unique(spec.Name)
	p.datasets, p.arrays = append(p.datasets, &planned{spec: spec}), append(p.arrays, a)
	if dims := meta.DimensionNames; len(dims) == 1 && meta.Shape[0] <= maxLabels && a.Path() == beside(a.Path(), dims[0]) {
		return p.addAxis(ctx, a, spec)
	}
	return nil
}

// Chunks that the store does not hold take no bytes there, so that its size bounds nothing.
const (
	maxZarrChunk = 1 << 30 // bytes
	maxZarrGrid  = 1 << 24 // chunks
)

// checkGrid refuses chunks that are too large to be held, and too many of them.
func checkGrid(spec tet.DatasetSpec) error {
	size, chunks := spec.DType.Size(), int64(1)
	for i, n := range spec.Shape {
		chunk := min(spec.ChunkShape[i], n)
		count := (n-1)/chunk + 1
		if chunk > maxZarrChunk/size {
			return fmt.Errorf("chunks %v of %v have more than %d bytes", spec.ChunkShape, spec.DType, maxZarrChunk)
		}
		if count > maxZarrGrid/chunks {
			return fmt.Errorf("shape %v in chunks %v has more than %d of them", spec.Shape, spec.ChunkShape, maxZarrGrid)
		}
		size *= chunk
		chunks *= count
	}
	return nil
}

// beside is the path of a node in the group that another is in.
func beside(path, name string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[:i+1] + name
		}
	}
	return name
}

// addAxis keeps the values of a short coordinate as labels.
func (p *zarrPlan) addAxis(ctx context.Context, a *zarr.Array, spec tet.DatasetSpec) error {
	values := tet.Array{DType: spec.DType, Shape: spec.Shape, Data: make([]byte, spec.Shape[0]*spec.DType.Size())}
	if err := a.Read(ctx, values.Data); err != nil {
		return err
	}
	labels := make([]string, spec.Shape[0])
	for i := range labels {
		labels[i] = string(values.AppendText(nil, int64(i)))
	}
	p.labels[a.Path()] = labels
	return nil
}

func (p *zarrPlan) describe(d *planned, a *zarr.Array) {
	meta := a.Metadata()
	if dims := meta.DimensionNames; len(dims) == len(d.spec.Shape) && !slices.Contains(dims, "") {
		d.meta.DimNames = dims
		for _, dim := range dims {
			if labels := p.labels[beside(a.Path(), dim)]; labels != nil {
				p.addLabels(d, d.spec.Name, dim, labels)
			}
		}
	}
	texts := make(map[string]string)
	for key, value := range meta.Attributes {
		if n, ok := value.(json.Number); ok {
			value = n.String()
		}
		addTexts(texts, "", map[string]any{key: value})
	}
	p.addAttributes(d, d.spec.Name, texts)
}

// writeZarr writes the chunks of dataset i, in the order of the grid.
func writeZarr(ctx context.Context, w *tet.Writer, i int, a *zarr.Array) error {
	spec := w.Datasets()[i]
	for coords := range nd.Positions(nd.Grid(spec.Shape, spec.ChunkShape)) {
		size := spec.DType.Size()
		start, count := make([]uint64, len(a.Metadata().Shape)), make([]uint64, len(a.Metadata().Shape))
		for k := range start {
			first := coords[k] * spec.ChunkShape[k]
			n := min(spec.ChunkShape[k], spec.Shape[k]-first)
			start[k], count[k] = uint64(first), uint64(n)
			size *= n
		}
		tile := make([]byte, size)
		if err := a.ReadRegion(ctx, tile, start, count); err != nil {
			return err
		}
		if err := w.WriteChunk(i, coords, tile); err != nil {
			return err
		}
	}
	return nil
}
