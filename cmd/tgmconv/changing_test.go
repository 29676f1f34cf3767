package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/internal/cases"
	"github.com/tgmconv/tgmconv/storage"
)

// readingVerbs are command lines of all verbs that read files, with IN for the input and OUT for the
// output. Those that need many megabytes of output or another machine are not among them.
var readingVerbs = map[string][]string{
	"grib2": {
		"convert --reproducible -o OUT IN", "convert-grib --reproducible -o OUT IN", "convert --reproducible --skip-bad -o OUT IN",
		"convert --reproducible -o OUT/ IN", "to-zarr --skip-bad -q -o OUT IN", "to-netcdf -o OUT IN", "to-tet -o OUT IN", "refs -o OUT IN",
		"grib ls IN", "grib get -p shortName,date IN", "grib dump IN", "grib count IN", "grib copy IN OUT", "to-grib -o OUT IN", "grib compare IN ../in.grib2",
		"stats IN", "values IN", "info --dataset IN", "plot -o OUT.png IN",
	},
	"tgm": {
		"copy -o OUT IN", "cat -o OUT IN", "merge -o OUT IN", "reshuffle -o OUT IN", "set -s extra.x=1 -o OUT IN", "split -o OUT_[index].tgm IN", "repair -o OUT IN",
		"ls IN", "info IN", "dump IN", "get -p name IN", "validate IN", "checksum IN", "to-grib -o OUT IN", "to-netcdf -o OUT IN", "to-zarr -q -o OUT IN",
		"stats IN", "values IN",
	},
	"nc":  {"convert --reproducible -o OUT IN", "convert-netcdf --reproducible -o OUT IN", "to-netcdf -o OUT IN", "netcdf ls IN", "netcdf dump IN", "to-zarr -q -o OUT IN", "stats IN", "refs -o OUT IN"},
	"gz":  {"convert --reproducible -o OUT IN", "to-netcdf -o OUT IN", "grib ls IN", "to-zarr -q -o OUT IN"},
	"tar": {"convert --reproducible -o OUT IN", "to-zarr -q -o OUT IN"},
}

// A changing runs a verb on a copy of a file that is changed after a number of reads.
type changing struct {
	dir, in string
	content []byte
}

