package totet

import (
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tgm"
)

// dtypes are the element types of the layout, by those of messages.
var dtypes = map[tgm.DType]tet.DType{
	tgm.Float16: tet.Float16, tgm.Float32: tet.Float32, tgm.Float64: tet.Float64,
	tgm.Int16: tet.Int16, tgm.Int32: tet.Int32, tgm.Int64: tet.Int64,
	tgm.Uint8: tet.Uint8, tgm.Uint16: tet.Uint16, tgm.Uint32: tet.Uint32, tgm.Uint64: tet.Uint64,
}

// A planned dataset is one that will be written.
type planned struct {
	spec   tet.DatasetSpec
	meta   tet.DatasetMetadata
	unpack *mapping.Scaling // of floating-point numbers; nil if they are the values
	pieces []piece
}

// A piece is an object that is a dataset, or one chunk of it.
type piece struct {
	object *tgm.Object
	file   string  // that holds the object, if its name is known
	coords []int64 // in the chunk grid; nil for a whole dataset
}

// A plan lists the datasets of a file, in the order of the objects.
type plan struct {
	opts     *Options
	datasets []*planned
	chunked  map[string]*planned // that come in chunks, by name and shape
	names    map[string]bool
	history  []tet.Event
	notes    []string
	skipped  []string // objects that .tet cannot hold
	layout   netcdfLayout
	file     string // whose messages are being added
}

// A netcdfLayout is the shapes of the chunks in which the variables of a source in a message were
// stored, by name.
type netcdfLayout struct {
	of     *tgm.Message
	source string
	chunks map[string][]uint64
}

func (p *plan) note(at, format string, args ...any) {
	p.notes = append(p.notes, at+": "+fmt.Sprintf(format, args...))
}

func (p *plan) where(o *tgm.Object) string { return piece{object: o, file: p.file}.where() }

func (p piece) where() string {
	where := fmt.Sprintf("message %d, object %d", p.object.Message().Index(), p.object.Index())
	if p.file != "" {
		where = p.file + ": " + where
	}
	return where
}

// refused is the error for a piece of a dataset that cannot be written. It says where the object is
// unless err does.
func (p piece) refused(name string, err error) *ObjectError {
	if p.file != "" && tgm.IsAt(err, p.object.Message().Index(), p.object.Index()) {
		return &ObjectError{p.file, name, err}
	}
	return &ObjectError{p.where(), name, err}
}

