package main

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

// What could not be written is named as the user knows it.
func TestExplainWriteErrors(t *testing.T) {
	c := conversion{output: "out.tgm"}
	for path, want := range map[string]string{
		"out.tgm":        "out.tgm: writing: no space left on device",
		os.Stdout.Name(): "standard output: writing: no space left on device",
		"tmp/spool":      "temporary file tmp/spool: writing: no space left on device (--temp-dir names another folder)",
	} {
		err := fmt.Errorf("tgm: write objects: %w", &fs.PathError{Op: "write", Path: path, Err: syscall.ENOSPC})
		if got := c.explain(err).Error(); got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}
