package importers

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/tgm"
)

func TestMixed(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		re, im float64
		mixed  int
	}{{1, 2, 0}, {inf, 2, 1}, {2, nan, 1}, {nan, nan, 0}, {inf, inf, 0}, {inf, -inf, 1}, {nan, inf, 1}} {
		var small, large []byte
		for _, x := range []float64{0, 0, c.re, c.im} {
			small = binary.LittleEndian.AppendUint32(small, math.Float32bits(float32(x)))
			large = binary.LittleEndian.AppendUint64(large, math.Float64bits(x))
		}
		for d, data := range map[tgm.DType][]byte{tgm.Complex64: small, tgm.Complex128: large} {
			if n := Mixed(d, data); n != c.mixed {
				t.Errorf("%s %v, %v: %d, expected %d", d, c.re, c.im, n, c.mixed)
			}
		}
	}
	if n := Mixed(tgm.Float64, binary.LittleEndian.AppendUint64(nil, math.Float64bits(nan))); n != 0 {
		t.Errorf("float64: %d", n)
	}
}

// complexPieces are complex numbers; the last two of each piece have one infinite part.
type complexPieces struct {
	Plain
	pieces, elements int
}

func (c complexPieces) piece() []byte {
	data := make([]byte, 8*c.elements)
	for i := c.elements - 2; i < c.elements; i++ {
		binary.LittleEndian.PutUint32(data[8*i+4:], math.Float32bits(float32(math.Inf(1))))
	}
	return data
}

func (c complexPieces) Info(form Form) *array.Info {
	if form != AsValues {
		return nil
	}
	info := WholeInfo([]int{c.pieces * c.elements}, tgm.Complex64)
	info.Block[0] = uint64(c.elements)
	return info
}

func (c complexPieces) Read(_ context.Context, _ Form, r array.Region, _ *Scratch) (Elements, error) {
	return Elements{Data: bytes.Repeat(c.piece(), int(r.Count[0])/c.elements)}, nil
}

// TestMixedNote counts the complex numbers that lose a part where the source cannot give two
// fields. This holds also when they are encoded while they are read.
func TestMixedNote(t *testing.T) {
	for pieces, want := range map[int]string{1: "2 complex numbers, ", 4: "8 complex numbers, "} {
		const elements = 1 << 20
		f := &Field{Name: "z", Shape: []int{pieces * elements}, DType: tgm.Complex64, Values: complexPieces{pieces: pieces, elements: elements}}
		o, err := f.encode(t.Context(), &Encoding{}, new(Scratch), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		o.Release()
		if len(f.Notes) != 1 || !strings.HasPrefix(f.Notes[0], want) {
			t.Errorf("%d pieces: notes %q, expected %s…", pieces, f.Notes, want)
		}
	}
}