// addMessage plans the objects of a message.
func (p *plan) addMessage(m *tgm.Message) error {
	shared, err := m.SharedMetadata()
	if err != nil {
		return err
	}
	var objects []*tgm.Object
	var entries []mapping.Entry
	for o, err := range m.Objects() {
		if err != nil {
			return err
		}
		objects, entries = append(objects, o), append(entries, mapping.ReadIn(shared.Extra, o.Base()))
	}
	axes := labelAxes(entries)
	for i, o := range objects {
		e := entries[i]
		if _, isTet := e.Tet(); !isTet && axes[axisOf(e, e.Name(p.opts.ShortName))] && len(o.Descriptor().Shape) == 1 {
			continue // made of the labels of a dataset, and made again of them
		}
		if err := p.addObject(o, e, objects, entries); err != nil {
			refused := piece{object: o, file: p.file}.refused(e.Name(p.opts.ShortName), err)
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

// labelAxes are the axes whose labels datasets of the message hold themselves.
func labelAxes(entries []mapping.Entry) map[axis]bool {
	axes := make(map[axis]bool)
	for _, e := range entries {
		if t, ok := e.Tet(); ok {
			for name := range t.Coords {
				axes[axisOf(e, name)] = true
			}
		}
	}
	return axes
}

func (p *plan) addObject(o *tgm.Object, e mapping.Entry, objects []*tgm.Object, entries []mapping.Entry) error {
	spec, err := p.spec(o, e)
	if err != nil {
		return err
	}
	t, isTet := e.Tet()
	if isTet && t.Start != nil {
		return p.addChunk(o, e, spec, t)
	}
	d := &planned{spec: spec, pieces: []piece{{object: o, file: p.file}}}
	d.spec.Name = p.unique(spec.Name)
	d.unpack = floatPacking(o, e)
	p.describe(d, o, e, objects, entries)
	p.datasets = append(p.datasets, d)
	return nil
}

// floatPacking says how the floating-point numbers of an object become values of the same type, nil
// if they are the values.
func floatPacking(o *tgm.Object, e mapping.Entry) *mapping.Scaling {
	t := o.Descriptor().DType
	if s, ok := e.Scaling(t); ok && s.Float(t) {
		return &s
	}
	return nil
}

// spec is what an object is as a dataset of its own.
func (p *plan) spec(o *tgm.Object, e mapping.Entry) (tet.DatasetSpec, error) {
	d := o.Descriptor()
	spec := tet.DatasetSpec{Name: e.Name(p.opts.ShortName), DType: dtypes[d.DType], Level: p.opts.Level}
	if spec.Name == "" {
		spec.Name = fmt.Sprintf("object_%d", o.Index())
	}
	if spec.DType == 0 {
		return spec, fmt.Errorf("dtype %v cannot be written as .tet, expected f16, f32, f64, i16, i32, i64, u8, u16, u32 or u64", d.DType)
	}
	if len(d.Shape) > tet.MaxRank {
		return spec, fmt.Errorf("%d dimensions, .tet has at most %d", len(d.Shape), tet.MaxRank)
	}
	for _, n := range d.Shape {
		if n == 0 || n > math.MaxInt64 {
			return spec, fmt.Errorf("shape %v, .tet has extents of at least 1", d.Shape)
		}
		spec.Shape = append(spec.Shape, int64(n))
	}
	scalarShape(&spec)
	t, isTet := e.Tet()
	source := p.netcdfChunks(o, e)
	if isTet {
		source = t.Chunks
	}
	spec.ChunkShape = p.chunkShape(spec.Shape, spec.DType.Size(), source)
	packed := isTet && t.Codec == tet.Zstd.String() || !isTet && (d.Compression != "none" || d.Encoding != "none")
	err := p.chooseCodec(&spec, packed)
	return spec, err
}

// scalarShape makes a dataset of one value of an array without dimensions, which .tet does not
// have.
func scalarShape(spec *tet.DatasetSpec) {
	if len(spec.Shape) == 0 {
		spec.Shape, spec.ChunkShape = []int64{1}, []int64{1}
	}
}

// chooseCodec gives a dataset the codec of the options; without one, zstd if the source is packed.
func (p *plan) chooseCodec(spec *tet.DatasetSpec, packed bool) (err error) {
	switch {
	case p.opts.Codec != "":
		spec.Codec, err = tet.ParseCodec(p.opts.Codec)
	case packed:
		spec.Codec = tet.Zstd
	}
	return err
}

// chunkBytes is about the size of chunks of arrays that have none of their own.
const chunkBytes = 16 << 20

// chunkShape is what the options say, what the source had, or rows up to a size.
func (p *plan) chunkShape(shape []int64, elem int64, source []uint64) []int64 {
	if len(p.opts.Chunks) == len(shape) {
		return p.opts.Chunks
	}
	chunks := slices.Clone(shape)
	if len(source) == len(shape) && len(p.opts.Chunks) == 0 {
		for i, n := range source {
			if n == 0 || n > math.MaxInt64 {
				return chunks
			}
			chunks[i] = int64(n)
		}
		return chunks
	}
	return nd.Rows(shape, elem, chunkBytes)
}

// netcdfChunks returns the shape of the chunks in which a netCDF variable was stored, nil if it was
// not, or is none.
func (p *plan) netcdfChunks(o *tgm.Object, e mapping.Entry) []uint64 {
	if _, ok := e.NetCDF(); !ok {
		return nil
	}
	if p.layout.of != o.Message() || p.layout.source != e.Source() {
		p.layout = netcdfLayout{o.Message(), e.Source(), make(map[string][]uint64)}
		if layout := e.NetCDFLayout(); layout != nil {
			for _, v := range layout.Variables {
				p.layout.chunks[v.Name] = v.Chunks
			}
		}
	}
	shape := o.Descriptor().Shape
	chunks := slices.Clone(p.layout.chunks[e.Name(nil)])
	for i := range chunks {
		if i < len(shape) { // chunks of an unlimited dimension may be longer than it is
			chunks[i] = min(chunks[i], shape[i])
		}
	}
	return chunks
}

// addChunk plans an object that is one chunk of a dataset.
func (p *plan) addChunk(o *tgm.Object, e mapping.Entry, spec tet.DatasetSpec, t *mapping.Tet) error {
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
	key := fmt.Sprint(e.Source(), "\x00", spec.Name, "\x00", whole.Shape, whole.ChunkShape, spec.DType)
	d := p.chunked[key]
	if d == nil {
		d = &planned{spec: whole}
		d.spec.Name = p.unique(spec.Name)
		p.describe(d, o, e, nil, nil)
		p.chunked[key] = d
		p.datasets = append(p.datasets, d)
	}
	d.pieces = append(d.pieces, piece{o, p.file, coords})
	return nil
}

// unique is the name with a number if another dataset has it.
func (p *plan) unique(name string) string {
	free := name
	for n := 2; p.names[free]; n++ {
		free = fmt.Sprintf("%s_%d", name, n)
	}
	p.names[free] = true
	return free
}
