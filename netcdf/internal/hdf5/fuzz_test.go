package hdf5

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// seeds adds small HDF5 files to the corpus.
func seeds(f *testing.F) {
	for _, g := range []string{"../../../fixtures/netcdf/*.nc", "../../../fixtures/netcdf/*/*", "../../testdata/odd/*.gz"} {
		paths, _ := filepath.Glob(g)
		for _, p := range paths {
			if b, err := readMaybeGzip(p); err == nil && len(b) < 9000 {
				f.Add(b)
			}
		}
	}
}

// FuzzFile reads all that can be reached in a file, with checksums not verified. Whatever the bytes
// are, it must end, with errors at most.
func FuzzFile(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := NewFile(bytes.NewReader(b), int64(len(b)), func(f *File) { f.unchecked = true })
		if err != nil {
			return
		}
		root, err := h.Root()
		if err != nil {
			return
		}
		w := walker{seen: map[uint64]bool{}}
		w.visit(root)
	})
}

type walker struct{ seen map[uint64]bool }

func (w *walker) visit(o *Object) {
	if w.seen[o.Addr] {
		return
	}
	w.seen[o.Addr] = true
	if attrs, err := o.Attributes(); err == nil {
		for i := range attrs {
			attrs[i].Read()
			attrs[i].ReadVlen()
		}
	}
	switch o.Kind {
	case DatatypeObject:
		o.Datatype()
	case DatasetObject:
		if d, err := o.Dataset(); err == nil {
			readSome(d)
		}
	case GroupObject:
		links, err := o.Links()
		if err != nil {
			return
		}
		for _, l := range links {
			if next, err := o.Follow(l); err == nil {
				w.visit(next)
			}
		}
	}
}

// readSome reads the whole dataset when it is small, else its first and last elements.
func readSome(d *Dataset) {
	rank := len(d.Space.Dims)
	first, last, count, all := make([]uint64, rank), make([]uint64, rank), make([]uint64, rank), d.Space.Dims
	for i, n := range all {
		count[i] = min(n, 3)
		last[i] = n - count[i]
	}
	boxes := [][2][]uint64{{first, count}, {last, count}}
	if d.Space.Len() < 1<<14 {
		boxes = append(boxes, [2][]uint64{first, all})
	}
	for _, b := range boxes {
		n := uint64(1)
		for _, c := range b[1] {
			if n *= c; n > 1<<14 {
				return
			}
		}
		if d.Type.Class == Vlen {
			d.ReadVlen(context.Background(), b[0], b[1])
			continue
		}
		native, err := d.Type.Native()
		if err != nil || native.Size > 1<<12 {
			return
		}
		d.Read(context.Background(), make([]byte, int(n)*native.Size), b[0], b[1])
	}
}

func readMaybeGzip(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return b, err
	}
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
