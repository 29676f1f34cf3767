package plot_test

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/plot"
)

// globe is a panel on a grid of 5 degrees whose value is its latitude.
func globe() *plot.Panel {
	g := &look.Grid{Separable: true, Rows: 37, Cols: 72}
	var values []float64
	for j := range g.Rows {
		g.Lat = append(g.Lat, 90-5*float64(j))
	}
	for i := range g.Cols {
		g.Lon = append(g.Lon, 5*float64(i))
	}
	for i := range g.Len() {
		lat, _, _ := g.Places().At(i)
		values = append(values, lat)
	}
	return &plot.Panel{Name: "lat", Title: "Latitude", Units: "degrees", Labels: "test", Grid: g, Values: values}
}

// points is the same field on a grid without rows.
func points(p *plot.Panel) *plot.Panel {
	q := *p
	q.Grid = &look.Grid{Type: "unstructured_grid"}
	for i := range p.Grid.Len() {
		lat, lon, _ := p.Grid.Places().At(i)
		q.Grid.Lat, q.Grid.Lon = append(q.Grid.Lat, lat), append(q.Grid.Lon, lon)
	}
	return &q
}

// bare draws the map alone, without coasts.
func bare(t *testing.T, p *plot.Panel, projection string) func(x, y float64) (r, g, b uint8) {
	t.Helper()
	nan := math.NaN()
	img, err := plot.Draw([]*plot.Panel{p}, plot.Options{
		Width: 360, Bare: true, NoCoast: true, Projection: projection,
		Scales: plot.Scales([]*plot.Panel{p}, plot.ScaleOptions{Min: nan, Max: nan}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return func(x, y float64) (r, g, b uint8) {
		c := img.RGBAAt(int(x*float64(img.Bounds().Dx()-1)), int(y*float64(img.Bounds().Dy()-1)))
		return c.R, c.G, c.B
	}
}

// TestWhere demands that values are drawn where they belong.
func TestWhere(t *testing.T) {
	scale := plot.Scales([]*plot.Panel{globe()}, plot.ScaleOptions{Min: math.NaN(), Max: math.NaN()})[0]
	want := func(v float64) [3]uint8 {
		c, _ := scale.At(v)
		return [3]uint8{c.R, c.G, c.B}
	}
	for _, c := range []struct {
		name       string
		panel      *plot.Panel
		projection string
		x, y, lat  float64
	}{
		{"north pole", globe(), "latlon", 0.3, 0, 90},
		{"equator", globe(), "latlon", 0.7, 0.5, 0},
		{"south", globe(), "latlon", 0.1, 0.75, -45},
		{"points", points(globe()), "latlon", 0.1, 0.75, -45},
		{"points at the date line", points(globe()), "latlon", 0, 0.25, 45},
		{"mercator", globe(), "mercator", 0.5, 0.5, 0},
		{"orthographic", globe(), "orthographic", 0.5, 0.5, 0},
		{"stereographic", globe(), "stereographic", 0.5, 0.5, 90},
	} {
		r, g, b := bare(t, c.panel, c.projection)(c.x, c.y)
		if got := [3]uint8{r, g, b}; got != want(c.lat) {
			t.Errorf("%s: colour %v, expected that of %v: %v", c.name, got, c.lat, want(c.lat))
		}
	}
}

// TestRegion demands that a grid across the meridian of 0 is one piece, and is not drawn beyond its
// cells.
func TestRegion(t *testing.T) {
	g := &look.Grid{Separable: true, Rows: 3, Cols: 4, Lat: []float64{50, 51, 52}, Lon: []float64{358, 359, 0, 1}}
	p := &plot.Panel{Name: "x", Grid: g, Values: make([]float64, 12)}
	for i := range p.Values {
		p.Values[i] = float64(i % 4)
	}
	scale := plot.Scales([]*plot.Panel{p}, plot.ScaleOptions{Min: math.NaN(), Max: math.NaN()})[0]
	at := bare(t, p, "latlon")
	for i := range 4 {
		r, gr, b := at((float64(i)+0.5)/4, 0.5)
		c, _ := scale.At(float64(i))
		if r != c.R || gr != c.G || b != c.B {
			t.Errorf("column %d: colour %d %d %d, expected %v", i, r, gr, b, c)
		}
	}
}

// TestSheet demands that a map looks the same wherever it is on a sheet, coastlines included.
func TestSheet(t *testing.T) {
	for _, columns := range []int{1, 12} {
		panels := slices.Repeat([]*plot.Panel{globe()}, 12)
		img, err := plot.Draw(panels, plot.Options{Width: 120 * columns, Columns: columns})
		if err != nil {
			t.Fatal(err)
		}
		size := image.Pt(img.Bounds().Dx()/columns, img.Bounds().Dy()/(12/columns))
		for i := 1; i < 12; i++ {
			at := image.Pt(i%columns*size.X, i/columns*size.Y)
			for y := range size.Y {
				for x := range size.X {
					if !alike(img.RGBAAt(x, y), img.RGBAAt(at.X+x, at.Y+y)) {
						t.Fatalf("%d columns, map %d: pixel %d, %d is %v, of the first map %v", columns, i, x, y, img.RGBAAt(at.X+x, at.Y+y), img.RGBAAt(x, y))
					}
				}
			}
		}
	}
}

// alike reports whether colours are the same but for roundings, which depend on where a line is.
func alike(a, b color.RGBA) bool {
	near := func(x, y uint8) bool { return max(x, y)-min(x, y) <= 8 }
	return near(a.R, b.R) && near(a.G, b.G) && near(a.B, b.B)
}

// TestGoldenSheet demands that a sheet is the picture that was looked at.
func TestGoldenSheet(t *testing.T) {
	img, err := plot.Draw(slices.Repeat([]*plot.Panel{globe()}, 6), plot.Options{Width: 720, Columns: 6})
	if err != nil {
		t.Fatal(err)
	}
	const path = "testdata/sheet.png"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		var b bytes.Buffer
		if err := errors.Join(png.Encode(&b, img), os.WriteFile(path, b.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	golden, err := png.Decode(f)
	if err != nil || golden.Bounds() != img.Bounds() {
		t.Fatalf("%v: the sheet has %v", err, img.Bounds())
	}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			r, g, b, _ := golden.At(x, y).RGBA()
			if c := img.RGBAAt(x, y); !alike(c, color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}) {
				t.Fatalf("pixel %d, %d is %v, expected %d %d %d", x, y, c, r>>8, g>>8, b>>8)
			}
		}
	}
}

func TestDegenerate(t *testing.T) {
	nan := math.NaN()
	for name, p := range map[string]*plot.Panel{
		"one point":    {Grid: &look.Grid{Separable: true, Rows: 1, Cols: 1, Lat: []float64{5}, Lon: []float64{5}}, Values: []float64{1}},
		"all missing":  {Grid: &look.Grid{Separable: true, Rows: 1, Cols: 2, Lat: []float64{5}, Lon: []float64{5, 6}}, Values: []float64{nan, nan}},
		"infinite":     {Grid: &look.Grid{Separable: true, Rows: 1, Cols: 2, Lat: []float64{5}, Lon: []float64{5, 6}}, Values: []float64{math.Inf(1), 1}},
		"nan place":    {Grid: &look.Grid{Lat: []float64{nan, 4, 5}, Lon: []float64{nan, 4, 5}}, Values: []float64{0, 1, 2}},
		"few values":   {Grid: &look.Grid{Lat: []float64{3, 4, 5}, Lon: []float64{1, 4, 5}}, Values: []float64{0}},
		"huge values":  {Grid: &look.Grid{Lat: []float64{3, 4}, Lon: []float64{1, 4}}, Values: []float64{-math.MaxFloat64, math.MaxFloat64}},
		"same place":   {Grid: &look.Grid{Lat: []float64{3, 3}, Lon: []float64{1, 1}}, Values: []float64{1, 2}},
		"wild degrees": {Grid: &look.Grid{Lat: []float64{3, 1e300, 5}, Lon: []float64{-1e300, 1, 5}}, Values: []float64{1, 2, 3}},
	} {
		for _, projection := range plot.Projections() {
			img, err := plot.Draw([]*plot.Panel{p}, plot.Options{Width: 80, Projection: projection, NoCoast: name != "one point"})
			if err != nil {
				t.Errorf("%s, %s: %v", name, projection, err)
			} else if img.Bounds().Dx() != 80 {
				t.Errorf("%s, %s: width %d", name, projection, img.Bounds().Dx())
			}
		}
	}
	if _, err := plot.Draw([]*plot.Panel{{Grid: &look.Grid{}}}, plot.Options{}); err == nil {
		t.Error("a grid without points is drawn")
	}
}

func TestAnimate(t *testing.T) {
	var out bytes.Buffer
	p := globe()
	scale := plot.Scales([]*plot.Panel{p}, plot.ScaleOptions{Min: math.NaN(), Max: math.NaN()})[0]
	err := plot.Animate(&out, "png", 3, func(int) (*plot.Panel, plot.Scale, error) { return p, scale, nil }, time.Second, plot.Options{Width: 100})
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(out.Bytes()))
	if err != nil || img.Bounds().Dx() != 100 {
		t.Errorf("the first picture of the animation: %v", err)
	}
	if n := bytes.Count(out.Bytes(), []byte("fcTL")); n != 3 {
		t.Errorf("%d pictures, expected 3", n)
	}
}

func TestScale(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name, units string
		values      []float64
		low, high   float64
	}{
		{"t", "K", []float64{251.3, 299.2}, 250, 300},
		{"u", "m s**-1", []float64{-18, 30}, -30, 30},
		{"tp", "m", []float64{0, 0.0093}, 0, 0.0095},
		{"x", "", []float64{7, 7}, 7, 7},
	} {
		s := plot.NewScale(c.name, "", c.units, [][]float64{c.values}, plot.ScaleOptions{Min: nan, Max: nan})
		if math.Abs(s.Low-c.low) > 1e-9 || math.Abs(s.High-c.high) > 1e-9 {
			t.Errorf("%s: from %v to %v, expected %v to %v", c.name, s.Low, s.High, c.low, c.high)
		}
	}
}

