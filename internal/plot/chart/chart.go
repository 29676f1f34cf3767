// Package chart draws curves: series over time and profiles over levels, with bands of quantiles, as
// PNG, SVG or PDF.
//
// A [Chart] has panels that share an axis. Most callers fill one in and write it with [Chart.PNG],
// [Chart.SVG] or [Chart.PDF]; the same chart gives the same bytes.
package chart

import (
	"errors"
	"math"

	"github.com/tgmconv/tgmconv/internal/plot/ticks"
)

// A Chart is a picture of curves.
type Chart struct {
	Title    string
	Subtitle string
	// Shared is the axis of all panels: from left to right, with the panels one below the other, or of
	// a Profile upright, with the panels side by side.
	Shared  Axis
	Profile bool
	Panels  []Panel
}

// An Axis says how positions are shown.
type Axis struct {
	Label       string
	Time        bool // positions are seconds since 1970 UTC
	Logarithmic bool // they are above 0
	Down        bool // an upright axis grows downwards
}

// A Panel has curves of one quantity.
type Panel struct {
	Label  string // of the values, with their units
	Curves []Curve
}

// A Curve is a line through values, of which some may be missing: NaN.
type Curve struct {
	Name   string // in the legend; curves of one name have one colour
	At     []float64
	Values []float64
	Bands  []Band // areas that are filled before the line is drawn, the widest first
}

// A Band lies between two numbers at each position of a curve.
type Band struct{ Low, High []float64 }

// ErrEmpty says that all values are missing.
var ErrEmpty = errors.New("there is nothing to draw: all values are missing")

// A span is a part of an axis that is shown, and where it lies on the page.
type span struct {
	low, high   float64
	first, last float64 // of the page, in points
	logarithmic bool
}

// at is where a position lies on the page.
func (s *span) at(v float64) float64 {
	low, high := s.low, s.high
	if s.logarithmic {
		low, high, v = math.Log(low), math.Log(high), math.Log(v)
	}
	if high == low {
		return (s.first + s.last) / 2
	}
	return s.first + float64((v-low)/(high-low)*(s.last-s.first))
}

// include widens the span to a value, if that is finite.
func (s *span) include(v float64) {
	if !math.IsNaN(v) && !math.IsInf(v, 0) {
		s.low, s.high = min(s.low, v), max(s.high, v)
	}
}

func (s *span) empty() bool { return s.low > s.high }

func newSpan() span { return span{low: math.Inf(1), high: math.Inf(-1)} }

// sharedSpan is the part of the shared axis where any curve is.
func (c *Chart) sharedSpan() span {
	s := newSpan()
	for _, p := range c.Panels {
		for _, curve := range p.Curves {
			for _, at := range curve.At {
				s.include(at)
			}
		}
	}
	// A logarithm of less than three times as much is hardly bent, and has few round numbers.
	s.logarithmic = c.Shared.Logarithmic && s.low > 0 && s.high >= 3*s.low
	return s
}

// valueSpan reaches over the values, with a margin. It begins at 0 if all values are near to it on one side.
func (p *Panel) valueSpan() span {
	s := newSpan()
	for _, curve := range p.Curves {
		for i, v := range curve.Values {
			s.include(v)
			for _, b := range curve.Bands {
				s.include(b.Low[i])
				s.include(b.High[i])
			}
		}
	}
	if s.empty() {
		return s
	}
	low, high := s.low, s.high
	margin := 0.05 * (high - low)
	if margin == 0 {
		margin = max(math.Abs(high)*0.01, math.SmallestNonzeroFloat32)
	}
	if s.low -= margin; low >= 0 && low < 0.25*high {
		s.low = 0
	}
	if s.high += margin; high <= 0 && high > 0.25*low {
		s.high = 0
	}
	if low == 0 && high == 0 {
		s.low, s.high = -1, 1
	}
	return s
}

// sharedTicks divide the shared axis, whose length is in points.
func (c *Chart) sharedTicks(s *span, length float64) []ticks.Tick {
	switch {
	case c.Shared.Time:
		return ticks.Times(timeOf(s.low), timeOf(s.high), max(2, int(length/46)))
	case s.logarithmic:
		return ticks.Logarithmic(s.low, s.high, 11/length*math.Log10(s.high/s.low))
	case c.Profile:
		return ticks.Numbers(s.low, s.high, max(2, int(length/30)))
	}
	return ticks.Numbers(s.low, s.high, max(2, int(length/46)))
}

// names are the entries of the legend, in the order in which they come.
func (c *Chart) names() []string {
	var names []string
	seen := make(map[string]bool)
	for _, p := range c.Panels {
		for _, curve := range p.Curves {
			if !seen[curve.Name] {
				seen[curve.Name] = true
				names = append(names, curve.Name)
			}
		}
	}
	return names
}
