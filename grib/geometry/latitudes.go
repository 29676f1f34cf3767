package geometry

import (
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/libm"
)

// besselZeros are the first zeros of the Bessel function J0 to ten decimals. They give the guesses
// of the zeros of Legendre polynomials. Further zeros are taken to lie pi apart. These are
// ecCodes' guesses, so that the iteration ends on the same double.
var besselZeros = [...]float64{
	2.4048255577, 5.5200781103, 8.6537279129, 11.7915344391, 14.9309177086, 18.0710639679, 21.2116366299, 24.3524715308, 27.4934791320, 30.6346064684,
	33.7758202136, 36.9170983537, 40.0584257646, 43.1997917132, 46.3411883717, 49.4826098974, 52.6240518411, 55.7655107550, 58.9069839261, 62.0484691902,
	65.1899648002, 68.3314693299, 71.4729816036, 74.6145006437, 77.7560256304, 80.8975558711, 84.0390907769, 87.1806298436, 90.3221726372, 93.4637187819,
	96.6052679510, 99.7468198587, 102.8883742542, 106.0299309165, 109.1714896498, 112.3130502805, 115.4546126537, 118.5961766309, 121.7377420880, 124.8793089132,
	128.0208770059, 131.1624462752, 134.3040166383, 137.4455880203, 140.5871603528, 143.7287335737, 146.8703076258, 150.0118824570, 153.1534580192, 156.2950342685,
}

// gaussianLatitudes computes the 2n Gaussian latitudes in degrees, from north to south, on demand.
// A sub-area of a fine grid needs few.
type gaussianLatitudes struct {
	n     int
	guess []float64 // of the northern zeros, as angles times the denominator
	denom float64
	lat   []float64 // NaN where not yet computed
}

func newGaussianLatitudes(n int) *gaussianLatitudes {
	pi := math.Pi // rounded to a double, as the operations below are
	g := &gaussianLatitudes{n: n, guess: make([]float64, n), lat: make([]float64, n)}
	for i := range g.guess {
		if i < len(besselZeros) {
			g.guess[i] = besselZeros[i]
		} else {
			g.guess[i] = g.guess[i-1] + math.Pi
		}
		g.lat[i] = math.NaN()
	}
	c := 1 - float64(float64(float64(2/pi)*float64(2/pi))*0.25)
	d := float64(2*n) + 0.5
	g.denom = math.Sqrt(float64(d*d) + c)
	return g
}

// at returns latitude j, 0 to 2n-1.
func (g *gaussianLatitudes) at(j int) float64 {
	if j >= g.n {
		return -g.at(2*g.n - 1 - j)
	}
	if math.IsNaN(g.lat[j]) {
		g.fill(j, j+1)
	}
	return g.lat[j]
}

// compute computes latitudes from to to-1 at once, if they are within 0 to 2n, or all.
func (g *gaussianLatitudes) compute(from, to int) {
	if from < 0 || to > 2*g.n {
		from, to = 0, 2*g.n
	}
	// The northern ones, and the northern twins of the southern ones.
	north, twins := min(from, g.n), 2*g.n-max(to, g.n)
	end := min(to, g.n)
	if to > g.n {
		end = 2*g.n - max(from, g.n)
	}
	start := min(north, twins)
	groups := (end - start + lanes - 1) / lanes
	parallelRows(groups, 2*g.n*lanes, func(k int) {
		g.fill(start+k*lanes, min(start+(k+1)*lanes, end))
	})
}

// lanes is how many zeros are sought at once: their divisions do not wait for each other.
const lanes = 4

// maxIterations bounds the Newton iteration. It converges within four for every n tried (to 8000).
const maxIterations = 12

// fill computes latitudes from to to-1 of the northern hemisphere, lanes of them at a time.
func (g *gaussianLatitudes) fill(from, to int) {
	pi := math.Pi
	for ; from < to; from += lanes {
		var root [lanes]float64
		var todo [lanes]bool
		for l := range root {
			j := min(from+l, to-1)
			root[l] = libm.Cos(g.guess[j] / g.denom)
			todo[l] = true
		}
		for range maxIterations {
			p, q := legendre(2*g.n, root)
			more := false
			for l := range root {
				if !todo[l] {
					continue
				}
				r := root[l]
				step := p[l] / (float64(float64(2*g.n)*(q[l]-float64(r*p[l]))) / (1 - float64(r*r)))
				root[l] -= step
				todo[l] = math.Abs(step) >= 1e-14
				more = more || todo[l]
			}
			if !more {
				break
			}
		}
		for l := 0; l < lanes && from+l < to; l++ {
			g.lat[from+l] = libm.Asin(root[l]) * (180 / pi)
		}
	}
}

// legendre returns the Legendre polynomials of degree n and n-1 at each x, both times x. The
// factor cancels in Newton's step, and is how ecCodes starts the recurrence.
func legendre(n int, x [lanes]float64) (p, q [lanes]float64) {
	p0, p1, p2, p3 := x[0], x[1], x[2], x[3]
	q0, q1, q2, q3 := 1.0, 1.0, 1.0, 1.0
	for i := range n {
		k := float64(i)
		a, b := 2*(k+1)-1, k+1
		p0, q0 = (float64(float64(a*x[0])*p0)-float64(k*q0))/b, p0
		p1, q1 = (float64(float64(a*x[1])*p1)-float64(k*q1))/b, p1
		p2, q2 = (float64(float64(a*x[2])*p2)-float64(k*q2))/b, p2
		p3, q3 = (float64(float64(a*x[3])*p3)-float64(k*q3))/b, p3
	}
	return [lanes]float64{p0, p1, p2, p3}, [lanes]float64{q0, q1, q2, q3}
}
