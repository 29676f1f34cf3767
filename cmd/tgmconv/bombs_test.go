//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/fixtures/bombs"
	"github.com/tgmconv/tgmconv/internal/cases"
)

// The limits of a verb with a small input, by default: memory beyond the memory of an empty
// command, processor time, and the size of a written file.
const (
	mostOfBomb  = 256<<20 + 128<<20
	mostTime    = 10 * time.Second
	mostWritten = 1126 << 20
)

// bombVerbs are verbs by the extension of the file, with FILE and OUT in place of it and of their
// output. The file stands last unless it is named.
var bombVerbs = map[string][]string{
	".grib2": append(slices.Clone(arrayVerbs), "refs -q -o OUT.json", "convert -q --encoding simple_packing -o OUT.tgm", "plot -o OUT.png",
		"to-grib -q -o OUT.grib2", "to-grib -q --packing simple -o OUT.grib2", "grib ls", "grib ls -l 50,8", "values --lat 50 --lon 8", "grib get -p avg", "grib dump",
		"grib count", "grib copy FILE OUT.grib2"),
	".tgm": append(slices.Clone(arrayVerbs), "refs -q -o OUT.json", "to-grib -q -o OUT.grib2", "plot -o OUT.png", "to-tet -q --codec zstd -o OUT.tet",
		"copy -o OUT.tgm", "checksum", "repair -o OUT.tgm", "merge -o OUT.tgm", "cat -o OUT.tgm", "reshuffle -o OUT.tgm"),
	".nc": append(slices.Clone(arrayVerbs), "refs -q -o OUT.json", "to-grib -q --set paramId=130 -o OUT.grib2", "plot -o OUT.png", "netcdf ls", "netcdf dump", "netcdf dump --header"),
	".tet": append(slices.Clone(arrayVerbs), "refs -q -o OUT.json", "tet info", "tet verify --deep", "tet query FILE zeros", "tet query FILE zeros --reduce mean",
		"tet query -o OUT.tet FILE zeros"),
	".zip": archiveVerbs, ".gz": archiveVerbs,
}

// arrayVerbs read files of every format.
var arrayVerbs = []string{
	"ls", "dump", "validate --full", "info --dataset --index none", "stats", "values --index 5", "values -f npy -o OUT", "values -o OUT", "serve --check --index none",
	"to-zarr -q -o OUT.zarr", "to-netcdf -q -o OUT.nc", "to-tet -q -o OUT.tet", "convert -q -o OUT.tgm",
}

// archiveVerbs unpack files of the same kind in each of the ways there are.
var archiveVerbs = []string{
	"ls", "info --dataset --index none", "stats", "serve --check --index none", "to-zarr -q -o OUT.zarr", "to-netcdf -q -o OUT.nc",
	"convert -q -o OUT.tgm", "convert -q -o OUT/", "grib ls", "grib get -p avg", "netcdf dump", "validate --full",
}

// bombsEach is how many pairs of a verb and a bomb there are for one that is run.
const bombsEach = 120

// TestBombs runs verbs over files that claim to hold very much. Whether they end with an error is
// their affair; the memory and the time are not. All verbs over all bombs take minutes.
func TestBombs(t *testing.T) {
	program, err := exec.LookPath("tgmconv")
	if err != nil {
		t.Fatal(err)
	}
	some, n := cases.Of(t), 0
	for _, bomb := range bombs.All() {
		verbs := slices.DeleteFunc(slices.Clone(bombVerbs[filepath.Ext(bomb.Name)]), func(string) bool { n++; return !some.Has(n, bombsEach) })
		if len(verbs) == 0 {
			continue
		}
		t.Run(bomb.Name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path, err := bomb.Write(dir)
			if err != nil {
				t.Fatal(err)
			}
			if st, err := os.Stat(path); err != nil || st.Size() > 1e6 {
				t.Fatalf("%v %v, expected a small file", st, err)
			}
			for _, verb := range verbs {
				if !strings.Contains(verb, "FILE") {
					verb += " FILE"
				}
				out, err := os.MkdirTemp(dir, "out")
				if err != nil {
					t.Fatal(err)
				}
				args := strings.Fields(strings.NewReplacer("OUT", filepath.Join(out, "out"), "FILE", path).Replace(verb))
				cmd := exec.Command(program, args...)
				cmd.Env = append(os.Environ(), "GOMAXPROCS=2")
				u := measure(t, cmd, limits{time: 2 * mostTime, fileSize: mostWritten})
				if u.Signal != 0 || cmd.ProcessState.ExitCode() == 2 {
					t.Errorf("%s: ended by signal %d, code %d", verb, u.Signal, cmd.ProcessState.ExitCode())
				}
				if u.Memory > mostOfBomb || u.Time > mostTime {
					t.Errorf("%s: %d MB and %v, expected at most %d MB and %v", verb, u.Memory>>20, u.Time, mostOfBomb>>20, mostTime)
				}
				if err := os.RemoveAll(out); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestReadsItsZeros reads an array of 208 MiB that zstd stores in a few kB, as convert writes it,
// without a flag.
func TestReadsItsZeros(t *testing.T) {
	program, err := exec.LookPath("tgmconv")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	all := bombs.All()
	i := slices.IndexFunc(all, func(b bombs.Bomb) bool { return b.Name == "zeros-200mb.tgm" })
	path, err := all[i].Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	some := cases.Of(t)
	for i, verb := range []string{"stats", "values --index 5", "validate --full", "to-netcdf -q -o OUT.nc"} {
		if !some.Has(i, 2) {
			continue
		}
		args := strings.Fields(strings.ReplaceAll(verb, "OUT", filepath.Join(dir, "out")))
		if out, err := exec.Command(program, append(args, path)...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", verb, err, out)
		}
	}
}

// TestReadsWhatConvertWrites reads convert's output for a variable of 256 MiB with one value,
// without a flag.
func TestReadsWhatConvertWrites(t *testing.T) {
	program, err := exec.LookPath("tgmconv")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	all := bombs.All()
	i := slices.IndexFunc(all, func(b bombs.Bomb) bool { return b.Name == "sparse-many.nc" })
	path, err := all[i].Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	tensogram := filepath.Join(dir, "out.tgm")
	some := cases.Of(t)
	for i, verb := range []string{
		"convert -q --variable sparse0 -o " + tensogram + " " + path, "stats " + tensogram, "to-netcdf -q -o " + tensogram + ".nc " + tensogram,
		"serve --check --index none " + tensogram, "values --index 5 " + tensogram, "to-zarr -q -o " + tensogram + ".zarr " + tensogram,
	} {
		if i > 0 && !some.Has(i, 3) {
			continue
		}
		cmd := exec.Command(program, strings.Fields(verb)...)
		var message strings.Builder
		cmd.Stderr = &message
		u := measure(t, cmd, limits{time: 4 * mostTime, fileSize: mostWritten})
		if cmd.ProcessState.ExitCode() != 0 {
			t.Errorf("%s: %s", verb, message.String())
		}
		const most = (2*256 + 128) << 20 // the array twice, and the program
		if u.Memory > most {
			t.Errorf("%s: %d MB, expected at most %d MB", verb, u.Memory>>20, most>>20)
		}
	}
}
