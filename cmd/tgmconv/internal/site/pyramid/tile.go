package pyramid

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/internal/nd"
)

// A tile has the values of a part of a level, a row after the other.
type tile struct {
	rows, cols int
	values     []float32
}

// A place is the place of a tile.
type place struct {
	level, row, col int
	lead            []uint64 // positions along the axes that have one map after the other
}

func (p place) key(path string) string {
	return fmt.Sprint(path, "\x00", p.level, p.row, p.col, p.lead)
}

// tile returns a tile, which is shared.
func (s *series) tile(ctx context.Context, p place) (*tile, error) {
	return s.view.tiles.Get(ctx, p.key(s.path), func() (*tile, error) {
		// All who wait for the tile share this call, so that no request's context may end it.
		ctx := context.WithoutCancel(ctx)
		f, err := s.frame(ctx)
		if err != nil {
			return nil, err
		}
		t := newTile(f, p)
		if p.level == 0 {
			return t, s.fill(ctx, f, p, t)
		}
		if p.level >= 2 {
			if err := s.readWhole(ctx, p.lead); err != nil {
				return nil, err
			}
		}
		return t, s.average(ctx, f, p, t)
	})
}

// newTile is the tile at a place, of no values.
func newTile(f *frame, p place) *tile {
	rows, cols := f.shape(p.level)
	t := &tile{rows: min(TileSize, rows-p.row*TileSize), cols: min(TileSize, cols-p.col*TileSize)}
	t.values = make([]float32, t.rows*t.cols)
	for i := range t.values {
		t.values[i] = float32(math.NaN())
	}
	return t
}

// average fills a tile with the means of two by two cells of the level before. Those that are missing
// have no part in a mean; it is missing if all are.
func (s *series) average(ctx context.Context, f *frame, p place, t *tile) error {
	rows, cols := f.shape(p.level - 1)
	for row := 2 * p.row; row < 2*p.row+2 && row*TileSize < rows; row++ {
		for col := 2 * p.col; col < 2*p.col+2 && col*TileSize < cols; col++ {
			finer, err := s.tile(ctx, place{p.level - 1, row, col, p.lead})
			if err != nil {
				return err
			}
			halve(t, (row-2*p.row)*TileSize/2, (col-2*p.col)*TileSize/2, finer)
		}
	}
	return nil
}

// halve puts the means of a tile of the level before at a row and column of t.
func halve(t *tile, row, col int, finer *tile) {
	for j := 0; j < finer.rows; j += 2 {
		for i := 0; i < finer.cols; i += 2 {
			sum, n := 0.0, 0
			for y := j; y < min(j+2, finer.rows); y++ {
				for x := i; x < min(i+2, finer.cols); x++ {
					if v := finer.values[y*finer.cols+x]; v == v {
						sum += float64(v)
						n++
					}
				}
			}
			if n > 0 {
				t.values[(row+j/2)*t.cols+col+i/2] = float32(sum / float64(n))
			}
		}
	}
}

// fill fills a tile of the finest level with values of the field.
func (s *series) fill(ctx context.Context, f *frame, p place, t *tile) error {
	var cells, numbers []int
	for j := range t.rows {
		for i := range t.cols {
			if k := f.at(p.row*TileSize+j, p.col*TileSize+i); k >= 0 {
				cells, numbers = append(cells, j*t.cols+i), append(numbers, k)
			}
		}
	}
	values, err := s.valuesAt(ctx, p.lead, numbers)
	if err != nil {
		return err
	}
	for n, cell := range cells {
		t.values[cell] = float32(values[n])
	}
	return nil
}

// valuesAt reads the values of one map that have these numbers, in their order. It reads the area that they lie in.
func (s *series) valuesAt(ctx context.Context, lead []uint64, numbers []int) ([]float64, error) {
	if len(numbers) == 0 {
		return nil, nil
	}
	if s.wind != nil {
		along, err := s.wind.along.valuesAt(ctx, lead, numbers)
		if err != nil {
			return nil, err
		}
		across, err := s.wind.across.valuesAt(ctx, lead, numbers)
		if err != nil {
			return nil, err
		}
		return s.turn(ctx, numbers, along, across)
	}
	high, wide := s.across()
	firstRow, lastRow, firstCol, lastCol := high, -1, wide, -1
	for _, k := range numbers {
		firstRow, lastRow = min(firstRow, k/wide), max(lastRow, k/wide)
		firstCol, lastCol = min(firstCol, k%wide), max(lastCol, k%wide)
	}
	a, err := s.plane.Array(ctx)
	if err != nil {
		return nil, err
	}
	part, err := s.read(ctx, a, s.region(lead, firstRow, firstCol, lastRow-firstRow+1, lastCol-firstCol+1))
	if err != nil {
		return nil, err
	}
	size := a.Info().DType.Size()
	elements := make([]byte, 0, len(numbers)*size)
	for _, k := range numbers {
		from := part.at(k/wide-firstRow, k%wide-firstCol) * size
		elements = append(elements, part.data[from:from+size]...)
	}
	return s.plane.Numbers(a.Info().DType, elements)
}

// across is the shape of one map of the variable. A map with one axis is a single row.
func (s *series) across() (rows, cols int) {
	v := s.plane.Variable
	if len(s.plane.Across) == 1 {
		return 1, int(v.Shape[s.plane.Across[0]])
	}
	return int(v.Shape[s.plane.Across[0]]), int(v.Shape[s.plane.Across[1]])
}

