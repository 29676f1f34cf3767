package zarr

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/archive"
	"github.com/tgmconv/tgmconv/dataset"
)

// A changing folder holds a field of 4x4 points for each step, which is served as it changes.
type changing struct {
	t       *testing.T
	dir     string
	field   []byte // a GRIB message
	opts    DatasetOptions
	archive *archive.Archive
	history Generations
	Store   // of the present generation
	written int64
}

func newChanging(t *testing.T, opts DatasetOptions, steps ...int) *changing {
	t.Helper()
	field, err := os.ReadFile("../fixtures/grib/sanity.grib2")
	if err != nil {
		t.Fatal(err)
	}
	c := &changing{t: t, dir: t.TempDir(), field: field, opts: opts}
	for _, step := range steps {
		c.write(step, float32(step))
	}
	c.serve()
	return c
}

func (c *changing) path(step int) string {
	return filepath.Join(c.dir, fmt.Sprintf("%04d.grib2", step))
}

// write writes the field of a step, of which all values are one more than those of another if reference
// is.
func (c *changing) write(step int, reference float32) {
	b := slices.Clone(c.field)
	for at := 16; at < len(b)-4; at += int(binary.BigEndian.Uint32(b[at:])) {
		switch b[at+4] {
		case 4:
			binary.BigEndian.PutUint32(b[at+18:], uint32(step)) // forecastTime of template 4.0
		case 5:
			binary.BigEndian.PutUint32(b[at+11:], math.Float32bits(reference)) // of template 5.0
		}
	}
	if err := os.WriteFile(c.path(step), b, 0o600); err != nil {
		c.t.Fatal(err)
	}
	c.written++ // files of one size are told from others by their times
	if err := os.Chtimes(c.path(step), time.Time{}, time.Unix(1e9+c.written, 0)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *changing) remove(steps ...int) {
	for _, step := range steps {
		if err := os.Remove(c.path(step)); err != nil {
			c.t.Fatal(err)
		}
	}
}

// serve shows what is in the folder now.
func (c *changing) serve() {
	c.t.Helper()
	var a *archive.Archive
	var err error
	if c.archive == nil {
		a, err = archive.Open(c.t.Context(), []string{c.dir}, archive.Options{Index: archive.IndexNone, Dataset: dataset.Options{AlwaysTime: true, MinFill: 0.01}})
	} else {
		a, err = c.archive.Again(c.t.Context())
	}
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { a.Close() })
	c.archive = a
	view := NewDatasetView(a.Set, a, c.opts)
	view.Follow(c.t.Context(), &c.history)
	c.Store = NewStore(view, StoreOptions{CacheBytes: -1})
}

// A reader has opened the dataset, and keeps what it read then.
type reader struct {
	field, labels *Array
	steps         []int64 // in hours
}

func (c *changing) open() *reader {
	c.t.Helper()
	r := new(reader)
	var err error
	if r.field, err = OpenArray(c.t.Context(), c, "2t"); err != nil {
		c.t.Fatal(err)
	}
	if r.labels, err = OpenArray(c.t.Context(), c, "step"); err != nil {
		c.t.Fatal(err)
	}
	data, err := r.labels.Chunk(c.t.Context(), []uint64{0})
	if err != nil {
		c.t.Fatal(err)
	}
	for ; len(data) > 0; data = data[8:] {
		r.steps = append(r.steps, int64(binary.LittleEndian.Uint64(data))/3600)
	}
	return r
}

// read reads the first value of the field of the i-th step.
func (r *reader) read(ctx context.Context, i int) (float64, error) {
	index := make([]uint64, len(r.field.meta.Shape))
	index[slices.Index(r.field.meta.DimensionNames, "step")] = uint64(i)
	data, err := r.field.Chunk(ctx, index)
	if err != nil {
		return 0, err
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(data)), nil
}

// check demands of a reader the values of the labels that it knows, as first + step, or ErrGone.
func (r *reader) check(t *testing.T, what string, first float64, gone bool) {
	t.Helper()
	for i, step := range r.steps {
		value, err := r.read(t.Context(), i)
		if gone != errors.Is(err, ErrGone) || !gone && err != nil || !gone && value != first+float64(step) {
			t.Errorf("%s: step %d: %v, %v; expected %v, or an error: %v", what, step, value, err, first+float64(step), gone)
		}
	}
}

// A client that opened the dataset before labels moved gets errors, and none where they did not move.
func TestGenerations(t *testing.T) {
	for name, opts := range map[string]DatasetOptions{"plain": {}, "cut": {Chunks: map[string]uint64{"latitude": 2}}, "zstd": {Codec: WireZstd}} {
		t.Run(name, func(t *testing.T) {
			c := newChanging(t, opts, 0, 6, 12, 18)
			first := c.open()
			base, err := first.read(t.Context(), 0)
			if err != nil {
				t.Fatal(err)
			}
			if keys := first.field.meta.ChunkKeys; keys != defaultKeys {
				t.Errorf("the first generation has keys %v, expected %v", keys, defaultKeys)
			}
			first.check(t, "first", base, false)

			c.write(24, 24)
			c.serve()
			first.check(t, "a step was added at the end", base, false)
			longer := c.open()
			longer.check(t, "opened after that", base, false)
			if keys := longer.field.meta.ChunkKeys; keys != defaultKeys {
				t.Errorf("a step was added at the end: keys %v, expected %v", keys, defaultKeys)
			}

			c.remove(12)
			c.serve()
			first.check(t, "a step vanished from the middle", base, true)
			longer.check(t, "a step vanished from the middle", base, true)
			if _, err := first.labels.Chunk(t.Context(), []uint64{0}); !errors.Is(err, ErrGone) {
				t.Errorf("the labels as they were: %v, expected %v", err, ErrGone)
			}
			shorter := c.open()
			shorter.check(t, "opened after that", base, false)
			if keys := shorter.field.meta.ChunkKeys; keys == defaultKeys {
				t.Error("a step vanished from the middle, and the keys are the same")
			}
			lat, err := OpenArray(t.Context(), c, "latitude")
			if err != nil || lat.meta.ChunkKeys != defaultKeys {
				t.Errorf("%v: keys %v of latitude, whose values did not move", err, lat.meta.ChunkKeys)
			}

			c.write(12, 12)
			c.serve()
			shorter.check(t, "the step is there again", base, true)
			longer.check(t, "the step is there again", base, false)

			c.write(3, 3)
			c.serve()
			first.check(t, "a step was added in the middle", base, true)
			longer.check(t, "a step was added in the middle", base, true)
			shorter.check(t, "a step was added in the middle", base, true)
			c.open().check(t, "opened after that", base, false)
		})
	}
}

