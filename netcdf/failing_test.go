package netcdf_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/tgmconv/tgmconv/internal/failing"
	"github.com/tgmconv/tgmconv/netcdf"
)

// A failed read is an error anywhere: no part is left out as if it were damaged.
func TestNewFileWithFailingReads(t *testing.T) {
	for _, name := range []string{"cf_temperature_deflate.nc", "nc4_groups.nc", "complex_types.nc", "nc3_classic.nc"} {
		b, err := os.ReadFile("../fixtures/netcdf/" + name)
		if err != nil {
			t.Fatal(err)
		}
		all := &failing.Reader{ReaderAt: bytes.NewReader(b)}
		if _, err := netcdf.NewFile(all, int64(len(b))); err != nil {
			t.Fatal(err)
		}
		broken := errors.New("broken")
		for at := range all.Reads() {
			for _, fail := range []error{broken, io.EOF} {
				f, err := netcdf.NewFile(&failing.Reader{ReaderAt: bytes.NewReader(b), At: at + 1, Err: fail}, int64(len(b)))
				if err == nil {
					t.Errorf("%s is opened although read %d fails with %v; skipped %v", name, at+1, fail, f.Root().Skipped)
				}
			}
		}
	}
}
