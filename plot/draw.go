package plot

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/internal/plot/coast"
	"github.com/tgmconv/tgmconv/internal/plot/page"
	"github.com/tgmconv/tgmconv/internal/plot/png24"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
)

// A Panel is a field with its values.
type Panel struct {
	Name, LongName, Units string
	Title, Labels         string // two lines above the map
	Grid                  *look.Grid
	Values                []float64 // of a large field, a sample of the values, from which the scale is found

	North *Panel  // of a wind, whose values are its component to the east: that to the north
	East  bool    // the components of the wind are to the east and north, whatever the type of the grid
	Over  []Layer // drawn over the map, in this order

	runs look.Runs // of a large field
}

// A Layer is a field over the map of another.
type Layer struct {
	*Panel
	Style string // one of Styles
}

// The ways to draw a field.
const (
	Cells         = "cells"    // each pixel has the colour of the nearest point
	FilledContour = "contourf" // areas between isolines
	Contour       = "contour"  // isolines with their numbers
	Barbs         = "barbs"    // winds as barbs, in knots
	Arrows        = "quiver"   // winds as arrows
)

// Styles are the ways to draw a field.
func Styles() []string { return []string{Cells, FilledContour, Contour, Barbs, Arrows} }

// coloured reports whether a style fills the map with colours.
func coloured(style string) bool { return style == "" || style == Cells || style == FilledContour }

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

// Turn turns the components of a wind to the east and north. They lie along the rows and columns of the grid of f, the
// field of the panel.
func (p *Panel) Turn(ctx context.Context, f *look.Field) error {
	if p.runs != nil || p.North.runs != nil {
		return fmt.Errorf("%s: a wind along the rows of a grid of %d points is too large to be turned", f.Where, p.Grid.Len())
	}
	p.East, p.Values, p.North.Values = true, slices.Clone(p.Values), slices.Clone(p.North.Values)
	return f.TurnWind(ctx, p.Grid, p.Values, p.North.Values)
}

// Options say how maps are drawn. The zero value is the default.
type Options struct {
	Width      int     // of the picture, in pixels; 0 means 1000
	Projection string  // one of Projections; "" means auto
	Scales     []Scale // one for each panel; nil: found from the values
	Bare       bool    // the map alone, without title, colour bar and frame
	Height     int     // of a bare map; 0: found from the projection
	NoCoast    bool
	Columns    int     // of a sheet; 0: as square as possible
	Style      string  // one of Styles; "" means Cells
	Interval   float64 // between isolines; 0: found from the values
	Title      string  // in place of the names of the fields

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
	c := new(canvas)
	err := drawOn(panels, opts, func(width, height int) (surface, error) {
		drawn, err := newCanvas(width, height)
		if err == nil {
			*c = *drawn
		}
		return drawn, err
	})
	return c.RGBA, err
}

// Formats are the formats that [Write] knows.
func Formats() []string { return append([]string{"png"}, page.Formats()...) }

// Write writes panels in one of [Formats], several as a sheet. An SVG or PDF file has lines and texts as such, and colours
// as a picture of twice the width.
func Write(w io.Writer, format string, panels []*Panel, opts Options) error {
	if format == "png" {
		img, err := Draw(panels, opts)
		if err != nil {
			return err
		}
		return png24.Encode(w, img)
	}
	var d *drawing
	err := drawOn(panels, opts, func(width, height int) (_ surface, err error) {
		d, err = newDrawing(format, width, height)
		return d, err
	})
	if err != nil {
		return err
	}
	_, err = d.WriteTo(w)
	return err
}

