package plot

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/internal/plot/chart"
	"github.com/tgmconv/tgmconv/internal/plot/png24"
	"github.com/tgmconv/tgmconv/internal/plot/ticks"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
)

// A Section has the values of a field at all its levels along a line, straight on a map of latitude and longitude.
type Section struct {
	Name, LongName, Units string
	Title, Labels         string     // two lines above the section
	Over                  []*Section // drawn as isolines over it

	axis     chart.Axis
	from, to [2]float64  // latitude and longitude of the ends
	levels   []float64   // in ascending order
	values   [][]float64 // of each level, at places along the line
}

// places is how many values along a line are found.
const places = 721

// NewSection reads a section of fields, which are the levels of one, between two places: latitude and longitude in
// degrees. A longitude above 180 lets the line cross the date line.
func NewSection(ctx context.Context, fields []*look.Field, from, to [2]float64) (*Section, error) {
	first := fields[0]
	label := first.Label
	label.Level, label.LevelType = mapping.Opt[float64]{}, ""
	s := &Section{Name: first.Name, LongName: first.LongName, Units: first.Units, Title: first.Title(), Labels: label.Text(), from: from, to: to}
	s.axis = chart.LevelAxis(first.LevelType)
	lats, lons := make([]float64, places), make([]float64, places)
	for i := range places {
		t := float64(i) / (places - 1)
		lats[i], lons[i] = mixed(from[0], to[0], t), mixed(from[1], to[1], t)
	}
	of := make(map[float64]*look.Field)
	samplers := make(map[*look.Grid]sampler)
	for _, f := range fields {
		at := f.Level.Value
		if other := of[at]; other != nil || f.Name != first.Name || f.LevelType != first.LevelType || !f.Level.Known {
			return nil, fmt.Errorf("%s and %s make no section: expected one field at each of several levels; choose by --where", cmp.Or(other, first), f)
		}
		of[at] = f
		p, err := NewPanel(ctx, f)
		if err != nil {
			return nil, err
		}
		if samplers[p.Grid] == nil {
			area, err := extentOf(p.Grid)
			if err != nil {
				return nil, err
			}
			if samplers[p.Grid], err = newSampler(p.Grid, area); err != nil {
				return nil, err
			}
		}
		row, err := p.along(samplers[p.Grid], lats, lons)
		if err != nil {
			return nil, err
		}
		k, _ := slices.BinarySearch(s.levels, at)
		s.levels, s.values = slices.Insert(s.levels, k, at), slices.Insert(s.values, k, row)
	}
	if len(s.levels) < 2 {
		return nil, fmt.Errorf("%s alone makes no section, expected several levels", first)
	}
	return s, nil
}

// along finds the values at places, between rows and columns of a grid that has such.
func (p *Panel) along(s sampler, lats, lons []float64) ([]float64, error) {
	indices, err := s.lookup(image.Pt(len(lats), 1), func(x, _ int) (float64, float64, bool) { return lats[x], lons[x], true })
	if err != nil {
		return nil, err
	}
	if p.runs != nil {
		return valuesAt(p.runs, indices)
	}
	values := make([]float64, len(indices))
	for k, i := range indices {
		if values[k] = math.NaN(); i >= 0 && int(i) < len(p.Values) {
			values[k] = p.Values[i]
			if c, ok := s.(*cells); ok {
				values[k] = c.between(p.Values, lats[k], lons[k])
			}
		}
	}
	return values, nil
}

// Convert changes the values to the first of some units that measures the same, if there is one.
func (s *Section) Convert(wanted []string) {
	if convert, name := conversion(s.Units, wanted); convert != nil {
		for i := range s.values {
			s.values[i] = convert(s.values[i])
		}
		s.Units = name
	}
	for _, o := range s.Over {
		o.Convert(wanted)
	}
}

// upright is where a level lies on the axis of the section.
func (s *Section) upright(level float64) float64 {
	if low, high := s.levels[0], s.levels[len(s.levels)-1]; s.axis.Logarithmic && low > 0 && high >= 3*low {
		return math.Log(level)
	}
	return level
}

// at finds the values of a picture of the section that reaches over the levels of base, NaN beyond its own.
func (s *Section) at(base *Section, size image.Point, smooth bool) []float64 {
	low, high := base.upright(base.levels[0]), base.upright(base.levels[len(base.levels)-1])
	values := make([]float64, size.X*size.Y)
	positions := make([]float64, len(s.levels))
	for i, level := range s.levels {
		positions[i] = base.upright(level)
	}
	for y := range size.Y {
		t := 1 - (float64(y)+0.5)/float64(size.Y)
		if base.axis.Down {
			t = 1 - t
		}
		v := mixed(low, high, t)
		upper, _ := slices.BinarySearch(positions, v)
		for x := range size.X {
			k := y*size.X + x
			if values[k] = math.NaN(); upper == 0 || upper == len(positions) {
				continue
			}
			part := (v - positions[upper-1]) / (positions[upper] - positions[upper-1])
			place := float64((float64(x) + 0.5) / float64(size.X) * (places - 1))
			i := min(int(place), places-2)
			a, b := s.values[upper-1], s.values[upper]
			if !smooth {
				row := a
				if part > 0.5 {
					row = b
				}
				values[k] = row[int(place+0.5)]
				continue
			}
			values[k] = mixed(mixed(a[i], a[i+1], place-float64(i)), mixed(b[i], b[i+1], place-float64(i)), part)
		}
	}
	return values
}

