package plot

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"sync"

	"github.com/tgmconv/tgmconv/internal/plot/coast"
	"github.com/tgmconv/tgmconv/internal/plot/ticks"
	"github.com/tgmconv/tgmconv/look"
)

// A Panel is a field with its values.
type Panel struct {
	Name, LongName, Units string
	Title, Labels         string // two lines above the map
	Grid                  *look.Grid
	Values                []float64 // of a large field, those that a scale is found by

	runs look.Runs // of a large field
}

// NewPanel reads the values and the grid of a field.
func NewPanel(ctx context.Context, f *look.Field) (*Panel, error) {
	g, err := f.Grid(ctx)
	if err != nil {
		return nil, err
	}
	p := &Panel{Name: f.Name, LongName: f.LongName, Units: f.Units, Title: f.Title(), Labels: f.Labels(), Grid: g}
	if p.runs, err = f.Runs(ctx); err != nil {
		return nil, err
	}
	if p.runs != nil {
		p.Values, err = sampleOf(p.runs, uint64(g.Len()), sampled-2)
	} else {
		p.Values, err = f.Values(ctx)
	}
	return p, err
}

// Options say how maps are drawn. The zero value is the default.
type Options struct {
	Width      int     // of the picture, in pixels; 0 means 1000
	Projection string  // one of Projections; "" means auto
	Scales     []Scale // one for each panel; nil: found from the values
	Bare       bool    // the map alone, without title, colour bar and frame
	Height     int     // of a bare map; 0: found from the projection
	NoCoast    bool
	Columns    int // of a sheet; 0: as square as possible

	maps *maps // of the pictures before
}

const (
	defaultWidth = 1000
	minWidth     = 64
	maxWidth     = 10000
)

// Scales finds a scale for each panel. Panels of one parameter share theirs.
func Scales(panels []*Panel, opts ScaleOptions) []Scale {
	shared := make(map[string]*Scale)
	list := make([]Scale, len(panels))
	for i, p := range panels {
		key := p.Name + "\x00" + p.Units
		if shared[key] == nil {
			var values [][]float64
			for _, other := range panels {
				if other.Name == p.Name && other.Units == p.Units {
					values = append(values, other.Values)
				}
			}
			shared[key] = NewScale(p.Name, p.LongName, p.Units, values, opts)
		}
		list[i] = *shared[key]
	}
	return list
}

// Draw draws panels, several as a sheet.
func Draw(panels []*Panel, opts Options) (*image.RGBA, error) {
	if len(panels) == 0 {
		return nil, fmt.Errorf("plot: no fields")
	}
	if opts.Width == 0 {
		opts.Width = defaultWidth
	}
	if opts.Width < minWidth || opts.Width > maxWidth {
		return nil, fmt.Errorf("plot: a width of %d pixels, expected %d to %d", opts.Width, minWidth, maxWidth)
	}
	if opts.Scales == nil {
		opts.Scales = Scales(panels, ScaleOptions{Min: math.NaN(), Max: math.NaN()})
	}
	maps := opts.maps
	if maps == nil {
		maps = newMaps()
	}
	columns := opts.Columns
	if columns <= 0 {
		columns = int(math.Ceil(math.Sqrt(float64(len(panels)))))
	}
	columns = min(columns, len(panels))
	width := opts.Width / columns
	var boxes []image.Rectangle
	height, top := 0, 0
	for i, p := range panels {
		m, err := maps.of(p.Grid, opts.Projection)
		if err != nil {
			return nil, fmt.Errorf("plot: %s: %w", p.Title, err)
		}
		if i%columns == 0 {
			top, height = top+height, 0
		}
		box := image.Rect(0, 0, width, m.height(width, &opts)).Add(image.Pt(i%columns*width, top))
		height = max(height, box.Dy())
		boxes = append(boxes, box)
	}
	if top+height > 4*maxWidth {
		return nil, fmt.Errorf("plot: %d fields make a sheet %d pixels high: choose fewer with --where, or a smaller --width", len(panels), top+height)
	}
	c, err := newCanvas(opts.Width, top+height)
	if err != nil {
		return nil, err
	}
	for i, p := range panels {
		m, _ := maps.of(p.Grid, opts.Projection)
		if err := m.draw(c, boxes[i], p, &opts.Scales[i], &opts); err != nil {
			return nil, err
		}
	}
	return c.RGBA, nil
}

// maps are the views of the grids of a picture, each made once.
type maps struct{ byGrid map[*look.Grid]*gridMap }

func newMaps() *maps { return &maps{make(map[*look.Grid]*gridMap)} }

// A gridMap is a view of a grid.
type gridMap struct {
	*view
	sampler sampler

	mu      sync.Mutex
	size    image.Point
	indices []int32 // the value under each pixel, -1 for none
}

