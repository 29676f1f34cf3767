package geometry

import (
	"math"
	"slices"
)

// spectral holds spherical harmonics or, with bi, bi-Fourier coefficients of a limited area.
// Spherical harmonics are 3.50 to 3.53 and edition 1 types 50, 60, 70, 80; bi-Fourier coefficients
// are 3.61 to 3.63. There are no points and no coordinates.
type spectral struct {
	j, k, m       int64 // pentagonal truncation
	sort, storage int64 // representation type and mode (code tables 3.6 and 3.7)
	rot           *rotation
	stretch       *stretching
	bi            *biFourier
}

// biFourier is the elliptic, rectangular or diamond truncation of a limited area and its lengths in
// metres.
type biFourier struct {
	n, m, truncation int64
	lengths          [6]int64 // Lx, Lux, Lcx, Ly, Luy, Lcy
	projection       family   // mercator, polarStereographic or lambert
}

var biFourierLengths = [6]string{"LxInMetres", "LuxInMetres", "LcxInMetres", "LyInMetres", "LuyInMetres", "LcyInMetres"}

func (f *spectral) visit(v visitor) {
	v.integer("spectralType", &f.sort)
	if f.bi != nil {
		v.integer("biFourierResolutionParameterN", &f.bi.n)
		v.integer("biFourierResolutionParameterM", &f.bi.m)
		v.integer("biFourierTruncationType", &f.bi.truncation)
		for i := range f.bi.lengths {
			v.wide(biFourierLengths[i], &f.bi.lengths[i])
		}
		f.bi.projection.visit(v)
		return
	}
	v.integer("J", &f.j)
	v.integer("K", &f.k)
	v.integer("M", &f.m)
	v.integer("spectralMode", &f.storage)
	visitRotation(v, &f.rot)
	visitStretching(v, &f.stretch)
}

// maxTruncation bounds the truncations of harmonics; edition 1 states at most 65535.
const maxTruncation = 1 << 16

// harmonics returns how many real numbers a pentagonal truncation has. For each zonal wave number m
// up to M there are the total wave numbers from m to the lesser of J+m and K, a real and an
// imaginary part each.
func harmonics(j, k, m int64) int64 {
	total := int64(0)
	for w := range m + 1 {
		if n := min(j+w, k) - w + 1; n > 0 {
			total += n
		}
	}
	return 2 * total
}

// unstructured is a grid whose points are held elsewhere under a UUID (3.101).
type unstructured struct {
	used, reference int64
	uuid            [16]byte
}

func (f *unstructured) visit(v visitor) {
	v.integer("numberOfGridUsed", &f.used)
	v.integer("numberOfGridInReference", &f.reference)
	v.bytes("uuidOfHGrid", f.uuid[:])
}

// listed is a grid for which neither ecCodes nor this package computes coordinates. It has its
// parameters by name.
type listed struct {
	names  []string
	values []float64
}

// add keeps the names in order, whichever order the section has, and leaves out NaN.
func (f *listed) add(name string, value float64) *listed {
	if at, _ := slices.BinarySearch(f.names, name); !math.IsNaN(value) {
		f.names = slices.Insert(f.names, at, name)
		f.values = slices.Insert(f.values, at, value)
	}
	return f
}

func (f *listed) visit(v visitor) {
	for i, name := range f.names {
		v.float(name, &f.values[i])
	}
	if r, ok := v.(interface{ rest() ([]string, []float64) }); ok && f.names == nil {
		f.names, f.values = r.rest()
	}
}
