package ddouble

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func exactly(a Number) *big.Float {
	return new(big.Float).SetPrec(300).Add(big.NewFloat(a.Hi), big.NewFloat(a.Lo))
}

// within fails unless got is want to 2^-100.
func within(t *testing.T, name string, got Number, want *big.Float) {
	t.Helper()
	d := new(big.Float).SetPrec(300).Sub(exactly(got), want)
	if d.Abs(d).Cmp(new(big.Float).SetMantExp(new(big.Float).Abs(want), -100)) > 0 {
		t.Errorf("%s is %v + %v, expected %v", name, got.Hi, got.Lo, want)
	}
}

func TestArithmetic(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	some := func() Number {
		hi := math.Ldexp(1+rng.Float64(), rng.IntN(40)-20)
		return FastSum(hi, hi*math.Ldexp(rng.Float64()-0.5, -53))
	}
	wide := func() *big.Float { return new(big.Float).SetPrec(300) }
	for range 3000 {
		a, b := some(), some()
		x, y := exactly(a), exactly(b)
		within(t, "a+b", a.Add(b), wide().Add(x, y))
		within(t, "a*b", a.Mul(b), wide().Mul(x, y))
		within(t, "a/b", a.Div(b), wide().Quo(x, y))
		within(t, "a*f", a.Scale(b.Hi), wide().Mul(x, big.NewFloat(b.Hi)))
		within(t, "the root of a", a.Sqrt(), wide().Sqrt(x))
		within(t, "-a", a.Neg(), wide().Neg(x))
		if p := Product(a.Hi, b.Lo); exactly(p).Cmp(wide().Mul(big.NewFloat(a.Hi), big.NewFloat(b.Lo))) != 0 {
			t.Errorf("the product of %v and %v is not exact", a.Hi, b.Lo)
		}
		if s := Sum(a.Lo, b.Hi); exactly(s).Cmp(wide().Add(big.NewFloat(a.Lo), big.NewFloat(b.Hi))) != 0 {
			t.Errorf("the sum of %v and %v is not exact", a.Lo, b.Hi)
		}
	}
}
