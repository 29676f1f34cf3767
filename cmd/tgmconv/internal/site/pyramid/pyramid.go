// Package pyramid shows the maps of a labelled dataset at several resolutions, as a [serve.View] for
// clients that draw them: each variable on a regular grid of latitudes and longitudes, and the means of
// two by two cells of it, and of these, until a map is one tile.
//
//	t2m/zarr.json            group: the conventions multiscales, proj: and spatial:
//	t2m/0/zarr.json          group: the finest level
//	t2m/0/t2m/c/0/1/2        float32, a tile of TileSize by TileSize cells, of one position along the other axes
//	t2m/0/latitude, …        coordinates
//	t2m/1/…                  the next level
//	@wind/u10/east/…         a wind whose components lie along its grid, turned to the east; also u10/north
//
// A variable on a regular grid is shown as it is, north up. On any other grid each cell has the value of
// the grid point nearest to its middle, or none if that is not near, as in pictures of package plot.
//
// Tiles are made when they are asked for. They are kept, with the blocks of the files that they are made
// of, up to a number of bytes.
package pyramid

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/lru"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/zarr"
)

// Options configure [New].
type Options struct {
	// CacheBytes bounds the tiles that are kept, and as much the blocks of files: at least 64 MiB.
	CacheBytes int64
	// Gzip compresses tiles.
	Gzip bool
}

// A View shows maps. It is a [serve.View].
type View struct {
	build  sync.Once // series and nodes, when they are first asked for
	series []*series
	nodes  map[string]*node
	set    *dataset.Dataset
	fields dataset.Fields
	labels *serve.DatasetView
	opts   Options

	tiles  *lru.Cache[*tile]
	blocks *lru.Cache[[]byte]
	frames *lru.Cache[*frame]
	angles *lru.Cache[[]float32]
	large  largeBlock
}

// blockCost is the memory that a kept block takes beside its elements and its key.
const blockCost = 200

// A series are the maps of a variable.
type series struct {
	view  *View
	plane *look.Plane
	path  string // of the variable in the dataset, and of its group here
	name  string // the last part of path
	grid  string // stands for its grid
	lead  []int  // the axes that are not in plane.Across

	east, north string // the maps of the wind whose component along rows this is; "" if that is not known
	wind        *wind  // of which this is a component; nil of a variable
}

// A node is a group, of folders or of a variable.
type node struct {
	series   *series // nil for a folder
	children []string
}

const leastCache = 64 << 20

// New returns the view of a dataset whose values fields reads. Labels come from labels, which shows
// the same dataset. New does no work until maps are requested.
func New(set *dataset.Dataset, fields dataset.Fields, labels *serve.DatasetView, opts Options) *View {
	opts.CacheBytes = max(opts.CacheBytes, leastCache)
	v := &View{set: set, nodes: map[string]*node{"": {}}, fields: fields, labels: labels, opts: opts}
	v.tiles = lru.New(lru.Options[*tile]{Limit: opts.CacheBytes, Cost: func(key string, t *tile) int64 { return int64(len(key) + 4*len(t.values) + 200) }})
	v.blocks = lru.New(lru.Options[[]byte]{Limit: opts.CacheBytes, Cost: func(key string, b []byte) int64 { return int64(len(key)+len(b)) + blockCost }})
	v.frames = lru.New(lru.Options[*frame]{Limit: opts.CacheBytes, Cost: func(key string, f *frame) int64 { return int64(len(key)) + f.bytes() }})
	v.angles = lru.New(lru.Options[[]float32]{Limit: opts.CacheBytes, Cost: func(key string, a []float32) int64 { return int64(len(key)+4*len(a)) + 200 }})
	return v
}

// list finds the variables that there are, once.
func (v *View) list() {
	paths := serve.NewDatasetPaths(v.set)
	grids := make(map[any]string)
	for _, p := range look.DatasetPlanes(v.set, v.fields) {
		s := &series{view: v, plane: p, path: paths.Variable(p.Group, p.Variable)}
		s.name = path.Base(s.path)
		for axis := range p.Variable.Shape {
			if !slices.Contains(p.Across, axis) {
				s.lead = append(s.lead, axis)
			}
		}
		key := p.GridKey()
		if grids[key] == "" {
			grids[key] = strconv.Itoa(len(grids) + 1)
		}
		s.grid = grids[key]
		v.series = append(v.series, s)
		if s.shown() == nil {
			v.add(s.path).series = s
		}
	}
	v.listWinds(context.Background())
}

