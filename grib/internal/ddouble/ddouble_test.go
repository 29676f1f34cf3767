package ddouble

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

const precision = 200

// bigExp sums the series of e^x at 200 bits, x being halved often enough first.
func bigExp(x *big.Float) *big.Float {
	const halve = 40
	r := new(big.Float).SetPrec(precision).SetMantExp(x, -halve)
	out, term := big.NewFloat(1).SetPrec(precision), big.NewFloat(1).SetPrec(precision)
	for i := 1; i < 30; i++ {
		term.Mul(term, r).Quo(term, big.NewFloat(float64(i)))
		out.Add(out, term)
	}
	for range halve {
		out.Mul(out, out)
	}
	return out
}

// bigLog is Newton's iteration on bigExp.
func bigLog(x float64) *big.Float {
	l := big.NewFloat(math.Log(x)).SetPrec(precision)
	for range 3 {
		e := bigExp(new(big.Float).Neg(l))
		e.Mul(e, big.NewFloat(x)).Sub(e, big.NewFloat(1))
		l.Add(l, e)
	}
	return l
}

func TestExp(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		x := (rng.Float64() - 0.5) * 200
		want, _ := bigExp(big.NewFloat(x).SetPrec(precision)).Float64()
		if got := Exp(x); got != want {
			t.Fatalf("exp(%v) is %v, expected %v", x, got, want)
		}
	}
}

func TestPow(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 1500 {
		n := float64(1 + rng.IntN(8000))
		x, y := n*(n+1), float64(rng.IntN(8000)-4000)/1000
		l := bigLog(x)
		want, _ := bigExp(l.Mul(l, big.NewFloat(y).SetPrec(precision))).Float64()
		if got := Pow(x, y); got != want {
			t.Fatalf("pow(%v, %v) is %v, expected %v", x, y, got, want)
		}
	}
	for _, x := range []float64{1, 2, 1e300} {
		if Pow(x, 0) != 1 || Pow(x, 1) != x {
			t.Errorf("pow(%v, 0 and 1) are %v, %v", x, Pow(x, 0), Pow(x, 1))
		}
	}
}