// region is a part of one map.
func (s *series) region(lead []uint64, row, col, rows, cols int) array.Region {
	shape := s.plane.Variable.Shape
	r := array.Region{Start: make([]uint64, len(shape)), Count: make([]uint64, len(shape))}
	for i, axis := range s.lead {
		r.Start[axis], r.Count[axis] = lead[i], 1
	}
	last := s.plane.Across[len(s.plane.Across)-1]
	if len(s.plane.Across) == 2 {
		r.Start[s.plane.Across[0]], r.Count[s.plane.Across[0]] = uint64(row), uint64(rows)
	}
	r.Start[last], r.Count[last] = uint64(col), uint64(cols)
	return r
}

// A part has the elements of a region, which may be a part of a block's elements.
type part struct {
	data          []byte
	first, stride int // in elements: of the region in data, and from one row to the next
}

func (p part) at(row, col int) int { return p.first + row*p.stride + col }

// read reads a region in the blocks that it lies in, which are kept: the tiles beside it lie in the same.
func (s *series) read(ctx context.Context, a array.Array, r array.Region) (part, error) {
	info := a.Info()
	if data, ok := s.view.kept(s.wholeKey(r.Start)); ok {
		_, wide := s.across()
		first := int(r.Start[s.plane.Across[len(s.plane.Across)-1]])
		if len(s.plane.Across) == 2 {
			first += int(r.Start[s.plane.Across[0]]) * wide
		}
		return part{data: data, first: first, stride: wide}, nil
	}
	size := info.DType.Size()
	high := 1
	if len(s.plane.Across) == 2 {
		high = int(r.Count[s.plane.Across[0]])
	}
	whole := part{stride: int(r.Elements()) / high}
	for t := range r.Tiles(info.Block) {
		var block array.Region
		block.Start, block.Count = nd.Box(t.Index, info.Shape, info.Block)
		data, err := s.view.block(ctx, fmt.Sprint(s.path, "\x00", block.Start), func() ([]byte, error) {
			return array.Read(context.WithoutCancel(ctx), a, block, nil)
		})
		if err != nil {
			return part{}, err
		}
		if t.Within.Elements() == r.Elements() && s.lastAcross(len(info.Shape)) {
			strides := nd.Strides(block.Count, 1)
			p := part{data: data, first: int(nd.Number(t.Within.Start, block.Count))}
			if len(s.plane.Across) == 2 {
				p.stride = strides[s.plane.Across[0]]
			}
			return p, nil
		}
		if whole.data == nil {
			whole.data = make([]byte, int(r.Elements())*size)
		}
		nd.Copy(nd.At(whole.data, r.Count, t.At), nd.At(data, block.Count, t.Within.Start), t.Within.Count, size)
		if err := ctx.Err(); err != nil {
			return part{}, err
		}
	}
	return whole, nil
}

// maxWhole bounds the bytes of a map that is read as a whole.
const maxWhole = 512 << 20

// wholeKey stands for a map that was read as a whole, by a position in it.
func (s *series) wholeKey(start []uint64) string {
	key := append([]byte(s.path), "\x00whole"...)
	for _, axis := range s.lead {
		key = fmt.Append(key, " ", start[axis])
	}
	return string(key)
}

// readWhole reads a map for the many tiles that a coarse one is made of, if its blocks are small parts of it: to read
// these one by one may take many times as long.
func (s *series) readWhole(ctx context.Context, lead []uint64) error {
	if s.wind != nil {
		if err := s.wind.along.readWhole(ctx, lead); err != nil {
			return err
		}
		return s.wind.across.readWhole(ctx, lead)
	}
	a, err := s.plane.Array(ctx)
	if err != nil {
		return err
	}
	info := a.Info()
	rows, cols := s.across()
	r := s.region(lead, 0, 0, rows, cols)
	blocks := 1
	for i, n := range info.Block {
		if n > 1 && r.Count[i] == 1 {
			return nil // blocks have other maps as well
		}
		blocks *= int((r.Count[i] + n - 1) / max(1, n))
	}
	const few = 16
	if blocks <= few || !s.lastAcross(len(info.Shape)) || len(s.plane.Across) == 2 && s.plane.Across[0] != len(info.Shape)-2 || int64(r.Elements())*int64(info.DType.Size()) > maxWhole {
		return nil
	}
	_, err = s.view.block(ctx, s.wholeKey(r.Start), func() ([]byte, error) { return array.Read(context.WithoutCancel(ctx), a, r, nil) })
	return err
}

// A largeBlock is a block that is too large for the cache of blocks. It is kept while tiles are made of the block: each
// tile would decode it again.
type largeBlock struct {
	mu    sync.Mutex
	key   string
	data  []byte
	timer *time.Timer // drops the block
}

// keptLarge is how long a large block is kept after it was used.
const keptLarge = 10 * time.Second

// kept are the elements of a block that is kept.
func (v *View) kept(key string) ([]byte, bool) {
	l := &v.large
	l.mu.Lock()
	if l.key == key {
		defer l.mu.Unlock()
		l.timer.Reset(keptLarge)
		return l.data, true
	}
	l.mu.Unlock()
	return v.blocks.Lookup(key)
}

// block returns the elements of a block, which fill reads where they are not kept.
func (v *View) block(ctx context.Context, key string, fill func() ([]byte, error)) ([]byte, error) {
	if data, ok := v.kept(key); ok {
		return data, nil
	}
	l := &v.large
	data, err := v.blocks.Get(ctx, key, fill)
	if err != nil || int64(len(data))+int64(len(key))+blockCost <= v.opts.CacheBytes {
		return data, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer != nil {
		l.timer.Stop()
	}
	l.key, l.data = key, data
	l.timer = time.AfterFunc(keptLarge, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.key == key {
			l.key, l.data = "", nil
		}
	})
	return data, nil
}

// lastAcross reports whether columns, or points, follow each other in memory.
func (s *series) lastAcross(axes int) bool { return s.plane.Across[len(s.plane.Across)-1] == axes-1 }
