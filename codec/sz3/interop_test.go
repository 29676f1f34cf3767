//go:build interop

package sz3

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/tgmconv/tgmconv/bench/peer/pycodecs"
)

// TestLibrary has the SZ3 library decode the output of this package, through pysz: the same bits
// as here.
func TestLibrary(t *testing.T) {
	peer, err := pycodecs.Start("../..")
	if errors.Is(err, pycodecs.ErrMissing) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := peer.Close(); err != nil {
			t.Error(err)
		}
	}()
	check := func(name string, src []float64, stream []byte, bound float64) {
		t.Helper()
		raw, _, err := peer.Do(pycodecs.Request{Codec: "sz3", Op: "decode", Params: map[string]any{"n": len(src)}}, stream)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		ours, theirs := make([]float64, len(src)), doubles(raw)
		if err := Decode(ours, stream); err != nil || !same(ours, theirs) {
			t.Errorf("%s: the library decodes other values, error %v", name, err)
		}
		for i, x := range src {
			if !(math.Abs(theirs[i]-x) <= bound) && math.Float64bits(theirs[i]) != math.Float64bits(x) {
				t.Errorf("%s: the library decodes value %d as %v, expected %v within %v", name, i, theirs[i], x, bound)
				break
			}
		}
	}
	encode := func(name string, src []float64, p Params) {
		t.Helper()
		bound, err := p.absolute(src)
		if err != nil {
			t.Fatal(err)
		}
		stream, err := Encode(nil, src, p)
		if err != nil {
			t.Fatal(err)
		}
		check(fmt.Sprintf("%s with %v", name, p), src, stream, bound)
	}
	for _, v := range vectors(t) {
		mode, err := ParseMode(v.Mode)
		if err != nil {
			t.Fatal(err)
		}
		encode(v.Name, doubles(v.Source), Params{mode, v.Bound})
	}
	for name, src := range hostile() {
		for _, bound := range []float64{1e-10, 1, 1e300} {
			encode(name, src, Params{Abs, bound})
		}
	}
	for _, n := range []int{3, 17, 4097, 8192, 300_007} {
		for _, p := range []Params{{Abs, 1}, {Abs, 1e-5}, {Rel, 1e-3}, {PSNR, 70}} {
			encode(fmt.Sprintf("field of %d", n), field(n), p)
		}
	}
	for _, p := range plans() {
		for _, n := range []int{100, 9000} {
			check(fmt.Sprintf("%+v", p), field(n), encodeWith(t, field(n), 0.01, p), 0.01)
		}
	}
}
