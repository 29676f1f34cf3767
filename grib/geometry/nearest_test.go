package geometry

import (
	"math"
	"testing"
)

func TestBracketAndAround(t *testing.T) {
	for _, c := range []struct {
		list      []float64
		x         float64
		low, high int
		ok        bool
	}{
		{[]float64{90, 60, 30, 0}, 50, 1, 2, true},
		{[]float64{90, 60, 30, 0}, 60, 0, 1, true},
		{[]float64{0, 30, 60, 90}, 50, 1, 2, true},
		{[]float64{0, 30, 60, 90}, 91, 0, 0, false},
		{[]float64{5}, 5, 0, 0, false},
	} {
		if low, high, ok := bracket(c.list, c.x); low != c.low || high != c.high || ok != c.ok {
			t.Errorf("%v in %v: %d, %d, %v", c.x, c.list, low, high, ok)
		}
	}
	for _, c := range []struct {
		list       []float64
		x          float64
		west, east int
		ok         bool
	}{
		{[]float64{0, 90, 180, 270}, 300, 3, 0, true},
		{[]float64{0, 90, 180, 270}, -100, 2, 3, true},
		{[]float64{-180, -90, 0, 90}, 359, 1, 2, true},
		{[]float64{0, 10, 20}, 30, 0, 0, false},
	} {
		if west, east, ok := around(c.list, c.x); west != c.west || east != c.east || ok != c.ok {
			t.Errorf("%v in %v: %d, %d, %v", c.x, c.list, west, east, ok)
		}
	}
}

func TestGreatCircle(t *testing.T) {
	if d := greatCircle(6371, 0, 0, 0, 180); math.Abs(d-6371*math.Pi) > 1e-9 {
		t.Error(d)
	}
	if d := greatCircle(6371, 12.1, 55.3, 12.1, 55.3); d != 0 {
		t.Error(d)
	}
}
