package geometry

import (
	"bytes"
	"errors"
	"math"
	"testing"
)

// TestSection writes every grid that ecCodes described and reads it again.
func TestSection(t *testing.T) {
	written, same := 0, 0
	eachFrozen(t, func(w *frozen, b []byte) {
		g := parsed(t, w, b)
		section, err := g.Section(false)
		if err != nil {
			var format *FormatError
			if !errors.As(err, &format) {
				t.Errorf("%s: %v", w.Name, err)
			}
			switch g.family.(type) {
			case *listed, *variableLatLon, *rotatedNCEP, *spectral:
				return
			}
			if g.NumberOfDataPoints > 0 {
				t.Errorf("%s (%s): %v", w.Name, g.GridType, err)
			}
			return
		}
		written++
		h, err := Parse(2, section, DataValues(w.Values))
		if err != nil {
			t.Fatalf("%s: %v", w.Name, err)
		}
		if g.Edition == 2 && bytes.Equal(section, b) {
			same++
		}
		samePlaces(t, w.Name, g, h)
	})
	t.Logf("%d sections, %d the same bytes", written, same)
	if written < 190 {
		t.Errorf("only %d sections", written)
	}
}

// samePlaces compares the points of two grids, to a millionth of a degree or so.
func samePlaces(t *testing.T, name string, g, h *Grid) {
	t.Helper()
	if h.GridType != g.GridType && g.GridType != "unknown_PLPresent" || h.Ni != g.Ni || h.Nj != g.Nj || h.Scan != g.Scan || h.NumberOfDataPoints != g.NumberOfDataPoints {
		t.Errorf("%s: %s %d by %d became %s %d by %d", name, g.GridType, g.Ni, g.Nj, h.GridType, h.Ni, h.Nj)
		return
	}
	if e, ok := g.Extent(); g.NumberOfDataPoints > 1e5 || ok && min(e.LongitudeOfFirst, e.LongitudeOfLast) < 0 {
		return // long to compute; or another turn of the globe
	}
	lat, lon, err := g.PointCoordinates()
	lat2, lon2, err2 := h.PointCoordinates()
	if (err == nil) != (err2 == nil) {
		t.Errorf("%s (%s, edition %d): %v became %v", name, g.GridType, g.Edition, err, err2)
		return
	}
	for k := range lat {
		const rounding = 3e-5 // rotated places are rounded to 1.6e-5
		if math.Abs(lat[k]-lat2[k]) > rounding || math.Abs(math.Remainder(lon[k]-lon2[k], 360))*math.Cos(lat[k]*degree) > rounding {
			t.Errorf("%s (%s): point %d of %d at %v %v became %v %v", name, g.GridType, k, len(lat), lat[k], lon[k], lat2[k], lon2[k])
			return
		}
	}
}

// TestSection1 writes every grid of edition 1 that ecCodes described and reads it again.
func TestSection1(t *testing.T) {
	written, same := 0, 0
	eachFrozen(t, func(w *frozen, b []byte) {
		g := parsed(t, w, b)
		if g.Edition != 1 {
			return
		}
		section, err := g.Section1(false)
		if err != nil {
			var format *FormatError
			if !errors.As(err, &format) {
				t.Errorf("%s: %v", w.Name, err)
			}
			return
		}
		written++
		h, err := Parse(1, section, DataValues(w.Values))
		if err != nil {
			t.Fatalf("%s: %v", w.Name, err)
		}
		if bytes.Equal(section, b) {
			same++
		}
		if g.GridType != "unknown_PLPresent" {
			samePlaces(t, w.Name, g, h)
		}
	})
	t.Logf("%d sections, %d the same bytes", written, same)
	if written < 60 {
		t.Errorf("only %d sections", written)
	}
}
