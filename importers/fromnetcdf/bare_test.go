package fromnetcdf_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// TestWithoutVariables makes a message without objects of a file without variables. The file must
// have attributes or groups; an empty file makes no message.
func TestWithoutVariables(t *testing.T) {
	for _, file := range []string{"empty_file.nc", "pyfive/groups.hdf5", "pyfive/attr_datatypes.hdf5"} {
		for _, stream := range []bool{false, true} {
			src := fromnetcdf.New([]importers.Input{{Name: filepath.Join(fixtures, file)}}, fromnetcdf.Options{})
			defer src.Close()
			var out bytes.Buffer
			report, err := importers.Convert(t.Context(), src, &out, importers.Options{Stream: stream})
			if err != nil || report.Fields != 0 || report.Messages != 1 || report.Warnings != 0 {
				t.Fatalf("%s: %+v, %v", file, report, err)
			}
			result, err := tgm.Validate(bytes.NewReader(out.Bytes()), int64(out.Len()), tgm.LevelDefault, tgm.ValidateOptions{})
			if err != nil || !result.OK() || len(result.Reports) != 1 || len(result.Reports[0].Issues) > 0 {
				t.Errorf("%s: %+v, %v", file, result, err)
			}
			f, err := tgm.NewFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
			if err != nil {
				t.Fatal(err)
			}
			for m, err := range f.Messages() {
				if err != nil {
					t.Fatal(err)
				}
				shared, err := m.SharedMetadata()
				if err != nil {
					t.Fatal(err)
				}
				n, err := m.NumObjects()
				files := mapping.NetCDFFiles(shared.Extra)
				if len(files) != 1 {
					t.Fatalf("%s: %d descriptions", file, len(files))
				}
				described := files[0].NetCDFFile()
				if n != 0 || err != nil || files[0].Source() == "" || file == "empty_file.nc" && described.Global["title"] != "Empty fixture" {
					t.Errorf("%s: %d objects, %v, described as %+v", file, n, err, described)
				}
			}
		}
	}
	nothing := filepath.Join(t.TempDir(), "nothing.nc")
	if err := os.WriteFile(nothing, append([]byte("CDF\x01"), make([]byte, 28)...), 0o600); err != nil {
		t.Fatal(err)
	}
	src := fromnetcdf.New([]importers.Input{{Name: nothing}}, fromnetcdf.Options{})
	defer src.Close()
	if _, err := importers.Convert(t.Context(), src, new(bytes.Buffer), importers.Options{}); !errors.Is(err, fromnetcdf.ErrNoVariables) {
		t.Errorf("a file of nothing: %v", err)
	}
	chosen := fromnetcdf.New([]importers.Input{{Name: filepath.Join(fixtures, "empty_file.nc")}}, fromnetcdf.Options{Variables: []string{"t"}})
	defer chosen.Close()
	if _, err := importers.Convert(t.Context(), chosen, new(bytes.Buffer), importers.Options{}); !errors.Is(err, importers.ErrNoFields) {
		t.Errorf("a variable of a file that has none: %v", err)
	}
}