// What vanishes from the end of an axis is an error, and so is what comes in its place.
func TestGenerationsAtTheEnd(t *testing.T) {
	c := newChanging(t, DatasetOptions{}, 0, 6, 12)
	r := c.open()
	base, _ := r.read(t.Context(), 0)
	c.remove(12)
	c.serve()
	if _, err := r.read(t.Context(), 2); !errors.Is(err, ErrGone) {
		t.Errorf("a step that vanished from the end: %v, expected %v", err, ErrGone)
	}
	if got, err := r.read(t.Context(), 1); err != nil || got != base+6 {
		t.Errorf("the one before it: %v, %v, expected %v", got, err, base+6)
	}
	c.write(15, 15)
	c.serve()
	if got, err := r.read(t.Context(), 2); !errors.Is(err, ErrGone) {
		t.Errorf("another step in its place: %v, %v, expected %v", got, err, ErrGone)
	}
}

// Whatever happens to the files, no client that asks for something after each change reads values of
// another label than it knows, even if it never opens the dataset again: its keys are the last to be
// used again.
func TestGenerationsAreNeverMixed(t *testing.T) {
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 1))
		c := newChanging(t, DatasetOptions{}, 0, 6, 12, 18)
		base, err := c.open().read(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		values := make(map[int64][]float64) // of all fields that a step had
		present := make(map[int]bool)
		for step := 0; step <= 18; step += 6 {
			values[int64(step)], present[step] = []float64{base + float64(step)}, true
		}
		readers := []*reader{c.open()} // which stays
		right, gone := 0, 0
		for change := range 40 {
			readers = append(readers[:1], c.open())
			steps := slices.Sorted(maps.Keys(present))
			step := random.IntN(40)
			switch {
			case random.IntN(4) == 0: // at the end
				step = steps[len(steps)-1] + 1 + random.IntN(6)
			case random.IntN(2) == 0:
				step = steps[random.IntN(len(steps))]
			}
			if present[step] && len(steps) > 2 && random.IntN(3) > 0 {
				c.remove(step)
				delete(present, step)
			} else {
				reference := float32(step) + 1000*float32(change)
				c.write(step, reference)
				present[step] = true
				values[int64(step)] = append(values[int64(step)], base+float64(reference))
			}
			c.serve()
			for _, r := range readers {
				for i, step := range r.steps {
					switch got, err := r.read(t.Context(), i); {
					case err == nil && slices.Contains(values[step], got):
						right++
					case errors.Is(err, ErrGone):
						gone++
					default:
						t.Fatalf("seed %d, change %d: step %d of %v: %v, %v, expected one of %v", seed, change, step, r.steps, got, err, values[step])
					}
				}
			}
		}
		if right < 100 || gone < 100 {
			t.Errorf("seed %d: %d values and %d errors, expected hundreds of each", seed, right, gone)
		}
	}
}

// Nothing labels the records of these files but the file that has them.
func TestGenerationsOfFiles(t *testing.T) {
	dir := t.TempDir()
	first, other := filepath.Join(dir, "a.nc"), filepath.Join(dir, "b.nc")
	writeRecords(t, first, 4, 1000, 0)
	var history Generations
	a, err := archive.Open(t.Context(), []string{dir}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	for i, test := range []struct {
		name   string
		change func() error
		keys   ChunkKeys
	}{
		{"opened", func() error { return nil }, keyForms[0]},
		{"replaced", func() error { writeRecords(t, first, 4, 1000, 7); return nil }, keyForms[0]},
		{"another file that follows it", func() error { writeRecords(t, other, 2, 1000, 4000); return nil }, keyForms[0]},
		{"without the first file", func() error { return os.Remove(first) }, keyForms[1]},
		{"the first file in its place", func() error { writeRecords(t, first, 4, 1000, 0); return os.Remove(other) }, keyForms[0]},
		{"both", func() error { writeRecords(t, other, 2, 1000, 4000); return nil }, keyForms[0]},
		{"another file of the same size", func() error { writeRecords(t, other, 4, 1000, 0); return os.Remove(first) }, keyForms[2]},
	} {
		if err := test.change(); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{first, other} {
			os.Chtimes(path, time.Time{}, time.Unix(int64(1e9+i), 0)) // fails for what is not there
		}
		if a, err = a.Again(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { a.Close() })
		view := NewDatasetView(a.Set, a, DatasetOptions{})
		view.Follow(t.Context(), &history)
		node, err := view.Node(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		if node.Array.ChunkKeys != test.keys {
			t.Errorf("%s: shape %v in chunks %v, keys %v, expected %v", test.name, node.Array.Shape, node.Array.ChunkShape, node.Array.ChunkKeys, test.keys)
		}
	}
}
