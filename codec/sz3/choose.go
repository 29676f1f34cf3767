package sz3

import "math"

// choose codes samples in several ways and returns the plan that gives the fewest bytes. Steps and
// constants come from the library.
func (e *encoder) choose(x []float64, bound float64, p Params) (plan, error) {
	best := defaultPlan()
	samples := sample(x, bound)
	if len(samples) == 0 {
		return best, nil
	}
	raw := float64(8 * len(samples) * len(samples[0]))
	ratio := 0.0
	try := func(p plan, factor float64) error {
		size, err := e.trial(samples, bound, p)
		if r := raw / float64(size); r > factor*ratio {
			best, ratio = p, r
		}
		return err
	}
	// Symbols that do not pay for a slightly larger change are not worth it.
	const worthIt, good = 1.02, 50
	for _, k := range []kind{linear, cubic} {
		p := defaultPlan()
		p.kind = k
		if err := try(p, 1); err != nil {
			return best, err
		}
	}
	for _, l := range [][2]float64{{1, 1}, {1.5, 2.5}, {2, 3}} {
		p := best
		p.alpha, p.beta = l[0], l[1]
		if err := try(p, worthIt); err != nil {
			return best, err
		}
	}
	if ratio >= good {
		return best, nil
	}
	return e.chooseLorenzo(samples, bound, p, best, ratio)
}

// chooseLorenzo compares Lorenzo prediction with the best interpolation.
func (e *encoder) chooseLorenzo(samples [][]float64, bound float64, p Params, best plan, ratio float64) (plan, error) {
	const (
		worthIt      = 1.1
		good         = 50
		tight        = 1.01e-6 // a relative bound for which fewer symbols are tried
		fewerRadius  = 8192
		fewerIfAbove = 5
		fewerWorthIt = 1.02
		trialBlock   = 5
	)
	raw := float64(8 * len(samples) * len(samples[0]))
	other := best
	other.algorithm, other.block = lorenzo, trialBlock
	size, err := e.trial(samples, bound, other)
	r := raw / float64(size)
	if err != nil || r < worthIt*ratio || r >= good {
		return best, err
	}
	best = other
	best.block = lorenzoBlock
	relative := 0.0
	if p.Mode == Rel {
		relative = p.Bound
	}
	if relative < tight && r > fewerIfAbove {
		other.radius = fewerRadius
		if size, err = e.trial(samples, bound, other); raw/float64(size) > fewerWorthIt*r {
			best.radius = fewerRadius
		}
	}
	return best, err
}

// sample returns pieces of x that are not smooth beyond the bound, all of one length. It returns
// nil when x is too short for that.
func sample(x []float64, bound float64) [][]float64 {
	const (
		largest   = 4096
		smallest  = 8
		onePiece  = 0.0075 // of the values, at most
		tooMuch   = 0.05
		enough    = 0.0025
		wanted    = 0.005
		allPieces = 0.2
	)
	n := float64(len(x))
	size := largest
	for size >= len(x) {
		size /= 2
	}
	for size >= 2*smallest && float64(size+1)/n > onePiece {
		size /= 2
	}
	size = max(size, smallest)
	if float64(size+1) > tooMuch*n || len(x) < size {
		return nil
	}
	var starts, rough []int
	for c := 0; c < len(x)-size; c += size {
		starts = append(starts, c)
		low, high := x[c], x[c]
		for _, at := range []int{size / 4, size / 2, 3 * size / 4, size} {
			low, high = min(low, x[c+at]), max(high, x[c+at])
		}
		if high-low > bound {
			rough = append(rough, c)
		}
	}
	step := int(1 / wanted)
	if float64(len(rough)*(size+1)) >= enough*n {
		starts = rough
		step = max(1, int(math.Floor(float64(len(rough))/(float64((len(x)-1)/size)*wanted))))
	}
	var samples [][]float64
	for i := 0; i < len(starts); i += step {
		samples = append(samples, x[starts[i]:starts[i]+size+1])
	}
	if float64(len(samples)*(size+1)) >= allPieces*n {
		return nil
	}
	return samples
}
