// Package ticks chooses the round numbers and times that axes and colour bars show.
package ticks

import (
	"math"
	"strconv"
	"strings"
)

// A Tick is a place along an axis, with its text.
type Tick struct {
	At   float64
	Text string
	Day  string // or month, or year: of the second line below an axis of time
}

// Step is 1, 2, 2.5 or 5 times a power of ten, of which about n make up a span; 0 for an empty
// span.
func Step(span float64, n int) float64 {
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

// Numbers are about n round numbers from low to high.
func Numbers(low, high float64, n int) []Tick {
	step := Step(high-low, n)
	if step == 0 {
		return []Tick{{At: low, Text: strconv.FormatFloat(low, 'g', 6, 64)}}
	}
	return Every(low, high, step)
}

// Every are the multiples of a step from low to high.
func Every(low, high, step float64) []Tick {
	var list []Tick
	for k := math.Ceil(low/step - 1e-6); k*step <= high+float64(step*1e-6); k++ {
		list = append(list, Tick{At: k * step, Text: text(k*step, step)})
	}
	return list
}

// text is a number with as many digits as its step needs.
func text(v, step float64) string {
	if a := math.Abs(v); a >= 1e6 || step < 1e-4 {
		s := strings.Replace(strings.Replace(strconv.FormatFloat(v, 'g', 4, 64), "e-0", "e-", 1), "e+0", "e", 1)
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

// mantissas are sets of numbers of a decade, the richest first. The first has the standard pressure
// levels.
var mantissas = [][]float64{{1, 1.5, 2, 2.5, 3, 4, 5, 7, 8.5}, {1, 2, 3, 5, 7}, {1, 2, 5}, {1, 3}, {1}}

// Logarithmic are round numbers from low, above 0, to high, at least apart decades from each other.
func Logarithmic(low, high, apart float64) []Tick {
	for _, set := range mantissas {
		if math.Log10(10/set[len(set)-1]) < apart {
			continue
		}
		var list []Tick
		for power := math.Floor(math.Log10(low)); power <= math.Log10(high); power++ {
			for _, m := range set {
				v := m * math.Pow(10, power)
				if v >= low*(1-1e-9) && v <= high*(1+1e-9) {
					list = append(list, Tick{At: v, Text: strconv.FormatFloat(v, 'g', 6, 64)})
				}
			}
		}
		if len(list) > 1 {
			return list
		}
	}
	return Numbers(low, high, 6)
}
