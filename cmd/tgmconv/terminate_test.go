//go:build unix

package main

import (
	"bytes"
	"errors"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestTerminate sends SIGTERM to each verb while it works, waits for its input or for a server that
// is silent. All end with exit code 130 and leave no file behind.
func TestTerminate(t *testing.T) {
	program, err := exec.LookPath("tgmconv")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"convert", "-o", "out.tgm"}, {"convert", "-w", "shortName=t", "-o", "out.tgm"}, {"convert-grib", "-o", "out.tgm"}, {"convert-netcdf", "-o", "out.tgm"},
		{"convert-tet", "-o", "out.tgm"}, {"to-grib", "-o", "out.grib"}, {"to-netcdf", "-o", "out.nc"}, {"to-zarr", "-o", "out.zarr"}, {"to-tet", "-o", "out.tet"},
		{"refs", "-o", "out.json"}, {"ls"}, {"info"}, {"dump"}, {"get", "-p", "name"}, {"validate"}, {"stats"}, {"values"}, {"plot", "-o", "out.png"},
		{"checksum"}, {"set", "-s", "a=1", "-o", "out.tgm"}, {"copy", "-o", "out.tgm"}, {"merge", "-o", "out.tgm"}, {"split", "-o", "out-[n].tgm"}, {"reshuffle", "-o", "out.tgm"},
		{"cat", "-o", "out.tgm"}, {"grib", "ls"}, {"grib", "get", "-p", "shortName"}, {"grib", "dump"}, {"grib", "count"}, {"netcdf", "ls"}, {"netcdf", "dump"},
		{"tet", "info"}, {"tet", "verify"}, {"serve", "--addr", "127.0.0.1:0"},
	} {
		t.Run(strings.Join(args[:min(len(args), 2)], " "), func(t *testing.T) {
			t.Parallel()
			terminate(t, program, args)
		})
	}
}

// terminate runs the command on an address that is silent, and ends it when it has asked for it.
func terminate(t *testing.T, program string, args []string) {
	asked, release := make(chan struct{}), make(chan struct{})
	once := sync.OnceFunc(func() { close(asked) })
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		once()
		select { // says nothing
		case <-r.Context().Done():
		case <-release:
		}
	}))
	defer server.Close()
	defer close(release)
	dir := t.TempDir()
	var stderr bytes.Buffer
	cmd := exec.Command(program, append(args[:len(args):len(args)], server.URL+"/silent.grib2")...)
	cmd.Dir, cmd.Stderr = dir, &stderr
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "HOME="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case <-asked:
	case err := <-done:
		t.Fatalf("ended before it read its input: %v; %s", err, &stderr)
	case <-time.After(time.Minute):
		t.Error("has not asked for its input")
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-done:
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != cli.ExitInterrupted {
			t.Errorf("ended with %v, expected exit code %d; %s", err, cli.ExitInterrupted, &stderr)
		}
	case <-time.After(time.Minute):
		_ = cmd.Process.Kill()
		t.Error("goes on a minute after SIGTERM")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left %v behind, error %v", left, err)
	}
}
