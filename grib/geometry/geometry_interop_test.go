//go:build interop

package geometry

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// said is ecCodes' description of a message (interop/grib/geometry_oracle.py).
type said struct {
	Name       string
	Edition    int
	Centre     int
	GridType   string
	Points     int
	Values     int
	Section    string
	Count      int
	Error      string
	Predefined int
	GridName   string
	lat, lon   []float64
}

func python(t *testing.T) string {
	t.Helper()
	py, err := filepath.Abs("../../.interop/venv/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(py); err != nil {
		t.Skip("ecCodes for Python (.interop/venv) is not installed")
	}
	return py
}

// ask runs the oracle and calls f for each message.
func ask(t *testing.T, f func(*said), args ...string) {
	t.Helper()
	cmd := exec.Command(python(t), append([]string{"../../interop/grib/geometry_oracle.py"}, args...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		var s said
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		s.lat, s.lon = make([]float64, s.Count), make([]float64, s.Count)
		for _, a := range [][]float64{s.lat, s.lon} {
			if err := binary.Read(r, binary.LittleEndian, a); err != nil {
				t.Fatal(err)
			}
		}
		f(&s)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

type tally struct {
	grids, none, exact int
	points, apart      int
	worst              float64
	kinds              map[string]int
	inexact            map[string][2]float64 // grids with a difference and the worst one, by type
}

func (c *tally) compare(t *testing.T, s *said) {
	t.Helper()
	if s.Edition == 0 {
		return // a sample of pseudo-GRIB
	}
	b, err := hex.DecodeString(s.Section)
	if err != nil {
		t.Fatal(err)
	}
	var g *Grid
	if s.Predefined > 0 {
		g, _, err = Predefined(s.Predefined)
	} else {
		g, err = Parse(s.Edition, b, Centre(s.Centre), DataValues(s.Values))
	}
	if err != nil {
		t.Errorf("%s: %v (ecCodes: %s %s)", s.Name, err, s.GridType, s.Error)
		return
	}
	c.grids++
	c.kinds[s.GridType]++
	if g.GridType != s.GridType {
		t.Errorf("%s: type %s, ecCodes says %s", s.Name, g.GridType, s.GridType)
	}
	if g.NumberOfDataPoints != s.Points && s.Points != 0 {
		t.Errorf("%s: %d points, ecCodes says %d", s.Name, g.NumberOfDataPoints, s.Points)
	}
	lat, lon, err := likeEcCodes(g)
	if s.Count == 0 {
		c.none++
		if err == nil {
			t.Logf("%s (%s): coordinates where ecCodes has none: %s", s.Name, s.GridType, s.Error)
		}
		return
	}
	if err != nil {
		t.Errorf("%s (%s): %v, ecCodes has coordinates", s.Name, s.GridType, err)
		return
	}
	if len(lat) != s.Count {
		t.Errorf("%s: %d coordinates, ecCodes has %d", s.Name, len(lat), s.Count)
		return
	}
	if followsColumns(g) {
		s.lat, err = Reorder(&Grid{NumberOfDataPoints: s.Count, Ni: g.Ni, Nj: g.Nj, Scan: 0x20, family: &latLon{}}, s.lat)
		if err == nil {
			s.lon, err = Reorder(&Grid{NumberOfDataPoints: s.Count, Ni: g.Ni, Nj: g.Nj, Scan: 0x20, family: &latLon{}}, s.lon)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	c.count(t, s, lat, lon)
	c.again(t, s, g, lat, lon)
}

func (c *tally) count(t *testing.T, s *said, lat, lon []float64) {
	t.Helper()
	apart, worst, at := 0, 0.0, 0
	for k := range lat {
		if lat[k] == s.lat[k] && lon[k] == s.lon[k] || math.IsNaN(s.lat[k]+s.lon[k]) && math.IsNaN(lat[k]+lon[k]) {
			continue
		}
		apart++
		d := max(math.Abs(lat[k]-s.lat[k]), math.Abs(lon[k]-s.lon[k]))
		if !(d <= worst) {
			worst, at = d, k
		}
	}
	c.points += len(lat)
	c.apart += apart
	c.worst = max(c.worst, worst)
	if apart == 0 {
		c.exact++
	}
	if apart > 0 && testing.Verbose() {
		k := s.GridType
		c.inexact[k] = [2]float64{c.inexact[k][0] + 1, max(c.inexact[k][1], worst)}
	}
	if !(worst <= tolerance) {
		t.Errorf("%s (%s): %d of %d points differ, point %d most: %v %v, ecCodes says %v %v", s.Name, s.GridType, apart, len(lat), at,
			lat[at], lon[at], s.lat[at], s.lon[at])
	}
}

// again checks that the geometry map gives the same coordinates and key.
func (c *tally) again(t *testing.T, s *said, g *Grid, lat, lon []float64) {
	t.Helper()
	h, err := FromGeometry(g.Geometry())
	if err != nil {
		t.Errorf("%s: %v", s.Name, err)
		return
	}
	if h.Key() != g.Key() {
		t.Errorf("%s: the key changes on the way through the geometry map", s.Name)
	}
	y, x, err := likeEcCodes(h)
	if err != nil {
		t.Errorf("%s: from the geometry map: %v", s.Name, err)
		return
	}
	for k := range lat {
		if math.Float64bits(lat[k]) != math.Float64bits(y[k]) || math.Float64bits(lon[k]) != math.Float64bits(x[k]) {
			t.Errorf("%s: point %d from the geometry map is %v %v, not %v %v", s.Name, k, y[k], x[k], lat[k], lon[k])
			return
		}
	}
}

func (c *tally) report(t *testing.T) {
	t.Helper()
	t.Logf("%d grids, %d without coordinates in ecCodes, %d equal bit for bit; %d of %d points differ, by at most %.3g degrees", c.grids, c.none, c.exact,
		c.apart, c.points, c.worst)
	t.Log(c.kinds)
	t.Log("not bit for bit:", c.inexact)
}

func compareAll(t *testing.T, args ...string) {
	c := &tally{kinds: map[string]int{}, inexact: map[string][2]float64{}}
	ask(t, func(s *said) { c.compare(t, s) }, args...)
	if c.grids == 0 {
		t.Fatal("ecCodes described no grid")
	}
	c.report(t)
}

func TestFixturesAgainstEcCodes(t *testing.T) {
	var files []string
	for _, p := range []string{"*.grib*", "*/*.grib*"} {
		m, err := filepath.Glob(filepath.Join("../../fixtures/grib", p))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, m...)
	}
	compareAll(t, append([]string{"files"}, files...)...)
}

// TestPyprojAnew compares with PROJ grids that the frozen sample does not hold.
func TestPyprojAnew(t *testing.T) {
	py, err := filepath.Abs("../../.interop/pyproj/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(py); err != nil {
		t.Skip("pyproj (.interop/pyproj) is not installed")
	}
	cmd := exec.Command(py, "../../interop/grib/geometry_pyproj.py", "20261122", "10")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if n := comparePlaced(t, out); n < 2500 {
		t.Errorf("%d grids, expected some 2880", n)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

func TestSamplesAgainstEcCodes(t *testing.T) { compareAll(t, "samples") }
func TestDerivedAgainstEcCodes(t *testing.T) { compareAll(t, "derived") }
