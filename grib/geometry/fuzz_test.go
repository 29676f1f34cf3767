package geometry

import (
	"encoding/json"
	"errors"
	"testing"
)

// FuzzParse reads any section, computes coordinates of up to 65536 points, and sends the grid
// through its geometry map.
func FuzzParse(f *testing.F) {
	eachFrozen(f, func(w *frozen, b []byte) {
		if len(b) < 2000 {
			f.Add(w.Edition == 1, w.Centre, w.Values, b)
		}
	})
	f.Fuzz(func(t *testing.T, first bool, centre, values int, b []byte) {
		edition := 2
		if first {
			edition = 1
		}
		g, err := Parse(edition, b, Centre(centre), DataValues(values), MaxPoints(1<<16))
		if err != nil {
			if !errors.As(err, new(*FormatError)) && !errors.As(err, new(*LimitError)) {
				t.Fatalf("error of type %T", err)
			}
			return
		}
		n := 1
		for _, s := range g.Shape() {
			n *= s
		}
		if n != g.NumberOfDataPoints {
			t.Fatalf("shape %v of %d points", g.Shape(), g.NumberOfDataPoints)
		}
		if _, err := Reorder(g, make([]byte, n)); err != nil {
			t.Fatal(err)
		}
		lat, lon, err := g.Coordinates()
		switch {
		case err != nil && !errors.As(err, new(*CoordinateError)):
			t.Fatalf("error of type %T", err)
		case err == nil && g.Separable() && (len(lat) != g.Nj || len(lon) != g.Ni):
			t.Fatalf("axes of %d and %d, expected %d and %d", len(lat), len(lon), g.Nj, g.Ni)
		case err == nil && !g.Separable() && (len(lat) != n || len(lon) != n):
			t.Fatalf("%d and %d coordinates, expected %d", len(lat), len(lon), n)
		}
		h, err := FromGeometry(g.Geometry())
		if err != nil {
			t.Fatalf("from the geometry map: %v", err)
		}
		if h.Key() != g.Key() {
			t.Fatalf("the key changes on the way through the geometry map: %v, %v", g.Geometry(), h.Geometry())
		}
	})
}

// FuzzFromGeometry makes grids of any maps, and computes their coordinates, if any.
func FuzzFromGeometry(f *testing.F) {
	eachFrozen(f, func(w *frozen, b []byte) {
		g, err := Parse(w.Edition, b, Centre(w.Centre), DataValues(w.Values))
		if err != nil {
			f.Fatal(err)
		}
		if m, err := json.Marshal(g.Geometry()); err == nil && len(m) < 2000 {
			f.Add(m)
		}
	})
	f.Fuzz(func(t *testing.T, b []byte) {
		var m map[string]any
		if json.Unmarshal(b, &m) != nil {
			return
		}
		g, err := FromGeometry(m, MaxPoints(1<<16))
		if err != nil {
			if !errors.As(err, new(*GeometryError)) && !errors.As(err, new(*LimitError)) {
				t.Fatalf("error of type %T", err)
			}
			return
		}
		if section, err := g.Section(false); err == nil {
			if _, err := Parse(2, section); err != nil {
				t.Fatalf("the section that was written: %v", err)
			}
		} else if !errors.As(err, new(*FormatError)) {
			t.Fatalf("error of type %T", err)
		}
		if _, _, err := g.Coordinates(); err != nil && !errors.As(err, new(*CoordinateError)) {
			t.Fatalf("error of type %T", err)
		}
		g.Key()
	})
}
