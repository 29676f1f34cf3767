package fromnetcdf

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/netcdf"
)

// TestWindows reads every compressed variable of the fixtures slice by slice along each of its axes. It uses
// windows of several sizes, and compares with slices read by themselves.
func TestWindows(t *testing.T) {
	whole, parts, single := 0, 0, 0
	err := filepath.WalkDir("../../fixtures/netcdf", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := netcdf.Open(path)
		if err != nil {
			return nil // a folder's README
		}
		defer f.Close()
		eachVar(f.Root(), func(v *netcdf.Var) {
			if v.CheckRead(nil, nil) != nil || v.Type.Size == 0 || !v.Type.Numeric() || v.Size() > 1<<20 {
				return
			}
			for axis := range v.Dims {
				one := v.Size() / max(v.Dims[axis].Len, 1)
				for _, limit := range []uint64{one, 2 * one, 3*one + 1, 5 * one, 1 << 30} {
					var set windows
					r := newRecordReader(&set, v, axis, limit)
					switch {
					case r.step == 0:
						single++
						continue
					case r.step < r.chunk:
						parts++
					default:
						whole++
					}
					if r.step*one > limit {
						t.Fatalf("%s %s axis %d: windows of %d bytes, at most %d are allowed", path, v.Path, axis, r.step*one, limit)
					}
					compareWindows(t, path, r, int(one))
				}
			}
		})
		return nil
	})
	if err != nil || whole == 0 || parts == 0 || single == 0 {
		t.Errorf("%d windows of whole chunks, %d of parts of chunks, %d records one by one, %v", whole, parts, single, err)
	}
}

func eachVar(g *netcdf.Group, do func(*netcdf.Var)) {
	for _, v := range g.Vars {
		do(v)
	}
	for _, sub := range g.Groups {
		eachVar(sub, do)
	}
}

func compareWindows(t *testing.T, path string, r *recordReader, size int) {
	t.Helper()
	got, want := make([]byte, size), make([]byte, size)
	loads, held := 0, (*window)(nil)
	for record := range r.length {
		if err := r.read(t.Context(), got, record); err != nil {
			t.Fatalf("%s %s record %d: %v", path, r.v.Path, record, err)
		}
		if len(r.open) == 1 && r.open[0] != held {
			held = r.open[0]
			loads++
		}
		start, count := make([]uint64, len(r.v.Dims)), r.v.Shape()
		start[r.axis], count[r.axis] = record, 1
		if err := r.v.Read(t.Context(), want, start, count); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%s %s axis %d record %d differs when it is read with others", path, r.v.Path, r.axis, record)
		}
	}
	if len(r.open) != 0 || r.windows.held.Len() != 0 || r.windows.idle != 0 {
		t.Errorf("%s %s: %d windows of %d bytes are still held", path, r.v.Path, len(r.open), r.windows.idle)
	}
	perChunk := (r.chunk + r.step - 1) / r.step
	if most := int(perChunk * ((r.length + r.chunk - 1) / r.chunk)); loads > most {
		t.Errorf("%s %s: %d windows for %d records, expected at most %d", path, r.v.Path, loads, r.length, most)
	}
}
