// Command codecs measures codec/blosc, codec/zfp and codec/sz3 against C-Blosc2, zfp and SZ3 on the
// same data in the same run:
//
//	go run ./bench/codecs [-rounds 3] [-only text]
//
// Both sides work on whole buffers in memory on one core. The figures are MB of uncompressed data a
// second of CPU time, of the fastest call; a ratio above 1 means that ours is faster.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"text/tabwriter"

	"github.com/tgmconv/tgmconv/bench/peer/pycodecs"
)

func main() {
	rounds := flag.Int("rounds", 3, "times each side does each task")
	only := flag.String("only", "", "tasks whose name contains this")
	root := flag.String("root", ".", "the repository")
	flag.Parse()
	if err := run(*root, *only, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "bench/codecs:", err)
		os.Exit(1)
	}
}

func run(root, only string, rounds int) error {
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(400)
	p, err := pycodecs.Start(root)
	if errors.Is(err, pycodecs.ErrMissing) {
		fmt.Println("skipped:", err)
		return nil
	} else if err != nil {
		return err
	}
	defer p.Close()
	out := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "task\tsize, C\tsize, ours\tencode, C\tours\tratio\tdecode, C\tours\tratio\t")
	for _, t := range tasks() {
		if !strings.Contains(t.name, only) {
			continue
		}
		if err := measure(out, p, t, rounds); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return out.Flush()
}

// task is one codec with one set of parameters and one input.
type task struct {
	name   string
	codec  string
	params map[string]any
	raw    []byte
	encode func(raw []byte) ([]byte, error)
	decode func(coded []byte) error
}

// measure writes one line of the table. Both sides decode the stream that tgmconv's codec wrote.
func measure(out io.Writer, p *pycodecs.Peer, t task, rounds int) error {
	theirs, encodeC, err := p.Do(pycodecs.Request{Codec: t.codec, Op: "encode", Params: t.params, Repeat: rounds}, t.raw)
	if err != nil {
		return err
	}
	var ours []byte
	encode, err := fastest(rounds, func() (err error) { ours, err = t.encode(t.raw); return err })
	if err != nil {
		return err
	}
	decode, err := fastest(rounds, func() error { return t.decode(ours) })
	if err != nil {
		return err
	}
	_, decodeC, err := p.Do(pycodecs.Request{Codec: t.codec, Op: "decode", Params: t.params, Repeat: rounds}, ours)
	if err != nil {
		return err
	}
	size := float64(len(t.raw))
	fmt.Fprintf(out, "%s\t%.1f%%\t%.1f%%\t%.0f\t%.0f\t%.2f\t%.0f\t%.0f\t%.2f\t\n", t.name,
		100*float64(len(theirs))/size, 100*float64(len(ours))/size,
		size/1e6/encodeC, size/1e6/encode, encodeC/encode, size/1e6/decodeC, size/1e6/decode, decodeC/decode)
	return nil
}

// fastest returns the least CPU time of a few calls, in seconds.
func fastest(rounds int, do func() error) (float64, error) {
	best := 0.0
	for i := range rounds {
		runtime.GC()
		start := cpu()
		if err := do(); err != nil {
			return 0, err
		}
		if took := cpu() - start; i == 0 || took < best {
			best = took
		}
	}
	return max(best, 1e-6), nil
}

// cpu returns the CPU time of this process in seconds.
func cpu() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
