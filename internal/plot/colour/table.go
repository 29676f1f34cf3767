// Package colour holds colour tables for maps of meteorological parameters, and chooses the one
// that suits a parameter.
//
// Tables are given by a few colours in Oklch between which lightness changes evenly, so that equal
// steps of a value look equal, also in grey and to colour-blind people.
package colour

import (
	"image/color"
	"math"
	"slices"
	"strings"
	"sync"
)

// A Table gives a colour for each number from 0 to 1.
type Table struct {
	Name string
	// Diverging tables have their neutral colour in the middle.
	Diverging bool
	tones     []tone
	fixed     []uint32 // in place of tones: colours as 0xRRGGBB
	once      sync.Once
	colours   [steps]color.RGBA
}

const steps = 256

// tables are all there are.
var tables = []*Table{
	{Name: "temperature", tones: []tone{{.24, .13, 276}, {.40, .17, 290}, {.55, .19, 352}, {.70, .17, 35}, {.83, .15, 75}, {.95, .10, 105}}},
	{Name: "rain", tones: []tone{{.99, .005, 220}, {.85, .07, 215}, {.68, .13, 240}, {.50, .17, 262}, {.35, .17, 290}, {.24, .12, 320}}},
	{Name: "wind", tones: []tone{{.98, .02, 150}, {.85, .11, 155}, {.70, .12, 195}, {.54, .14, 250}, {.40, .17, 300}, {.28, .13, 340}}},
	{Name: "pressure", tones: []tone{{.26, .12, 305}, {.42, .11, 270}, {.58, .11, 215}, {.74, .14, 160}, {.93, .17, 108}}},
	{Name: "humidity", tones: []tone{{.40, .08, 60}, {.60, .09, 75}, {.80, .05, 95}, {.86, .05, 180}, {.65, .11, 215}, {.42, .13, 255}}},
	{Name: "cloud", tones: []tone{{.32, .06, 255}, {.66, .03, 250}, {.99, .0, 250}}},
	{Name: "land", tones: []tone{{.60, .10, 240}, {.80, .06, 200}, {.88, .07, 110}, {.62, .09, 90}}},
	{Name: "balance", Diverging: true, tones: []tone{{.28, .12, 262}, {.52, .15, 252}, {.78, .07, 240}, {.98, .0, 0}, {.78, .09, 35}, {.52, .17, 27}, {.28, .10, 20}}},
	{Name: "grey", tones: []tone{{.15, 0, 0}, {.97, 0, 0}}},
}

// Names lists the tables. Each is there from its other end as well, with the suffix _r.
func Names() []string {
	var names []string
	for _, t := range slices.Concat(tables, known) {
		names = append(names, t.Name)
	}
	return names
}

// Named returns the table of a name, nil if there is none.
func Named(name string) *Table { return named(name) }

// At returns the colour of a number from 0 to 1. Numbers outside get the colour of the nearer end.
func (t *Table) At(x float64) color.RGBA {
	t.once.Do(t.fill)
	i := int(math.Floor(x * steps))
	return t.colours[min(max(i, 0), steps-1)]
}

func (t *Table) fill() {
	var points []lab
	for _, tone := range t.tones {
		points = append(points, tone.lab())
	}
	for _, c := range t.fixed {
		points = append(points, labOf(color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 255}))
	}
	last := len(points) - 1
	for i := range t.colours {
		x := float64(float64(i) / (steps - 1) * float64(last))
		k := min(int(x), last-1)
		t.colours[i] = mix(points[k], points[k+1], x-float64(k)).rgb()
	}
}

// A Choice is a table with the kind of scale that it is made for.
type Choice struct {
	Table *Table
	// Zero says that the scale begins at 0, as for amounts.
	Zero bool
	// Symmetric says that the scale extends as far above 0 as below, as for differences and
	// components of vectors.
	Symmetric bool
}

// For chooses a table for a parameter by its names and units, and by whether its values, from low
// to high, are on both sides of 0.
func For(name, longName, units string, low, high float64) Choice {
	name, longName, units = strings.ToLower(lastPart(name)), strings.ToLower(longName), strings.ToLower(strings.TrimSpace(units))
	signed := low < 0 && high > 0
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(longName, w) })
	}
	is := func(names ...string) bool { return slices.Contains(names, name) }
	symmetric := Choice{Table: Named("balance"), Symmetric: true}
	switch {
	case has("anomaly", "difference", "increment", "tendency") && signed:
		return symmetric
	case is("lsm", "z") && has("land", "orography"), is("orog"):
		return Choice{Table: Named("land")}
	case is("t", "2t", "t2m", "skt", "sst", "mx2t", "mn2t", "tmax", "tmin", "2d", "d2m"), has("temperature"), units == "k", units == "degc", units == "°c":
		return Choice{Table: Named("temperature")}
	case is("r", "2r") || has("relative humidity"):
		return Choice{Table: Named("humidity")}
	case has("cloud cover") || is("tcc", "lcc", "mcc", "hcc"):
		return Choice{Table: Named("cloud")}
	case has("precipitation", "rain", "snow", "humidity", "water", "mixing ratio") || is("tp", "cp", "lsp", "sf", "q", "tcwv", "pwat"):
		return Choice{Table: Named("rain"), Zero: low >= 0}
	case is("ws", "10si", "gust", "10fg", "fg10", "si10") || has("wind speed", "gust"):
		return Choice{Table: Named("wind"), Zero: low >= 0}
	case signed && comparable(low, high):
		return symmetric
	}
	return Choice{Table: Named("pressure")}
}

// comparable reports whether both ends are about as far from 0.
func comparable(low, high float64) bool {
	a, b := -low, high
	return min(a, b) > 0.15*max(a, b)
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }
