package fromnetcdf_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// FuzzConvert converts arbitrary bytes: whatever they are, there is a result or an error, and a
// result can be read back.
func FuzzConvert(f *testing.F) {
	err := filepath.WalkDir(fixtures, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".cdl") {
			return err
		}
		b, err := os.ReadFile(path)
		if err == nil && len(b) < 16<<10 {
			f.Add(b, uint8(0))
			f.Add(b, uint8(2))
		}
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte, split uint8) {
		in := storage.Client{Stdin: bytes.NewReader(b), TempDir: t.TempDir()}
		defer in.Close()
		s := fromnetcdf.New([]importers.Input{{Name: storage.Stdin}}, fromnetcdf.Options{
			CF: true, Split: fromnetcdf.Split(split % 3), Opener: &in,
		})
		defer s.Close()
		var out limited
		if _, err := importers.Convert(t.Context(), s, &out, importers.Options{Workers: 1, SkipBad: true}); err != nil {
			return
		}
		file, err := tgm.NewFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if n, err := file.Len(); err != nil || n == 0 {
			t.Errorf("%d messages, error %v", n, err)
		}
	})
}

// limited stops conversions whose output teaches the fuzzer nothing more: a small file may have very many
// records.
type limited struct{ bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if l.Len() > 1<<20 {
		return 0, fs.ErrInvalid
	}
	return l.Buffer.Write(p)
}
