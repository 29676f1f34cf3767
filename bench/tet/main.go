// Command tet measures package tet against tet-py on the same files in the same run:
//
//	go run ./bench/tet [-mb 256] [-rounds 5] [-chunks 1000000]
//
// The fastest of the rounds counts, in wall time; a ratio above 1 says that ours is faster. MB are
// 10^6 bytes of elements. tet-py is that of .interop/venvtet (make interop-setup), or of the Python
// that TET_PYTHON names.
package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/edsrzf/mmap-go"

	"github.com/tgmconv/tgmconv/internal/tetquery"
	"github.com/tgmconv/tgmconv/tet"
)

func main() {
	b := bench{}
	flag.Int64Var(&b.mb, "mb", 256, "size of the arrays")
	flag.IntVar(&b.rounds, "rounds", 5, "times each side does each task")
	flag.Int64Var(&b.chunks, "chunks", 1_000_000, "chunks of the file that is opened")
	flag.StringVar(&b.root, "root", ".", "the repository")
	flag.Parse()
	if err := b.run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench/tet:", err)
		os.Exit(1)
	}
}

type bench struct {
	mb, chunks int64
	rounds     int
	root, dir  string
	out        *tabwriter.Writer
}

func (b *bench) run() (err error) {
	if b.dir, err = os.MkdirTemp("", "bench-tet-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if _, err := os.Stat(b.python()); err != nil {
		fmt.Println("skipped: tet-py (.interop/venvtet) is not installed")
	}
	b.out = tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(b.out, "task\tours\ttet-py\tratio\tmmap+copy\tratio\t")
	for _, task := range []func() error{b.raw, b.compressed, b.open} {
		if err := task(); err != nil {
			return err
		}
	}
	if err := b.out.Flush(); err != nil {
		return err
	}
	return b.selection()
}

// columns is the length of the rows of the arrays.
const columns = 1 << 12

// array writes a file of float32 in chunks of n rows.
func (b *bench) array(name string, codec tet.Codec, chunkRows int64) (path string, bytes int64, err error) {
	rows := b.mb * 1e6 / (4 * columns)
	path, err = b.file(name, tet.DatasetSpec{Shape: []int64{rows, columns}, ChunkShape: []int64{chunkRows, columns}, Codec: codec})
	return path, 4 * rows * columns, err
}

// file writes a file of one dataset of float32.
func (b *bench) file(name string, spec tet.DatasetSpec) (path string, err error) {
	path = filepath.Join(b.dir, name)
	spec.Name, spec.DType = "a", tet.Float32
	w, err := tet.Create(path, []tet.DatasetSpec{spec}, tet.WriterOptions{})
	if err != nil {
		return "", err
	}
	defer w.Abort()
	if err := w.WriteArray(context.Background(), 0, smooth{}); err != nil {
		return "", err
	}
	return path, w.Close()
}

// smooth is an array whose neighbours are alike, as in fields of weather.
type smooth struct{}

func (smooth) ReadAt(p []byte, off int64) (int, error) {
	for i := 0; i < len(p); i += 4 {
		n := (off + int64(i)) / 4
		v := float32(math.Round(280+20*math.Sin(float64(n%columns)/300)+float64(n/columns%97)/8) * 4 / 4)
		binary.LittleEndian.PutUint32(p[i:], math.Float32bits(v))
	}
	return len(p), nil
}

// best is the least time of the rounds.
func (b *bench) best(do func() error) (float64, error) {
	least := math.Inf(1)
	for range b.rounds {
		began := time.Now()
		if err := do(); err != nil {
			return 0, err
		}
		least = min(least, time.Since(began).Seconds())
	}
	return least, nil
}

// peer are the times of tet-py in seconds; nil if it is not installed.
type peer struct {
	Open, Dense, Sum []float64 // CPU and wall
}

func (b *bench) peer(path string, dense bool) (*peer, error) {
	python := b.python()
	if _, err := os.Stat(python); err != nil {
		return nil, nil
	}
	in, err := json.Marshal(map[string]any{"path": path, "dataset": "a", "repeat": b.rounds, "dense": dense})
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(python, filepath.Join(b.root, "interop/tet/tetpy.py"), "time")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("tet-py: %w", err)
	}
	p := new(peer)
	return p, json.Unmarshal(out, p)
}

func (b *bench) python() string {
	if python := os.Getenv("TET_PYTHON"); python != "" {
		return python
	}
	return filepath.Join(b.root, ".interop/venvtet/bin/python")
}

func (b *bench) row(task string, ours float64, theirs []float64, copied float64, bytes int64) {
	text := func(seconds float64) string {
		if bytes == 0 {
			return fmt.Sprintf("%.3f s", seconds)
		}
		return fmt.Sprintf("%.0f MB/s", float64(bytes)/1e6/seconds)
	}
	fmt.Fprintf(b.out, "%s\t%s\t", task, text(ours))
	if theirs == nil {
		fmt.Fprint(b.out, "\t\t")
	} else {
		fmt.Fprintf(b.out, "%s\t%.2f\t", text(theirs[1]), theirs[1]/ours)
	}
	if copied > 0 {
		fmt.Fprintf(b.out, "%s\t%.2f\t\n", text(copied), copied/ours)
	} else {
		fmt.Fprint(b.out, "\t\t\n")
	}
}

