// Command matrix measures package tgm against the reference implementation on the codec matrix of
// the reference's own benchmarks:
//
//	go run ./bench/matrix [-values 16777216] [-rounds 3] [-only text]
//
// Both sides make a message of one array in memory, with its hash, and decode it. Ours also
// compares the hash when it decodes, the reference does not unless asked. Figures are milliseconds
// of the clock, the least of the rounds, which alternate. The reference runs on one thread and on
// as many as there are cores, and the faster counts; ours uses all cores. A ratio above 1 means
// that ours is faster.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/bench/peer/pycodecs"
	"github.com/tgmconv/tgmconv/tgm"
)

func main() {
	n := flag.Int("values", 1<<24, "elements of the array")
	rounds := flag.Int("rounds", 3, "times each side does each task, twice in a row")
	only := flag.String("only", "", "tasks whose name contains this")
	root := flag.String("root", ".", "the repository")
	flag.Parse()
	if err := run(*root, *only, *n, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "bench/matrix:", err)
		os.Exit(1)
	}
}

func run(root, only string, n, rounds int) error {
	p, err := pycodecs.Start(root)
	if errors.Is(err, pycodecs.ErrMissing) {
		fmt.Println("skipped:", err)
		return nil
	} else if err != nil {
		return err
	}
	defer p.Close()
	fmt.Printf("%14s %17s %25s %25s\n", "", "size", "encode, ms", "decode, ms")
	fmt.Printf("%14s %9s %7s %9s %7s %7s %9s %7s %7s\n", "task", "reference", "ours", "reference", "ours", "ratio", "reference", "ours", "ratio")
	raw := field(n)
	for _, t := range tasks() {
		if !strings.Contains(t.name, only) {
			continue
		}
		m := &measurement{peer: p, task: t, raw: raw}
		if err := m.run(rounds); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		size := float64(len(raw))
		fmt.Printf("%14s %8.1f%% %6.1f%% %9.1f %7.1f %7.2f %9.1f %7.1f %7.2f\n", t.name,
			100*float64(len(m.theirs))/size, 100*float64(len(m.ours))/size,
			1e3*m.encode[0], 1e3*m.encode[1], m.encode[0]/m.encode[1],
			1e3*m.decode[0], 1e3*m.decode[1], m.decode[0]/m.decode[1])
	}
	return nil
}

// measurement is a measurement of one task. Each side decodes its own output.
type measurement struct {
	peer           *pycodecs.Peer
	task           task
	raw            []byte
	theirs, ours   []byte
	encode, decode [2]float64 // seconds of the reference and of ours
}

func (m *measurement) run(rounds int) (err error) {
	m.encode, m.decode = [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(1), math.Inf(1)}
	for range rounds {
		for _, threads := range []int{0, runtime.NumCPU()} {
			if m.theirs, err = m.reference("encode", threads, m.raw, &m.encode[0]); err != nil {
				return err
			}
			if _, err = m.reference("decode", threads, m.theirs, &m.decode[0]); err != nil {
				return err
			}
		}
		for range 2 {
			if err := timed(&m.encode[1], m.encodeOurs); err != nil {
				return err
			}
			if err := timed(&m.decode[1], m.decodeOurs); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *measurement) reference(op string, threads int, in []byte, least *float64) ([]byte, error) {
	params := map[string]any{"threads": threads, "bits": m.task.bits, "pipeline": m.task.peer}
	out, took, err := m.peer.Do(pycodecs.Request{Codec: "tensogram", Op: op, Params: params, Repeat: 2, Wall: true}, in)
	*least = min(*least, took)
	return out, err
}

func timed(least *float64, do func() error) error {
	runtime.GC()
	start := time.Now()
	err := do()
	*least = min(*least, time.Since(start).Seconds())
	return err
}

func (m *measurement) encodeOurs() error {
	array := tgm.Array{Shape: []uint64{uint64(len(m.raw) / 8)}, DType: tgm.Float64, Data: m.raw}
	object, err := tgm.EncodeArray(array, m.task.ours)
	if err != nil {
		return err
	}
	out := bytes.NewBuffer(make([]byte, 0, len(m.ours)))
	w := tgm.NewMessageWriter(out, tgm.WriterOptions{})
	if err := w.Append(object, nil); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	m.ours = out.Bytes()
	return nil
}

func (m *measurement) decodeOurs() error {
	f, err := tgm.NewFile(bytes.NewReader(m.ours), int64(len(m.ours)))
	if err != nil {
		return err
	}
	message, err := f.Message(0)
	if err != nil {
		return err
	}
	object, err := message.Object(0)
	if err != nil {
		return err
	}
	_, err = object.Decode(tgm.DecodeOptions{})
	return err
}
