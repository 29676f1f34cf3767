// Command grib measures the decoding of GRIB data by package grib against ecCodes, on the same
// messages in the same run:
//
//	go run ./bench/grib [-rounds 15] [-only text]
//
// Both sides decode whole fields to float64 on one core. The time is processor time of the decoding
// alone, codes_get_double_array on one side and Field.Decode on the other, with the message in
// memory and parsed. A round times each side once, in turn, and the fastest round counts.
package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/tgmconv/tgmconv/bench/peer/cputime"
	"github.com/tgmconv/tgmconv/grib"
)

// An input is a file to decode, and the ratio that is aimed at.
type input struct {
	name   string
	path   string
	target float64
}

func main() {
	rounds := flag.Int("rounds", 15, "times each side decodes each file")
	only := flag.String("only", "", "inputs whose name contains this")
	root := flag.String("root", ".", "the repository")
	flag.Parse()
	if err := run(*root, *rounds, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench/grib:", err)
		os.Exit(1)
	}
}

func run(root string, rounds int, only string) error {
	runtime.GOMAXPROCS(1)
	dir := filepath.Join(root, ".bench")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	p, err := startPeer(root, dir)
	if errors.Is(err, errMissing) {
		fmt.Println("skipped:", err)
		return nil
	} else if err != nil {
		return err
	}
	defer p.close()
	out := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "input\tfields\tvalues\tecCodes ns/value\tours\tratio\ttarget\t")
	for _, in := range inputs(root, dir, only) {
		if err := measure(out, p, in, rounds); err != nil {
			fmt.Fprintf(out, "%s\tskipped: %v\t\n", in.name, err)
		}
	}
	return out.Flush()
}

func measure(out *tabwriter.Writer, p *peer, in input, rounds int) error {
	fields, err := load(in.path)
	if err != nil {
		return err
	}
	messages, values, err := p.load(in.path)
	if err != nil {
		return err
	}
	theirs, ours := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	var buf []float64
	for range rounds {
		spent, theirSum, err := p.round()
		if err != nil {
			return err
		}
		theirs = min(theirs, spent)
		var sum float64
		spent = 0
		for _, f := range fields {
			start := cputime.Used()
			v, missing, err := f.Decode(buf)
			spent += cputime.Used() - start
			if err != nil {
				return err
			}
			buf = v
			const absent = 9999 // ecCodes' missing value
			for i := 0; i < len(v); i += 97 {
				if missing.Get(i) {
					sum += absent
				} else {
					sum += v[i]
				}
			}
		}
		ours = min(ours, spent)
		if math.Abs(sum-theirSum) > 1e-9*math.Abs(sum) {
			return fmt.Errorf("values differ: their sum is %v, ecCodes' %v", sum, theirSum)
		}
	}
	each := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(values) }
	fmt.Fprintf(out, "%s\t%d\t%d\t%.2f\t%.2f\t%.2f\t%.1f\t\n", in.name, messages, values, each(theirs), each(ours), float64(theirs)/float64(ours), in.target)
	return nil
}

// load returns the fields of a file, in memory.
func load(path string) ([]*grib.Field, error) {
	f, err := grib.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var fields []*grib.Field
	for m, err := range f.Messages() {
		if err != nil {
			return nil, err
		}
		fields = append(fields, m.Fields()...)
	}
	return fields, nil
}

// derived are made of one field of 0.25° (2 m temperature) by ecCodes' grib_set.
var derived = []struct {
	name, steps string
	target      float64
}{
	{"simple 8 bits", "bitsPerValue=8", 1.5},
	{"simple 10 bits", "bitsPerValue=10", 1.5},
	{"simple 12 bits", "bitsPerValue=12", 1.5},
	{"simple 16 bits", "bitsPerValue=16", 1.5},
	{"simple 24 bits", "bitsPerValue=24", 1.5},
	{"simple 16 bits, edition 1", "bitsPerValue=16 edition=1", 1.5},
	{"CCSDS 16 bits", "bitsPerValue=16 packingType=grid_ccsds", 1.2},
	{"CCSDS 24 bits", "bitsPerValue=24 packingType=grid_ccsds", 1.2},
	{"complex 12 bits", "packingType=grid_complex", 1.5},
	{"spatial differencing 12 bits", "packingType=grid_complex_spatial_differencing", 1.5},
	{"PNG 8 bits", "bitsPerValue=8 packingType=grid_png", 1.5},
	{"PNG 16 bits", "packingType=grid_png", 1.5},
	{"PNG 24 bits", "bitsPerValue=24 packingType=grid_png", 1.5},
	{"second order, edition 1", "edition=1 packingType=grid_second_order", 1.0},
	{"second order, edition 2", "packingType=grid_second_order", 1.0},
	{"JPEG 2000 8 bits", "bitsPerValue=8 packingType=grid_jpeg", 1.0},
	{"JPEG 2000 12 bits", "packingType=grid_jpeg", 1.0},
	{"JPEG 2000 16 bits", "bitsPerValue=16 packingType=grid_jpeg", 1.0},
	{"JPEG 2000 24 bits", "bitsPerValue=24 packingType=grid_jpeg", 1.0},
	{"IEEE 32 bits", "packingType=grid_ieee", 0},
}

func inputs(root, dir, only string) []input {
	fixtures := filepath.Join(root, "fixtures", "grib")
	all := []input{
		{"ECMWF CCSDS 12 bits", filepath.Join(fixtures, "2t.grib2"), 1.2},
		{"ECMWF CCSDS, mask", filepath.Join(fixtures, "lsm.grib2"), 1.2},
		{"NCEP GFS, differencing", filepath.Join(fixtures, "gfs_2p50_f000.grib2"), 1.5},
		{"NCEP waves, complex", filepath.Join(fixtures, "cfgrib", "ds.waveh.5.grib"), 1.5},
		{"ECMWF simple, edition 1", filepath.Join(fixtures, "cfgrib", "era5-levels-members.grib"), 1.5},
		{"ECMWF spectral, edition 1", filepath.Join(fixtures, "cfgrib", "spherical_harmonics.grib"), 1.0},
	}
	for _, d := range derived {
		if !strings.Contains(d.name, only) {
			continue
		}
		path := filepath.Join(dir, "grib_"+strings.NewReplacer(" ", "_", ",", "").Replace(d.name)+".grib")
		if err := gribSet(root, strings.Fields(d.steps), filepath.Join(fixtures, "2t_simple.grib2"), path); err != nil {
			fmt.Printf("skipped: %s: %v\n", d.name, err)
			continue
		}
		all = append(all, input{d.name, path, d.target})
	}
	var chosen []input
	for _, in := range all {
		if strings.Contains(in.name, only) {
			chosen = append(chosen, in)
		}
	}
	return chosen
}
