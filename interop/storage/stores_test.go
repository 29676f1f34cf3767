//go:build interop

package storage

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

const fixtures = "../../fixtures"

// tgmconv is the command, built once for each test.
type tgmconv struct {
	path string
	env  []string
}

func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tgmconv")
	if out, err := exec.Command("go", "build", "-o", path, "../../cmd/tgmconv").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// run runs the command and returns what it printed on standard output and standard error.
func (c *tgmconv) run(args ...string) (stdout, stderr string, err error) {
	cmd := exec.Command(c.path, args...)
	cmd.Env = append(os.Environ(), c.env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

func (c *tgmconv) must(t *testing.T, args ...string) string {
	t.Helper()
	out, errs, err := c.run(args...)
	if err != nil {
		t.Fatalf("tgmconv %s: %v\n%s", strings.Join(args, " "), err, errs)
	}
	return out
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestStores(t *testing.T) {
	path := build(t)
	for name, start := range map[string]func(*testing.T) *server{"versitygw": s3Server, "fake-gcs-server": gsServer, "azurite": azServer} {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			c := &tgmconv{path, s.env}
			t.Run("verbs", func(t *testing.T) { verbs(t, s, c) })
			t.Run("troubles", func(t *testing.T) { troubles(t, s, c) })
		})
	}
}

// verbs has every verb read an object, and compares with the same file. Each has a number of
// requests that it may take.
func verbs(t *testing.T, s *server, c *tgmconv) {
	dir := t.TempDir()
	local, back := filepath.Join(dir, "gfs.tgm"), filepath.Join(dir, "back.tgm")
	bucket := s.scheme + "://data/"
	for _, name := range []string{"gfs_2p50_f000.grib2", "lsm.grib2"} {
		s.put(t, "in/"+name, read(t, filepath.Join(fixtures, "grib", name)))
	}
	s.put(t, "nc/multi_var.nc", read(t, fixtures+"/netcdf/multi_var.nc"))

	c.must(t, "convert", "-q", "--reproducible", "-o", local, fixtures+"/grib/gfs_2p50_f000.grib2")
	for _, v := range []struct {
		args []string
		same []string // the same of files
		most int      // requests
	}{
		{[]string{"convert", "-q", "--reproducible", "-o", bucket + "out/gfs.tgm", bucket + "in/gfs_2p50_f000.grib2"}, nil, 8},
		{[]string{"convert", "-q", "--reproducible", "-o", back, bucket + "in/gfs_2p50_f000.grib2"}, nil, 7},
		{[]string{"ls", bucket + "out/gfs.tgm"}, []string{"ls", local}, 10},
		{[]string{"ls", "--json", "-p", "name,shape", bucket + "out/"}, []string{"ls", "--json", "-p", "name,shape", local}, 15}, // twice whether the prefix is a Zarr store, and one of references
		{[]string{"get", "-p", "name,shape", "-w", "name=t", bucket + "out/*.tgm"}, []string{"get", "-p", "name,shape", "-w", "name=t", local}, 11},
		{[]string{"info", bucket + "out/gfs.tgm"}, nil, 10},
		{[]string{"dump", "-w", "name=2t", bucket + "out/gfs.tgm"}, []string{"dump", "-w", "name=2t", local}, 10},
		{[]string{"validate", bucket + "out/gfs.tgm"}, nil, 10},
		{[]string{"serve", "--check", bucket + "out/gfs.tgm"}, nil, 12},
		{[]string{"grib", "ls", "-p", "shortName", bucket + "in/lsm.grib2"}, nil, 3},
		{[]string{"grib", "dump", bucket + "in/lsm.grib2"}, nil, 3},
		{[]string{"convert", "-q", "-o", back + "2", bucket + "in/", bucket + "nc/*.nc"}, nil, 16},
		// Fetching ahead may be split, because values are read while fields are still being found:
		// 9 or more requests.
		{[]string{"stats", "-w", "name=2t", bucket + "out/gfs.tgm"}, nil, 15},
		{[]string{"copy", "-w", "name=2t", "-o", bucket + "edit/copy.tgm", bucket + "out/gfs.tgm"}, nil, 12},
		{[]string{"merge", "--sort", "name", "-o", bucket + "edit/merge.tgm", bucket + "out/gfs.tgm", bucket + "edit/copy.tgm"}, nil, 16},
		{[]string{"set", "-s", "a=b", "-o", bucket + "edit/set.tgm", bucket + "edit/copy.tgm"}, nil, 4},
		{[]string{"to-grib", "-q", "-o", bucket + "back.grib2", bucket + "edit/set.tgm"}, nil, 4},
		{[]string{"to-netcdf", "-q", "-o", bucket + "back.nc", bucket + "edit/set.tgm"}, nil, 4},
		{[]string{"to-tet", "-q", "-o", bucket + "back.tet", bucket + "edit/set.tgm"}, nil, 4},
		{[]string{"tet", "verify", bucket + "back.tet"}, nil, 4},
		{[]string{"netcdf", "ls", bucket + "back.nc"}, nil, 4},
		{[]string{"grib", "count", bucket + "back.grib2"}, nil, 4},
	} {
		s.proxy.counted(nil)
		out := c.must(t, v.args...)
		n := s.proxy.counted(nil)
		t.Logf("%-8s %2d requests", v.args[0], n)
		if n > v.most {
			t.Errorf("%q took %d requests, expected at most %d", v.args, n, v.most)
		}
		if object := v.args[len(v.args)-1]; v.same != nil && strings.ReplaceAll(out, object, local) != c.must(t, v.same...) {
			t.Errorf("%q says something else than %q", v.args, v.same)
		}
	}
	if !bytes.Equal(read(t, local), read(t, back)) {
		t.Error("the conversion of the object differs from that of the file")
	}
	large := filepath.Join(dir, "large.grib2")
	if err := os.WriteFile(large, bytes.Repeat(read(t, fixtures+"/grib/2t.grib2"), 5), 0o600); err != nil {
		t.Fatal(err)
	}
	c.must(t, "convert", "-q", "--encoding", "none", "--reproducible", "-o", local, large)
	c.must(t, "convert", "-q", "--encoding", "none", "--reproducible", "-o", bucket+"large.tgm", large) // in several parts
	if a, b := c.must(t, "ls", "--json", local), c.must(t, "ls", "--json", bucket+"large.tgm"); strings.ReplaceAll(b, bucket+"large.tgm", local) != a {
		t.Error("a large output differs from that in a file")
	}
	c.must(t, "validate", bucket+"large.tgm")
}

// troubles has the server fail, throttle, cut answers off, and change the object meanwhile.
func troubles(t *testing.T, s *server, c *tgmconv) {
	bucket := s.scheme + "://data/"
	gfs := read(t, fixtures+"/grib/gfs_2p50_f000.grib2")
	s.put(t, "trouble.grib2", bytes.Repeat(gfs, 4))
	dir := t.TempDir()
	want, got := filepath.Join(dir, "want"), filepath.Join(dir, "got")
	c.must(t, "convert", "-q", "--reproducible", "-o", want, bucket+"trouble.grib2")

	var asked sync.Map // every request is refused once: more often, and the client would rightly give up
	s.proxy.counted(func(_ int, w http.ResponseWriter, r *http.Request) bool {
		if _, again := asked.LoadOrStore(r.Method+" "+r.URL.String()+" "+r.Header.Get("Range"), true); again {
			return false
		}
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	c.must(t, "convert", "-q", "--reproducible", "-o", got, bucket+"trouble.grib2")
	c.must(t, "convert", "-q", "--reproducible", "-o", bucket+"throttled.tgm", bucket+"trouble.grib2")
	s.proxy.counted(nil)
	if !bytes.Equal(read(t, want), read(t, got)) {
		t.Error("throttled, the conversion differs")
	}
	c.must(t, "validate", bucket+"throttled.tgm")

	var changed atomic.Bool
	s.proxy.counted(func(n int, _ http.ResponseWriter, r *http.Request) bool {
		if n > 2 && changed.CompareAndSwap(false, true) {
			s.put(t, "trouble.grib2", bytes.Repeat(gfs, 3))
		}
		return false
	})
	if _, errs, err := c.run("convert", "-q", "-o", got+"2", bucket+"trouble.grib2"); err == nil || !strings.Contains(errs, "changed") {
		t.Errorf("the object changed meanwhile: %v, %s", err, errs)
	}
	if _, err := os.Stat(got + "2"); err == nil {
		t.Error("an output is left of an input that has changed")
	}

	s.proxy.counted(func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusInternalServerError)
		return true
	})
	if _, errs, err := c.run("ls", bucket+"throttled.tgm"); err == nil || !strings.Contains(errs, "the server answered 500") {
		t.Errorf("a server that fails: %v, %s", err, errs)
	}
	s.proxy.counted(nil)
	if _, _, err := c.run("convert", "-q", "-o", bucket+"bad.tgm", fixtures+"/grib/malformed"); err == nil {
		t.Error("malformed files were converted")
	}
	if _, errs, err := c.run("ls", bucket+"bad.tgm"); err == nil || !strings.Contains(errs, "404") {
		t.Errorf("an output is left of a conversion that failed: %v, %s", err, errs)
	}
}
