package fromany_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/importers/fromtet"
	"github.com/tgmconv/tgmconv/internal/fromany"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
)

const (
	gribFile   = "../../fixtures/grib/2t.grib2"
	netcdfFile = "../../fixtures/netcdf/multi_var.nc"
	tetFile    = "../../fixtures/tet/tetpy/weather.tet"
	tgmFile    = "../../fixtures/tgm/v0.20/multi_message.tgm"
)

func named(names ...string) (inputs []importers.Input) {
	for _, name := range names {
		inputs = append(inputs, importers.Input{Name: name})
	}
	return inputs
}

func newClient() *unpack.Client { return unpack.NewClient(new(storage.Client)) }

// inputsOf lists the input of each part, once where it follows itself, and reads all fields.
func inputsOf(t *testing.T, s importers.Source) (inputs []string) {
	t.Helper()
	for p, err := range s.Parts(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, filepath.Base(p.Input))
		for _, err := range s.Read(t.Context(), p, nil) {
			if err != nil {
				t.Error(err)
			}
		}
	}
	return slices.Compact(inputs)
}

// TestOrder: the parts come in the order of the inputs, whatever their formats.
func TestOrder(t *testing.T) {
	inputs := named(tetFile, gribFile, netcdfFile, gribFile, tgmFile, tetFile)
	s, err := fromany.New(t.Context(), inputs, newClient(), fromany.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := []string{"weather.tet", "2t.grib2", "multi_var.nc", "2t.grib2", "multi_message.tgm", "weather.tet"}
	if got := inputsOf(t, s); !slices.Equal(got, want) {
		t.Errorf("found %q, expected %q", got, want)
	}
}

// TestWhatIsNoSource: a file that was named must be something to convert, one of a folder need not.
func TestWhatIsNoSource(t *testing.T) {
	text := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(text, []byte("nothing to convert"), 0o600); err != nil {
		t.Fatal(err)
	}
	client := newClient()
	for name, want := range map[string]string{
		text:   "found no GRIB, netCDF, Zarr, .tet or Tensogram at its beginning",
		"gone": "",
	} {
		inputs := named(gribFile, name)
		if _, err := fromany.New(t.Context(), inputs, client, fromany.Options{}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: found %v, expected the name and %q", name, err, want)
		}
		var skipped []error
		s, err := fromany.New(t.Context(), inputs, client, fromany.Options{Skip: func(err error) { skipped = append(skipped, err) }})
		if err != nil || len(skipped) != 1 {
			t.Fatalf("%s: skipped %v, %v, expected one", name, skipped, err)
		}
		if got := inputsOf(t, s); !slices.Equal(got, []string{"2t.grib2"}) {
			t.Errorf("%s: found %q beside what is skipped", name, got)
		}
		s.Close()
	}

	var passed []string
	found := []importers.Input{{Name: text, FromFolder: true}, {Name: gribFile, FromFolder: true}, {Name: tgmFile, FromFolder: true}}
	s, err := fromany.New(t.Context(), found, client, fromany.Options{PassedOver: func(in importers.Input, _ string) { passed = append(passed, in.Name) }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := inputsOf(t, s); !slices.Equal(got, []string{"2t.grib2"}) || !slices.Equal(passed, []string{text, tgmFile}) {
		t.Errorf("found %q, passed over %q", got, passed)
	}
}

func TestFormat(t *testing.T) {
	for name, want := range map[string]importers.Format{
		gribFile: importers.FormatGRIB, netcdfFile: importers.FormatNetCDF, tetFile: importers.FormatTet, tgmFile: importers.FormatTensogram,
	} {
		if got, err := fromany.FormatOf(t.Context(), newClient(), name); got != want || err != nil {
			t.Errorf("%s: found %q, %v, expected %q", name, got, err, want)
		}
	}
}

func TestCheck(t *testing.T) {
	wrong := errors.New("not this one")
	_, err := fromany.New(t.Context(), named(gribFile, netcdfFile), newClient(), fromany.Options{
		Check: func(in importers.Input, format importers.Format) error {
			if in.Name == netcdfFile && format == importers.FormatNetCDF {
				return wrong
			}
			return nil
		},
	})
	if !errors.Is(err, wrong) {
		t.Errorf("found %v, expected the error of Check", err)
	}
}

// TestUnknownKeys: a key is unknown if no input of any format has it.
func TestUnknownKeys(t *testing.T) {
	clauses, err := mapping.ParseClauses([]string{"units!=m", "shortName!=q", "long_nmae!=x"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := fromany.New(t.Context(), named(gribFile, netcdfFile, tetFile), newClient(), fromany.Options{
		GRIB: fromgrib.Options{Where: clauses}, NetCDF: fromnetcdf.Options{Where: clauses}, Tet: fromtet.Options{Where: clauses},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	inputsOf(t, s)
	if got := s.UnknownKeys(); !slices.Equal(got, []string{"long_nmae"}) {
		t.Errorf("found %q, expected the key that no input has", got)
	}
}

func Example() {
	ctx := context.Background()
	client := unpack.NewClient(new(storage.Client))
	defer client.Close()
	inputs, err := client.Find(ctx, gribFile, netcdfFile)
	if err != nil {
		fmt.Println(err)
		return
	}
	src, err := fromany.New(ctx, inputs, client, fromany.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer src.Close()
	report, err := importers.Convert(ctx, src, io.Discard, importers.Options{})
	fmt.Println(report.Messages, "messages", err)
	// Output: 2 messages <nil>
}
