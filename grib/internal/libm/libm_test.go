package libm

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

const precision = 200

func bf(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// bigExp, bigSin: series in 200 bits, after argument halving; slow and plain.
func bigExp(x *big.Float) *big.Float {
	y := new(big.Float).SetPrec(precision).SetMantExp(x, -20)
	sum, term := bf(1), bf(1)
	for n := 1; n < 30; n++ {
		term.Mul(term, y).Quo(term, bf(float64(n)))
		sum.Add(sum, term)
	}
	for range 20 {
		sum.Mul(sum, sum)
	}
	return sum
}

func bigSincos(x *big.Float) (s, c *big.Float) {
	s, c = new(big.Float).SetPrec(precision), bf(1)
	term := bf(1)
	for n := 1; n < 120; n++ {
		term = new(big.Float).SetPrec(precision).Mul(term, x)
		term.Quo(term, bf(float64(n)))
		switch n % 4 {
		case 1:
			s.Add(s, term)
		case 2:
			c.Sub(c, term)
		case 3:
			s.Sub(s, term)
		case 0:
			c.Add(c, term)
		}
	}
	return s, c
}

// ulps returns how far got is from want in units of got's last place.
func ulps(got float64, want *big.Float) float64 {
	d := new(big.Float).SetPrec(precision).Sub(bf(got), want)
	f, _ := d.Float64()
	u := math.Nextafter(math.Abs(got), math.Inf(1)) - math.Abs(got)
	return math.Abs(f) / u
}

func check(t *testing.T, name string, worst *float64, u, x float64) {
	t.Helper()
	*worst = max(*worst, u)
	if u > 0.501 {
		t.Fatalf("%s(%v) errs by %.4f units in the last place", name, x, u)
	}
}

func TestForward(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var ws, wc, wt, we float64
	for i := range 4000 {
		x := (r.Float64() - 0.5) * 16
		if i%4 == 0 {
			x = math.Ldexp(x, -r.IntN(30))
		}
		s, c := bigSincos(bf(x))
		check(t, "sin", &ws, ulps(Sin(x), s), x)
		check(t, "cos", &wc, ulps(Cos(x), c), x)
		check(t, "tan", &wt, ulps(Tan(x), new(big.Float).SetPrec(precision).Quo(s, c)), x)
		check(t, "exp", &we, ulps(Exp(x), bigExp(bf(x))), x)
	}
	t.Logf("worst: sin %.4f cos %.4f tan %.4f exp %.4f", ws, wc, wt, we)
}

// TestInverse checks y = asin x and similar functions by bracketing. For it x must lie
// between the function at y-0.501 and y+0.501 units.
func TestInverse(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	inside := func(name string, x, y float64, f func(*big.Float) *big.Float) {
		t.Helper()
		half := bf((math.Nextafter(y, math.Inf(1)) - y) * 0.501)
		a := f(new(big.Float).SetPrec(precision).Sub(bf(y), half))
		b := f(new(big.Float).SetPrec(precision).Add(bf(y), half))
		if a.Cmp(b) > 0 {
			a, b = b, a
		}
		if a.Cmp(bf(x)) > 0 || b.Cmp(bf(x)) < 0 {
			t.Fatalf("%s(%v) = %v is not the nearest double", name, x, y)
		}
	}
	sin := func(x *big.Float) *big.Float { s, _ := bigSincos(x); return s }
	cos := func(x *big.Float) *big.Float { _, c := bigSincos(x); return c }
	tan := func(x *big.Float) *big.Float { s, c := bigSincos(x); return s.Quo(s, c) }
	for i := range 3000 {
		x := r.Float64()*2 - 1
		if i%3 == 0 {
			x = math.Ldexp(x, -r.IntN(20))
		}
		if i%5 == 0 {
			x = math.Copysign(1-math.Ldexp(math.Abs(x), -r.IntN(20)-1), x)
		}
		inside("asin", x, Asin(x), sin)
		inside("acos", x, Acos(x), cos)
		x *= 8
		inside("atan", x, Atan(x), tan)
		inside("log", math.Abs(x), Log(math.Abs(x)), bigExp)
	}
}

func TestTwoArguments(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var wh, wp float64
	for range 2000 {
		x, y := (r.Float64()-0.5)*1e7, (r.Float64()-0.5)*1e7
		h := new(big.Float).SetPrec(precision).Add(new(big.Float).SetPrec(precision).Mul(bf(x), bf(x)), new(big.Float).SetPrec(precision).Mul(bf(y), bf(y)))
		check(t, "hypot", &wh, ulps(Hypot(x, y), h.Sqrt(h)), x)
		s, c := bigSincos(bf(Atan2(y, x)))
		// y*cos - x*sin, over the length, is the sine of the angle that is missing.
		d := new(big.Float).SetPrec(precision).Sub(s.Mul(s, bf(x)), c.Mul(c, bf(y)))
		f, _ := d.Quo(d, h).Float64()
		a := Atan2(y, x)
		u := math.Abs(f) / (math.Nextafter(math.Abs(a), 9) - math.Abs(a))
		check(t, "atan2", &wp, u, a)
		b, e := r.Float64()*3+1e-3, (r.Float64()-0.5)*3
		lg := log(b)
		arg := new(big.Float).SetPrec(precision).Add(bf(lg.Hi), bf(lg.Lo))
		// log is known to some 2^-66 only, which still shows an error in exp or in the product.
		check(t, "pow", &wp, ulps(Pow(b, e), bigExp(arg.Mul(arg, bf(e)))), b)
	}
	t.Logf("worst: hypot %.4f, atan2 and pow %.4f", wh, wp)
}

func TestSpecial(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"sin(-0)", Sin(math.Copysign(0, -1)), math.Copysign(0, -1)},
		{"atan2(0,-1)", Atan2(0, -1), math.Pi},
		{"atan2(-0,-1)", Atan2(math.Copysign(0, -1), -1), -math.Pi},
		{"atan2(1,0)", Atan2(1, 0), math.Pi / 2},
		{"asin(1)", Asin(1), math.Pi / 2},
		{"acos(-1)", Acos(-1), math.Pi},
		{"acos(1)", Acos(1), 0},
		{"asin(2)", Asin(2), math.NaN()},
		{"log(1)", Log(1), 0},
		{"pow(0,2)", Pow(0, 2), 0},
		{"hypot(0,0)", Hypot(0, 0), 0},
		{"exp(1000)", Exp(1000), math.Inf(1)},
	} {
		if math.Float64bits(c.got) != math.Float64bits(c.want) && !(math.IsNaN(c.got) && math.IsNaN(c.want)) {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
}

func BenchmarkSincos(b *testing.B) {
	x := 0.0
	for i := range b.N {
		s, c := Sincos(float64(i&1023) * 0.003)
		x += s + c
	}
	sink = x
}

func BenchmarkAsin(b *testing.B) {
	x := 0.0
	for i := range b.N {
		x += Asin(float64(i&1023) / 1024)
	}
	sink = x
}

func BenchmarkAtan2(b *testing.B) {
	x := 0.0
	for i := range b.N {
		x += Atan2(float64(i&1023)/1024, 0.3)
	}
	sink = x
}

var sink float64
