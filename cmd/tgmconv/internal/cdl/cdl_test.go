package cdl_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cdl"
	"github.com/tgmconv/tgmconv/netcdf"
)

// flags are ncdump's flags for each choice of values.
var flags = map[string]cdl.Data{"-h": cdl.NoData, "-c": cdl.CoordinateData, "-l80": cdl.AllData}

// TestGolden compares the text with the text of ncdump 4.9.0, which TestFreeze wrote down.
func TestGolden(t *testing.T) {
	want := readGolden(t)
	if len(want) < 60 {
		t.Fatalf("%d texts of ncdump, expected 60 or more", len(want))
	}
	for key, text := range want {
		flag, file, _ := strings.Cut(key, " ")
		got, err := dump(filepath.Join("../../../../fixtures/netcdf", file), flags[flag])
		if err != nil {
			t.Errorf("%s: %v", key, err)
		} else if string(got) != text {
			t.Errorf("%s: %s", key, firstDifference(string(got), text))
		}
	}
}

const golden = "testdata/ncdump-4.9.0.json.gz"

func readGolden(t *testing.T) map[string]string {
	t.Helper()
	f, err := os.Open(golden)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[string]string)
	if err := json.NewDecoder(z).Decode(&texts); err != nil {
		t.Fatal(err)
	}
	return texts
}

func dump(path string, data cdl.Data) ([]byte, error) {
	f, err := netcdf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	var out bytes.Buffer
	err = cdl.Write(context.Background(), &out, f, cdl.Options{Name: name, Data: data})
	return out.Bytes(), err
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "\n got " + a[i] + "\nwant " + b[i]
		}
	}
	return "one is longer"
}

func TestVariables(t *testing.T) {
	f, err := netcdf.Open("../../../../fixtures/netcdf/nc4_groups.nc")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var name string
	for _, v := range f.Root().Groups[0].Vars {
		name = v.Path
	}
	for _, names := range []string{name, name[1:], filepath.Base(name)} {
		var out strings.Builder
		if err := cdl.Write(context.Background(), &out, f, cdl.Options{Variables: []string{names}}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), " "+filepath.Base(name)+" =") {
			t.Errorf("-v %s: no values in\n%s", names, &out)
		}
	}
	var none *cdl.NoVariableError
	if err := cdl.Write(context.Background(), io.Discard, f, cdl.Options{Variables: []string{"no/such"}}); !errors.As(err, &none) {
		t.Errorf("a variable that is not there: %v, expected a NoVariableError", err)
	}
}

// TestUnreadable demands that a variable that cannot be written is named, and everything else written.
func TestUnreadable(t *testing.T) {
	got, err := dump("../../../../fixtures/netcdf/made/typed.h5", cdl.AllData)
	if err == nil || !strings.Contains(err.Error(), "variable /station") {
		t.Errorf("error %v, expected one about /station", err)
	}
	if !bytes.Contains(got, []byte("// variable /station")) || !bytes.HasSuffix(got, []byte("}\n")) {
		t.Errorf("the text does not go on after what cannot be written:\n%s", got)
	}
}

func FuzzWrite(f *testing.F) {
	for _, pattern := range []string{"../../../../fixtures/netcdf/*.nc", "../../../../fixtures/netcdf/made/*"} {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			if b, err := os.ReadFile(path); err == nil && len(b) < 64<<10 {
				f.Add(b)
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := netcdf.NewFile(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		defer file.Close()
		w := &limited{left: 1 << 20}
		cdl.Write(t.Context(), w, file, cdl.Options{Name: "fuzz", Data: cdl.AllData})
	})
}

// limited is a writer that fails after some bytes: the text of a small file may be long.
type limited struct{ left int }

func (l *limited) Write(b []byte) (int, error) {
	if l.left -= len(b); l.left < 0 {
		return 0, errors.New("enough")
	}
	return len(b), nil
}
