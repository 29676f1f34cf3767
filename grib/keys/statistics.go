package keys

import (
	"math"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// statisticsClass is maximum, minimum, average, number of missing points,
// standard deviation, skewness, kurtosis and whether the field is constant.
// Arguments: missingValue, values.
type statisticsClass struct{ computedDouble }

func (statisticsClass) init(_ *Handle, a *accessor) error {
	a.flags |= defs.ReadOnly | defs.Function | defs.Hidden
	return nil
}

func (statisticsClass) count(*Handle, *accessor) (int, error) { return 8, nil }

func (statisticsClass) double(*Handle, *accessor) (float64, error) { return 0, ErrArrayTooSmall }

func (statisticsClass) doubles(h *Handle, a *accessor) ([]float64, error) {
	h.dependsOn(onEverything)
	if h.data.stats != nil {
		return h.data.stats, nil
	}
	if n, err := h.getSize(a.argName(1)); err != nil || n == 0 {
		return nil, ErrDecoding
	}
	miss, err := h.getDouble(a.argName(0))
	if err != nil {
		return nil, err
	}
	can, err := h.long("missingValuesPresent")
	if err != nil {
		return nil, err
	}
	v, err := h.values()
	if err != nil {
		return nil, err
	}
	if len(v) == 0 {
		return nil, ErrDecoding
	}
	h.data.stats = fieldStatistics(v, miss, can != 0)
	return h.data.stats, nil
}

// fieldStatistics sums in the order of the values, as the results depend on it.
func fieldStatistics(v []float64, miss float64, canMiss bool) []float64 {
	lo, hi, sum, n := miss, miss, miss, 0
	for _, x := range v {
		if canMiss && x == miss {
			continue
		}
		if n == 0 {
			lo, hi, sum = x, x, x
		} else {
			// Comparisons, not max and min, skip a NaN after the first value.
			if hi < x {
				hi = x
			}
			if lo > x {
				lo = x
			}
			sum += x
		}
		n++
	}
	avg := sum
	if n != 0 {
		avg = sum / float64(n)
	}
	var m2, m3, m4, sd, skew, kurt float64
	for _, x := range v {
		if canMiss && x == miss {
			continue
		}
		d := x - avg
		t := float64(d * d)
		m2 += t
		m3 += float64(d * t)
		m4 += float64(t * t)
	}
	if n != 0 {
		m2 /= float64(n)
		m3 /= float64(n)
		m4 /= float64(n)
		sd = math.Sqrt(m2)
	}
	if m2 != 0 {
		skew = m3 / (sd * sd * sd)
		kurt = m4/(m2*m2) - 3
	}
	return []float64{hi, lo, avg, float64(len(v) - n), sd, skew, kurt, float64(b2i(sd == 0))}
}

// spectralStatisticsClass is average, energy norm, standard deviation and
// whether the field is constant. Arguments: values, J, K, M.
type spectralStatisticsClass struct{ computedDouble }

func (spectralStatisticsClass) init(_ *Handle, a *accessor) error {
	a.flags |= defs.ReadOnly | defs.Function
	return nil
}

func (spectralStatisticsClass) count(*Handle, *accessor) (int, error) { return 4, nil }

func (spectralStatisticsClass) double(*Handle, *accessor) (float64, error) {
	return 0, ErrArrayTooSmall
}

func (spectralStatisticsClass) doubles(h *Handle, a *accessor) ([]float64, error) {
	h.dependsOn(onEverything)
	if h.data.stats != nil {
		return h.data.stats, nil
	}
	var jkm [3]int64
	for i := range jkm {
		v, err := h.argKeyLong(a, 1+i)
		if err != nil {
			return nil, err
		}
		jkm[i] = v
	}
	j, k, m := jkm[0], jkm[1], jkm[2]
	if j != m || m != k {
		return nil, ErrNotImplemented
	}
	v, err := h.values()
	if err != nil {
		return nil, err
	}
	if int64(len(v)) != (m+1)*(m+2) {
		return nil, ErrDecoding
	}
	avg, sd := v[0], 0.0
	i := int64(2)
	for ; i < 2*j; i += 2 {
		sd += float64(v[i] * v[i])
	}
	for i = 2 * j; i < int64(len(v)); i += 2 {
		sd += float64(2*v[i]*v[i]) + float64(2*v[i+1]*v[i+1])
	}
	norm := math.Sqrt(sd + float64(avg*avg))
	sd = math.Sqrt(sd)
	h.data.stats = []float64{avg, norm, sd, float64(b2i(sd == 0))}
	return h.data.stats, nil
}
