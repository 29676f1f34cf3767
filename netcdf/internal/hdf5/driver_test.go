package hdf5

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// TestDrivers opens the first of several files that h5py made of a single file. The drivers are
// "split" and "family", the structures the oldest and the newest.
func TestDrivers(t *testing.T) {
	for name, driver := range map[string]string{
		"split-old-m.h5": "NCSAmult", "split-new-m.h5": "NCSAmult", "family-old-0.h5": "NCSAfami", "family-new-0.h5": "NCSAfami",
	} {
		b, err := os.ReadFile(filepath.Join("testdata", "drivers", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := readEverything(b); !errors.As(err, new(*wire.UnsupportedError)) || !strings.Contains(err.Error(), driver) {
			t.Errorf("%s: error %v, expected one that names %s", name, err, driver)
		}
		for n := range len(b) {
			if err := readEverything(b[:n]); err == nil {
				t.Errorf("%s: the first %d bytes have the dataset", name, n)
			}
		}
	}
}