func (m *maps) of(g *look.Grid, name string) (*gridMap, error) {
	if found := m.byGrid[g]; found != nil {
		return found, nil
	}
	area, err := extentOf(g)
	if err != nil {
		return nil, err
	}
	s, err := newSampler(g, area)
	if err != nil {
		return nil, err
	}
	v, err := newView(g, name, area)
	if err != nil {
		return nil, err
	}
	m.byGrid[g] = &gridMap{view: v, sampler: s}
	return m.byGrid[g], nil
}

// Sizes of what stands around a map, in parts of the size of a letter.
const (
	lettersPerWidth = 66
	titleHeight     = 3.4
	barHeight       = 4.6
	sideMargin      = 2.6
)

func letter(width int) float64 { return min(max(float64(width)/lettersPerWidth, 8), 22) }

// height is that of a panel.
func (m *gridMap) height(width int, opts *Options) int {
	if opts.Bare {
		if opts.Height > 0 {
			return opts.Height
		}
		return max(1, int(float64(width)/m.aspect()))
	}
	size := letter(width)
	inner := float64(width) - float64(2*sideMargin*size)
	return int(inner/m.aspect() + float64((titleHeight+barHeight)*size))
}

func (m *gridMap) draw(c *canvas, box image.Rectangle, p *Panel, s *Scale, opts *Options) error {
	r := box
	size := letter(box.Dx())
	if !opts.Bare {
		side := int(sideMargin * size)
		r = image.Rect(box.Min.X+side, box.Min.Y+int(titleHeight*size), box.Max.X-side, box.Max.Y-int(barHeight*size))
	}
	if r.Dx() < 1 || r.Dy() < 1 {
		return fmt.Errorf("plot: no room for a map in %d by %d pixels", box.Dx(), box.Dy())
	}
	if err := m.fill(c, r, p, s); err != nil {
		return err
	}
	if !opts.Bare {
		m.graticule(c, r, size)
	}
	if !opts.NoCoast {
		if err := m.coasts(c, r, size); err != nil {
			return err
		}
	}
	if opts.Bare {
		return nil
	}
	c.frame(r, ink)
	title := look.WithUnits(p.Title, look.UnitsText(p.Units))
	c.text(c.fitted(title, size*1.25, r.Dx()), r.Min.X, box.Min.Y+int(1.5*size), size*1.25, left, ink)
	c.text(c.fitted(p.Labels, size, r.Dx()), r.Min.X, box.Min.Y+int(2.95*size), size, left, pale)
	drawBar(c, image.Rect(r.Min.X, r.Max.Y+int(1.9*size), r.Max.X, r.Max.Y+int(2.9*size)), s, look.UnitsText(p.Units), size)
	return nil
}

// fill gives each pixel the colour of its value.
func (m *gridMap) fill(c *canvas, r image.Rectangle, p *Panel, s *Scale) error {
	indices, err := m.lookup(r.Size())
	if err != nil {
		return err
	}
	var large []float64 // of each pixel
	if p.runs != nil {
		if large, err = valuesAt(p.runs, indices); err != nil {
			return err
		}
	}
	for y := range r.Dy() {
		for x := range r.Dx() {
			k := y*r.Dx() + x
			i, v := int(indices[k]), 0.0
			switch {
			case i < 0 || large == nil && i >= len(p.Values):
				continue
			case large != nil:
				v = large[k]
			default:
				v = p.Values[i]
			}
			col, _ := s.At(v)
			c.SetRGBA(r.Min.X+x, r.Min.Y+y, col)
		}
	}
	return nil
}

// lookup finds the value under each pixel; pictures of one size are of one grid often.
func (m *gridMap) lookup(size image.Point) ([]int32, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.size == size {
		return m.indices, nil
	}
	indices, err := m.sampler.lookup(size, func(x, y int) (lat, lon float64, ok bool) {
		px := m.x1 + float64((float64(x)+0.5)/float64(size.X)*(m.x2-m.x1))
		py := m.y2 - float64((float64(y)+0.5)/float64(size.Y)*(m.y2-m.y1))
		return m.Inverse(px, py)
	})
	if err != nil {
		return nil, err
	}
	m.size, m.indices = size, indices
	return indices, nil
}

// pixel is where a place lies in a rectangle.
func (m *gridMap) pixel(lat, lon float64, r image.Rectangle) (x, y float64, ok bool) {
	px, py, ok := m.Forward(lat, lon)
	x = float64(r.Min.X) + float64((px-m.x1)/(m.x2-m.x1)*float64(r.Dx()))
	y = float64(r.Min.Y) + float64((m.y2-py)/(m.y2-m.y1)*float64(r.Dy()))
	return x, y, ok && !math.IsNaN(x+y)
}

