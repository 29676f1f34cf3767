package geometry

import (
	"fmt"
	"math"
	"strings"
)

// A visitor is shown the parameters of a grid one by one under their names. A visitor that
// reads a geometry map sets them, a visitor that writes a map or computes a key takes them.
type visitor interface {
	integer(key string, p *int64)
	wide(key string, p *int64)    // a number that has 8 octets in a section
	float(key string, p *float64) // NaN stands for a parameter that is not given
	floats(key string, p *[]float64)
	bytes(key string, p []byte)
}

// The entries of every geometry map; docs/exact/geometry.md has the schema.
const (
	keyGridType = "gridType"
	keyEdition  = "edition"
	keyTemplate = "gridDefinitionTemplateNumber" // edition 2
	keyType     = "dataRepresentationType"       // edition 1
	keyPoints   = "numberOfDataPoints"
	keyScan     = "scanningMode"
	keyShape    = "shapeOfTheEarth"
	keyOblate   = "earthIsOblate"
	keyRadius   = "radius"
	keyMajor    = "earthMajorAxisInMetres"
	keyMinor    = "earthMinorAxisInMetres"
	keyPL       = "pl"
	keyName     = "gridName"
)

// Geometry returns the grid as a map from which FromGeometry computes the same coordinates. Values
// are string, int64, float64, []int64 and []float64. Keys are ecCodes' names.
func (g *Grid) Geometry() map[string]any {
	w := mapWriter{keyGridType: g.GridType, keyEdition: int64(g.Edition), keyPoints: int64(g.NumberOfDataPoints)}
	if g.Edition == 1 {
		w[keyType] = int64(g.Template)
	} else {
		w[keyTemplate] = int64(g.Template)
	}
	c := *g // visitCommon writes the values it was given back
	c.visitCommon(w)
	for _, key := range []string{"Ni", "Nj", "Nx", "Ny"} {
		if w[key] == int64(0) {
			delete(w, key) // not given
		}
	}
	if name := g.Name(); g.PL != nil && strings.HasPrefix(name, "O") && len(g.PL) <= g.NumberOfDataPoints {
		w[keyName] = name // says as much as the list
	} else if g.PL != nil {
		w.integers(keyPL, &g.PL)
	}
	g.family.visit(w)
	return w
}

// visitCommon presents the common parameters of all grids of points. It writes the values that v
// sets to g.
func (g *Grid) visitCommon(v visitor) {
	switch f := g.family.(type) {
	case *unstructured:
		return
	case *spectral:
		if f.bi != nil {
			g.visitEarth(v)
		}
		return
	case *healpix:
	default:
		i, j := "Ni", "Nj"
		switch f.(type) {
		case *polarStereographic, *lambert, *albers, *azimuthal, *spaceView:
			i, j = "Nx", "Ny"
		}
		ni, nj, scan := int64(g.Ni), int64(g.Nj), int64(g.Scan)
		v.integer(i, &ni)
		v.integer(j, &nj)
		v.integer(keyScan, &scan)
		g.Ni, g.Nj, g.Scan = int(ni), int(nj), Scan(scan)
	}
	g.visitEarth(v)
}

// visitEarth presents the figure of the Earth, if any.
func (g *Grid) visitEarth(v visitor) {
	if r, reading := v.(*mapReader); reading && !r.has(keyShape) || !reading && g.Earth == (Earth{}) {
		return
	}
	shape, oblate := int64(g.Earth.Shape), int64(0)
	if g.Earth.Oblate {
		oblate = 1
	}
	v.integer(keyShape, &shape)
	v.integer(keyOblate, &oblate)
	g.Earth.Shape, g.Earth.Oblate = int(shape), oblate != 0
	if !g.Earth.Oblate {
		v.float(keyRadius, &g.Earth.Radius)
		return
	}
	v.float(keyMajor, &g.Earth.MajorAxis)
	v.float(keyMinor, &g.Earth.MinorAxis)
}

// A mapWriter fills a geometry map.
type mapWriter map[string]any

func (w mapWriter) integer(key string, p *int64) { w[key] = *p }
func (w mapWriter) wide(key string, p *int64)    { w[key] = *p }

func (w mapWriter) float(key string, p *float64) {
	if !math.IsNaN(*p) {
		w[key] = *p
	}
}

func (w mapWriter) integers(key string, p *[]int) {
	a := make([]int64, len(*p))
	for i, v := range *p {
		a[i] = int64(v)
	}
	w[key] = a
}

func (w mapWriter) floats(key string, p *[]float64) { w[key] = append([]float64(nil), *p...) }
func (w mapWriter) bytes(key string, p []byte)      { w[key] = fmt.Sprintf("%x", p) }

// Name returns the short name of a global Gaussian or HEALPix grid: F320 regular, N320 reduced,
// O320 octahedral, H128 HEALPix. It is empty for all other grids, sub-areas among them.
func (g *Grid) Name() string {
	switch f := g.family.(type) {
	case *healpix:
		return fmt.Sprintf("H%d", f.nside)
	case *gaussian:
		if int64(g.Nj) == 2*f.n && int64(g.Ni) == 4*f.n {
			return fmt.Sprintf("F%d", f.n)
		}
	case *reducedGaussian:
		switch {
		case int64(len(g.PL)) != 2*f.n:
		case octahedral(g.PL):
			return fmt.Sprintf("O%d", f.n)
		default:
			return fmt.Sprintf("N%d", f.n)
		}
	}
	return ""
}

// octahedral reports whether the parallels have 20, 24, 28 ... points from either pole on.
func octahedral(pl []int) bool {
	for j, n := range pl {
		if n != octahedralRow(j, len(pl)) {
			return false
		}
	}
	return len(pl) > 0 && len(pl)%2 == 0
}

func octahedralRow(j, rows int) int { return 20 + 4*min(j, rows-1-j) }
