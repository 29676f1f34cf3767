package zarrcheck_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/zarrcheck"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// written is a file of a message with an object for each list of values.
func written(t testing.TB, lists ...[]float64) *tgm.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.tgm")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w := tgm.NewMessageWriter(out, tgm.WriterOptions{})
	for i, values := range lists {
		object, err := tgm.EncodeArray(tgm.ArrayOf(values, len(values)), tgm.Pipeline{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Append(object, map[string]any{"name": fmt.Sprint("v", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := tgm.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestMessages(t *testing.T) {
	same, other := []float64{1, 2, 3}, []float64{1, 2, 4}
	for _, test := range []struct {
		name          string
		served, file  [][]float64
		arrays, equal int
		fails         bool
	}{
		{"equal", [][]float64{same, other}, [][]float64{same, other}, 2, 2, false},
		{"other values", [][]float64{same, same}, [][]float64{same, other}, 2, 1, true},
		{"another shape", [][]float64{same, {1, 2}}, [][]float64{same, other}, 2, 1, true},
	} {
		server := httptest.NewServer(serve.NewHandler(serve.OpenMessages(written(t, test.served...), serve.MessageOptions{}), serve.HandlerOptions{}))
		defer server.Close()
		store, err := zarr.NewHTTP(server.URL, server.Client())
		if err != nil {
			t.Fatal(err)
		}
		reported := 0
		r, err := zarrcheck.Messages(context.Background(), store, written(t, test.file...), func(zarrcheck.Array) error { reported++; return nil })
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if r.Arrays != test.arrays || r.Equal != test.equal || (r.Err() != nil) != test.fails || reported != test.arrays {
			t.Errorf("%s: %+v (%v), %d reported", test.name, r, r.Err(), reported)
		}
	}
}

func TestMessagesOfOtherLengths(t *testing.T) {
	values := []float64{1}
	store := serve.OpenMessages(written(t, values, values), serve.MessageOptions{})
	_, err := zarrcheck.Messages(context.Background(), store, written(t, values), func(zarrcheck.Array) error { return nil })
	if err == nil {
		t.Error("a store of two arrays passes for a file of one object")
	}
}

func TestMessagesStop(t *testing.T) {
	values := []float64{1}
	f := written(t, values, values)
	stop := errors.New("stop")
	r, err := zarrcheck.Messages(context.Background(), serve.OpenMessages(f, serve.MessageOptions{}), f, func(zarrcheck.Array) error { return stop })
	if !errors.Is(err, stop) || r.Arrays != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

func Example() {
	f, err := tgm.Open("../../../../fixtures/tgm/named_axes.tgm")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	store := serve.OpenMessages(f, serve.MessageOptions{})
	result, err := zarrcheck.Messages(context.Background(), store, f, func(a zarrcheck.Array) error { return a.Err })
	fmt.Println(result.Arrays == result.Equal, result.Err(), err)
	// Output: true <nil> <nil>
}

func TestDataset(t *testing.T) {
	open := func(names ...string) *archive.Archive {
		a, err := archive.Open(t.Context(), names, archive.Options{Index: archive.IndexNone})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { a.Close() })
		return a
	}
	const file = "../../../../fixtures/netcdf/simple_2d.nc"
	a := open(file)
	store := serve.NewStore(serve.NewDatasetView(a.Set, a, serve.DatasetOptions{}), serve.StoreOptions{})
	r, err := zarrcheck.Dataset(t.Context(), store, a.Set, a, func(a zarrcheck.Array) error { return a.Err })
	if err != nil || r.Err() != nil || r.Arrays == 0 || r.Equal != r.Arrays {
		t.Errorf("%+v, %v, %v", r, r.Err(), err)
	}
	// Another dataset than the store shows.
	other := open("../../../../fixtures/netcdf/unlimited_time.nc")
	r, err = zarrcheck.Dataset(t.Context(), store, other.Set, other, func(zarrcheck.Array) error { return nil })
	if err != nil || r.Err() == nil || r.Equal == r.Arrays {
		t.Errorf("another dataset: %+v, %v, %v", r, r.Err(), err)
	}
}
