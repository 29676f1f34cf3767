//go:build unix

package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestReload has a server look at its inputs again, which it does not watch.
func TestReload(t *testing.T) {
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
	cmd := exec.Command("tgmconv", "serve", "--index", "none", "--addr", "127.0.0.1:0", dir)
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
	defer cmd.Wait()
	defer cmd.Process.Kill()
	first, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url := first[strings.LastIndexByte(first, ' ')+1 : len(first)-1]
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
	lines := make(chan string, 10)
	go func() {
		defer close(lines)
		for scan := bufio.NewScanner(stderr); scan.Scan(); {
			lines <- scan.Text()
		}
	}()
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
