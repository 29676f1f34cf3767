//go:build interop

package tetquery

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/tet"
)

// TestReduceLikeReference compares reductions with tet-py. TET_PYTHON names another Python that has
// it.
func TestReduceLikeReference(t *testing.T) {
	python := os.Getenv("TET_PYTHON")
	if python == "" {
		python = "../../.interop/venvtet/bin/python"
	}
	if _, err := os.Stat(python); err != nil {
		t.Skip("tet-py (.interop/venvtet) is not installed: make interop-setup")
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for _, special := range []bool{false, true} {
		values := make([]float64, 4*5*6)
		for i := range values {
			values[i] = math.Round(rng.NormFloat64()*64) / 64
		}
		if special {
			values[17], values[80], values[81] = math.NaN(), math.Inf(1), math.Inf(-1)
		}
		path := filepath.Join(t.TempDir(), "a.tet")
		writeFile(t, path, values)
		f, err := tet.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var queries [][2]any
		for _, op := range Ops() {
			if slices.Contains(defects, op) && (special || strings.HasPrefix(op, "nan_")) {
				continue
			}
			for _, axes := range [][]string{{}, {"0"}, {"1"}, {"0", "2"}} {
				queries = append(queries, [2]any{op, axes})
			}
		}
		in, err := json.Marshal(map[string]any{"path": path, "dataset": "a", "queries": queries})
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(python, "../../interop/tet/tetpy.py", "reduce")
		cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var want [][]any
		if err := json.Unmarshal(out, &want); err != nil {
			t.Fatal(err)
		}
		for i, q := range queries {
			r, err := Run(context.Background(), f.Datasets()[0], Query{Op: q[0].(string), Axes: q[1].([]string)}, tet.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if len(want[i]) != len(r.Values) {
				t.Errorf("%v: %v, expected %v", q, r.Values, want[i])
				continue
			}
			for j, v := range r.Values {
				if !like(v, want[i][j]) {
					t.Errorf("%v, special %v, value %d: %v, the reference %v", q, special, j, v, want[i][j])
				}
			}
		}
		t.Logf("%d reductions compared", len(queries))
	}
}

// defects are operations that tet-py 0.8.3 gets wrong for float64: nan_mean and nan_std are always
// null, nan_count and inf_count always 0, arg_min and arg_max along an axis stop at NaN, and median
// cannot be computed where there is NaN.
var defects = []string{"nan_mean", "nan_std", "nan_count", "inf_count", "arg_min", "arg_max", "median"}

// like compares with a value of JSON, where null stands for values that are not finite.
func like(v float64, want any) bool {
	switch w := want.(type) {
	case nil:
		return v-v != 0
	case bool:
		return w == (v == 1)
	case float64:
		return math.Abs(v-w) <= 1e-6*max(1, math.Abs(w))
	}
	return false
}

func writeFile(t *testing.T, path string, values []float64) {
	t.Helper()
	w, err := tet.Create(path, []tet.DatasetSpec{{Name: "a", DType: tet.Float64, Shape: []int64{4, 5, 6}, ChunkShape: []int64{3, 2, 4}}}, tet.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteArray(context.Background(), 0, bytes.NewReader(tet.NewFloat64s(nil, values).Data)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