// TestDegrees demands degrees beside and below maps whose parallels and meridians are curves.
func TestDegrees(t *testing.T) {
	g := &look.Grid{Rows: 20, Cols: 30}
	for row := range 20 {
		for col := range 30 {
			g.Lat, g.Lon = append(g.Lat, 40+float64(row)), append(g.Lon, float64(col))
		}
	}
	p := &plot.Panel{Name: "x", Grid: g, Values: make([]float64, g.Len())}
	for _, projection := range []string{"latlon", "mercator", "lambert", "stereographic"} {
		img, err := plot.Draw([]*plot.Panel{p}, plot.Options{Width: 400, Projection: projection, NoCoast: true})
		if err != nil {
			t.Fatal(err)
		}
		size := img.Bounds().Size()
		ink := func(x1, y1, x2, y2 int) (n int) {
			for x := x1; x < x2; x++ {
				for y := y1; y < y2; y++ {
					if r, _, _, _ := img.At(x, y).RGBA(); r < 0xc000 {
						n++
					}
				}
			}
			return n
		}
		frame := 0 // its left edge
		for ink(frame, size.Y/2, frame+1, size.Y/2+20) < 20 {
			frame++
		}
		foot := size.Y / 2 // its lower edge
		for ink(size.X/2, foot, size.X/2+20, foot+1) < 20 {
			foot++
		}
		if n := ink(0, size.Y/4, frame, foot); n < 10 {
			t.Errorf("%s: %d dark pixels beside the map", projection, n)
		}
		if n := ink(frame, foot+2, size.X, foot+12); n < 10 {
			t.Errorf("%s: %d dark pixels below the map", projection, n)
		}
	}
}

