//go:build interop

package netcdf

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// BenchmarkLarge reads 249 MB of float32 (deflate, shuffle) at once and record by record. It
// reports how many times as long netCDF4-python takes in the same run. Large files are kept in
// $NETCDF_BENCH, if set.
func BenchmarkLarge(b *testing.B) {
	if _, err := os.Stat(python); err != nil {
		b.Skipf("not installed: %s", python)
	}
	dir := os.Getenv("NETCDF_BENCH")
	if dir == "" {
		dir = b.TempDir()
	}
	for _, c := range []string{"1,721,1440", "12,91,180"} {
		path := filepath.Join(dir, "large_"+strings.ReplaceAll(c, ",", "x")+".nc")
		if _, err := os.Stat(path); err != nil {
			if out, err := exec.Command(python, "../interop/netcdf/bench.py", "make", path, c).CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
		}
		for _, mode := range []string{"all", "record"} {
			b.Run(filepath.Base(path)+"/"+mode, func(b *testing.B) { benchmarkFile(b, path, mode) })
		}
	}
}

func benchmarkFile(b *testing.B, path, mode string) {
	args := []string{"../interop/netcdf/bench.py", "read", path}
	if mode == "record" {
		args = append(args, mode)
	}
	var ours, theirs time.Duration
	for b.Loop() {
		begin := time.Now()
		n := readLarge(b, path, mode)
		ours += time.Since(begin)
		b.SetBytes(n)
		b.StopTimer()
		out, err := exec.Command(python, args...).Output()
		if err != nil {
			b.Fatal(err)
		}
		s, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
		if err != nil {
			b.Fatal(err)
		}
		theirs += time.Duration(s * float64(time.Second))
		b.StartTimer()
	}
	b.ReportMetric(theirs.Seconds()/ours.Seconds(), "times-faster")
}

func readLarge(b *testing.B, path, mode string) int64 {
	f, err := Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	v := f.Root().Var("t2m")
	shape := v.Shape()
	if mode == "all" {
		buf := make([]byte, v.Size())
		if err := v.Read(context.Background(), buf, nil, nil); err != nil {
			b.Fatal(err)
		}
		return int64(len(buf))
	}
	buf := make([]byte, v.Size()/shape[0])
	for i := range shape[0] {
		if err := v.Read(context.Background(), buf, []uint64{i, 0, 0}, []uint64{1, shape[1], shape[2]}); err != nil {
			b.Fatal(err)
		}
	}
	return int64(v.Size())
}
