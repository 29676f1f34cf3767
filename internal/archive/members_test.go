package archive_test

import (
	"archive/tar"
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/storage"
)

// Members of a .zip and a .tar are in the state of the file that holds them.
func TestMembers(t *testing.T) {
	members := []string{"netcdf/cf_temperature.nc", "netcdf/cf_temperature_deflate.nc", "grib/cfgrib/regular_gg_pl.grib", "tet/sample.tet"}
	for name, write := range map[string]func(t *testing.T, path string, members []string){"a.zip": writeZip, "a.tar": writeTar} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			write(t, path, members)
			client := &unpack.Client{Client: new(storage.Client)}
			defer client.Close()
			a := open(t, archive.Options{Index: archive.IndexNone, Client: client}, path)
			objects := 0
			for ref := range a.Catalog.All() {
				if _, err := dataset.Read(t.Context(), a, ref, nil); err != nil {
					t.Error(err)
				}
				objects++
			}
			if objects < len(members) {
				t.Errorf("%d objects in %d members", objects, len(members))
			}
			if changed, err := a.Changed(t.Context()); changed || err != nil {
				t.Errorf("changed %v, %v, expected the same state", changed, err)
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			var changed *archive.ChangedError
			if _, err := dataset.Read(t.Context(), a, 0, nil); !errors.As(err, &changed) || changed.Reason != "vanished" {
				t.Errorf("%v, expected that the file vanished", err)
			}
		})
	}
}

func fixture(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../fixtures", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// writeZip writes the members, the first one without compression.
func writeZip(t *testing.T, path string, members []string) {
	t.Helper()
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	z := zip.NewWriter(out)
	for i, name := range members {
		h := &zip.FileHeader{Name: filepath.Base(name)}
		if i > 0 {
			h.Method = zip.Deflate
		}
		w, err := z.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(fixture(t, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

func writeTar(t *testing.T, path string, members []string) {
	t.Helper()
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w := tar.NewWriter(out)
	for _, name := range members {
		data := fixture(t, name)
		if err := w.WriteHeader(&tar.Header{Name: filepath.Base(name), Mode: 0o600, Size: int64(len(data))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