// add adds a group and the groups around it.
func (v *View) add(at string) *node {
	if n := v.nodes[at]; n != nil {
		return n
	}
	n := new(node)
	v.nodes[at] = n
	above := path.Dir(at)
	if above == "." {
		above = ""
	}
	p := v.add(above)
	p.children = append(p.children, path.Base(at))
	return n
}

// shown returns the reason why a variable has no maps as far as that is known without its grid.
func (s *series) shown() error {
	switch v := s.plane.Variable; {
	case len(s.plane.Across) == 0 || len(s.plane.Across) > 2:
		_, err := s.plane.Grid(context.Background())
		if err == nil {
			err = fmt.Errorf("the places of %s are not those of rows, columns or points", s.path)
		}
		return err
	case slices.Contains(v.Shape, 0):
		return fmt.Errorf("%s has no values", s.path)
	}
	for _, axis := range s.lead {
		if dim := s.plane.Variable.Dims[axis]; dim == latitude || dim == longitude {
			return fmt.Errorf("%s has several maps along %s", s.path, dim)
		}
	}
	return nil
}

// frame is the frame of the grid of the variable.
func (s *series) frame(ctx context.Context) (*frame, error) {
	return s.view.frames.Get(ctx, s.grid, func() (*frame, error) {
		ctx := context.WithoutCancel(ctx)
		g, err := s.plane.Grid(ctx)
		if err != nil {
			return nil, err
		}
		f, err := frameOf(g)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.path, err)
		}
		return f, nil
	})
}

// A position is one of a path: of a variable, of one of its levels, or of an array there.
type position struct {
	series *series
	level  int // -1 for the group of the variable
	array  string
}

func notFound(path string) error { return zarr.KeyNotFound(path) }

// find finds the array or document at a path.
func (v *View) find(at string) (position, *node, error) {
	v.build.Do(v.list)
	if n := v.nodes[at]; n != nil {
		return position{series: n.series, level: -1}, n, nil
	}
	above, last := path.Split(at)
	above = strings.TrimSuffix(above, "/")
	if n := v.nodes[above]; n != nil && n.series != nil {
		if level, ok := levelOf(last); ok {
			return position{series: n.series, level: level}, nil, nil
		}
	}
	folder, level := path.Split(above)
	if n := v.nodes[strings.TrimSuffix(folder, "/")]; n != nil && n.series != nil {
		if number, ok := levelOf(level); ok {
			return position{series: n.series, level: number, array: last}, nil, nil
		}
	}
	return position{}, nil, notFound(at)
}

func levelOf(name string) (int, bool) {
	n, err := strconv.Atoi(name)
	return n, err == nil && n >= 0 && n < 64 && strconv.Itoa(n) == name
}

// The names of the dimensions and coordinates of maps.
const (
	latitude  = "latitude"
	longitude = "longitude"
)

// Node implements [serve.View].
func (v *View) Node(ctx context.Context, at string) (serve.Node, error) {
	p, _, err := v.find(at)
	if err != nil {
		return serve.Node{}, err
	}
	if p.series == nil {
		return serve.Node{Group: &zarr.GroupMetadata{Attributes: map[string]any{}}}, nil
	}
	f, err := p.series.frame(ctx)
	if err != nil {
		return serve.Node{}, err
	}
	switch {
	case p.level >= f.levels():
		return serve.Node{}, notFound(at)
	case p.level < 0:
		return serve.Node{Group: &zarr.GroupMetadata{Attributes: p.series.multiscales(f)}}, nil
	case p.array == "":
		return serve.Node{Group: &zarr.GroupMetadata{Attributes: spatialGroup(f, p.level)}}, nil
	case p.array == p.series.name:
		return p.series.node(f, p.level), nil
	case p.array == latitude || p.array == longitude:
		return serve.Node{Array: coordinate(f, p.level, p.array)}, nil
	}
	label, ok := p.series.label(p.array)
	if !ok {
		return serve.Node{}, notFound(at)
	}
	return v.labels.Node(ctx, label)
}

