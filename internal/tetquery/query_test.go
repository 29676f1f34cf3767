package tetquery

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/tet"
)

type memoryFile struct{ b []byte }

func (m *memoryFile) WriteAt(p []byte, off int64) (int, error) {
	if need := int(off) + len(p); need > len(m.b) {
		m.b = append(m.b, make([]byte, need-len(m.b))...)
	}
	return copy(m.b[off:], p), nil
}

// dataset is a file of one float32 dataset with these values.
func dataset(t testing.TB, values []float64, spec tet.DatasetSpec) *tet.Dataset {
	t.Helper()
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
	}
	spec.Name, spec.DType = "a", tet.Float32
	var m memoryFile
	w, err := tet.NewWriter(&m, []tet.DatasetSpec{spec}, tet.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteArray(context.Background(), 0, bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := tet.NewFile(bytes.NewReader(m.b), int64(len(m.b)))
	if err != nil {
		t.Fatal(err)
	}
	return f.Datasets()[0]
}

// naive computes an operation over values that are all in memory.
func naive(op string, all []float64) float64 {
	var sum, abs, squares, n, nan, inf float64
	product := 1.0
	least, most, leastAt, mostAt := math.NaN(), math.NaN(), math.NaN(), math.NaN()
	var kept []float64
	for i, v := range all {
		sum, abs, squares, product = sum+v, abs+math.Abs(v), squares+v*v, product*v
		switch {
		case math.IsNaN(v):
			nan++
		case math.IsInf(v, 0):
			inf++
		default:
			kept = append(kept, v)
		}
		if v < least || math.IsNaN(least) && !math.IsNaN(v) {
			least, leastAt = v, float64(i)
		}
		if v > most || math.IsNaN(most) && !math.IsNaN(v) {
			most, mostAt = v, float64(i)
		}
		n++
	}
	switch op {
	case "count":
		return n
	case "sum":
		return sum
	case "mean":
		return sum / n
	case "product":
		return product
	case "norm_l1":
		return abs
	case "norm_l2":
		return math.Sqrt(squares)
	case "min":
		return least
	case "max":
		return most
	case "arg_min":
		return leastAt
	case "arg_max":
		return mostAt
	case "nan_count":
		return nan
	case "inf_count":
		return inf
	case "any_nan":
		return min(nan, 1)
	case "any_inf":
		return min(inf, 1)
	case "all_finite":
		return 1 - min(nan+inf, 1)
	case "nan_mean":
		return naive("mean", kept)
	case "nan_std":
		return naive("std", kept)
	case "median":
		return medianOf(slices.Clone(all))
	}
	mean, b := sum/n, 0.0
	for _, v := range all {
		b += (v - mean) * (v - mean)
	}
	if op == "std" {
		return math.Sqrt(b / n)
	}
	return b / n
}

func near(a, b float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b))
}

// TestOps compares every operation with the same over values in memory.
func TestOps(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	shape := []int64{4, 5, 6}
	for _, special := range []bool{false, true} {
		values := make([]float64, 120)
		for i := range values {
			values[i] = math.Round(rng.NormFloat64()*64) / 64
		}
		if special {
			values[17], values[80], values[81] = math.NaN(), math.Inf(1), math.Inf(-1)
		}
		for _, spec := range []tet.DatasetSpec{
			{Shape: shape}, {Shape: shape, ChunkShape: []int64{3, 2, 4}}, {Shape: shape, ChunkShape: []int64{1, 5, 2}, Codec: tet.Zstd},
		} {
			d := dataset(t, values, spec)
			for _, op := range Ops() {
				for _, axes := range [][]string{nil, {"0"}, {"2"}, {"1", "2"}, {"2", "0"}, {"0", "1", "2"}} {
					for _, sel := range []string{"", "0=1:4,2=0:6:2", "1=3"} {
						checkOp(t, d, values, op, axes, sel)
					}
				}
			}
		}
	}
}

func checkOp(t *testing.T, d *tet.Dataset, values []float64, op string, axes []string, text string) {
	t.Helper()
	sel, err := tet.ParseSelection(text)
	if err != nil {
		t.Fatal(err)
	}
	var first []float64
	for _, workers := range []int{1, 4} {
		r, err := Run(context.Background(), d, Query{sel, op, axes}, tet.ReadOptions{Workers: workers})
		if err != nil {
			t.Fatalf("%s %v %s: %v", op, axes, text, err)
		}
		if workers == 1 {
			first = r.Values
		} else if !slices.EqualFunc(first, r.Values, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
			t.Errorf("%s %v %q: %v with 1 worker, %v with 4", op, axes, text, first, r.Values)
		}
		groups := map[string][]float64{}
		var order []string
		for i := r.Ranges[0].Start; i < r.Ranges[0].Stop; i += r.Ranges[0].Step {
			for j := r.Ranges[1].Start; j < r.Ranges[1].Stop; j += r.Ranges[1].Step {
				for k := r.Ranges[2].Start; k < r.Ranges[2].Stop; k += r.Ranges[2].Step {
					key := ""
					for _, axis := range r.Kept {
						key += fmt.Sprint([]int64{i, j, k}[axis], " ")
					}
					if groups[key] == nil {
						order = append(order, key)
					}
					groups[key] = append(groups[key], float64(float32(values[i*30+j*6+k])))
				}
			}
		}
		if len(order) != len(r.Values) {
			t.Fatalf("%s %v %q: %d values, expected %d", op, axes, text, len(r.Values), len(order))
		}
		for i, key := range order {
			if want := naive(op, groups[key]); !near(r.Values[i], want) {
				t.Errorf("%s %v %q, cell %d: %v, expected %v", op, axes, text, i, r.Values[i], want)
			}
		}
	}
}

func TestParseReduce(t *testing.T) {
	if op, axes, err := ParseReduce("mean:lat, lon"); op != "mean" || !slices.Equal(axes, []string{"lat", "lon"}) || err != nil {
		t.Errorf("mean:lat, lon: %s %q %v", op, axes, err)
	}
	if op, axes, err := ParseReduce("nan_std"); op != "nan_std" || axes != nil || err != nil {
		t.Errorf("nan_std: %s %q %v", op, axes, err)
	}
	for _, bad := range []string{"", "average", "mean:", "mean:a,,b"} {
		if op, axes, err := ParseReduce(bad); err == nil {
			t.Errorf("%q: %s %q", bad, op, axes)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	d := dataset(t, make([]float64, 1000), tet.DatasetSpec{Shape: []int64{100, 10}, ChunkShape: []int64{10, 10}})
	ctx := context.Background()
	small := tet.ReadOptions{Budget: tet.Budget{Bytes: 1000}}
	var over *tet.BudgetError
	for _, q := range []Query{{nil, "median", nil}, {nil, "mean", []string{"1"}}} {
		if _, err := Run(ctx, d, q, small); !errors.As(err, &over) {
			t.Errorf("%+v: %v", q, err)
		}
	}
	if r, err := Run(ctx, d, Query{nil, "mean", nil}, small); err != nil || r.Values[0] != 0 {
		t.Errorf("mean within the budget: %+v, %v", r, err)
	}
	var wrong *tet.SelectionError
	for _, axes := range [][]string{{"2"}, {"lat"}, {"0", "0"}} {
		if _, err := Run(ctx, d, Query{nil, "mean", axes}, tet.ReadOptions{}); !errors.As(err, &wrong) {
			t.Errorf("%q: %v", axes, err)
		}
	}
	if _, err := Run(ctx, d, Query{nil, "average", nil}, tet.ReadOptions{}); err == nil {
		t.Error("an unknown operation has a result")
	}
}
