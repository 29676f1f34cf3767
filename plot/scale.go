package plot

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"github.com/tgmconv/tgmconv/internal/plot/colour"
)

// A Scale gives values their colours.
type Scale struct {
	Table     *colour.Table
	Low, High float64
	// Below and Above say that there are values beyond the ends.
	Below, Above bool
}

// At returns the colour of a value; ok is false for a missing one.
func (s *Scale) At(v float64) (c color.RGBA, ok bool) {
	if math.IsNaN(v) {
		return absent, false
	}
	if s.High == s.Low {
		return s.Table.At(0.5), true
	}
	return s.Table.At((v - s.Low) / (s.High - s.Low)), true
}

// ScaleOptions override what [NewScale] finds.
type ScaleOptions struct {
	Table    *colour.Table // nil: what suits the parameter
	Min, Max float64       // NaN: found from the values
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
	step := niceStep(s.High-s.Low, 20)
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

// niceStep is 1, 2, 2.5 or 5 times a power of ten, of which about n make up a span.
func niceStep(span float64, n int) float64 {
	if !(span > 0) || math.IsInf(span, 0) {
		return 0
	}
	raw := span / float64(n)
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if raw <= m*power*(1+1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// ticks are round numbers from one end to the other, with their texts.
func ticks(low, high float64, n int) (at []float64, texts []string) {
	step := niceStep(high-low, n)
	if step == 0 {
		return []float64{low}, []string{strconv.FormatFloat(low, 'g', 6, 64)}
	}
	for k := math.Ceil(low/step - 1e-6); k*step <= high+float64(step*1e-6); k++ {
		v := k * step
		at = append(at, v)
		texts = append(texts, tickText(v, step))
	}
	return at, texts
}

// tickText is a number with as many digits as its step needs.
func tickText(v, step float64) string {
	if a := math.Abs(v); a >= 1e6 || step < 1e-4 {
		s := strconv.FormatFloat(v, 'g', 4, 64)
		if math.Abs(v) < step/2 {
			s = "0"
		}
		return s
	}
	digits := 0
	for p := step; digits < 6 && math.Abs(p-math.Round(p)) > 1e-6*p; digits++ {
		p *= 10
	}
	if math.Abs(v) < step/2 {
		v = 0
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}