// label is the path of the coordinate of a dimension in the dataset.
func (s *series) label(dim string) (at string, ok bool) {
	for _, axis := range s.lead {
		if s.plane.Variable.Dims[axis] != dim {
			continue
		}
		if v := s.plane.Group.Variable(dim); v != nil && len(v.Dims) == 1 && v.Text == dataset.NotText {
			if s.wind != nil {
				s = s.wind.along
			}
			return path.Join(path.Dir(s.path), dim), true
		}
	}
	return "", false
}

// Children implements [serve.View].
func (v *View) Children(ctx context.Context, at string) ([]string, error) {
	p, n, err := v.find(at)
	if err != nil {
		return nil, err
	}
	if n != nil && p.series == nil {
		return n.children, nil
	}
	f, err := p.series.frame(ctx)
	if err != nil {
		return nil, err
	}
	if p.level < 0 {
		children := slices.Clone(n.children)
		for level := range f.levels() {
			children = append(children, strconv.Itoa(level))
		}
		return children, nil
	}
	if p.array != "" || p.level >= f.levels() {
		return nil, notFound(at)
	}
	children := []string{p.series.name, latitude, longitude}
	for _, axis := range p.series.lead {
		if _, ok := p.series.label(p.series.plane.Variable.Dims[axis]); ok {
			children = append(children, p.series.plane.Variable.Dims[axis])
		}
	}
	return children, nil
}

// tileShape is the shape of chunks along latitude and longitude.
func (f *frame) tileShape(level int) (rows, cols int) {
	rows, cols = f.shape(level)
	return min(rows, TileSize), min(cols, TileSize)
}

// node describes the array of the variable at a level.
func (s *series) node(f *frame, level int) serve.Node {
	rows, cols := f.shape(level)
	high, wide := f.tileShape(level)
	v := s.plane.Variable
	m := &zarr.ArrayMetadata{
		DataType: zarr.Float32, ChunkKeys: zarr.DefaultKeys, FillValue: zarr.Float32.DefaultFill(), Codecs: zarr.PlainCodecs(zarr.Float32),
		Attributes: make(map[string]any),
	}
	if s.view.opts.Gzip {
		m.Codecs = append(m.Codecs, zarr.Codec{Name: "gzip", Configuration: map[string]any{"level": gzipLevel}})
	}
	for _, axis := range s.lead {
		m.Shape, m.ChunkShape, m.DimensionNames = append(m.Shape, v.Shape[axis]), append(m.ChunkShape, 1), append(m.DimensionNames, v.Dims[axis])
	}
	m.Shape, m.ChunkShape = append(m.Shape, uint64(rows), uint64(cols)), append(m.ChunkShape, uint64(high), uint64(wide))
	m.DimensionNames = append(m.DimensionNames, latitude, longitude)
	for _, key := range []string{cf.AttrStandardName, cf.AttrLongName, cf.AttrUnits} {
		if text, ok := v.Attr(key).(string); ok {
			m.Attributes[key] = text
		}
	}
	if s.wind != nil {
		to := map[bool]string{false: "east", true: "north"}[s.wind.north]
		m.Attributes[cf.AttrStandardName], m.Attributes[cf.AttrLongName] = to+"ward_wind", "wind to the "+to
	}
	switch {
	case level > 0:
		m.Attributes["comment"] = "means of the values of two by two cells of the level before, without missing ones"
	case !f.exact:
		m.Attributes["comment"] = "each cell has the value of the grid point nearest to its middle"
	}
	return serve.Node{Array: m}
}

// coordinate describes the latitudes or longitudes of a level.
func coordinate(f *frame, level int, name string) *zarr.ArrayMetadata {
	rows, cols := f.shape(level)
	n, units, axis := rows, "degrees_north", "Y"
	if name == longitude {
		n, units, axis = cols, "degrees_east", "X"
	}
	return &zarr.ArrayMetadata{
		Shape: []uint64{uint64(n)}, DataType: zarr.Float64, ChunkShape: []uint64{uint64(n)}, ChunkKeys: zarr.DefaultKeys, FillValue: zarr.Float64.DefaultFill(),
		Codecs: zarr.PlainCodecs(zarr.Float64), DimensionNames: []string{name},
		Attributes: map[string]any{cf.AttrStandardName: name, cf.AttrUnits: units, cf.AttrAxis: axis},
	}
}