// run gives the exit code, the printed texts, and the written files by name.
func (c *changing) run(t *testing.T, line string, at int64, change func(path string) error) (code int, out, problems string, files map[string]string, reads int64) {
	t.Helper()
	folder, err := os.MkdirTemp(c.dir, "run")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	in := filepath.Join(folder, filepath.Base(c.in))
	if err := os.WriteFile(in, c.content, 0o666); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(folder, "out")
	args := strings.Fields(line)
	for i, a := range args {
		switch {
		case a == "IN":
			args[i] = in
		case strings.HasPrefix(a, "OUT"):
			args[i] = target + a[len("OUT"):]
		case strings.HasPrefix(a, "../"):
			args[i] = filepath.Join(c.dir, a[len("../"):])
		}
	}
	var count atomic.Int64
	sources := &storage.Sources{OnRead: func(location string) {
		if location == in && count.Add(1) == at {
			if err := change(in); err != nil {
				t.Error(err)
			}
		}
	}}
	var stdout, stderr bytes.Buffer
	root := rootOf(args)
	root.SetOut(&stdout)
	root.SetErr(&stderr)
	code = run(context.WithValue(t.Context(), sourcesKey{}, sources), root, args, &stderr)
	files = make(map[string]string)
	err = filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(path, target) && d.Type().IsRegular() {
			b, readErr := os.ReadFile(path)
			files[strings.TrimPrefix(path, folder)], err = strings.ReplaceAll(string(b), folder, ""), readErr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return code, strings.ReplaceAll(stdout.String(), folder, ""), strings.ReplaceAll(stderr.String(), folder, ""), files, count.Load()
}

// clientsOpen reports whether a written file is more than a part of a store that cannot be opened.
func clientsOpen(file string) bool {
	return !strings.Contains(file, "/out/") || strings.HasSuffix(file, "/out/zarr.json") || strings.HasSuffix(file, ".tgm")
}

// Files that change while a verb reads them give an error that says so and no output. Files that
// are replaced or grow give their former content.
func TestChangingSources(t *testing.T) {
	some, n := cases.Of(t), 0
	dir := t.TempDir()
	all := changingFiles(t, dir)
	for _, format := range sorted(all) {
		file := all[format]
		content, other := file.content, file.other
		c := &changing{dir: dir, in: filepath.Join(dir, "in."+format), content: content}
		for _, line := range readingVerbs[format] {
			code, out, problems, files, reads := c.run(t, line, 0, nil)
			if code != cli.ExitOK {
				t.Fatalf("%s of %s: exit code %d: %s", line, format, code, problems)
			}
			if reads == 0 {
				t.Fatalf("%s of %s reads nothing that is watched", line, format)
			}
			for _, at := range slices.Compact([]int64{1, (reads + 1) / 2, reads}) {
				bad := map[string]func(path string) error{
					"cut":         func(path string) error { return os.Truncate(path, int64(file.part)) },
					"overwritten": func(path string) error { return os.WriteFile(path, other, 0o666) },
					"longer":      func(path string) error { return os.WriteFile(path, append(bytes.Clone(other), other...), 0o666) },
				}
				for _, name := range sorted(bad) {
					if n++; !some.Has(n, 8) {
						continue
					}
					code, _, problems, files, _ := c.run(t, line, at, bad[name])
					if code != cli.ExitOK && name == "longer" && len(files) == 0 {
						continue // with any error
					}
					if code != cli.ExitChanged || !strings.Contains(problems, "while it was read") && !strings.Contains(problems, "after it was opened") {
						t.Errorf("%s of %s, %s after read %d of %d: exit code %d: %s", line, format, name, at, reads, code, problems)
					}
					for file := range files {
						if clientsOpen(file) {
							t.Errorf("%s of %s, %s after read %d of %d: %s is written", line, format, name, at, reads, file)
						}
					}
				}
				good := map[string]func(path string) error{
					"replaced": func(path string) error {
						return errors.Join(os.WriteFile(path+".new", other, 0o666), os.Rename(path+".new", path))
					},
					"grown": func(path string) error {
						f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
						if err == nil {
							_, err = f.Write(other)
							err = errors.Join(err, f.Close())
						}
						return err
					},
				}
				for _, name := range sorted(good) {
					if n++; !some.Has(n, 8) || at == 1 && name == "grown" { // which may be opened again, to read the whole
						continue
					}
					nowCode, nowOut, nowProblems, nowFiles, _ := c.run(t, line, at, good[name])
					if nowCode != cli.ExitOK && !slices.ContainsFunc(slices.Collect(maps.Keys(nowFiles)), clientsOpen) {
						continue // of verbs that open files several times
					}
					if nowCode != cli.ExitOK || nowOut != out || len(nowFiles) != len(files) {
						t.Errorf("%s of %s, %s after read %d of %d: exit code %d: %s", line, format, name, at, reads, nowCode, nowProblems)
					}
					if at == 1 && name == "replaced" && !maps.Equal(nowFiles, files) {
						// Before the contents are read, the file may be opened again: all is the other one's.
						another := changing{dir: c.dir, in: c.in, content: other}
						if _, _, _, whole, _ := another.run(t, line, 0, nil); maps.Equal(nowFiles, whole) {
							continue
						}
					}
					for file, b := range files {
						if nowFiles[file] != b && (strings.Contains(line, "reproducible") || format != "tgm") { // else identifiers differ
							t.Errorf("%s of %s, %s after read %d of %d: %s differs", line, format, name, at, reads, file)
						}
					}
				}
			}
		}
	}
}

// A changingFile is a file of a format, another of the same length or nearly so, and where a part
// of it ends.
type changingFile struct {
	content, other []byte
	part           int
}

func changingFiles(t *testing.T, dir string) map[string]changingFile {
	t.Helper()
	read := func(name string) []byte {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	twice := func(a, b []byte) changingFile {
		return changingFile{slices.Concat(a, b), slices.Concat(b, a), len(a)}
	}
	gfs := read("../../fixtures/grib/gfs_2p50_f000.grib2")
	ends := []int{0}
	for range 10 {
		at := ends[len(ends)-1]
		ends = append(ends, at+int(binary.BigEndian.Uint64(gfs[at+8:])))
	}
	a, b := gfs[:ends[5]], gfs[ends[5]:ends[10]]
	all := map[string]changingFile{"grib2": twice(a, b)}
	write("in.grib2", all["grib2"].content)
	var messages [2][]byte
	for i, part := range [][]byte{a, b} {
		out := filepath.Join(dir, "part.tgm")
		runs(t, "convert", "--reproducible", "--split", "-o", out, write("part.grib2", part))
		messages[i] = read(out)
	}
	all["tgm"] = twice(messages[0], messages[1])
	nc := read("../../fixtures/netcdf/tetration_cf_3d.nc")
	damaged := bytes.Clone(nc)
	for i := range damaged {
		damaged[i] ^= 0x55
	}
	all["nc"] = changingFile{nc, damaged, len(nc) / 2}
	var packed [2]bytes.Buffer
	var archives [2]bytes.Buffer
	for i, content := range [][]byte{all["grib2"].content, all["grib2"].other} {
		zip := gzip.NewWriter(&packed[i])
		_, err := zip.Write(content)
		archive := tar.NewWriter(&archives[i])
		err = errors.Join(err, zip.Close(), archive.WriteHeader(&tar.Header{Name: "a.grib2", Size: int64(len(content)), Mode: 0o644}))
		_, writeErr := archive.Write(content)
		if err := errors.Join(err, writeErr, archive.Close()); err != nil {
			t.Fatal(err)
		}
	}
	all["gz"] = changingFile{packed[0].Bytes(), packed[1].Bytes(), packed[0].Len() / 2}
	all["tar"] = changingFile{archives[0].Bytes(), archives[1].Bytes(), 512 + len(a)}
	return all
}
