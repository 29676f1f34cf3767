package fromgrib

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/storage"
)

// streams opens nothing: it gives files as streams.
type streams struct{}

func (streams) Open(_ context.Context, location string) (storage.Blob, error) {
	return nil, errors.New(location + " was opened")
}

func (streams) Stream(_ context.Context, location string) (io.ReadCloser, error) {
	return os.Open(location)
}

// TestStreams converts files, whole and broken ones, as streams: messages, warnings and errors are the same
// as for opened files.
func TestStreams(t *testing.T) {
	whole, err := os.ReadFile("../../fixtures/grib/2t.grib2")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files := []string{"../../fixtures/grib/2t.grib2", "../../fixtures/grib/malformed/era5-levels-corrupted.grib"}
	for name, b := range map[string][]byte{
		"junk":  bytes.Join([][]byte{[]byte("TTAAII\r\n"), whole, []byte("between"), whole}, nil),
		"cut":   bytes.Join([][]byte{whole, whole[:len(whole)/2]}, nil),
		"empty": nil,
		"other": []byte("CDF\x01, and more that is no GRIB"),
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	where, err := ParseWhere([]string{"shortName=2t/z"})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		for _, opts := range []Options{{}, {SkipBad: true, Sections: true}, {Split: true, Where: where}} {
			want := converted(t, path, opts)
			opts.Stream, opts.Opener = true, streams{}
			if got := converted(t, path, opts); got != want {
				t.Errorf("%s: as a stream %+v, expected %+v", path, got, want)
			}
		}
	}
}

// An outcome is the part of a conversion's result that is the same each time.
type outcome struct {
	err                        string
	bytes                      int
	fields, messages, warnings int
	in                         int64
}

func converted(t *testing.T, path string, opts Options) outcome {
	t.Helper()
	source := New([]importers.Input{{Name: path}}, opts)
	defer source.Close()
	var out bytes.Buffer
	report, err := importers.Convert(t.Context(), source, &out, importers.Options{SkipBad: opts.SkipBad})
	o := outcome{"", out.Len(), report.Fields, report.Messages, report.Warnings, report.BytesIn}
	if err != nil {
		o.err = err.Error()
	}
	return o
}
