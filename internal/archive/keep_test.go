package archive_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/nctest"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
	"github.com/tgmconv/tgmconv/storage"
)

// An openCounter counts the files that it opens.
type openCounter struct {
	storage.Client
	opened atomic.Int64
}

func (c *openCounter) Open(ctx context.Context, location string) (storage.Blob, error) {
	c.opened.Add(1)
	return c.Client.Open(ctx, location)
}

// An archive that keeps positions of files that are gone opens none of the others again. It needs
// neither their labels nor the places of their chunks.
func TestKeepingReadsNothingAgain(t *testing.T) {
	const files = 100 // more than stay open
	dir := t.TempDir()
	path := func(i int) string { return filepath.Join(dir, fmt.Sprintf("%03d.nc", i)) }
	for i := range files {
		units := netcdf.Attr{Name: "units", Type: ncwrite.Atomic(netcdf.Char), Value: "hours since 2000-01-01"}
		label := &ncwrite.Var{Name: "time", Type: ncwrite.Atomic(netcdf.Int), Dims: []string{"time"}, Attrs: []netcdf.Attr{units}}
		field := &ncwrite.Var{Name: "t", Type: ncwrite.Atomic(netcdf.Int), Dims: []string{"time", "x"}}
		root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "time", Len: 1}, {Name: "x", Len: 3}}, Vars: []*ncwrite.Var{label, field}}
		nctest.Write(t, path(i), netcdf.NetCDF4, root, func(w *ncwrite.Writer) error {
			return errors.Join(
				w.Write(t.Context(), label, nil, nil, binary.LittleEndian.AppendUint32(nil, uint32(i))),
				w.Write(t.Context(), field, nil, nil, make([]byte, 12)))
		})
	}
	client := new(openCounter)
	open := func() *archive.Archive {
		a, err := archive.Open(t.Context(), []string{dir}, archive.Options{Client: client, Index: archive.IndexNone, Dataset: dataset.Options{AlwaysTime: true}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { a.Close() })
		return a
	}
	layouts := func(a *archive.Archive) (n int) {
		for ref, e := range a.Catalog.All() {
			if a.Presence(ref) >= dataset.PartlyGone || e.Name != "t" {
				continue
			}
			l, err := a.Layout(t.Context(), ref)
			if err != nil {
				t.Fatal(err)
			}
			if at := l.Files[0].Location; at != e.File {
				t.Errorf("%s lies in %s", e.File, at)
			}
			n++
		}
		return n
	}
	before := open().Kept()
	const removed = 40
	if err := os.Remove(path(removed)); err != nil {
		t.Fatal(err)
	}
	a := open()
	layouts(a)
	opened := client.opened.Load()
	b, err := a.Keeping(t.Context(), a.AsGiven(before), archive.Keep{Gone: true})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if got := layouts(b); got != files-1 {
		t.Errorf("%d layouts, expected %d", got, files-1)
	}
	number := 0
	for ref, e := range b.Catalog.All() {
		if e.Name != "time" {
			continue
		}
		label, err := dataset.Read(t.Context(), b, ref, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := binary.LittleEndian.Uint32(label.Data); int(got) != number {
			t.Errorf("position %d has the label %d", number, got)
		}
		number++
	}
	if number != files {
		t.Errorf("%d positions, expected %d", number, files)
	}
	if again := client.opened.Load() - opened; again > 0 {
		t.Errorf("%d files were opened again", again)
	}
	if err := os.WriteFile(path(0), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := dataset.Read(t.Context(), b, 0, nil); !errors.As(err, new(*archive.ChangedError)) {
		t.Errorf("a label of a file that changed: %v", err)
	}
}
