package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/internal/fakestore"
)

// planStore is an object store that addresses s3:// are of.
func planStore(t *testing.T) *fakestore.Store {
	store := fakestore.New()
	server := httptest.NewServer(store)
	t.Cleanup(server.Close)
	for name, value := range fakestore.Environment(server.URL) {
		t.Setenv(name, value)
	}
	return store
}

// ended runs a command, which must end with an exit code, and returns its output.
func ended(t *testing.T, code int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	root := rootOf(args)
	root.SetOut(&out)
	root.SetErr(&errs)
	if got := run(context.Background(), root, args, &errs); got != code {
		t.Fatalf("%s: exit code %d, expected %d: %s", strings.Join(args, " "), got, code, &errs)
	}
	return out.String(), errs.String()
}

// TestPlanInObjectStore has inputs, plan and outputs in an object store that fails now and then.
func TestPlanInObjectStore(t *testing.T) {
	store := planStore(t)
	for _, name := range []string{"netcdf/cf_temperature.nc", "grib/lsm.grib2", "grib/2t.grib2"} {
		b, err := os.ReadFile("../../fixtures/" + name)
		if err != nil {
			t.Fatal(err)
		}
		store.Put("bucket/in/"+name, b)
	}
	must := func(code int, args ...string) string {
		t.Helper()
		stdout, _ := ended(t, code, args...)
		return stdout
	}
	for _, verb := range [][]string{{"convert"}, {"to-zarr"}} {
		name := verb[0]
		plan, out := "s3://bucket/"+name+"-plan/", "s3://bucket/"+name+"/"
		must(cli.ExitOK, slices.Concat([]string{"plan", "--to", plan, "--part-size", "1MiB"}, verb, []string{"-o", out, "s3://bucket/in/"})...)
		must(cli.ExitFailed, "commit", plan)

		// Requests that the client repeats do not matter, and parts that fail are tried again
		// later.
		store.Fail(1, func(r *http.Request) bool { return r.Method == http.MethodPut })
		must(cli.ExitOK, "work", plan, "--shard", "0/2")
		store.Fail(1000, func(r *http.Request) bool {
			return r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/results/")
		})
		if said := must(cli.ExitAgain, "work", plan); !strings.Contains(said, `"code":75`) {
			t.Errorf("%s: a store that is out of reach: %s", name, said)
		}
		store.Fail(0, nil)
		must(cli.ExitFailed, "commit", plan)
		must(cli.ExitOK, "work", plan)
		must(cli.ExitOK, "commit", plan)
		before := store.Objects()
		must(cli.ExitOK, "commit", plan)
		must(cli.ExitOK, "work", plan)
		if now := store.Objects(); !maps.EqualFunc(before, now, bytes.Equal) {
			t.Errorf("%s: a second commit or worker has changed something", name)
		}

		reference := "s3://bucket/" + name + "-reference/"
		words := slices.Concat(verb, []string{"-q", "-o", reference, "s3://bucket/in/"})
		if name == "convert" {
			words = append(words, "--reproducible")
		}
		must(cli.ExitOK, words...)
		got, want := below(store, "bucket/"+name+"/"), below(store, "bucket/"+name+"-reference/")
		if len(want) < 3 || !maps.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("%s: %d objects, expected the %d of one process, with the same bytes", name, len(got), len(want))
		}
	}

	// An input that was replaced is never converted.
	store.Put("bucket/in/grib/lsm.grib2", []byte("GRIB"))
	for name := range below(store, "bucket/convert/") {
		store.Put("bucket/convert/"+name, nil)
	}
	must(cli.ExitChanged, "work", "s3://bucket/convert-plan/")
}

