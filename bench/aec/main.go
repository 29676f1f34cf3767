// Command aec measures codec/aec against the C library libaec on the same data in the same run:
//
//	go run ./bench/aec [-rounds 20] [-only text]
//
// Both sides code and decode whole buffers on one core; a round times each side once, in turn, and
// the fastest round counts. MB are 10^6 bytes of samples in memory, not of the coded stream.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/tgmconv/tgmconv/bench/peer/cputime"
	"github.com/tgmconv/tgmconv/bench/peer/libaec"
	"github.com/tgmconv/tgmconv/codec/aec"
)

func main() {
	rounds := flag.Int("rounds", 20, "times each side does each task")
	only := flag.String("only", "", "inputs whose name contains this")
	root := flag.String("root", ".", "the repository")
	flag.Parse()
	if err := run(*root, *rounds, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench/aec:", err)
		os.Exit(1)
	}
}

func run(root string, rounds int, only string) error {
	runtime.GOMAXPROCS(1)
	dir, err := os.MkdirTemp("", "bench-aec-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	peer, err := libaec.Start(root, dir)
	if errors.Is(err, libaec.ErrMissing) {
		fmt.Println("skipped:", err)
		return nil
	} else if err != nil {
		return err
	}
	defer peer.Close()
	inputs, err := gribInputs(root)
	if err != nil {
		return err
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "samples\tbits\tcoded\tlibaec dec\tours\tratio\tlibaec enc\tours\tratio\tuint32 dec\tscan\t")
	for _, in := range append(inputs, syntheticInputs()...) {
		if !strings.Contains(in.name, only) {
			continue
		}
		if err := measure(out, peer, in, rounds); err != nil {
			return fmt.Errorf("%s: %w", in.name, err)
		}
	}
	return out.Flush()
}

// measure writes one line of the table.
func measure(out *tabwriter.Writer, peer *libaec.Peer, in input, rounds int) error {
	p := in.params
	coded, _, err := aec.Encode(nil, in.raw, p)
	if err != nil {
		return err
	}
	back := make([]byte, len(in.raw))
	samples := make([]uint32, len(in.raw)/p.SampleBytes())
	var buf []byte
	tasks := []*task{
		peerTask(peer, libaec.TimeDecode, p, coded, len(in.raw)),
		{do: func() error { return aec.Decode(back, coded, p) }},
		peerTask(peer, libaec.TimeEncode, p, in.raw, 2*len(in.raw)+1<<16),
		{do: func() error { buf, _, err = aec.Encode(buf[:0], in.raw, p); return err }},
		{do: func() error { return aec.DecodeUint32(samples, coded, p) }},
		{do: func() error { _, err := aec.ScanOffsets(coded, p, len(samples)); return err }},
	}
	for range rounds {
		for _, t := range tasks {
			if err := t.run(); err != nil {
				return err
			}
		}
	}
	if !bytes.Equal(back, in.raw) || !bytes.Equal(buf, coded) {
		return errors.New("wrong result")
	}
	speed := func(i int) float64 {
		return float64(len(in.raw)) / 1e3 / float64(tasks[i].fastest.Microseconds()+1) * 1e3
	}
	fmt.Fprintf(out, "%s\t%d\t%.1f%%\t%.0f\t%.0f\t%.2f\t%.0f\t%.0f\t%.2f\t%.0f\t%.0f\t\n", in.name, p.BitsPerSample,
		100*float64(len(coded))/float64(len(in.raw)),
		speed(0), speed(1), speed(1)/speed(0), speed(2), speed(3), speed(3)/speed(2), speed(4), speed(5))
	return nil
}

// task is timed once a round.
type task struct {
	do      func() error
	timed   func() (time.Duration, error) // instead of do, when the task times itself
	fastest time.Duration
}

func (t *task) run() error {
	var took time.Duration
	if t.timed != nil {
		var err error
		if took, err = t.timed(); err != nil {
			return err
		}
	} else {
		start := cputime.Used()
		if err := t.do(); err != nil {
			return err
		}
		took = cputime.Used() - start
	}
	if t.fastest == 0 || took < t.fastest {
		t.fastest = took
	}
	return nil
}

func peerTask(peer *libaec.Peer, op libaec.Op, p aec.Params, in []byte, outSize int) *task {
	return &task{timed: func() (time.Duration, error) {
		a, err := peer.Do(libaec.Request{Op: op, BitsPerSample: p.BitsPerSample, BlockSize: p.BlockSize, RSI: p.RSI,
			Flags: int(p.Flags), In: in, OutSize: outSize, Repeat: 2})
		if err == nil && a.Status != 0 {
			err = fmt.Errorf("libaec returned %d", a.Status)
		}
		return a.Fastest, err
	}}
}