// middles are the coordinates of the middles of the cells of a level.
func (f *frame) middles(level int, name string) []byte {
	rows, cols := f.shape(level)
	n, first, step := rows, f.north, -f.dlat
	if name == longitude {
		n, first, step = cols, f.west, f.dlon
	}
	step = math.Ldexp(step, level)
	var out []byte
	for i := range n {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(first+float64((float64(i)+0.5)*step)))
	}
	return out
}

// gzipLevel is the fastest: tiles are made for one who waits.
const gzipLevel = 1

// Chunk implements [serve.View].
func (v *View) Chunk(ctx context.Context, at string, index []uint64) (serve.Chunk, error) {
	p, _, err := v.find(at)
	if err != nil {
		return serve.Chunk{}, err
	}
	if p.series == nil || p.array == "" {
		return serve.Chunk{}, notFound(at)
	}
	s := p.series
	f, err := s.frame(ctx)
	if err != nil {
		return serve.Chunk{}, err
	}
	if p.level >= f.levels() {
		return serve.Chunk{}, notFound(at)
	}
	if p.array == latitude || p.array == longitude {
		if len(index) != 1 || index[0] != 0 {
			return serve.Chunk{}, notFound(at)
		}
		data := f.middles(p.level, p.array)
		return serve.Chunk{Size: int64(len(data)), Decode: func([]byte) ([]byte, error) { return data, nil }}, nil
	}
	if p.array != s.name {
		label, ok := s.label(p.array)
		if !ok {
			return serve.Chunk{}, notFound(at)
		}
		return v.labels.Chunk(ctx, label, index)
	}
	grid := s.node(f, p.level).Array.Grid()
	if len(index) != len(grid) {
		return serve.Chunk{}, notFound(at)
	}
	for i, n := range grid {
		if index[i] >= n {
			return serve.Chunk{}, notFound(at)
		}
	}
	n := len(s.lead)
	return s.chunk(ctx, f, place{p.level, int(index[n]), int(index[n+1]), index[:n]})
}

// chunk is the chunk of a tile.
func (s *series) chunk(ctx context.Context, f *frame, p place) (serve.Chunk, error) {
	rows, cols := f.tileShape(p.level)
	c := serve.Chunk{Size: int64(4 * rows * cols), ETag: s.version(p)}
	make := func() ([]byte, error) {
		t, err := s.tile(context.WithoutCancel(ctx), p)
		if err != nil {
			return nil, err
		}
		return t.bytes(rows, cols), nil
	}
	c.Decode = func([]byte) ([]byte, error) { return make() }
	if !s.view.opts.Gzip {
		return c, nil
	}
	data, err := make()
	if err != nil {
		return serve.Chunk{}, err
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzipLevel)
	if err != nil {
		return serve.Chunk{}, err
	}
	w.Write(data) // to memory
	if err := w.Close(); err != nil {
		return serve.Chunk{}, err
	}
	c.Size, c.Decode = int64(out.Len()), func([]byte) ([]byte, error) { return out.Bytes(), nil }
	return c, nil
}

// version is the entity tag of a tile: the state of the file that its values are from.
func (s *series) version(p place) string {
	if s.wind != nil {
		along, across := s.wind.along.version(p), s.wind.across.version(p)
		if along == "" || across == "" {
			return ""
		}
		return along[:len(along)-1] + "+" + across[1:]
	}
	v := s.plane.Variable
	index := make([]uint64, len(v.Shape))
	for i, axis := range s.lead {
		index[axis] = p.lead[i] / max(1, v.Chunk[axis])
	}
	ref, ok := v.Ref(index)
	if !ok {
		return ""
	}
	version := s.view.fields.Version(ref)
	if version == "" {
		return ""
	}
	return `"` + version + "-" + strconv.Itoa(p.level) + "-" + strconv.Itoa(p.row) + "-" + strconv.Itoa(p.col) + `"`
}

// bytes are the elements of a chunk that the tile is the beginning of.
func (t *tile) bytes(rows, cols int) []byte {
	out := make([]byte, 0, 4*rows*cols)
	missing := math.Float32bits(float32(math.NaN()))
	for j := range rows {
		for i := range cols {
			bits := missing
			if j < t.rows && i < t.cols {
				bits = math.Float32bits(t.values[j*t.cols+i])
			}
			out = binary.LittleEndian.AppendUint32(out, bits)
		}
	}
	return out
}