// TestPlanOfPieces joins pieces of catalogues and tables, and compares them with the output of one
// process.
func TestPlanOfPieces(t *testing.T) {
	store := planStore(t)
	fixture := func(name string) []byte {
		t.Helper()
		b, err := os.ReadFile("../../fixtures/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, name := range []string{"netcdf/cf_temperature.nc", "grib/2t.grib2", "grib/gfs_2p50_f000.grib2", "grib/lsm.grib2", "grib/q_150.grib2", "tgm/others/convert_netcdf_017.tgm"} {
		store.Put("bucket/in/"+name, fixture(name))
	}
	must := func(code int, args ...string) string {
		t.Helper()
		_, stderr := ended(t, code, args...)
		return stderr
	}
	same := func(got, want string) {
		t.Helper()
		if a, b := store.Objects()["bucket/"+got], store.Objects()["bucket/"+want]; len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("%s has %d bytes, expected the %d of %s", got, len(a), len(b), want)
		}
	}
	planned := func(name string, words ...string) string {
		t.Helper()
		plan := "s3://bucket/plan-" + name + "/"
		must(cli.ExitOK, append([]string{"plan", "--to", plan, "--part-size", "1MiB"}, words...)...)
		must(cli.ExitFailed, "commit", plan)
		must(cli.ExitOK, "work", plan)
		return plan
	}

	for _, table := range []string{"a.csv", "a.json", "a.parquet"} {
		words := []string{"extract", "--at", "50,8;-10,100", "-o"}
		must(cli.ExitOK, append(words, "s3://bucket/one-"+table, "s3://bucket/in/")...)
		must(cli.ExitOK, "commit", planned(table, append(words, "s3://bucket/"+table, "s3://bucket/in/")...))
		same(table, "one-"+table)
	}
	words := []string{"extract", "--at", "50,8", "-w", "name=temperature", "-o"}
	must(cli.ExitOK, append(words, "s3://bucket/one-q.csv", "s3://bucket/in/")...)
	must(cli.ExitOK, "commit", planned("q", append(words, "s3://bucket/q.csv", "s3://bucket/in/")...))
	same("q.csv", "one-q.csv")
	must(cli.ExitUsage, "plan", "--to", "s3://bucket/other", "extract", "--at", "50,8", "--over", "number", "-o", "s3://bucket/x.csv", "s3://bucket/in/")
	must(cli.ExitUsage, "plan", "--to", "s3://bucket/other", "extract", "--at", "50,8", "-o", "s3://bucket/x.nc", "s3://bucket/in/")
	must(cli.ExitUsage, "plan", "--to", "s3://bucket/other", "index", "s3://bucket/in/")

	store.Put("bucket/in/netcdf/choose.nc", fixture("netcdf/made/choose.nc"))
	index := func(output string) []string {
		return []string{"index", "-o", "s3://bucket/" + output, "s3://bucket/in/"}
	}
	must(cli.ExitOK, index("one.parquet")...)
	must(cli.ExitOK, "commit", planned("first", index("archive.parquet")...))
	same("archive.parquet", "one.parquet")

	// One file changes, a second is removed, a third is new: unchanged files are not read.
	store.Put("bucket/in/grib/lsm.grib2", fixture("grib/hindcast_edition1.grib"))
	store.Put("bucket/in/netcdf/new.nc", fixture("netcdf/nc4_groups.nc"))
	store.Remove("bucket/in/grib/q_150.grib2")
	if said := must(cli.ExitOK, index("one.parquet")...); !strings.Contains(said, "5 files unchanged") {
		t.Errorf("a catalogue of which 5 files are as before: %s", said)
	}
	must(cli.ExitOK, index("fresh.parquet")...)
	same("one.parquet", "fresh.parquet")
	plan := planned("second", index("archive.parquet")...)
	before := store.Objects()["bucket/archive.parquet"]
	store.Put("bucket/archive.parquet", append(bytes.Clone(before), 0))
	if said := must(cli.ExitChanged, "commit", plan); !strings.Contains(said, "plan again") {
		t.Errorf("a catalogue that another has written: %s", said)
	}
	store.Put("bucket/archive.parquet", before)
	must(cli.ExitOK, "commit", planned("third", index("archive.parquet")...))
	same("archive.parquet", "fresh.parquet")
}

// below are the objects whose names begin with a prefix, by the rest of their names.
func below(store *fakestore.Store, prefix string) map[string][]byte {
	found := make(map[string][]byte)
	for name, b := range store.Objects() {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			found[rest] = b
		}
	}
	return found
}

// TestKilledWorkers kills workers, and commits, at random times. The final output equals the output
// of one process. interop/cluster/check_kills.py does the same with more.
func TestKilledWorkers(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	if err := os.Mkdir(in, 0o777); err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("../../fixtures/netcdf/cf_temperature.nc")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 24 {
		if err := os.WriteFile(filepath.Join(in, fmt.Sprintf("%02d.nc", i)), source, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	gfs, err := filepath.Abs("../../fixtures/grib/gfs_2p50_f000.grib2")
	if err != nil {
		t.Fatal(err)
	}
	tgmconv := func(args ...string) *exec.Cmd {
		cmd := exec.Command("tgmconv", args...)
		cmd.Dir = dir
		return cmd
	}
	must := func(args ...string) {
		t.Helper()
		if out, err := tgmconv(args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	for _, c := range []struct{ plan, reference []string }{
		{[]string{"convert", "-o", "out/", "in/"}, []string{"convert", "--reproducible", "-q", "-o", "ref/", "in/"}},
		{[]string{"to-zarr", "-o", "out.zarr", gfs}, []string{"to-zarr", "-q", "-o", "ref.zarr", gfs}},
	} {
		name := strings.TrimSuffix(c.plan[2], "/")
		plan := "plan-" + name
		must(append([]string{"plan", "--to", plan, "--part-size", "1MiB"}, c.plan...)...)
		must(c.reference...)
		random := rand.New(rand.NewPCG(1, 2))
		for range 12 {
			words := []string{"work", plan, "--shard", fmt.Sprintf("%d/2", random.IntN(2))}
			if random.IntN(4) == 0 {
				words = []string{"commit", plan}
			}
			cmd := tgmconv(words...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(random.IntN(400)) * time.Millisecond)
			_ = cmd.Process.Kill() // it may have ended
			_ = cmd.Wait()
		}
		must("work", plan)
		must("commit", plan)
		if out, err := exec.Command("diff", "-r", filepath.Join(dir, name), filepath.Join(dir, strings.Replace(name, "out", "ref", 1))).CombinedOutput(); err != nil {
			t.Errorf("%s: not what one process writes: %v\n%s", name, err, out)
		}
	}
}
