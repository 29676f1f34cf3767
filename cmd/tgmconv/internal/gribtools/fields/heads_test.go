package fields_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
)

// headNames are the keys of a field that can be read from its head alone.
func headNames(f fields.Field) []string {
	names := f.Names("")
	for _, space := range []string{"ls", "mars", "geography", "time", "vertical", "parameter", "statistics"} {
		if fields.NamespaceInHead(space) {
			names = append(names, f.Names(space)...)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return !fields.HeadSuffices(fields.Key{Name: name}) })
}

// describe lists the keys of all fields of a file for which the heads of messages suffice.
func describe(t *testing.T, path string, heads bool) (all [][]string, err error) {
	f, openErr := os.Open(path)
	if openErr != nil {
		t.Fatal(openErr)
	}
	defer f.Close()
	info, statErr := f.Stat()
	if statErr != nil {
		t.Fatal(statErr)
	}
	s := fields.Scanner{Reader: f, Size: info.Size(), Name: path, Heads: heads}
	_, err = s.Each(t.Context(), func(f fields.Field) error {
		var texts []string
		for _, name := range append(headNames(f), "count", "offset", "numberOfForecastsInEnsemble") {
			text, err := f.Text(fields.Key{Name: name}, "%g")
			if err != nil {
				text = err.Error()
			}
			texts = append(texts, name+" "+text)
		}
		all = append(all, texts)
		return nil
	})
	return all, err
}

// TestHeads reads the keys of sample files from whole messages and from their heads.
func TestHeads(t *testing.T) {
	paths, err := filepath.Glob("../../../../../fixtures/grib/*/*.grib*")
	if err != nil || len(paths) < 40 {
		t.Fatal(len(paths), err)
	}
	for _, path := range paths {
		want, wantErr := describe(t, path, false)
		if wantErr != nil {
			continue // of damaged data the heads may be whole
		}
		got, err := describe(t, path, true)
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: %d fields and error %v, expected %d", path, len(got), err, len(want))
			continue
		}
		for i := range want {
			if len(want[i]) < 15 {
				t.Errorf("%s: only %d keys of field %d", path, len(want[i]), i)
			}
			for k := range want[i] {
				if got[i][k] != want[i][k] {
					t.Errorf("%s: field %d: %q, expected %q", path, i, got[i][k], want[i][k])
				}
			}
		}
	}
}

// TestHeadsOf: heads are read of inputs of long messages, and of others the messages.
func TestHeadsOf(t *testing.T) {
	for name, want := range map[string]bool{"2t.grib2": true, "cfgrib/era5-levels-members.grib": false} {
		f, err := os.Open("../../../../../fixtures/grib/" + name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		if got := (fields.Scanner{Size: info.Size()}).HeadsOf(f); got.Heads != want || (got.Reader != nil) != want {
			t.Errorf("%s: heads are read: %v, expected %v", name, got.Heads, want)
		}
	}
}