func drawOn(panels []*Panel, opts Options, on func(width, height int) (surface, error)) error {
	if len(panels) == 0 {
		return fmt.Errorf("plot: no fields")
	}
	if opts.Width == 0 {
		opts.Width = defaultWidth
	}
	if opts.Width < minWidth || opts.Width > maxWidth {
		return fmt.Errorf("plot: a width of %d pixels, expected %d to %d", opts.Width, minWidth, maxWidth)
	}
	if opts.Scales == nil {
		opts.Scales = Scales(panels, ScaleOptions{Min: math.NaN(), Max: math.NaN(), Bands: opts.Style == FilledContour})
	}
	if opts.maps == nil {
		opts.maps = newMaps()
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
		m, err := opts.maps.of(p.Grid, opts.Projection)
		if err != nil {
			return fmt.Errorf("plot: %s: %w", p.Title, err)
		}
		if i%columns == 0 {
			top, height = top+height, 0
		}
		box := image.Rect(0, 0, width, m.height(width, &opts)).Add(image.Pt(i%columns*width, top))
		height = max(height, box.Dy())
		boxes = append(boxes, box)
	}
	if top+height > 4*maxWidth {
		return fmt.Errorf("plot: %d fields make a sheet %d pixels high: choose fewer with --where, or a smaller --width", len(panels), top+height)
	}
	c, err := on(opts.Width, top+height)
	if err != nil {
		return err
	}
	for i, p := range panels {
		m, err := opts.maps.of(p.Grid, opts.Projection)
		if err != nil {
			return err
		}
		if err := m.draw(c, boxes[i], p, &opts.Scales[i], &opts); err != nil {
			return err
		}
	}
	return nil
}

// maps are the views of the grids of a picture, each made once.
type maps struct {
	byGrid map[*look.Grid]*gridMap
	over   map[[2]*look.Grid]*gridMap // of grids on the views of others
}

func newMaps() *maps {
	return &maps{make(map[*look.Grid]*gridMap), make(map[[2]*look.Grid]*gridMap)}
}

// A gridMap is a view of a grid.
type gridMap struct {
	*view
	sampler sampler
	grid    *look.Grid

	mu      sync.Mutex
	size    image.Point
	indices []int32 // the value under each pixel, -1 for none
}

func (m *maps) of(g *look.Grid, name string) (*gridMap, error) {
	if found := m.byGrid[g]; found != nil {
		return found, nil
	}
	found, err := newGridMap(g, func(area extent) (*view, error) { return newView(g, name, area) })
	if err == nil {
		m.byGrid[g] = found
	}
	return found, err
}

// newGridMap makes the map of a grid on a view, given the area of the grid.
func newGridMap(g *look.Grid, on func(area extent) (*view, error)) (*gridMap, error) {
	area, err := extentOf(g)
	if err != nil {
		return nil, err
	}
	s, err := newSampler(g, area)
	if err != nil {
		return nil, err
	}
	v, err := on(area)
	if err != nil {
		return nil, err
	}
	return &gridMap{view: v, sampler: s, grid: g}, nil
}

// on returns the map of a grid on the view of another.
func (m *maps) on(base *gridMap, g *look.Grid) (*gridMap, error) {
	if g == base.grid {
		return base, nil
	}
	key := [2]*look.Grid{base.grid, g}
	if found := m.over[key]; found != nil {
		return found, nil
	}
	found, err := newGridMap(g, func(extent) (*view, error) { return base.view, nil })
	if err == nil {
		m.over[key] = found
	}
	return found, err
}

// Sizes of the parts around a map, in units of the size of a letter.
const (
	lettersPerWidth = 66
	titleHeight     = 3.4
	barHeight       = 4.6
	degreesHeight   = 1.7
	sideMargin      = 2.6
)

func letter(width int) float64 { return min(max(float64(width)/lettersPerWidth, 8), 22) }

// height is the height of a panel.
func (m *gridMap) height(width int, opts *Options) int {
	if opts.Bare {
		if opts.Height > 0 {
			return opts.Height
		}
		return max(1, int(float64(width)/m.aspect()))
	}
	size := letter(width)
	inner := float64(width) - float64(2*sideMargin*size)
	return int(inner/m.aspect() + float64((titleHeight+opts.below())*size))
}

// below is the room below a map, in letters.
func (o *Options) below() float64 {
	if coloured(o.Style) {
		return barHeight
	}
	return degreesHeight
}

