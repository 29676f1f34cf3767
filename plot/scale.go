package plot

import (
	"image/color"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/internal/plot/colour"
	"github.com/tgmconv/tgmconv/internal/plot/ticks"
)

// A Table is a colour table. Its method At returns the colour at a place between 0 and 1.
type Table = colour.Table

// TableNamed returns the colour table with a name, such as viridis, or viridis_r for its reverse. It returns nil if there
// is none.
func TableNamed(name string) *Table { return colour.Named(name) }

// A Scale gives values their colours.
type Scale struct {
	Table     *Table
	Low, High float64
	// Below and Above say that there are values beyond the ends.
	Below, Above bool
	// Step is the width of the bands that have one colour each, 0 for none.
	Step float64
}

// At returns the colour of a value; ok is false for a missing one.
func (s *Scale) At(v float64) (c color.RGBA, ok bool) {
	if math.IsNaN(v) {
		return absent, false
	}
	if s.High == s.Low {
		return s.Table.At(0.5), true
	}
	return s.part((v - s.Low) / (s.High - s.Low)), true
}

// part returns the colour of a part of the way from low to high.
func (s *Scale) part(x float64) color.RGBA {
	if n := (s.High - s.Low) / s.Step; s.Step > 0 && n > 1 {
		x = (math.Floor(min(max(float64(x*n)+1e-9, 0), n-0.5)) + 0.5) / n
	}
	return s.Table.At(x)
}

// ticks are about n round numbers, at the edges of bands where there are such.
func (s *Scale) ticks(n int) []ticks.Tick {
	if s.Step <= 0 {
		return ticks.Numbers(s.Low, s.High, n)
	}
	step := s.Step
	for _, k := range []float64{2, 4, 5, 10, 20, 50, 100} {
		if (s.High-s.Low)/step <= float64(n) {
			break
		}
		step = s.Step * k
	}
	return ticks.Every(s.Low, s.High, step)
}

// ScaleOptions override the choices of [NewScale].
type ScaleOptions struct {
	Table    *Table   // nil: the table that suits the parameter
	Min, Max float64  // NaN: found from the values
	Bands    bool     // of values that have one colour
	Interval float64  // the width of bands; 0: found from the values
	Units    []string // that [FieldScales] converts to, as [Panel.Convert] does
}

// NewScale finds a scale for the values of fields of one parameter.
func NewScale(name, longName, units string, fields [][]float64, opts ScaleOptions) *Scale {
	low, high, first, last := reach(fields)
	choice := colour.For(name, longName, units, low, high)
	s := &Scale{Table: choice.Table, Low: first, High: last}
	if opts.Table != nil {
		s.Table = opts.Table
		choice.Symmetric = opts.Table.Diverging && low < 0 && high > 0
	}
	switch {
	case choice.Symmetric:
		s.High = max(math.Abs(first), math.Abs(last))
		s.Low = -s.High
	case choice.Zero:
		s.Low = 0
	}
	if opts.Bands {
		if s.Step = opts.Interval; s.Step <= 0 || (s.High-s.Low)/s.Step > mostBands {
			s.Step = ticks.Step(s.High-s.Low, 20)
		}
	}
	s.round(choice.Symmetric || choice.Zero)
	if !math.IsNaN(opts.Min) {
		s.Low = opts.Min
	}
	if !math.IsNaN(opts.Max) {
		s.High = opts.Max
	}
	s.Below, s.Above = low < s.Low, high > s.High
	return s
}

// mostBands is how many colours a table has.
const mostBands = 200

// sampled is how many values the ends of a scale are found by.
const sampled = 200000

// reach finds the least and the greatest value, and the ends without the outermost thousandths
// where these lie far out.
func reach(fields [][]float64) (low, high, first, last float64) {
	low, high = math.Inf(1), math.Inf(-1)
	total := 0
	for _, values := range fields {
		total += len(values)
	}
	stride := total/sampled + 1
	var some []float64
	for _, values := range fields {
		for i, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			low, high = min(low, v), max(high, v)
			if i%stride == 0 {
				some = append(some, v)
			}
		}
	}
	if len(some) == 0 {
		return 0, 0, 0, 0
	}
	slices.Sort(some)
	first, last = some[len(some)/1000], some[len(some)-1-len(some)/1000]
	const far = 0.2
	if first-low < far*(last-first) {
		first = low
	}
	if high-last < far*(last-first) {
		last = high
	}
	if first == last {
		first, last = low, high
	}
	return low, high, first, last
}

// round moves the ends to round numbers, a fixed one not.
func (s *Scale) round(fixed bool) {
	step := ticks.Step(s.High-s.Low, 20)
	if s.Step > 0 {
		step = s.Step
	}
	if step == 0 {
		return
	}
	high := math.Ceil(s.High/step-1e-6) * step
	low := math.Floor(s.Low/step+1e-6) * step
	if fixed && s.Low < 0 {
		low = -high
	}
	s.Low, s.High = low, high
}
