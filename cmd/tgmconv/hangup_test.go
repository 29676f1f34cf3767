//go:build unix

package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// serving starts a server of arguments, and returns its address and the lines of its standard error.
func startServe(t *testing.T, args ...string) (*exec.Cmd, string, <-chan string) {
	t.Helper()
	cmd := exec.Command("tgmconv", "serve", "--index", "none", "--addr", "127.0.0.1:0")
	cmd.Args = append(cmd.Args, args...)
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir())
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	first, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url := first[strings.LastIndexByte(first, ' ')+1 : len(first)-1]
	lines := make(chan string, 10)
	go func() {
		defer close(lines)
		for scan := bufio.NewScanner(stderr); scan.Scan(); {
			lines <- scan.Text()
		}
	}()
	return cmd, url, lines
}

// TestReload has a server look at its inputs again, which it does not watch.
func TestReload(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("SIGHUP is ignored, as nohup has it")
	}
	dir := t.TempDir()
	add := func(name string) {
		t.Helper()
		b, err := os.ReadFile("../../fixtures/grib/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	add("lsm.grib2")
	cmd, url, lines := startServe(t, dir)
	for _, path := range []string{"/healthz", "/readyz"} {
		resp, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", path, resp.Status)
		}
	}
	if out, err := exec.Command("tgmconv", "doctor", "--server", url).CombinedOutput(); err != nil || string(out) != url+" is ready\n" {
		t.Errorf("doctor --server: %v: %s", err, out)
	}
	hangUp := func(want string) {
		t.Helper()
		if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-lines:
			if got != want {
				t.Errorf("printed %q, expected %q", got, want)
			}
		case <-time.After(time.Minute):
			t.Fatalf("printed nothing, expected %q", want)
		}
	}
	hangUp("tgmconv: nothing has changed")
	add("2t.grib2")
	hangUp("tgmconv: generation 2: 2 objects")
	resp, err := http.Get(url + "/zarr.json")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(b), `"t2m"`) {
		t.Errorf("the new file is not shown: %v", err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("tgmconv", "doctor", "--server", "http://127.0.0.1:1").CombinedOutput(); err == nil || !strings.Contains(string(out), "http://127.0.0.1:1: ") {
		t.Errorf("no server: %v: %s", err, out)
	}
}

// TestSeveralDatasets serves two datasets below their names.
func TestSeveralDatasets(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("SIGHUP is ignored, as nohup has it")
	}
	dir := t.TempDir()
	fixtures, err := filepath.Abs("../../fixtures")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "b"), 0o777); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(fixtures, "netcdf/cf_temperature.nc"))
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "datasets.json")
	for name, data := range map[string][]byte{config: []byte(`{"lsm": ["` + fixtures + `/grib/lsm.grib2"], "temperature-2": ["b/"]}`), filepath.Join(dir, "b/t.nc"): b} {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd, url, lines := startServe(t, "--datasets", config)
	url = strings.TrimSuffix(url, "/lsm")
	ask := func(method, path string) (int, http.Header, string) {
		t.Helper()
		req, err := http.NewRequest(method, url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept", "text/html")
		req.Header.Set("Depth", "1")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, resp.Header, string(body)
	}
	for _, c := range []struct {
		method, path string
		code         int
		want         string
	}{
		{"GET", "/", 200, `<a href="/temperature-2/">temperature-2/</a>`},
		{"GET", "/lsm/zarr.json", 200, `"lsm"`},
		{"GET", "/temperature-2/zarr.json", 200, `"temperature"`},
		{"GET", "/lsm/", 200, `href="/lsm/lsm/zarr.json"`},
		{"GET", "/lsm/", 200, `href="/lsm/@tree/"`},
		{"GET", "/lsm/@dataset/", 200, `href="/lsm/@dataset/lsm/"`},
		{"PROPFIND", "/lsm/lsm/", 207, `>/lsm/lsm/zarr.json<`},
		{"GET", "/zarr.json", 404, ""},
		{"GET", "/readyz", 200, "ok"},
	} {
		if code, _, body := ask(c.method, c.path); code != c.code || !strings.Contains(body, c.want) {
			t.Errorf("%s %s: %d, expected %d with %s: %.2000s", c.method, c.path, code, c.code, c.want, body)
		}
	}
	if _, header, _ := ask("GET", "/lsm/zarr.json"); !strings.HasPrefix(header.Get("Link"), "</lsm/@") {
		t.Errorf("Link: %s", header.Get("Link"))
	}
	if err := os.WriteFile(filepath.Join(dir, "b/lsm.grib2"), []byte("no GRIB"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	seen := ""
	for end := time.After(time.Minute); !strings.Contains(seen, "lsm: nothing has changed") || !strings.Contains(seen, "temperature-2: "); {
		select {
		case line := <-lines:
			seen += line + "\n"
		case <-end:
			t.Fatalf("printed %q", seen)
		}
	}
	// Datasets come and go, and one of them has other files; a file that cannot be read changes nothing.
	for _, step := range []struct {
		text, said string // said after the change
		codes      map[string]int
	}{
		{`{"temperature-2": ["b/t.nc"], "new": ["` + fixtures + `/grib/2t.grib2"]}`, "new: served, 1 object",
			map[string]int{"/lsm/zarr.json": 404, "/new/zarr.json": 200, "/temperature-2/zarr.json": 200}},
		{`{"new": ["none.grib2"]`, "the datasets stay as they are: ", map[string]int{"/new/zarr.json": 200, "/temperature-2/zarr.json": 200}},
		{`{"new": ["none.grib2"]}`, "temperature-2: no longer served", map[string]int{"/new/zarr.json": 200, "/temperature-2/zarr.json": 404}},
	} {
		if err := os.WriteFile(config, []byte(step.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		// The last line is about a dataset that has stayed.
		last := "new: nothing has changed"
		if strings.Contains(step.said, "new: served") {
			last = "served"
		}
		seen := ""
		for end := time.After(time.Minute); !strings.Contains(seen, step.said) || !strings.Contains(seen, last); {
			select {
			case line := <-lines:
				seen += line + "\n"
			case <-end:
				t.Fatalf("printed %q, expected %q", seen, step.said)
			}
		}
		for path, want := range step.codes {
			if code, _, _ := ask("GET", path); code != want {
				t.Errorf("%s: %d, expected %d, with %s", path, code, want, step.text)
			}
		}
	}
	for text, want := range map[string]string{`{}`: "has no dataset", `{"@x": ["a"]}`: `is called "@x"`, `{"a": []}`: "a has no files", `[]`: "expected {"} {
		if err := os.WriteFile(config, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("tgmconv", "serve", "--datasets", config, "--addr", "127.0.0.1:0").CombinedOutput(); err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v: %s, expected %s", text, err, out, want)
		}
	}
}
