package chart_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/internal/plot/chart"
)

var nan = math.NaN()

// series is a chart of two panels over two days, with a gap and a band.
func series() *chart.Chart {
	const hour = 3600
	at := []float64{0, 12 * hour, 24 * hour, 36 * hour, 48 * hour}
	return &chart.Chart{
		Title: "Temperature & wind at 2 points", Subtitle: "from 1970-01-01 00:00 UTC", Shared: chart.Axis{Label: "valid time (UTC)", Time: true},
		Panels: []chart.Panel{
			{Label: "2 metre temperature (K)", Curves: []chart.Curve{
				{Name: "Oslo", At: at, Values: []float64{273, 274, nan, 275, 273}, Bands: []chart.Band{{
					Low: []float64{272, 273, nan, 274, 272}, High: []float64{274, 275, nan, 276, 273.5},
				}}},
				{Name: "Berlin", At: at, Values: []float64{280, 283, 279, nan, 280}},
			}},
			{Label: "10 metre wind speed (m s-1)", Curves: []chart.Curve{{Name: "Oslo", At: at, Values: []float64{1, 0, 3, 2, 9}}}},
		},
	}
}

// profile is a chart over pressure.
func profile() *chart.Chart {
	return &chart.Chart{
		Title: "Temperature", Shared: chart.Axis{Label: "pressure (hPa)", Down: true, Logarithmic: true}, Profile: true,
		Panels: []chart.Panel{{Label: "Temperature (K)", Curves: []chart.Curve{{At: []float64{100, 500, 1000}, Values: []float64{210, 255, 288}}}}},
	}
}

// textsOf are the texts of an SVG file, with their places.
func textsOf(t *testing.T, data []byte) (texts []string, at map[string][2]string) {
	t.Helper()
	at = make(map[string][2]string)
	decoder := xml.NewDecoder(bytes.NewReader(data))
	var place [2]string
	inText := false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return texts, at
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			inText = e.Name.Local == "text"
			for _, a := range e.Attr {
				switch a.Name.Local {
				case "x":
					place[0] = a.Value
				case "y":
					place[1] = a.Value
				}
			}
		case xml.CharData:
			if inText {
				texts = append(texts, string(e))
				at[string(e)] = place
			}
		case xml.EndElement:
			inText = false
		}
	}
}

func TestSVG(t *testing.T) {
	for _, c := range []struct {
		name  string
		chart *chart.Chart
		want  []string
	}{
		{"series", series(), []string{
			"Temperature & wind at 2 points", "from 1970-01-01 00:00 UTC", "Oslo", "Berlin", "2 metre temperature (K)", "10 metre wind speed (m s-1)",
			"valid time (UTC)", "1 Jan 1970", "2 Jan 1970", "12:00", "275.0", "280.0", "0", "4",
		}},
		{"profile", profile(), []string{"Temperature (K)", "pressure (hPa)", "1000", "850", "500", "100", "250"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var once, again bytes.Buffer
			if err := c.chart.SVG(&once); err != nil {
				t.Fatal(err)
			}
			if err := c.chart.SVG(&again); err != nil || !bytes.Equal(once.Bytes(), again.Bytes()) {
				t.Errorf("the same chart gives other bytes (%v)", err)
			}
			texts, at := textsOf(t, once.Bytes())
			all := "|" + strings.Join(texts, "|") + "|"
			for _, want := range c.want {
				if !strings.Contains(all, "|"+want+"|") {
					t.Errorf("%q is not among the texts %s", want, all)
				}
			}
			if y := at["1000"][1]; c.chart.Profile && y >= at["850"][1] {
				t.Errorf("1000 hPa are at %v, above 850 hPa at %v", at["1000"], at["850"])
			}
		})
	}
}

func TestPNG(t *testing.T) {
	var once, again bytes.Buffer
	if err := series().PNG(&once); err != nil {
		t.Fatal(err)
	}
	if err := series().PNG(&again); err != nil || !bytes.Equal(once.Bytes(), again.Bytes()) {
		t.Errorf("the same chart gives other bytes (%v)", err)
	}
	img, err := png.Decode(&once)
	if err != nil {
		t.Fatal(err)
	}
	if got := img.Bounds().Dx(); got != 1200 {
		t.Errorf("the width is %d, want 1200", got)
	}
	blue := 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if r, g, b, _ := img.At(x, y).RGBA(); r>>8 == 0 && g>>8 == 114 && b>>8 == 178 {
				blue++
			}
		}
	}
	if blue < 500 {
		t.Errorf("%d pixels have the colour of the first curve", blue)
	}
}

func TestEmpty(t *testing.T) {
	c := profile()
	c.Panels[0].Curves[0].Values = []float64{nan, nan, math.Inf(1)}
	if err := c.SVG(io.Discard); !errors.Is(err, chart.ErrEmpty) {
		t.Errorf("got %v", err)
	}
	c = series()
	c.Panels = make([]chart.Panel, 13)
	if err := c.PNG(io.Discard); err == nil || !strings.Contains(err.Error(), "13 units, expected at most 12") {
		t.Errorf("got %v", err)
	}
}

// TestMany draws a curve of more values than there are pixels: the greatest stays.
func TestMany(t *testing.T) {
	c := series()
	c.Panels = c.Panels[:1]
	curve := chart.Curve{Name: "noise"}
	for i := range 100_000 {
		curve.At, curve.Values = append(curve.At, float64(i)), append(curve.Values, float64(i%7))
	}
	curve.Values[54321] = 1000
	c.Panels[0].Curves = []chart.Curve{curve}
	var svg bytes.Buffer
	if err := c.SVG(&svg); err != nil {
		t.Fatal(err)
	}
	if svg.Len() > 300_000 {
		t.Errorf("%d bytes", svg.Len())
	}
	if _, at := textsOf(t, svg.Bytes()); at["1000"][0] == "" {
		t.Errorf("no tick at 1000: %v", at)
	}
}