// TestStyles demands that all styles and formats draw any grid, and that layers are drawn over maps.
func TestStyles(t *testing.T) {
	for _, panel := range []*plot.Panel{globe(), points(globe())} {
		for _, style := range plot.Styles() {
			p := *panel
			p.North = panel
			var plain bytes.Buffer
			if err := plot.Write(&plain, "png", []*plot.Panel{&p}, plot.Options{Width: 300, Style: style}); err != nil {
				t.Errorf("%s: %v", style, err)
			}
			p.Over = []plot.Layer{{Panel: panel, Style: plot.Contour}}
			for _, format := range plot.Formats() {
				var out bytes.Buffer
				err := plot.Write(&out, format, []*plot.Panel{&p}, plot.Options{Width: 300, Style: style, Title: "A title"})
				if err != nil || out.Len() < 1000 || style != plot.Contour && bytes.Equal(out.Bytes(), plain.Bytes()) {
					t.Errorf("%s as %s: %d bytes, %v", style, format, out.Len(), err)
				}
				if format == "svg" && !(bytes.Contains(out.Bytes(), []byte("A title")) && bytes.Contains(out.Bytes(), []byte(">50<"))) {
					t.Errorf("%s: the drawing lacks its title or the number of an isoline", style)
				}
			}
		}
	}
	if err := plot.Write(io.Discard, "png", []*plot.Panel{globe()}, plot.Options{Style: plot.Barbs}); err == nil {
		t.Error("barbs of one component are drawn")
	}
	rotated := globe()
	rotated.Grid.Type, rotated.North = "rotated_ll", globe()
	if err := plot.Write(io.Discard, "png", []*plot.Panel{rotated}, plot.Options{Style: plot.Arrows}); err == nil {
		t.Error("arrows along the rows of a rotated grid are drawn")
	}
	if err := rotated.Turn(t.Context(), new(look.Field)); err != nil {
		t.Fatal(err)
	}
	if err := plot.Write(io.Discard, "png", []*plot.Panel{rotated}, plot.Options{Style: plot.Arrows}); err != nil {
		t.Error(err)
	}
}

