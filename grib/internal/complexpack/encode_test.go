package complexpack

import (
	"math"
	"math/rand/v2"
	"testing"
)

// backAgain encodes integers and decodes them.
func backAgain(t *testing.T, q []uint32, order int) int {
	t.Helper()
	b, l, err := Encode(q, order)
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	err = Decode(l, b, func(got []int64) error {
		for _, x := range got {
			if x != int64(q[at]) {
				t.Fatalf("order %d, %d integers: number %d is %d, expected %d", order, len(q), at, x, q[at])
			}
			at++
		}
		return nil
	})
	if err != nil || at != len(q) {
		t.Fatalf("order %d: %d of %d integers (%v)", order, at, len(q), err)
	}
	return len(b)
}

func TestEncode(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for n := range 200 {
		q := make([]uint32, n*n/7)
		for i := range q {
			switch n % 4 {
			case 0:
				q[i] = rng.Uint32()
			case 1:
				q[i] = uint32(1000 + 900*math.Sin(float64(i)/50) + 5*rng.Float64())
			case 2:
				q[i] = 77
			case 3:
				q[i] = uint32(i/100) * 4_000_000
			}
		}
		for order := range 3 {
			backAgain(t, q, order)
		}
	}
	smooth := make([]uint32, 100_000)
	for i := range smooth {
		smooth[i] = uint32(30000 + 20000*math.Sin(float64(i)/500) + 3*rng.Float64())
	}
	if plain, second := backAgain(t, smooth, 0), backAgain(t, smooth, 2); plain > 140_000 || second > 60_000 {
		t.Errorf("a smooth field of 100000 integers takes %d bytes, %d with differences", plain, second)
	}
}

func FuzzEncode(f *testing.F) {
	f.Add([]byte{1, 2, 3, 250, 7, 0, 0, 0, 0, 0, 0, 0, 9}, 2)
	f.Fuzz(func(t *testing.T, b []byte, order int) {
		q := make([]uint32, len(b))
		for i, x := range b {
			q[i] = uint32(x) * uint32(x) * uint32(x) * 257
		}
		if order >= 0 && order <= 2 {
			backAgain(t, q, order)
		}
	})
}
