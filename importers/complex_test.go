package importers

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/tgm"
)

func TestMixedParts(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		re, im float64
		mixed  bool
	}{{1, 2, false}, {inf, 2, true}, {2, nan, true}, {nan, nan, false}, {inf, inf, false}, {inf, -inf, true}, {nan, inf, true}} {
		var small, large []byte
		for _, x := range []float64{0, 0, c.re, c.im} {
			small = binary.LittleEndian.AppendUint32(small, math.Float32bits(float32(x)))
			large = binary.LittleEndian.AppendUint64(large, math.Float64bits(x))
		}
		for d, data := range map[tgm.DType][]byte{tgm.Complex64: small, tgm.Complex128: large} {
			if note := mixedParts(d, data); strings.HasPrefix(note, "1 complex") != c.mixed || (note != "") != c.mixed {
				t.Errorf("%s %v, %v: note %q", d, c.re, c.im, note)
			}
		}
	}
	if note := mixedParts(tgm.Float64, binary.LittleEndian.AppendUint64(nil, math.Float64bits(nan))); note != "" {
		t.Errorf("float64: note %q", note)
	}
}