// TestAround demands that filled contours of points continue from the right edge of a map of the globe to the left one.
func TestAround(t *testing.T) {
	p := globe()
	for i := range p.Values {
		lat, lon, _ := p.Grid.Places().At(i)
		p.Values[i] = lat + 40*math.Sin(lon*math.Pi/180)
	}
	for _, projection := range []string{"latlon", "mercator"} {
		const width = 728 // ends within a block of 16 pixels
		img, err := plot.Draw([]*plot.Panel{points(p)}, plot.Options{Width: width, Height: 360, Projection: projection, Style: plot.FilledContour, Bare: true, NoCoast: true})
		if err != nil {
			t.Fatal(err)
		}
		differ := func(a, b int) (rows int) {
			for y := range 360 {
				if img.RGBAAt(a, y) != img.RGBAAt(b, y) {
					rows++
				}
			}
			return rows
		}
		if edge, middle := differ(width-1, 0), differ(width/2-1, width/2); edge > middle+5 {
			t.Errorf("%s: %d of 360 rows change their colour at the edge, %d in the middle", projection, edge, middle)
		}
	}
}

func TestGIF(t *testing.T) {
	var out bytes.Buffer
	p := globe()
	scale := plot.Scales([]*plot.Panel{p}, plot.ScaleOptions{Min: math.NaN(), Max: math.NaN()})[0]
	err := plot.Animate(&out, "gif", 3, func(int) (*plot.Panel, plot.Scale, error) { return p, scale, nil }, time.Second, plot.Options{Width: 100})
	if err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(&out)
	if err != nil || len(g.Image) != 3 || g.Delay[0] != 100 || g.Config.Width != 100 {
		t.Fatalf("%v: %d pictures", err, len(g.Image))
	}
	img, err := plot.Draw([]*plot.Panel{p}, plot.Options{Width: 100})
	if err != nil {
		t.Fatal(err)
	}
	far := 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			r, _, b, _ := g.Image[2].At(x, y).RGBA()
			if c := img.RGBAAt(x, y); max(c.R, uint8(r>>8))-min(c.R, uint8(r>>8)) > 40 || max(c.B, uint8(b>>8))-min(c.B, uint8(b>>8)) > 40 {
				far++
			}
		}
	}
	if far > 100 {
		t.Errorf("%d pixels have other colours than the map", far)
	}
}
