package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/zarr"
)

// served starts serve and returns its address, what it writes to standard error, and a function
// that ends it.
func served(t *testing.T, args ...string) (base string, stderr *lineWatcher, stop func()) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	ctx, interrupt := context.WithCancel(t.Context())
	out, stderr := &lineWatcher{more: make(chan struct{}, 1)}, &lineWatcher{more: make(chan struct{}, 1)}
	root := newRoot()
	root.SetOut(out)
	root.SetErr(stderr)
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, root, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...), stderr) }()
	text := out.wait(t, "press Ctrl-C to stop")
	_, rest, _ := strings.Cut(text, " at ")
	base, _, _ = strings.Cut(rest, "\n")
	return base, stderr, func() {
		interrupt()
		select {
		case code := <-ended:
			if code != cli.ExitOK {
				t.Errorf("exit code %d: %s", code, &stderr.text)
			}
		case <-time.After(time.Minute):
			t.Error("the server goes on")
		}
	}
}

// fetch gets a page as a browser does if accept says so.
func fetch(t *testing.T, url, accept string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", accept)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(b)
}

func copyFixture(t *testing.T, name, to string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../../fixtures", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestServedViews(t *testing.T) {
	dir := t.TempDir()
	copyFixture(t, "tgm/v0.20/multi_message.tgm", filepath.Join(dir, "m.tgm"))
	copyFixture(t, "grib/2t.grib2", filepath.Join(dir, "a.grib2"))
	os.WriteFile(filepath.Join(dir, "broken.grib2"), []byte("GRIB\x00\x00\x00\x02 and no more of it"), 0o600)
	base, _, stop := served(t, "--names", "cf", "--index", "none", dir)
	defer stop()
	for _, test := range []struct{ path, accept, want string }{
		{"/", "text/html", "xarray.open_datatree(&#34;" + base},
		{"/", "*/*", "<title>Index of /"},
		{"/index.html", "*/*", "t2m"},
		{"/zarr.json", "*/*", `"t2m"`},
		{"/@messages/1/zarr.json", "*/*", `"object_0"`},
		{"/@tree/heightAboveGround/t2m/zarr.json", "*/*", `"forecast_period"`},
		{"/@tree/", "*/*", `href="/@tree/heightAboveGround/"`},
		{"/@report.json", "*/*", `"array":"t2m","chunk":0`},
	} {
		if status, body := fetch(t, base+test.path, test.accept); status != http.StatusOK || !strings.Contains(body, test.want) {
			t.Errorf("%s for %s: status %d, no %s in %.300s", test.path, test.accept, status, test.want, body)
		}
	}
	for _, path := range []string{"/", "/@tree/", "/@tree/heightAboveGround/"} {
		response, err := http.Get(base + path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if policy := response.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") {
			t.Errorf("%s: Content-Security-Policy %q, expected default-src 'none'", path, policy)
		}
	}
	if _, page := fetch(t, base+"/", "text/html"); !strings.Contains(page, "<title>"+filepath.Base(dir)+"</title>") {
		t.Errorf("the title is not the name of the folder %s without its path: %.300s", dir, page)
	}
	_, body := fetch(t, base+"/@report.json", "*/*")
	var report struct {
		Objects int
		Bad     []string
		Lines   []struct{ Object, Array, Why string }
	}
	if err := json.Unmarshal([]byte(body), &report); err != nil || report.Objects != len(report.Lines) || len(report.Bad) != 1 {
		t.Errorf("report %+v, %v; expected one bad file", report, err)
	}
	if status, _ := fetch(t, base+"/@nothing/zarr.json", "*/*"); status != http.StatusNotFound {
		t.Errorf("status %d for a view that is not there", status)
	}
}

// Files added to a folder appear; chunks of replaced files are errors first, and then the new
// chunks.
func TestServeWatches(t *testing.T) {
	dir := t.TempDir()
	copyFixture(t, "grib/2t.grib2", filepath.Join(dir, "a.grib2"))
	base, stderr, stop := served(t, "--watch=50ms", "--dtype", "float32", "--chunks", "latitude=100", dir)
	defer stop()
	if status, body := fetch(t, base+"/t2m/zarr.json", "*/*"); status != http.StatusOK || !strings.Contains(body, `"float32"`) || !strings.Contains(body, "[1,1,100,") {
		t.Errorf("status %d: %s", status, body)
	}
	if status, _ := fetch(t, base+"/t2m/c/0/0/0/0", "*/*"); status != http.StatusOK {
		t.Errorf("status %d of a chunk", status)
	}
	copyFixture(t, "grib/q_150.grib2", filepath.Join(dir, ".new"))
	if err := os.Rename(filepath.Join(dir, ".new"), filepath.Join(dir, "b.grib2")); err != nil {
		t.Fatal(err)
	}
	stderr.wait(t, "2 objects")
	if status, body := fetch(t, base+"/@report.json", "*/*"); status != http.StatusOK || !strings.Contains(body, "b.grib2") {
		t.Errorf("the new file is not in the report: %d %s", status, body)
	}
	if err := os.Remove(filepath.Join(dir, "a.grib2")); err != nil {
		t.Fatal(err)
	}
	stderr.wait(t, " 1 objects")
	if status, _ := fetch(t, base+"/t2m/zarr.json", "*/*"); status != http.StatusOK {
		t.Errorf("status %d of a variable whose file vanished", status)
	}
	if status, _ := fetch(t, base+"/t2m/c/0/0/0/0", "*/*"); status != http.StatusNotFound {
		t.Errorf("status %d of a chunk of a variable whose file vanished", status)
	}
	if status, _ := fetch(t, base+"/t2m/c.0.0.0.0", "*/*"); status != http.StatusGone {
		t.Errorf("status %d of a chunk by a key that the variable does not have", status)
	}
}

