package geometry

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// frozen is ecCodes 2.50's description of a grid (interop/grib/geometry_freeze.sh).
type frozen struct {
	Name     string
	Edition  int
	Centre   int
	GridType string
	Points   int
	Values   int
	Section  string
	Count    int
	Error    string
	LatCRC   uint32
	LonCRC   uint32
	At       []int
	Lat, Lon []float64
}

// tolerance is how far, in degrees, a coordinate may be from ecCodes'. It allows a few times the
// error in a longitude of elementary functions that err differently in the last place.
const tolerance = 1e-11

func eachFrozen(t testing.TB, f func(*frozen, []byte)) {
	t.Helper()
	names, err := filepath.Glob("testdata/*.jsonl.gz")
	if err != nil || len(names) == 0 {
		t.Fatal("no frozen expectations", err)
	}
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(z)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var w frozen
			if err := json.Unmarshal(lines.Bytes(), &w); err != nil {
				t.Fatal(err)
			}
			b, err := hex.DecodeString(w.Section)
			if err != nil {
				t.Fatal(err)
			}
			f(&w, b)
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
		file.Close()
	}
}

// followsColumns reports whether ecCodes' iterator follows column-major storage; most do not.
func followsColumns(g *Grid) bool {
	switch g.family.(type) {
	case *latLon, *rotatedLatLon:
		return g.Scan.ConsecutiveJ()
	case *azimuthal:
		return g.Scan.ConsecutiveJ() && !g.Earth.Oblate
	}
	return false
}

// likeEcCodes returns the coordinates as ecCodes lists them. Its iterators of Mercator, polar
// stereographic and Lambert grids go in the direction of +i and +j whatever the scanning mode, take
// the hemisphere from the latitude of true scale, and Albers of edition 1 for Lambert conformal.
// The iterator of the space view goes east and south.
func likeEcCodes(g *Grid) (lat, lon []float64, err error) {
	h := *g
	switch f := g.family.(type) {
	case *mercator, *lambert:
		h.Scan = h.Scan&^0x80 | 0x40
	case *polarStereographic:
		h.Scan = h.Scan&^0x80 | 0x40
		c := *f
		c.centre = 0
		h.family = &c
	case *albers:
		h.Scan = h.Scan&^0x80 | 0x40
		if g.Edition == 1 {
			h.family = &f.parameters
		}
	case *spaceView:
		lat, lon, err = g.PointCoordinates()
		if err == nil && g.Scan.PositiveJ() {
			reverseRows(lat, lon, g.Ni)
		}
		if err == nil && g.Scan.NegativeI() {
			reverseColumns(lat, lon, g.Ni)
		}
		return lat, lon, err
	}
	return h.PointCoordinates()
}

func reverseRows(lat, lon []float64, ni int) {
	reverseColumns(lat, lon, ni)
	slices.Reverse(lat)
	slices.Reverse(lon)
}

func reverseColumns(lat, lon []float64, ni int) {
	for k := 0; k < len(lat); k += ni {
		slices.Reverse(lat[k : k+ni])
		slices.Reverse(lon[k : k+ni])
	}
}

// beyondEcCodes reports whether ecCodes has no coordinates of a kind of grid that ours has.
func beyondEcCodes(g *Grid) bool {
	switch g.family.(type) {
	case *variableLatLon:
		return true
	case *polarStereographic:
		return g.Earth.Oblate
	case *albers:
		return g.Edition == 2
	}
	return false
}

func checksum(a []float64) uint32 {
	b := make([]byte, 0, 8*len(a))
	for _, v := range a {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return crc32.ChecksumIEEE(b)
}

// TestFrozen compares types, numbers of points and coordinates with ecCodes'.
func TestFrozen(t *testing.T) {
	grids, exact := 0, 0
	eachFrozen(t, func(w *frozen, b []byte) {
		grids++
		g, err := Parse(w.Edition, b, Centre(w.Centre), DataValues(w.Values))
		if err != nil {
			t.Errorf("%s: %v", w.Name, err)
			return
		}
		if g.GridType != w.GridType || g.NumberOfDataPoints != w.Points {
			t.Errorf("%s: %s of %d points, ecCodes says %s of %d", w.Name, g.GridType, g.NumberOfDataPoints, w.GridType, w.Points)
		}
		lat, lon, err := likeEcCodes(g)
		if w.Count == 0 {
			if err == nil && !beyondEcCodes(g) {
				t.Errorf("%s (%s): coordinates where ecCodes has none", w.Name, w.GridType)
			}
			exact++
			return
		}
		if err != nil || len(lat) != w.Count || len(lon) != w.Count {
			t.Errorf("%s (%s): %d coordinates, error %v, ecCodes has %d", w.Name, w.GridType, len(lat), err, w.Count)
			return
		}
		columns := followsColumns(g)
		for n, k := range w.At {
			if columns {
				k = k%g.Nj*g.Ni + k/g.Nj
			}
			if !(math.Abs(lat[k]-w.Lat[n]) <= tolerance && math.Abs(lon[k]-w.Lon[n]) <= tolerance) {
				t.Errorf("%s (%s): point %d at %v %v, ecCodes says %v %v", w.Name, w.GridType, k, lat[k], lon[k], w.Lat[n], w.Lon[n])
				return
			}
		}
		switch {
		case columns || checksum(lat) == w.LatCRC && checksum(lon) == w.LonCRC:
			exact++
		case mustBeExact(g):
			t.Errorf("%s (%s): the coordinates do not equal ecCodes' bit for bit", w.Name, w.GridType)
		}
	})
	t.Logf("%d grids, %d bit for bit", grids, exact)
	if exact < grids*8/10 {
		t.Errorf("only %d of %d grids equal ecCodes' bit for bit", exact, grids)
	}
}

// mustBeExact reports whether the coordinates must equal ecCodes' exactly. They need no
// elementary function, or only Gaussian latitudes that are known to come out the same.
func mustBeExact(g *Grid) bool {
	switch f := g.family.(type) {
	case *latLon, *reducedLatLon:
		return true
	case *gaussian:
		return f.n <= 400 || f.n == 640 || f.n == 1280
	case *reducedGaussian:
		return f.rot == nil && (f.n > 8 && f.n <= 400 || f.n == 640 || f.n == 1280)
	}
	return false
}