func (m *gridMap) draw(c surface, box image.Rectangle, p *Panel, s *Scale, opts *Options) error {
	r := box
	size := letter(box.Dx())
	if !opts.Bare {
		side := int(sideMargin * size)
		r = image.Rect(box.Min.X+side, box.Min.Y+int(titleHeight*size), box.Max.X-side, box.Max.Y-int(opts.below()*size))
	}
	if r.Dx() < 1 || r.Dy() < 1 {
		return fmt.Errorf("plot: no room for a map in %d by %d pixels", box.Dx(), box.Dy())
	}
	base := Layer{p, opts.Style}
	if coloured(base.Style) {
		if err := m.fill(c, r, base, s); err != nil {
			return err
		}
	}
	if !opts.Bare {
		m.graticule(c, r, size)
	}
	if !opts.NoCoast {
		if err := m.coasts(c, r, size, !coloured(base.Style) || len(p.Over) > 0); err != nil {
			return err
		}
	}
	keys := 0.0 // the room that keys of winds take
	for _, l := range append([]Layer{base}, p.Over...) {
		if coloured(l.Style) {
			continue
		}
		on, err := opts.maps.on(m, l.Grid)
		if err != nil {
			return err
		}
		key, err := on.layer(c, r, l, size, opts.Interval)
		if err != nil {
			return err
		}
		if key != nil && !opts.Bare {
			keys += key(c, point{float64(r.Max.X) - keys, float64(box.Min.Y) + float64(2.65*size)})
		}
	}
	if opts.Bare {
		return nil
	}
	frame(c, r, ink)
	title, labels := base.titles()
	if opts.Title != "" {
		title = opts.Title
	}
	c.text(fitted(c, title, size*1.25, r.Dx()), r.Min.X, box.Min.Y+int(1.5*size), size*1.25, left, ink)
	c.text(fitted(c, labels, size, r.Dx()-int(keys)), r.Min.X, box.Min.Y+int(2.95*size), size, left, pale)
	if coloured(base.Style) {
		drawBar(c, image.Rect(r.Min.X, r.Max.Y+int(1.9*size), r.Max.X, r.Max.Y+int(2.9*size)), s, shownUnits(p.Units), size)
	}
	return nil
}

// titles are the two lines above a map: the fields, and their labels where these differ.
func (l Layer) titles() (title, labels string) {
	name, units := l.shown("Wind")
	title, labels = look.WithUnits(name, units), l.Labels
	for _, o := range l.Over {
		if o.Title == l.Title && o.Labels == l.Labels {
			continue
		}
		name, units := o.shown("wind")
		title += ", " + look.WithUnits(name, units)
		if other := otherLabels(o.Labels, l.Labels); other != "" {
			labels += "; " + name + ": " + other
		}
	}
	return title, labels
}

// shown is the name of what a layer shows, given that of winds, and its units.
func (l Layer) shown(wind string) (name, units string) {
	switch {
	case l.North == nil:
		return l.Title, shownUnits(l.Units)
	case l.Style == Barbs:
		return wind, "knots"
	}
	return wind, shownUnits(l.Units)
}

// otherLabels are the labels that are not among others.
func otherLabels(labels, others string) string {
	had := strings.Split(others, ", ")
	list := slices.DeleteFunc(strings.Split(labels, ", "), func(text string) bool { return slices.Contains(had, text) })
	return strings.Join(list, ", ")
}

// fill gives each pixel the colour of its value.
func (m *gridMap) fill(c surface, r image.Rectangle, l Layer, s *Scale) error {
	size := r.Size().Mul(c.detail())
	read := m.nearest
	if l.Style == FilledContour {
		read = m.smooth
	}
	values, indices, err := read(size, l.Panel)
	if err != nil {
		return err
	}
	img := image.NewRGBA(image.Rectangle{Max: size})
	for k, i := range indices {
		col := paper
		if i >= 0 && (l.runs != nil || int(i) < len(l.Values)) {
			col, _ = s.At(values[k])
		}
		img.SetRGBA(k%size.X, k/size.X, col)
	}
	c.picture(img, r)
	return nil
}

