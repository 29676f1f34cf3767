package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/tgm"
)

// A faultLine is a command line that is run with faults: see machine.args for the names of inputs
// and outputs.
type faultLine struct {
	args    string
	code    int                                    // without faults
	appends string                                 // input that is what the output was before
	beside  string                                 // further inputs that lie there
	places  string                                 // of inputs, joined by spaces; "" for all
	noPipe  bool                                   // standard input cannot be the input
	local   bool                                   // outputs can only be files
	folder  bool                                   // the output is a folder, of which zarr.json comes last
	again   bool                                   // the same command goes on where it failed
	lists   bool                                   // what is wrong is part of the answer
	inPlace bool                                   // the input is changed
	content func(t *testing.T, text string) string // of an output, without what is by chance
}

// verb is the verb of a line.
func (l *faultLine) verb() string {
	words := strings.Fields(l.args)
	if len(words) > 1 && (words[0] == "grib" || words[0] == "netcdf" || words[0] == "tet") {
		return words[0] + " " + words[1]
	}
	return words[0]
}

// input is the name of the input, "" if there are several, or if it is none that a pipe can bring.
func (l *faultLine) input() (name string) {
	for _, word := range strings.Fields(l.args) {
		if at, ok := strings.CutPrefix(word, "@"); ok {
			if name != "" || l.noPipe {
				return ""
			}
			name, _, _ = strings.Cut(at, "::")
		}
	}
	return name
}

// output is the name of the output, "" if there is none, or several.
func (l *faultLine) output() string {
	for _, word := range strings.Fields(l.args) {
		if name, ok := strings.CutPrefix(word, "OUT"); ok && !l.folder && !strings.ContainsAny(name, "/[") {
			return "out" + name
		}
	}
	return ""
}

var faultLines = []faultLine{
	{args: "convert --reproducible -o OUT.tgm @in.grib2"},
	{args: "convert --reproducible -o OUT.tgm @in.h5"},
	{args: "convert --reproducible -o OUT.tgm @in.tet"},
	{args: "convert --reproducible -o OUT.tgm @in.grib2.gz"},
	{args: "convert --reproducible -o OUT.tgm @in.zip"},
	{args: "convert --reproducible -o OUT.tgm @in.tar"},
	{args: "convert --reproducible -o OUT.tgm @in.zip::in.nc", noPipe: true},
	{args: "convert --reproducible -o OUT/ @in.grib2 @in.nc"},
	{args: "convert --reproducible -o OUT_[shortName].tgm @in.grib2"},
	{args: "convert --reproducible --skip-bad -o OUT.tgm @in.grib2 @other.grib2"},
	{args: "convert --reproducible --append -o OUT.tgm @in.grib2", appends: "other.tgm", local: true},
	{args: "convert --reproducible -w shortName=gust -o OUT.tgm @in.grib2"},
	{args: "convert --reproducible --stream -o OUT.tgm @in.grib2"},
	{args: "convert --reproducible @in.nc"},
	{args: "convert-grib --reproducible --split -o OUT.tgm @in.grib2"},
	{args: "convert-netcdf --reproducible --split-by variable -o OUT.tgm @in.nc"},
	{args: "convert-tet --reproducible -o OUT.tgm @in.tet"},
	{args: "convert-zarr --reproducible -o OUT.tgm %in.zarr", places: "file"},
	{args: "to-tet -o OUT.tet @in.grib2", content: withoutTimes},
	{args: "to-tet --objects -o OUT.tet @in.tgm", content: withoutTimes},
	{args: "to-tet -o OUT.tet %in.zarr", places: "file", content: withoutTimes},
	{args: "to-netcdf -o OUT.nc @in.grib2"},
	{args: "to-netcdf -o OUT.nc @in.tgm"},
	{args: "to-netcdf --format cdf5 -o OUT.nc @in.nc"},
	{args: "to-netcdf -o - @in.h5"},
	{args: "to-grib -o OUT.grib2 @in.tgm"},
	{args: "to-zarr -o OUT.zarr @in.grib2", folder: true, again: true},
	{args: "to-zarr -o OUT.zarr @in.h5", folder: true, again: true},
	{args: "to-zarr -o OUT.zip @in.tgm"},
	{args: "refs -o OUT.json @in.nc", noPipe: true},
	{args: "refs -o OUT.parq @in.h5", folder: true, noPipe: true},
	{args: "set -s extra.x=1 -o OUT.tgm @in.tgm", content: messageContents},
	{args: "copy -o OUT.tgm @in.tgm @other.tgm"},
	{args: "copy --force -w name=gust @in.tgm OUT.tgm", content: messageContents},
	{args: "merge -o OUT.tgm @in.tgm @other.tgm", content: messageContents},
	{args: "merge --sort name --unique -o OUT.tgm @in.tgm @other.tgm", content: messageContents},
	{args: "split -o OUT_[index].tgm @in.tgm", content: messageContents},
	{args: "reshuffle -o OUT.tgm @in.tgm", content: messageContents},
	{args: "cat -o OUT.tgm @in.tgm @other.tgm"},
	{args: "cat -o OUT.tgm @large.tgm"},
	{args: "repair -o OUT.tgm @damaged.tgm", code: cli.ExitSkipped, content: messageContents},
	{args: "checksum @in.tgm @other.tgm"},
	{args: "checksum --check @sums", beside: "%in.tgm"},
	{args: "ls @in.tgm @other.tgm"},
	{args: "info @in.tgm"},
	{args: "info --dataset @in.grib2 @in.tgm"},
	{args: "get -p name @in.tgm"},
	{args: "dump @in.tgm @in.grib2 @in.h5 @in.tet"},
	{args: "validate --full @in.tgm @in.grib2 @in.h5 @in.tet", lists: true},
	{args: "values -o OUT.csv -w shortName=gust @in.grib2"},
	{args: "values @in.nc"},
	{args: "extract --at 50,8 -o OUT.csv -w shortName=gust @in.grib2"},
	{args: "extract --index 0 -o OUT.parquet @in.tgm"},
	{args: "values @in.h5"},
	{args: "to-grib --skip-bad -o OUT.grib2 @in.grib2", lists: true},
	{args: "stats @in.grib2"},
	{args: "stats --json @in.tgm"},
	{args: "plot --width 100 -o OUT.png -w shortName=gust @in.grib2"},
	{args: "grib ls @in.grib2"},
	{args: "grib get -p shortName,max @in.grib2"},
	{args: "grib dump @in.grib2"},
	{args: "grib count @in.grib2 @other.grib2"},
	{args: "grib copy @in.grib2 OUT_[shortName].grib2"},
	{args: "grib compare @in.grib2 %in.grib2"},
	{args: "netcdf ls @in.h5 @in.nc"},
	{args: "netcdf dump @in.h5"},
	{args: "tet info @in.tet"},
	{args: "tet verify @in.tet", lists: true},
	{args: "tet repair --apply footer_invalid %footer.tet", places: "file", inPlace: true},
	{args: "tet repair --apply footer_invalid %in.tet", places: "file"},
	{args: "tet query @in.tet t2m -r max:time"},
	{args: "tet query @in.tet t2m -s lat=1:3 -o OUT.tet", content: withoutTimes},
	{args: "serve --check %in.tgm", places: "file", lists: true},
	{args: "serve --check %in.grib2", places: "file", lists: true},
}

