package totet

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tgm"
)

// largeArray is the size in bytes from which on chunks are cut.
const largeArray = 64 << 20

// ExportDataset writes labelled arrays to out as a .tet file, as [Export] does objects. A variable
// becomes a dataset; the name of one in a group begins with the group. Coordinates of up to 64
// values are the labels of the axes, longer ones datasets of their own, scalar ones attributes.
// Holes and missing points are NaN.
func ExportDataset(ctx context.Context, set *dataset.Dataset, fields dataset.Fields, out storage.RandomWriter, opts Options) (*Report, error) {
	p := &labelledPlan{plan: plan{opts: &opts, names: map[string]bool{}}, ctx: ctx, fields: fields}
	for _, g := range set.Groups {
		if err := p.addGroup(g, set.CoordinatesAbove(g)); err != nil {
			return nil, err
		}
	}
	return p.write(out, func(w *tet.Writer, i int, d *planned) error {
		v := p.variables[i]
		a, scaling := v.Array(ctx, fields, hole(v.DType, fillOf(d))), v.Unpack
		if v.Type() != v.DType {
			var err error
			if a, err = v.Values(a); err != nil {
				return &ObjectError{"dataset", d.spec.Name, err}
			}
			scaling = nil
		}
		if err := writeArray(ctx, w, i, d, a, scaling); err != nil {
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

// addGroup plans the variables of a group; above are coordinates of the groups that it is in.
func (p *labelledPlan) addGroup(g *dataset.Group, above []*dataset.Variable) error {
	var coordinates []*dataset.Variable
	inScope := above
	for _, v := range g.Variables {
		if v.Coordinate {
			coordinates = append(coordinates, v)
		}
		if v.Coordinate || len(v.Shape) == 0 {
			inScope = append(inScope, v)
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
		if err := p.add(prefix, v, inScope, inLabels); err != nil {
			if !p.opts.SkipBad {
				return err
			}
			p.skipped = append(p.skipped, err.Error())
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
	spec := tet.DatasetSpec{Name: prefix + v.Name, DType: dtypes[v.Type()], Level: p.opts.Level}
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
	if err := p.describeVariable(d, v, coordinates, inLabels); err != nil {
		return err
	}
	p.datasets, p.variables = append(p.datasets, d), append(p.variables, v)
	return nil
}

// sourceChunks gives a dataset the chunks of its variable in its file. The variable must be one
// object whose file has chunks. Small records of netCDF-3 files stay together.
func (p *labelledPlan) sourceChunks(spec *tet.DatasetSpec, v *dataset.Variable) {
	layouts := p.fields
	if refs := v.Refs(); len(refs) != 1 || refs[0] < 0 {
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
	if spec.DType.Size()*nd.Volume(spec.ChunkShape) >= largeArray {
		spec.ChunkShape = p.chunkShape(spec.ChunkShape, spec.DType.Size(), nil)
	}
}

// Attributes of CF that name other variables.
const (
	attrCoordinates = cf.AttrCoordinates
	attrGridMapping = cf.AttrGridMapping
)

func (p *labelledPlan) describeVariable(d *planned, v *dataset.Variable, coordinates []*dataset.Variable, inLabels map[string]bool) error {
	if len(p.datasets) >= maxDescribed {
		if len(p.datasets) == maxDescribed {
			p.note(d.spec.Name, "metadata are written for the first %d datasets only", maxDescribed)
		}
		return nil
	}
	if len(v.Dims) == len(d.spec.Shape) {
		d.meta.DimNames = v.Dims
	}
	attrs := make(map[string]string)
	for _, a := range v.Attrs {
		addTexts(attrs, "", map[string]any{a.Key: a.Value})
	}
	named := strings.Fields(attrs[attrCoordinates])
	for _, c := range coordinates {
		switch {
		case c.Name == attrs[attrGridMapping]:
			for _, a := range c.Attrs {
				addTexts(attrs, c.Name+".", map[string]any{a.Key: a.Value})
			}
		case len(c.Shape) == 0:
			i := slices.Index(named, c.Name)
			if i < 0 {
				continue
			}
			labels, err := p.labelsOf(c)
			if err != nil {
				return err
			}
			if len(labels) == 1 && attrs[c.Name] == "" {
				attrs[c.Name] = labels[0]
				named = slices.Delete(named, i, i+1)
			} else {
				p.note(d.spec.Name, "the coordinate %s has no form as an attribute", c.Name)
			}
		case labels(c, v):
			labels, err := p.labelsOf(c)
			if err != nil {
				return err
			}
			if labels != nil {
				p.addLabels(d, d.spec.Name, c.Name, labels)
				inLabels[c.Name] = true
			}
		}
	}
	if attrs[attrCoordinates] = strings.Join(named, " "); len(named) == 0 { // all are attributes
		delete(attrs, attrCoordinates)
	}
	p.addAttributes(d, d.spec.Name, attrs)
	return nil
}

// labels reports whether a coordinate labels a dimension of a variable, with few values.
func labels(c, v *dataset.Variable) bool {
	if len(c.Shape) != 1 || c.Dims[0] != c.Name || c.Shape[0] > maxLabels {
		return false
	}
	axis := slices.Index(v.Dims, c.Name)
	return axis >= 0 && v.Shape[axis] == c.Shape[0]
}

// labelsOf are the values of a coordinate as texts: points in time as ISO 8601 has them, numbers in
// the fewest digits. With [Options].SkipBad there are none of a coordinate that cannot be read.
func (p *labelledPlan) labelsOf(c *dataset.Variable) ([]string, error) {
	if c.Text != dataset.NotText || dtypes[c.DType] == 0 {
		return nil, nil
	}
	numbers := c.Array(p.ctx, p.fields, hole(c.DType, math.NaN()))
	data, err := array.Read(p.ctx, numbers, numbers.Info().Whole(), nil)
	if err != nil && !p.opts.SkipBad {
		return nil, &ObjectError{"coordinate", c.Name, err}
	}
	size := int64(nd.Volume(c.Shape))
	if err != nil || int64(len(data)) != size*dtypes[c.DType].Size() {
		return nil, nil
	}
	finish(data, c.Unpack, dtypes[c.DType], math.NaN())
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
	return labels, nil
}

// hole is the element of a variable where nothing is known; nil if its type has none.
func hole(t tgm.DType, value float64) []byte {
	switch t {
	case tgm.Float32:
		return binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(value)))
	case tgm.Float64:
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(value))
	}
	return nil
}