// layer draws isolines or winds. The key, which may be nil, draws the length of arrows left of a place, and returns its width.
func (m *gridMap) layer(c surface, r image.Rectangle, l Layer, size, interval float64) (key func(c surface, at point) float64, err error) {
	values, _, err := m.smooth(r.Size(), l.Panel)
	if err != nil {
		return nil, err
	}
	if l.Style == Contour {
		return nil, isolines(c, r, values, size, interval)
	}
	if l.North == nil {
		return nil, fmt.Errorf("plot: %s: %s need both components of a wind", l.Title, l.Style)
	}
	if kind := l.Grid.Type; kind != "" && !mapping.AlongMeridians(kind) && !l.East {
		return nil, fmt.Errorf("plot: %s: the components of a wind on a grid of type %s may lie along its rows, expected components to the east and north", l.Title, kind)
	}
	north, _, err := m.smooth(r.Size(), l.North)
	if err != nil {
		return nil, err
	}
	return m.winds(c, r, values, north, l, size), nil
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
func (m *gridMap) polyline(c surface, r image.Rectangle, places []coast.Point, width float64, col color.RGBA) {
	jump := math.Inf(1)
	if w := m.Width(); w > 0 {
		jump = w / 2 / (m.x2 - m.x1) * float64(r.Dx())
	}
	far := float64(4 * (r.Dx() + r.Dy()))
	var run []point
	for _, p := range places {
		x, y, ok := m.pixel(p.Lat, p.Lon, r)
		ok = ok && math.Abs(x-float64(r.Min.X)) < far && math.Abs(y-float64(r.Min.Y)) < far // of the map, wherever it is on a sheet
		if n := len(run); n > 0 && !(ok && math.Abs(x-run[n-1].x) < jump) {
			c.stroke(run, width, col, r)
			run = run[:0]
		}
		if ok {
			run = append(run, point{x, y})
		}
	}
	c.stroke(run, width, col, r)
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

// coasts draws coastlines and borders, thinner below other lines.
func (m *gridMap) coasts(c surface, r image.Rectangle, size float64, thin bool) error {
	lines, err := coast.Lines(coast.For(m.pixelSize(r)))
	if err != nil {
		return err
	}
	for _, l := range lines {
		width, col := size/11, color.RGBA{20, 20, 24, 235}
		if thin {
			width, col = size/16, color.RGBA{70, 70, 78, 255}
		}
		if l.Border {
			width, col = size/22, color.RGBA{20, 20, 24, 110}
		}
		m.polyline(c, r, l.Points, width, col)
	}
	return nil
}

// drawBar draws a colour bar with its numbers.
func drawBar(c surface, r image.Rectangle, s *Scale, units string, size float64) {
	img := image.NewRGBA(image.Rectangle{Max: r.Size()})
	draw.Draw(img, img.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	tip := r.Dy() / 2
	for x := range r.Dx() {
		part := (float64(x) + 0.5) / float64(r.Dx())
		inset := 0
		if s.Below && x < tip {
			inset = (tip - x) * r.Dy() / 2 / tip
		}
		if s.Above && r.Dx()-1-x < tip {
			inset = (tip - (r.Dx() - 1 - x)) * r.Dy() / 2 / tip
		}
		for y := inset; y < r.Dy()-inset; y++ {
			img.SetRGBA(x, y, s.part(part))
		}
	}
	c.picture(img, r)
	for _, tick := range s.ticks(max(3, min(10, r.Dx()/int(5*size)))) {
		part := 0.5
		if s.High > s.Low {
			part = (tick.At - s.Low) / (s.High - s.Low)
		}
		x := min(r.Min.X+int(float64(part*float64(r.Dx()-1))+0.5), r.Max.X-1)
		c.stroke([]point{{float64(x) + 0.5, float64(r.Max.Y)}, {float64(x) + 0.5, float64(r.Max.Y) + float64(size/4)}}, 1, ink,
			image.Rect(x, r.Max.Y, x+1, r.Max.Y+int(size/4)))
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
	opts.Bare, opts.maps = true, all
	return c.RGBA, m.draw(c, c.Bounds(), p, &opts.Scales[0], &opts)
}

// Bar returns a picture of the colours of a scale, from low to high.
func Bar(s *Scale, width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, max(1, width), max(1, height)))
	for x := range img.Bounds().Dx() {
		for y := range img.Bounds().Dy() {
			img.SetRGBA(x, y, s.part((float64(x)+0.5)/float64(width)))
		}
	}
	return img
}
