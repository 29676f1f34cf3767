package netcdf

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func listChunks(t *testing.T, v *Var, start, count []uint64) []Chunk {
	t.Helper()
	var list []Chunk
	for c, err := range v.Chunks(start, count) {
		if err != nil {
			t.Fatalf("%s: %v", v.Path, err)
		}
		list = append(list, c)
	}
	return list
}

func TestSparse(t *testing.T) {
	v := openFixture(t, "made/typed.h5").Root().Var("sparse")
	chunks := listChunks(t, v, nil, nil)
	if len(chunks) != 1 || !slices.Equal(chunks[0].Start, []uint64{20, 0}) || !slices.Equal(chunks[0].Count, []uint64{10, 1000}) ||
		!chunks[0].Filtered || chunks[0].Stored == 0 {
		t.Errorf("%+v, expected one chunk of 10x1000 from 20, 0", chunks)
	}
	if fill := fmt.Sprint(attrValue(Float, v.Fill())); fill != "[-1]" {
		t.Errorf("fill value %s, expected -1", fill)
	}
	if n := len(listChunks(t, v, []uint64{30, 0}, []uint64{900, 1})); n != 0 {
		t.Errorf("%d chunks where nothing is stored", n)
	}
}

// TestFar lists the single stored chunk of 2^31.
func TestFar(t *testing.T) {
	v := openFixture(t, "linked/main.h5").Root().Var("far")
	chunks := listChunks(t, v, nil, nil)
	if len(chunks) != 1 || chunks[0].Start[0] != 1<<30 {
		t.Errorf("%+v, expected one chunk at 2^30", chunks)
	}
}

// TestChunksOfBoxes compares the chunks of random boxes with the chunks of the whole variable.
func TestChunksOfBoxes(t *testing.T) {
	paths, _ := filepath.Glob("testdata/odd/*index*.gz")
	paths = append(paths, "testdata/odd/manychunks.h5.gz", "testdata/odd/plainedges.h5.gz")
	r := rand.New(rand.NewPCG(5, 6))
	seen := 0
	for _, p := range paths {
		f, err := openMaybeGzip(t, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range f.Root().Vars {
			if v.Err != nil || v.Storage.Layout != Chunked || v.Len() == 0 {
				continue
			}
			seen++
			all := listChunks(t, v, nil, nil)
			for range 10 {
				start, count := randomBox(r, v.Shape())
				want := slices.DeleteFunc(slices.Clone(all), func(c Chunk) bool { return !overlap(c, start, count) })
				if got := listChunks(t, v, start, count); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("%s, %s: the chunks of %v from %v are %v, expected %v", p, v.Path, count, start, got, want)
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d variables in chunks", seen)
	}
}

func randomBox(r *rand.Rand, shape []uint64) (start, count []uint64) {
	for _, n := range shape {
		s := r.Uint64N(n)
		start, count = append(start, s), append(count, 1+r.Uint64N(n-s))
	}
	return start, count
}

func overlap(c Chunk, start, count []uint64) bool {
	for i, s := range c.Start {
		if s >= start[i]+count[i] || s+c.Count[i] <= start[i] {
			return false
		}
	}
	return true
}

// TestChunksElsewhere lists chunks of variables in other files, and reads their bytes from these.
func TestChunksElsewhere(t *testing.T) {
	root := openFixture(t, "linked/main.h5").Root()
	for name, v := range map[string]*Var{"part1.h5": root.Groups[0].Var("data"), "raw.bin": root.Var("raw"), "main.h5": root.Var("here")} {
		chunks := listChunks(t, v, nil, nil)
		if len(chunks) != 1 || chunks[0].File == nil || chunks[0].File.Name != name || chunks[0].Stored != v.Size() {
			t.Fatalf("%s: %+v, expected one in %s", v.Path, chunks, name)
		}
		whole, err := os.ReadFile("../fixtures/netcdf/linked/" + name)
		if err != nil {
			t.Fatal(err)
		}
		c, got := chunks[0], make([]byte, v.Size())
		if _, err := c.File.ReadAt(got, c.Offset); err != nil && err != io.EOF || !bytes.Equal(got, whole[c.Offset:][:c.Stored]) {
			t.Errorf("%s: %v, or other bytes than in %s", v.Path, err, name)
		}
		values := make([]byte, v.Size())
		if err := v.Read(t.Context(), values, nil, nil); err != nil {
			t.Fatal(err)
		}
		if v.Storage.BigEndian {
			for i := 0; i < len(got); i += v.Type.Size {
				slices.Reverse(got[i:][:v.Type.Size])
			}
		}
		if !bytes.Equal(got, values) {
			t.Errorf("%s: the bytes in %s are not its values", v.Path, name)
		}
	}
}
