// Command extract measures reading of single points of fields against decoding them whole, on the
// same fields in the same run:
//
//	go run ./bench/extract [-rounds 5] [-fields 40]
//
// The fields are of 0.25 degrees in CCSDS packing, as GRIB and converted to Tensogram. All runs on one
// core; the time is processor time, of the fastest round. "first" parses the description of each object
// as well, "warm" has it from before.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/bench/peer/cputime"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/tgm"
)

const points = 1440 * 721

func main() {
	rounds := flag.Int("rounds", 5, "times each side reads the fields")
	fields := flag.Int("fields", 40, "number of fields")
	root := flag.String("root", ".", "the repository")
	flag.Parse()
	runtime.GOMAXPROCS(1)
	if err := run(*root, *rounds, *fields); err != nil {
		fmt.Fprintln(os.Stderr, "bench/extract:", err)
		os.Exit(1)
	}
}

// A side reads the points of all fields in one way.
type side struct {
	name string
	read func(at []uint64) error
}

func run(root string, rounds, fields int) error {
	messages, converted, err := files(root, fields)
	if errors.Is(err, errMissing) {
		fmt.Println("skipped:", err)
		return nil
	}
	if err != nil {
		return err
	}
	sides, closing, err := sidesOf(messages, converted)
	if err != nil {
		return err
	}
	defer closing()
	out := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(out, "points of a field\t")
	for _, s := range sides {
		fmt.Fprint(out, s.name, "\t")
	}
	fmt.Fprintln(out, "fields/s\t")
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 10, 100, 1000} {
		at := make([]uint64, n)
		for i := range at {
			at[i] = r.Uint64N(points)
		}
		slices.Sort(at)
		best := make([]time.Duration, len(sides))
		for range rounds {
			for i, s := range sides {
				start := cputime.Used()
				if err := s.read(at); err != nil {
					return fmt.Errorf("%s: %w", s.name, err)
				}
				if took := cputime.Used() - start; best[i] == 0 || took < best[i] {
					best[i] = took
				}
			}
		}
		fmt.Fprint(out, n, "\t")
		for _, took := range best {
			fmt.Fprintf(out, "%.0f\t", float64(fields)/took.Seconds())
		}
		fmt.Fprintln(out, "\t")
	}
	return out.Flush()
}

var errMissing = errors.New("eccodes is not installed in .interop/venv, or bin/tgmconv is not built")

// files makes the inputs.
func files(root string, fields int) (messages, converted string, err error) {
	dir := filepath.Join(root, ".bench")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", "", err
	}
	messages = filepath.Join(dir, "extract-"+strconv.Itoa(fields)+".grib2")
	converted = messages + ".tgm"
	if _, err := os.Stat(converted); err == nil {
		return messages, converted, nil
	}
	python := filepath.Join(root, ".interop", "venv", "bin", "python")
	for _, command := range [][]string{
		{python, filepath.Join(root, "bench", "extract", "fields.py"), strconv.Itoa(fields), messages},
		{filepath.Join(root, "bin", "tgmconv"), "convert", "-q", "-o", converted, messages},
	} {
		if err := exec.Command(command[0], command[1:]...).Run(); err != nil {
			return "", "", fmt.Errorf("%w: %w", errMissing, err)
		}
	}
	return messages, converted, nil
}

// sidesOf opens the inputs.
func sidesOf(messages, converted string) (sides []side, closing func(), err error) {
	g, err := grib.Open(messages)
	if err != nil {
		return nil, nil, err
	}
	var fields []*grib.Field
	for m, err := range g.Messages() {
		if err != nil {
			return nil, nil, err
		}
		fields = append(fields, m.Fields()...)
	}
	f, err := os.Open(converted)
	if err != nil {
		return nil, nil, err
	}
	st, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	file, err := fromgrib.NewFile(f, st.Size())
	if err != nil {
		return nil, nil, err
	}
	arrays, err := arraysOf(file)
	if err != nil {
		return nil, nil, err
	}
	values := make([]float64, points)
	return []side{
		{"Tensogram warm", func(at []uint64) error { return pickAll(arrays, at) }},
		{"first", func(at []uint64) error {
			all, err := arraysOf(file)
			if err != nil {
				return err
			}
			return pickAll(all, at)
		}},
		{"GRIB", func(at []uint64) error {
			for _, field := range fields {
				if _, err := field.Pick(values[:len(at)], at); err != nil {
					return err
				}
			}
			return nil
		}},
		{"whole Tensogram", func([]uint64) error {
			data := make([]byte, 8*points)
			for _, a := range arrays {
				if _, err := array.Read(context.Background(), a, a.Info().Whole(), data); err != nil {
					return err
				}
			}
			return nil
		}},
		{"whole GRIB", func([]uint64) error {
			for _, field := range fields {
				if _, _, err := field.Decode(values); err != nil {
					return err
				}
			}
			return nil
		}},
	}, func() { g.Close(); f.Close() }, nil
}

// arraysOf are the fields of a file, without the latitudes and longitudes.
func arraysOf(file *tgm.File) ([]array.Array, error) {
	var arrays []array.Array
	for m, err := range file.Messages() {
		if err != nil {
			return nil, err
		}
		n, err := m.NumObjects()
		if err != nil {
			return nil, err
		}
		for i := range n {
			o, err := m.Stored(i)
			if err != nil {
				return nil, err
			}
			if a := o.Array(nil); a.Info().Whole().Elements() == points {
				arrays = append(arrays, a)
			}
		}
	}
	return arrays, nil
}

func pickAll(arrays []array.Array, at []uint64) error {
	data := make([]byte, 8*len(at))
	for _, a := range arrays {
		if err := array.Pick(context.Background(), a, at, data); err != nil {
			return err
		}
	}
	return nil
}
