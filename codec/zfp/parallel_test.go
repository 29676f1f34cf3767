package zfp

import (
	"bytes"
	"errors"
	"math"
	"runtime"
	"slices"
	"testing"
)

// The stream and the values are the same for any number of cores.
func TestAnyNumberOfCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	values := make([]float64, 5*4*leastBlocks+3)
	for i := range values {
		values[i] = math.Sin(float64(i)/50) * math.Pow(10, float64(i%7))
	}
	for _, rate := range []float64{0, 3.25, 8, 16, 17.3, 24, 64} {
		p := Params{Mode: FixedRate, Rate: rate}
		var stream []byte
		var decoded []float64
		for _, cores := range []int{1, 2, 3, 7} {
			runtime.GOMAXPROCS(cores)
			b, err := Encode([]byte("x"), values, p)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]float64, len(values))
			if err := Decode(got, b[1:], p); err != nil {
				t.Fatal(err)
			}
			if cores == 1 {
				stream, decoded = b, got
				if alone := inOrder(t, values, p); !bytes.Equal(b[1:], alone) {
					t.Errorf("rate %v: other bytes than block after block", rate)
				}
				continue
			}
			if !bytes.Equal(b, stream) {
				t.Errorf("rate %v, %d cores: another stream", rate, cores)
			}
			if !slices.Equal(got, decoded) {
				t.Errorf("rate %v, %d cores: other values", rate, cores)
			}
			first := 4*leastBlocks + 1
			off, size, err := p.RangeBytes(first, 4*3*leastBlocks)
			if err != nil {
				t.Fatal(err)
			}
			part := make([]float64, 4*3*leastBlocks)
			if err := DecodeRange(part, stream[1:][off:off+size], p, first); err != nil || !slices.Equal(part, decoded[first:][:len(part)]) {
				t.Errorf("rate %v, %d cores: other values in a range: %v", rate, cores, err)
			}
		}
	}
}

// inOrder encodes one block after the other.
func inOrder(t *testing.T, values []float64, p Params) []byte {
	t.Helper()
	l, err := p.limits()
	if err != nil {
		t.Fatal(err)
	}
	var w bitWriter
	if err := w.blocks(values, 0, l); err != nil {
		t.Fatal(err)
	}
	return w.flush()
}

func TestFirstBadValueOfAnyCore(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	values := make([]float64, 4*4*leastBlocks)
	values[5000], values[60000] = math.NaN(), math.Inf(1)
	var bad *ValueError
	if _, err := Encode(nil, values, Params{Mode: FixedRate, Rate: 8}); !errors.As(err, &bad) || bad.Index != 5000 {
		t.Errorf("%v, expected value 5000", err)
	}
}
