// Command endtoend times whole conversions against the reference's command in one run: the two in
// turn, the medians and the ratio, with the peak memory of each process; and to-grib against a copy
// of the bytes.
//
//	go run ./bench/endtoend -tgmconv bin/tgmconv -reference .interop/cargo/bin/tensogram \
//	    -fixtures fixtures -n 5
//
// The inputs are made from fixtures/: n copies of two ECMWF 0.25 degree CCSDS fields (2t and q at
// 150 hPa).
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"
)

type run struct {
	wall   time.Duration
	cpu    time.Duration
	maxRSS int64 // bytes
	output int64 // bytes
}

func main() {
	tgmconv := flag.String("tgmconv", "bin/tgmconv", "the command under test")
	reference := flag.String("reference", ".interop/cargo/bin/tensogram", "the reference's command; left out where it is not installed")
	fixtures := flag.String("fixtures", "fixtures", "folder of the sample files")
	n := flag.Int("n", 5, "counted runs of each command, after one that is not counted")
	large := flag.Int("large", 2000, "number of fields of the largest input")
	python := flag.String("python", ".interop/venv/bin/python", "Python with the reference's package and ecCodes; left out where it is not installed")
	flag.Parse()
	if err := bench(*tgmconv, *reference, *python, *fixtures, *n, *large); err != nil {
		fmt.Fprintln(os.Stderr, "endtoend:", err)
		os.Exit(1)
	}
}

func bench(tgmconv, reference, python, fixtures string, n, large int) error {
	dir, err := os.MkdirTemp("", "tgmconv-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "out.tgm")
	ours := func(in string) []string { return []string{tgmconv, "convert-grib", "--quiet", "-o", out, in} }
	theirs := func(in string) []string {
		return []string{reference, "convert-grib", "--encoding", "simple_packing", "--compression", "szip", "--threads", "2", "-o", out, in}
	}
	haveReference := true
	if _, err := os.Stat(reference); err != nil {
		haveReference = false
		fmt.Println("endtoend: skipped: the reference's command is not installed")
	}

	for _, fields := range []int{100, 500} {
		in, size, err := repeat(dir, fixtures, fields)
		if err != nil {
			return err
		}
		a, err := measure(n, out, ours(in))
		if err != nil {
			return err
		}
		fmt.Printf("convert-grib of %d CCSDS fields, %d MB\n", fields, size>>20)
		show("tgmconv", a, size)
		if haveReference {
			b, err := measure(min(n, 3), out, theirs(in))
			if err != nil {
				return err
			}
			show("reference", b, size)
			fmt.Printf("  ratio      %.1f times as fast, 1/%.1f of the memory\n",
				float64(b.wall)/float64(a.wall), float64(b.maxRSS)/float64(a.maxRSS))
		}
	}
	if in, size, err := repeat(dir, fixtures, 500); err != nil {
		return err
	} else if err := toGRIB(tgmconv, python, dir, in, size, n, 500); err != nil {
		return err
	}
	if err := keptStreams(tgmconv, dir, 300, n); err != nil {
		return err
	}
	if err := toNetCDF(tgmconv, dir, "fixtures/grib/gfs_2p50_f000.grib2", n); err != nil {
		return err
	}
	fmt.Println("peak memory by number of fields")
	for _, fields := range []int{20, large} {
		in, size, err := repeat(dir, fixtures, fields)
		if err != nil {
			return err
		}
		a, err := measure(1, out, ours(in))
		if err != nil {
			return err
		}
		show(fmt.Sprintf("%d fields", fields), a, size)
		os.Remove(in)
	}
	return nil
}

// repeat writes a GRIB file of the given number of fields, alternating two ECMWF ones.
func repeat(dir, fixtures string, fields int) (path string, size int64, err error) {
	var parts [2][]byte
	for i, name := range []string{"2t.grib2", "q_150.grib2"} {
		if parts[i], err = os.ReadFile(filepath.Join(fixtures, "grib", name)); err != nil {
			return "", 0, err
		}
	}
	path = filepath.Join(dir, strconv.Itoa(fields)+".grib2")
	f, err := os.Create(path)
	if err != nil {
		return "", 0, err
	}
	for i := range fields {
		k, err := f.Write(parts[i%2])
		if err != nil {
			return "", 0, errors.Join(err, f.Close())
		}
		size += int64(k)
	}
	return path, size, f.Close()
}

// measure runs a command n times after one run that is not counted and returns the median of each
// figure.
func measure(n int, out string, args []string) (run, error) {
	runs := make([]run, 0, n)
	for i := range n + 1 {
		os.Remove(out)
		cmd := exec.Command(args[0], args[1:]...)
		start := time.Now()
		if msg, err := cmd.CombinedOutput(); err != nil {
			return run{}, fmt.Errorf("%v: %w\n%s", args, err, msg)
		}
		wall := time.Since(start)
		if i == 0 && n > 1 {
			continue
		}
		usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		r := run{wall: wall, cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), maxRSS: int64(usage.Maxrss) << 10}
		if st, err := os.Stat(out); err == nil {
			r.output = st.Size()
		}
		runs = append(runs, r)
	}
	return run{
		wall:   median(runs, func(r run) time.Duration { return r.wall }),
		cpu:    median(runs, func(r run) time.Duration { return r.cpu }),
		maxRSS: median(runs, func(r run) int64 { return r.maxRSS }),
		output: runs[0].output,
	}, nil
}

func median[T time.Duration | int64](runs []run, of func(run) T) T {
	v := make([]T, len(runs))
	for i, r := range runs {
		v[i] = of(r)
	}
	slices.Sort(v)
	return v[len(v)/2]
}

func show(name string, r run, in int64) {
	fmt.Printf("  %-12s %7.2f s wall %7.2f s cpu %6d MB peak %6d MB out (%.3f of the input)\n",
		name, r.wall.Seconds(), r.cpu.Seconds(), r.maxRSS>>20, r.output>>20, float64(r.output)/float64(in))
}
