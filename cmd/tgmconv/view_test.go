package main

import (
	"context"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/serving"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestView: the browser is opened at an address that answers, and its end does not matter.
func TestView(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("the program that opens a browser is another one")
	}
	bin, opened := t.TempDir(), filepath.Join(t.TempDir(), "opened")
	script := "#!/bin/sh\nprintf %s \"$1\" > " + opened + ".part\nmv " + opened + ".part " + opened + "\n"
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, flags := range [][]string{nil, {"--no-open"}} {
		os.Remove(opened)
		ctx, stop := context.WithCancel(t.Context())
		out, stderr := &lineWatcher{more: make(chan struct{}, 1)}, &lineWatcher{more: make(chan struct{}, 1)}
		root := cli.RootOf(serving.NewView())
		root.SetOut(out)
		root.SetErr(stderr)
		ended := make(chan int, 1)
		go func() {
			ended <- run(ctx, root, append(append([]string{"view"}, flags...), "--index", "none", "../../fixtures/grib/2t.grib2"), stderr)
		}()
		text := out.wait(t, "press Ctrl-C to stop")
		_, rest, _ := strings.Cut(text, " at ")
		address, _, _ := strings.Cut(rest, "\n")
		if flags == nil {
			for {
				if b, err := os.ReadFile(opened); err == nil {
					if string(b) != address+"/" {
						t.Errorf("the browser opens %q, expected %q", b, address+"/")
					}
					break
				}
			}
		}
		r, err := http.Get(address + "/@viewer/viewer.js")
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != http.StatusOK {
			t.Errorf("the viewer: status %d", r.StatusCode)
		}
		stop()
		<-ended
		if _, err := os.Stat(opened); flags != nil && err == nil {
			t.Error("--no-open opens a browser")
		}
	}
}

// TestBrowser: an address is one argument of a program, never a part of a line of a shell.
func TestBrowser(t *testing.T) {
	for system, want := range map[string]string{"windows": "rundll32", "darwin": "open", "linux": "xdg-open", "freebsd": "xdg-open"} {
		name, args := serving.Browser(system, "http://127.0.0.1:1/?a&b")
		if name != want || args[len(args)-1] != "http://127.0.0.1:1/?a&b" {
			t.Errorf("%s: %s %q", system, name, args)
		}
	}
}
