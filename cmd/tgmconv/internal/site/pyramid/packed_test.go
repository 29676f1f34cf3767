package pyramid

import (
	"encoding/binary"
	"math"
	"testing"
)

// TestPack reads back what pack has packed, within half a step.
func TestPack(t *testing.T) {
	for name, value := range map[string]func(row, col int) float64{
		"smooth":   func(row, col int) float64 { return 280 + 30*math.Sin(float64(row)/9)*math.Cos(float64(col)/7) },
		"constant": func(int, int) float64 { return -3 },
		"missing":  func(int, int) float64 { return math.NaN() },
		"holes": func(row, col int) float64 {
			if row%3 == 0 || col == 4 {
				return math.NaN()
			}
			return 1e5 * float64(row-col)
		},
	} {
		in := &tile{rows: 31, cols: 17}
		low, high := math.Inf(1), math.Inf(-1)
		for k := range in.rows * in.cols {
			v := float32(value(k/in.cols, k%in.cols))
			in.values = append(in.values, v)
			if v == v {
				low, high = min(low, float64(v)), max(high, float64(v))
			}
		}
		data := in.pack()
		n := in.rows * in.cols
		least, step := math.Float32frombits(binary.LittleEndian.Uint32(data[4:])), math.Float32frombits(binary.LittleEndian.Uint32(data[8:]))
		numbers := make([]uint16, n)
		at := func(row, col int) uint16 {
			if row < 0 || col < 0 {
				return 0
			}
			return numbers[row*in.cols+col]
		}
		for k := range n {
			z := uint16(data[12+k]) | uint16(data[12+n+k])<<8
			row, col := k/in.cols, k%in.cols
			numbers[k] = (z>>1 ^ -(z & 1)) + at(row, col-1) + at(row-1, col) - at(row-1, col-1)
			got, want := math.NaN(), float64(in.values[k])
			if numbers[k] > 0 {
				got = float64(least) + float64(float64(numbers[k]-1)*float64(step))
			}
			if (got != got) != (want != want) || math.Abs(got-want) > 0.51*(high-low)/packedSteps {
				t.Fatalf("%s: %d, %d: %v, want %v", name, row, col, got, want)
			}
		}
	}
}