// timesOfTet are the times of a .tet file's history.
var timesOfTet = regexp.MustCompile(`"(created_at|at)":"[0-9]+"`)

// withoutTimes is a .tet file without the times of its history.
func withoutTimes(_ *testing.T, text string) string { return timesOfTet.ReplaceAllString(text, "") }

// messageContents is all of a Tensogram file but its identifiers and times; the file itself if it is none.
func messageContents(t *testing.T, text string) string {
	t.Helper()
	f, err := tgm.NewFile(strings.NewReader(text), int64(len(text)))
	if err != nil || f.CheckWhole() != nil {
		return text
	}
	var all strings.Builder
	for m, err := range f.Messages() {
		if err != nil {
			return text
		}
		shared, err := m.SharedMetadata()
		fmt.Fprintln(&all, m.Length(), shared.Extra, err)
		for o, err := range m.Objects() {
			if err != nil {
				return text
			}
			b, err := o.EncodedPayload()
			d, jsonErr := json.Marshal(o.Descriptor())
			fmt.Fprintf(&all, "%v %s %x %v %v\n", o.Base(), d, b, err, jsonErr)
		}
	}
	return all.String()
}

// withoutFaults are verbs that read and write nothing of the user's, and why, or the tests that have
// faults of their own.
var withoutFaults = map[string]string{
	"plan": "TestPlanInObjectStore", "work": "TestKilledWorkers and TestPlanInObjectStore", "commit": "TestKilledWorkers",
	"index":  "an index that is lost is made again",
	"doctor": "reads no files", "man": "writes manual pages, of developers", "help": "reads no files", "schema": "reads no files", "version": "reads no files", "worker": "reads what info --dataset does, for another program", "completion": "reads no files",
	"view": "reads what serve does, which has lines",
}

