package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"tgmconv": main, "measured": measured})
}

// TestScripts runs the transcripts in testdata/script. $FIXTURES is the folder of sample files,
// $URL a server of it.
func TestScripts(t *testing.T) {
	fixtures, err := filepath.Abs("../../fixtures")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(fixtures)))
	t.Cleanup(server.Close)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("FIXTURES", fixtures)
			env.Setenv("URL", server.URL)
			env.Setenv("GOGC", "off") // there is little garbage of small inputs
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"cut":    cut,
			"damage": damage,
			"empty":  empty,
			"join":   join,

			"waitfor": waitfor,
		},
	})
}

// exits runs a program and demands an exit code: exits CODE PROGRAM ARG...
func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if want := number(ts, args[0]); got != want {
		ts.Fatalf("exit code %d, expected %d", got, want)
	}
}

func number(ts *testscript.TestScript, text string) int {
	n, err := strconv.Atoi(text)
	ts.Check(err)
	return n
}

func contents(ts *testscript.TestScript, file string) []byte {
	b, err := os.ReadFile(ts.MkAbs(file))
	ts.Check(err)
	return b
}

// cut copies the first N bytes of a file, or all but the last with a negative N: cut N FROM TO
func cut(ts *testscript.TestScript, _ bool, args []string) {
	b := contents(ts, args[1])
	n := number(ts, args[0])
	if n < 0 {
		n += len(b)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), b[:n], 0o666))
}

// damage copies a file with COUNT bytes from OFFSET on inverted: damage OFFSET COUNT FROM TO
func damage(ts *testscript.TestScript, _ bool, args []string) {
	b := contents(ts, args[2])
	at := number(ts, args[0])
	for i := range number(ts, args[1]) {
		b[at+i] ^= 0xff
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[3]), b, 0o666))
}

// join puts files one after the other: join TO FROM...
func join(ts *testscript.TestScript, _ bool, args []string) {
	var all []byte
	for _, file := range args[1:] {
		all = append(all, contents(ts, file)...)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), all, 0o666))
}

// empty demands that a folder has no entry, hidden ones included: empty FOLDER
func empty(ts *testscript.TestScript, neg bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	if (len(entries) == 0) == neg {
		ts.Fatalf("%s has %d entries: %v", args[0], len(entries), entries)
	}
}

// waitfor waits until a file is there, for up to half a minute: waitfor FILE
func waitfor(ts *testscript.TestScript, _ bool, args []string) {
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("there is no %s", args[0])
		}
	}
}

// rootOf returns the command with the one verb that arguments name. cobra keeps functions that complete flags for ever,
// and with them all commands that a test makes.
func rootOf(args []string) *cobra.Command {
	root, _ := newRootFor(args)
	return root
}