// WriteSection writes a section in one of [Formats].
func WriteSection(w io.Writer, format string, s *Section, opts Options, scales ScaleOptions) error {
	width := cmp.Or(opts.Width, defaultWidth)
	size := letter(width)
	const margin = 4.6 // at the left, in letters
	wide := width - int((margin+1.6)*size)
	r := image.Rect(0, 0, wide, wide*11/20).Add(image.Pt(int(margin*size), int(titleHeight*size)))
	height := r.Max.Y + int((opts.below()+0.6)*size)
	if format == "png" {
		c, err := newCanvas(width, height)
		if err != nil {
			return err
		}
		if err := s.draw(c, r, size, opts, scales); err != nil {
			return err
		}
		return png24.Encode(w, c.RGBA)
	}
	d, err := newDrawing(format, width, height)
	if err != nil {
		return err
	}
	if err := s.draw(d, r, size, opts, scales); err != nil {
		return err
	}
	_, err = d.WriteTo(w)
	return err
}

func (s *Section) draw(c surface, r image.Rectangle, size float64, opts Options, scales ScaleOptions) error {
	scale := NewScale(s.Name, s.LongName, s.Units, s.values, scales)
	switch {
	case coloured(opts.Style):
		detail := r.Size().Mul(c.detail())
		img := image.NewRGBA(image.Rectangle{Max: detail})
		for k, v := range s.at(s, detail, opts.Style == FilledContour) {
			col, _ := scale.At(v)
			img.SetRGBA(k%detail.X, k/detail.X, col)
		}
		c.picture(img, r)
		drawBar(c, image.Rect(r.Min.X, r.Max.Y+int(2.4*size), r.Max.X, r.Max.Y+int(3.4*size)), scale, shownUnits(s.Units), size)
	case opts.Style == Contour:
		if err := isolines(c, r, s.at(s, r.Size(), true), size, opts.Interval); err != nil {
			return err
		}
	default:
		return fmt.Errorf("plot: a section in the style %s, expected %s, %s or %s", opts.Style, Cells, FilledContour, Contour)
	}
	title, labels := look.WithUnits(s.Title, shownUnits(s.Units)), s.Labels
	for _, o := range s.Over {
		if err := isolines(c, r, o.at(s, r.Size(), true), size, opts.Interval); err != nil {
			return err
		}
		title += ", " + look.WithUnits(o.Title, shownUnits(o.Units))
	}
	if ends := placeText(s.from) + " to " + placeText(s.to); labels == "" {
		labels = ends
	} else {
		labels += ", " + ends
	}
	s.axes(c, r, size)
	frame(c, r, ink)
	title = cmp.Or(opts.Title, title)
	top := r.Min.Y - int(titleHeight*size)
	c.text(fitted(c, title, size*1.25, r.Dx()), r.Min.X, top+int(1.5*size), size*1.25, left, ink)
	c.text(fitted(c, labels, size, r.Dx()), r.Min.X, top+int(2.95*size), size, left, pale)
	return nil
}

func placeText(p [2]float64) string {
	return degreesText(p[0], "N", "S") + " " + degreesText(math.Remainder(p[1], 360), "E", "W")
}

// axes draws the levels at the left and the degrees below.
func (s *Section) axes(c surface, r image.Rectangle, size float64) {
	rule := color.RGBA{60, 60, 70, 60}
	low, high := s.upright(s.levels[0]), s.upright(s.levels[len(s.levels)-1])
	list := ticks.Numbers(s.levels[0], s.levels[len(s.levels)-1], max(2, r.Dy()/int(3*size)))
	if low != s.levels[0] {
		list = ticks.Logarithmic(s.levels[0], s.levels[len(s.levels)-1], 1.2*size/float64(r.Dy())*(high-low)/math.Ln10)
	}
	for _, t := range list {
		part := (s.upright(t.At) - low) / (high - low)
		if !s.axis.Down {
			part = 1 - part
		}
		y := float64(r.Min.Y) + float64(part*float64(r.Dy()))
		c.stroke([]point{{float64(r.Min.X), y}, {float64(r.Max.X), y}}, 1, rule, r)
		c.text(t.Text, r.Min.X-int(size/3), int(y+float64(size*0.3)), size*0.8, right, pale)
	}
	c.turned(s.axis.Label, point{float64(size), float64(r.Min.Y+r.Max.Y) / 2}, size*0.9, -math.Pi/2, ink)
	which, positive, negative := 0, "N", "S"
	if math.Abs(s.to[0]-s.from[0]) < math.Abs(s.to[1]-s.from[1]) {
		which, positive, negative = 1, "E", "W"
	}
	first, last := s.from[which], s.to[which]
	step := graticuleStep(math.Abs(last - first))
	for v := float64(math.Ceil(min(first, last)/step-1e-6) * step); v <= max(first, last)+float64(step*1e-6); v += step {
		x := float64(r.Min.X)
		if first != last {
			x += float64((v - first) / (last - first) * float64(r.Dx()))
		}
		shown := v
		if which == 1 {
			shown = math.Remainder(v, 360)
		}
		c.stroke([]point{{x, float64(r.Min.Y)}, {x, float64(r.Max.Y)}}, 1, rule, r)
		c.text(degreesText(shown, positive, negative), int(x), r.Max.Y+int(1.1*size), size*0.8, centre, pale)
	}
}