// TestFaultsHaveAllVerbs expects each verb to have a line.
func TestFaultsHaveAllVerbs(t *testing.T) {
	lines := make(map[string]bool)
	for i := range faultLines {
		lines[faultLines[i].verb()] = true
	}
	known := make(map[string]bool)
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			name := cli.VerbName(sub)
			known[name] = true
			if _, without := withoutFaults[name]; without {
				continue
			}
			if sub.HasSubCommands() {
				look(sub)
			} else if !lines[name] {
				t.Errorf("the verb %s has no line in faultLines", name)
			}
		}
	}
	look(newRoot())
	for name := range lines {
		if !known[name] {
			t.Errorf("faultLines has %s, which is no verb", name)
		}
	}
	for name := range withoutFaults {
		if !known[name] && name != "man" { // man is in some builds only
			t.Errorf("there is no verb %s", name)
		}
	}
}

// faultInputs makes the inputs, by name.
func faultInputs(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	read := func(name string) []byte {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	gfs := read("../../fixtures/grib/gfs_2p50_f000.grib2")
	ends := []int{0}
	for range 9 {
		at := ends[len(ends)-1]
		ends = append(ends, at+int(binary.BigEndian.Uint64(gfs[at+8:])))
	}
	all := map[string][]byte{
		"in.grib2": gfs[:ends[6]], "other.grib2": gfs[ends[6]:ends[9]],
		"in.h5":  read("../../fixtures/netcdf/cf_temperature_deflate.nc"),
		"in.tet": read("../../fixtures/tet/tetpy/weather.tet"), "footer.tet": read("../../fixtures/tet/plan.tet"),
	}
	(&sourceFile{number: 1, vars: []string{"t", "rain"}, times: []float64{0, 1, 2}, since: "2020-01-01", lats: []float64{-90, 0, 90}, title: "one", unlimited: true}).write(t, filepath.Join(dir, "in.nc"))
	all["in.nc"] = read(filepath.Join(dir, "in.nc"))
	made := func(name string, from string, args ...string) {
		out, in := filepath.Join(dir, name), filepath.Join(dir, from)
		if err := os.WriteFile(in, all[from], 0o666); err != nil {
			t.Fatal(err)
		}
		runs(t, append(args, "-o", out, in)...)
		if st, err := os.Stat(out); err == nil && !st.IsDir() {
			all[name] = read(out)
		}
	}
	made("in.tgm", "in.grib2", "convert", "--reproducible", "--split", "-q")
	made("other.tgm", "other.grib2", "convert", "--reproducible", "-q")
	made("in.zarr", "in.nc", "to-zarr", "-q")
	err := filepath.WalkDir(filepath.Join(dir, "in.zarr"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			all[filepath.ToSlash(rel)] = read(path)
		}
		return err
	})
	for len(all["large.tgm"]) < 9<<20 { // more than a part of an upload
		all["large.tgm"] = append(all["large.tgm"], all["in.tgm"]...)
	}
	all["damaged.tgm"] = bytes.Clone(all["in.tgm"])
	all["damaged.tgm"][len(all["damaged.tgm"])/2] ^= 0xff
	var sums bytes.Buffer
	root := newRoot()
	root.SetOut(&sums)
	if code := run(t.Context(), root, []string{"checksum", filepath.Join(dir, "in.tgm")}, os.Stderr); code != cli.ExitOK {
		t.Fatalf("checksum: exit code %d", code)
	}
	all["sums"] = []byte(strings.ReplaceAll(sums.String(), dir, filepath.Join(filepath.Dir(dir), "w", "input")))
	var packed, zipped, tarred bytes.Buffer
	g := gzip.NewWriter(&packed)
	_, gzipErr := g.Write(all["in.grib2"])
	err = errors.Join(err, gzipErr, g.Close())
	z, a := zip.NewWriter(&zipped), tar.NewWriter(&tarred)
	for _, name := range []string{"in.grib2", "in.nc"} {
		w, zipErr := z.Create(name)
		if zipErr == nil {
			_, zipErr = w.Write(all[name])
		}
		tarErr := a.WriteHeader(&tar.Header{Name: name, Size: int64(len(all[name])), Mode: 0o644})
		_, writeErr := a.Write(all[name])
		err = errors.Join(err, zipErr, tarErr, writeErr)
	}
	if err := errors.Join(err, z.Close(), a.Close()); err != nil {
		t.Fatal(err)
	}
	all["in.grib2.gz"], all["in.zip"], all["in.tar"] = packed.Bytes(), zipped.Bytes(), tarred.Bytes()
	return all
}
