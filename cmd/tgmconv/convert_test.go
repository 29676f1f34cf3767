package main

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/pflag"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/converting"
	"github.com/tgmconv/tgmconv/importers"
)

// An output that could not be written is named as the user knows it.
func TestExplainWriteErrors(t *testing.T) {
	c := converting.Conversion{Output: "out.tgm"}
	for path, want := range map[string]string{
		"tmp/spool": "temporary file tmp/spool: writing: no space left on device (--temp-dir names another folder)",
	} {
		err := fmt.Errorf("tgm: write objects: %w", &fs.PathError{Op: "write", Path: path, Err: syscall.ENOSPC})
		if got := c.Explain(err).Error(); got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}

// Flags whose help says that they are of one format are refused for inputs of another.
func TestFlagsOfFormats(t *testing.T) {
	listed := make(map[string][]importers.Format)
	for _, f := range converting.FormatFlags {
		for _, flag := range f.Flags {
			listed[flag] = f.Formats
		}
	}
	converting.NewConvert().Flags().VisitAll(func(f *pflag.Flag) {
		for prefix, format := range map[string]importers.Format{"GRIB: ": importers.FormatGRIB, converting.NetCDFFormats + ": ": importers.FormatNetCDF} {
			if strings.HasPrefix(f.Usage, prefix) && !slices.Contains(listed[f.Name], format) {
				t.Errorf("--%s is not listed as a flag of %s", f.Name, format)
			}
		}
	})
}
