package geometry

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"io"
	"math"
	"os"
	"testing"
)

// placed is where PROJ puts some points of a grid (interop/grib/geometry_pyproj.py). Each has
// column and row, counted from the first value in the direction of scanning, latitude and
// longitude.
type placed struct {
	Name    string
	Edition int
	Section string
	Points  [][4]float64
}

// apart is how far a point may be from PROJ's, in degrees: 0.1 mm.
const apart = 1e-9

// comparePlaced checks every grid of r against its points and returns how many there were.
func comparePlaced(t *testing.T, r io.Reader) (grids int) {
	t.Helper()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	worst := 0.0
	for lines.Scan() {
		var w placed
		if err := json.Unmarshal(lines.Bytes(), &w); err != nil {
			t.Fatal(err)
		}
		b, err := hex.DecodeString(w.Section)
		if err != nil {
			t.Fatal(err)
		}
		g, err := Parse(w.Edition, b)
		if err != nil {
			t.Errorf("%s: %v", w.Name, err)
			continue
		}
		lat, lon, err := g.PointCoordinates()
		if err != nil {
			t.Errorf("%s: %v", w.Name, err)
			continue
		}
		grids++
		for _, p := range w.Points {
			k := int(p[1])*g.Ni + int(p[0])
			d := max(math.Abs(lat[k]-p[2]), math.Abs(math.Remainder(lon[k]-p[3], 360))*math.Cos(p[2]*degree))
			worst = max(worst, d)
			if !(d <= apart) {
				t.Errorf("%s, Earth %v: column %v of row %v is at %v %v, PROJ says %v %v", w.Name, g.Earth, p[0], p[1], lat[k], lon[k], p[2], p[3])
				break
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d grids, at most %.2g degrees apart", grids, worst)
	return grids
}

// TestPyproj expects every projection, scanning mode and hemisphere where WMO's rules put it.
func TestPyproj(t *testing.T) {
	f, err := os.Open("testdata/pyproj/grids.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if n := comparePlaced(t, z); n < 250 {
		t.Errorf("%d grids, expected some 280", n)
	}
}