// A chunk of a file that was cut after it was opened is an error, not the beginning of an answer.
func TestServeShrunkFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.nc")
	copyFixture(t, "netcdf/tetration_cf_3d.nc", path)
	base, _, stop := served(t, path)
	defer stop()
	if status, body := fetch(t, base+"/f64/c/0/0/0", "*/*"); status != http.StatusOK {
		t.Fatalf("status %d of a chunk: %s", status, body)
	}
	if err := os.Truncate(path, 1000); err != nil {
		t.Fatal(err)
	}
	if status, body := fetch(t, base+"/f64/c/0/0/0", "*/*"); status != http.StatusInternalServerError || !strings.Contains(body, "the file shrank") {
		t.Errorf("status %d of a chunk: %s, expected %d", status, body, http.StatusInternalServerError)
	}
}

// TestServedFloat32 converts packed variables and serves them: where the factors in the file are
// float32, so are the values, and their valid range is one of values.
func TestServedFloat32(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing.tgm")
	var stderr strings.Builder
	if code := run(t.Context(), newRoot(), []string{"convert-netcdf", "-o", path, "../../fixtures/netcdf/made/missing.nc"}, &stderr); code != 0 {
		t.Fatal(stderr.String())
	}
	for _, input := range []string{path, "../../fixtures/netcdf/made/missing.nc"} {
		base, _, stop := served(t, input)
		_, document := fetch(t, base+"/uns_s_range/zarr.json", "")
		var array struct {
			DataType   string `json:"data_type"`
			Attributes map[string]any
		}
		if err := json.Unmarshal([]byte(document), &array); err != nil {
			t.Fatal(err)
		}
		want := map[string]any{"valid_range": []any{1.0, 656.2999877929688}}
		if array.DataType != "float32" || !reflect.DeepEqual(array.Attributes, want) {
			t.Errorf("%s: %s with %v, expected float32 with %v", input, array.DataType, array.Attributes, want)
		}
		stop()
	}
}

// TestServeMessagesAgain serves a file message by message, replaces it, and serves it again: a client of the
// first file gets no values of the second one, and a new client does.
func TestServeMessagesAgain(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.tgm")
	write := func(source string) {
		t.Helper()
		var stderr strings.Builder
		if code := run(t.Context(), newRoot(), []string{"convert", "-o", path, filepath.Join("../../fixtures", source)}, &stderr); code != cli.ExitOK {
			t.Fatalf("exit code %d: %s", code, &stderr)
		}
	}
	array := func(base string) string {
		t.Helper()
		_, body := fetch(t, base+"/zarr.json", "*/*")
		var root struct {
			Consolidated struct {
				Metadata map[string]struct {
					Shape    []int
					Encoding struct {
						Name          string
						Configuration struct{ Separator string }
					} `json:"chunk_key_encoding"`
				}
			} `json:"consolidated_metadata"`
		}
		if err := json.Unmarshal([]byte(body), &root); err != nil {
			t.Fatal(err)
		}
		for name, a := range root.Consolidated.Metadata {
			if len(a.Shape) < 2 {
				continue // latitudes and longitudes, which the other file shares
			}
			keys := zarr.ChunkKeys{Name: a.Encoding.Name, Separator: a.Encoding.Configuration.Separator}
			return base + "/" + name + "/" + keys.Key(make([]uint64, len(a.Shape)))
		}
		t.Fatalf("no field in %s", body)
		return ""
	}
	write("grib/2t.grib2")
	base, _, stop := served(t, "--index", "beside", "--view", "messages", path)
	key := array(base)
	status, first := fetch(t, key, "*/*")
	stop()
	if status != http.StatusOK {
		t.Fatalf("status %d of %s", status, key)
	}
	old := strings.TrimPrefix(key, base)

	base, _, stop = served(t, "--index", "beside", "--view", "messages", path)
	if status, same := fetch(t, base+old, "*/*"); status != http.StatusOK || same != first {
		t.Errorf("status %d after a restart with the same file", status)
	}
	stop()

	write("grib/q_150.grib2")
	base, _, stop = served(t, "--index", "beside", "--view", "messages", path)
	if status, _ := fetch(t, base+old, "*/*"); status != http.StatusGone && status != http.StatusNotFound {
		t.Errorf("status %d of a key of the file before, expected %d", status, http.StatusGone)
	}
	key = array(base)
	if status, second := fetch(t, key, "*/*"); status != http.StatusOK || second == first {
		t.Errorf("status %d of %s; the values of the file before: %v", status, key, second == first)
	}
	stop()

	write("grib/2t.grib2") // as it was
	base, _, stop = served(t, "--index", "beside", "--view", "messages", path)
	defer stop()
	if status, again := fetch(t, base+old, "*/*"); status != http.StatusOK || again != first {
		t.Errorf("status %d of a key of the file that is there again", status)
	}
}