// polyline draws a line through places, which breaks where the map ends.
func (m *gridMap) polyline(c *canvas, r image.Rectangle, places []coast.Point, width float64, col color.RGBA) {
	jump := math.Inf(1)
	if w := m.Width(); w > 0 {
		jump = w / 2 / (m.x2 - m.x1) * float64(r.Dx())
	}
	far := float64(4 * (r.Dx() + r.Dy()))
	var lastX, lastY float64
	connected := false
	for _, p := range places {
		x, y, ok := m.pixel(p.Lat, p.Lon, r)
		ok = ok && math.Abs(x-float64(r.Min.X)) < far && math.Abs(y-float64(r.Min.Y)) < far // of the map, wherever it is on a sheet
		if ok && connected && math.Abs(x-lastX) < jump {
			c.line(lastX, lastY, x, y, width, col, r)
		}
		lastX, lastY, connected = x, y, ok
	}
}

// pixelSize is the height of a pixel in the middle of a map, in degrees.
func (m *gridMap) pixelSize(r image.Rectangle) float64 {
	x, y, step := float64((m.x1+m.x2)/2), float64((m.y1+m.y2)/2), (m.y2-m.y1)/float64(r.Dy())
	lat1, lon1, ok1 := m.Inverse(x, y)
	lat2, lon2, ok2 := m.Inverse(x, y+step)
	if !ok1 || !ok2 {
		return 1
	}
	east := float64(math.Remainder(lon2-lon1, 360) * math.Cos(lat1*math.Pi/180))
	return math.Hypot(lat2-lat1, east)
}

func (m *gridMap) coasts(c *canvas, r image.Rectangle, size float64) error {
	lines, err := coast.Lines(coast.For(m.pixelSize(r)))
	if err != nil {
		return err
	}
	for _, l := range lines {
		width, col := size/11, color.RGBA{20, 20, 24, 235}
		if l.Border {
			width, col = size/22, color.RGBA{20, 20, 24, 110}
		}
		m.polyline(c, r, l.Points, width, col)
	}
	return nil
}

// drawBar draws a colour bar with its numbers.
func drawBar(c *canvas, r image.Rectangle, s *Scale, units string, size float64) {
	tip := r.Dy() / 2
	for x := r.Min.X; x < r.Max.X; x++ {
		part := (float64(x-r.Min.X) + 0.5) / float64(r.Dx())
		inset := 0
		if s.Below && x-r.Min.X < tip {
			inset = (tip - (x - r.Min.X)) * r.Dy() / 2 / tip
		}
		if s.Above && r.Max.X-1-x < tip {
			inset = (tip - (r.Max.X - 1 - x)) * r.Dy() / 2 / tip
		}
		for y := r.Min.Y + inset; y < r.Max.Y-inset; y++ {
			c.SetRGBA(x, y, s.Table.At(part))
		}
	}
	for _, tick := range ticks.Numbers(s.Low, s.High, max(3, min(10, r.Dx()/int(5*size)))) {
		part := 0.5
		if s.High > s.Low {
			part = (tick.At - s.Low) / (s.High - s.Low)
		}
		x := r.Min.X + int(float64(part*float64(r.Dx()-1))+0.5)
		for y := r.Max.Y; y < r.Max.Y+int(size/4); y++ {
			c.SetRGBA(min(x, r.Max.X-1), y, ink)
		}
		c.text(tick.Text, x, r.Max.Y+int(1.2*size), size*0.85, centre, ink)
	}
}

// DrawInto draws only the map of one panel. It calls size with the ratio of the map's width to its
// height, and draws as many pixels as that returns.
func DrawInto(p *Panel, opts Options, size func(aspect float64) (width, height int)) (*image.RGBA, error) {
	all := newMaps()
	m, err := all.of(p.Grid, opts.Projection)
	if err != nil {
		return nil, fmt.Errorf("plot: %s: %w", p.Name, err)
	}
	opts.Width, opts.Height = size(m.aspect())
	c, err := newCanvas(max(1, opts.Width), max(1, opts.Height))
	if err != nil {
		return nil, err
	}
	opts.Bare = true
	return c.RGBA, m.draw(c, c.Bounds(), p, &opts.Scales[0], &opts)
}

// Bar returns a picture of the colours of a scale, from low to high.
func Bar(s *Scale, width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, max(1, width), max(1, height)))
	for x := range img.Bounds().Dx() {
		for y := range img.Bounds().Dy() {
			img.SetRGBA(x, y, s.Table.At((float64(x)+0.5)/float64(width)))
		}
	}
	return img
}