// raw reads all of a raw file into memory, and sums it up.
func (b *bench) raw() error {
	path, size, err := b.array("raw.tet", tet.Raw, 256)
	if err != nil {
		return err
	}
	f, err := tet.OpenMapped(path)
	if err != nil {
		return err
	}
	defer f.Close()
	theirs, err := b.peer(path, true)
	if err != nil {
		return err
	}
	p, err := f.Datasets()[0].Plan(nil)
	if err != nil {
		return err
	}
	if err := b.read("dense read, raw", p, theirs, size); err != nil {
		return err
	}
	dst := make([]byte, size)
	copied, err := b.copyMapped(path, dst, f.Datasets()[0].ChunkAt(0).Offset)
	if err != nil {
		return err
	}
	ours, err := b.best(func() error { return p.ReadInto(context.Background(), dst, tet.ReadOptions{}) })
	if err != nil {
		return err
	}
	b.row("dense read into given memory, raw", ours, nil, copied, size)
	view, err := b.best(func() error {
		if _, ok := p.Slice(); !ok {
			return fmt.Errorf("the file gives no slice")
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.row("dense slice, raw", view, nil, 0, 0)
	return b.sum("sum, raw", f.Datasets()[0], theirs, size)
}

// read reads all into memory of its own, as tet-py does.
func (b *bench) read(task string, p *tet.Plan, theirs *peer, size int64) error {
	ours, err := b.best(func() error {
		_, err := p.Read(context.Background(), tet.ReadOptions{})
		return err
	})
	if err != nil {
		return err
	}
	b.row(task, ours, theirs.dense(), 0, size)
	return nil
}

func (p *peer) dense() []float64 {
	if p == nil {
		return nil
	}
	return p.Dense
}

func (b *bench) sum(task string, d *tet.Dataset, theirs *peer, size int64) error {
	ours, err := b.best(func() error {
		_, err := tetquery.Run(context.Background(), d, tetquery.Query{Op: "sum"}, tet.ReadOptions{})
		return err
	})
	if err != nil {
		return err
	}
	var times []float64
	if theirs != nil {
		times = theirs.Sum
	}
	b.row(task, ours, times, 0, size)
	return nil
}

// copyMapped is the time of a mapping and a copy by hand.
func (b *bench) copyMapped(path string, dst []byte, offset int64) (float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	m, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return 0, err
	}
	defer m.Unmap()
	return b.best(func() error {
		copy(dst, m[offset:])
		return nil
	})
}

// compressed reads a file of zstd chunks with all cores.
func (b *bench) compressed() error {
	path, size, err := b.array("zstd.tet", tet.Zstd, 128)
	if err != nil {
		return err
	}
	f, err := tet.OpenMapped(path)
	if err != nil {
		return err
	}
	defer f.Close()
	theirs, err := b.peer(path, true)
	if err != nil {
		return err
	}
	p, err := f.Datasets()[0].Plan(nil)
	if err != nil {
		return err
	}
	if err := b.read("dense read, zstd", p, theirs, size); err != nil {
		return err
	}
	return b.sum("sum, zstd", f.Datasets()[0], theirs, size)
}

// open opens a file of many chunks.
func (b *bench) open() error {
	path, err := b.file("many.tet", tet.DatasetSpec{Shape: []int64{b.chunks, 2}, ChunkShape: []int64{1, 2}})
	if err != nil {
		return err
	}
	theirs, err := b.peer(path, false)
	if err != nil {
		return err
	}
	for _, open := range []struct {
		how string
		do  func(string) (*tet.File, error)
	}{{"mapped", tet.OpenMapped}, {"read", tet.Open}} {
		ours, err := b.best(func() error {
			f, err := open.do(path)
			if err != nil {
				return err
			}
			return f.Close()
		})
		if err != nil {
			return err
		}
		var times []float64
		if theirs != nil {
			times = theirs.Open
		}
		b.row(fmt.Sprintf("open %d chunks, %s", b.chunks, open.how), ours, times, 0, 0)
	}
	return nil
}

// counter counts the bytes that are read after the index.
type counter struct {
	io.ReaderAt
	from, n int64
}

func (c *counter) ReadAt(p []byte, off int64) (int, error) {
	if off >= c.from {
		c.n += int64(len(p))
	}
	return c.ReaderAt.ReadAt(p, off)
}

// selection counts the bytes of payloads that a selection of 1 % touches, aligned to chunks and
// not.
func (b *bench) selection() error {
	const edge, chunk = 4000, 100
	path, err := b.file("square.tet", tet.DatasetSpec{Shape: []int64{edge, edge}, ChunkShape: []int64{chunk, chunk}})
	if err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	st, err := file.Stat()
	if err != nil {
		return err
	}
	r := &counter{ReaderAt: file, from: st.Size() - 4*edge*edge}
	f, err := tet.NewFile(r, st.Size())
	if err != nil {
		return err
	}
	for _, text := range []string{"0=1000:1400,1=2000:2400", "0=1037:1437,1=2051:2451"} {
		sel, err := tet.ParseSelection(text)
		if err != nil {
			return err
		}
		r.n = 0
		a, err := f.Datasets()[0].Read(context.Background(), sel, tet.ReadOptions{Workers: 1})
		if err != nil {
			return err
		}
		total := float64(4 * edge * edge)
		fmt.Printf("selection %s: %.2f %% of the elements, %.2f %% of the payload bytes read\n", text, 100*float64(len(a.Data))/total, 100*float64(r.n)/total)
	}
	return nil
}
