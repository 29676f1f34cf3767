package fromgrib_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/cases"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// gribFiles are the GRIB files of the repository.
func gribFiles(t *testing.T) (names []string) {
	t.Helper()
	for _, root := range []string{fixtures, "testdata", "../../internal/archive/testdata", "../../exporters/togrib/testdata", "../../grib/testdata"} {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			head := make([]byte, 4)
			f, err := os.Open(name)
			if err != nil {
				return err
			}
			defer f.Close()
			if _, err := f.Read(head); err == nil && string(head) == "GRIB" {
				names = append(names, name)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// converted is a file as messages.
func converted(t *testing.T, name string, src fromgrib.Options, opts importers.Options) []byte {
	t.Helper()
	inputs, err := new(storage.Client).Find(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	src.SkipBad, opts.SkipBad = true, true
	s := fromgrib.New(inputs, src)
	defer s.Close()
	var out bytes.Buffer
	if _, err := importers.Convert(t.Context(), s, &out, opts); err != nil {
		return nil // nothing in it can be converted
	}
	return out.Bytes()
}

// readObjects are the objects of messages.
func readObjects(t *testing.T, b []byte, opts ...tgm.Option) (all []*tgm.Object) {
	t.Helper()
	f, err := tgm.NewFile(bytes.NewReader(b), int64(len(b)), opts...)
	if err != nil {
		t.Fatal(err)
	}
	for m, err := range f.Messages() {
		if err != nil {
			t.Fatal(err)
		}
		for o, err := range m.Objects() {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, o)
		}
	}
	return all
}

// TestEntriesAreComplete: keys left out of the entries of small objects follow from the other keys, for every
// GRIB file of the repository: key by key, type by type, and as CBOR.
func TestEntriesAreComplete(t *testing.T) {
	left, kept := 0, 0
	wanted := map[string]tgm.Want{"stepRange": tgm.WantDecoded, "stepType": tgm.WantDecoded, "paramId": tgm.WantDecoded, "pv": tgm.WantCBOR, "shortName": tgm.WantDecoded, "Ni": tgm.WantDecoded, "levelist": tgm.WantDecoded}
	for _, key := range mars.IdentificationKeys() {
		wanted[key] = tgm.WantDecoded
	}
	selection := &tgm.Selection{
		Keys:    map[string]tgm.Want{mapping.KeyGeometry: tgm.WantCBOR, mapping.KeyGRIB: tgm.WantNone},
		Members: map[string]map[string]tgm.Want{mapping.KeyReproduction: wanted},
		Others:  tgm.WantDecoded,
	}
	some := cases.Of(t)
	for i, name := range gribFiles(t) {
		if !some.Has(i, 3) {
			continue
		}
		src := fromgrib.Options{Sections: true, MaxPoints: 1 << 22}
		full := readObjects(t, converted(t, name, src, importers.Options{RepeatMetadata: true, Workers: 1}))
		short := readObjects(t, converted(t, name, src, importers.Options{Workers: 1}), tgm.WithCompleter(fromgrib.NewEntries()))
		if len(full) != len(short) {
			t.Fatalf("%s: %d objects, %d with all metadata", name, len(short), len(full))
		}
		for i, want := range full {
			got := short[i]
			_, whole := got.StoredBase()[mapping.KeyReproduction]
			if !whole && got.StoredBase()[mapping.KeyMARS] != nil {
				left++
			} else {
				kept++
			}
			if !reflect.DeepEqual(got.Base(), want.Base()) {
				for key := range want.Base() {
					if !reflect.DeepEqual(got.Base()[key], want.Base()[key]) {
						t.Errorf("%s: object %d: %s is %v, want %v", name, i, key, got.Base()[key], want.Base()[key])
					}
				}
				t.Fatalf("%s: object %d has %d keys, want %d", name, i, len(got.Base()), len(want.Base()))
			}
			a, errA := got.Message().SelectBase(got.Index(), selection)
			b, errB := want.Message().SelectBase(want.Index(), selection)
			if errA != nil || errB != nil || !reflect.DeepEqual(a, b) {
				t.Fatalf("%s: object %d: selected %v, %v, want %v, %v", name, i, a, errA, b, errB)
			}
			if got := got.Reduced(got.Base()); !reflect.DeepEqual(got, short[i].StoredBase()) {
				t.Fatalf("%s: object %d: reduced to %v, stored are %v", name, i, got, short[i].StoredBase())
			}
		}
	}
	if left+kept == 0 || some.All() && (left < 500 || kept == 0) {
		t.Errorf("of %d objects metadata follow, of %d not", left, kept)
	}
}

// TestImpliedMetadata: the metadata that follow from others are written where they take a hundredth
// of the object at most, without sections, and where they were asked for.
func TestImpliedMetadata(t *testing.T) {
	for _, c := range []struct {
		name    string
		src     fromgrib.Options
		opts    importers.Options
		written bool
	}{
		{"sanity.grib2", fromgrib.Options{Sections: true}, importers.Options{}, false},
		{"sanity.grib2", fromgrib.Options{}, importers.Options{}, true},
		{"sanity.grib2", fromgrib.Options{Sections: true}, importers.Options{RepeatMetadata: true}, true},
		{"2t.grib2", fromgrib.Options{Sections: true}, importers.Options{}, true},
		{"cfgrib/era5-levels-members.grib", fromgrib.Options{Sections: true}, importers.Options{}, false},
	} {
		all := readObjects(t, converted(t, filepath.Join(fixtures, c.name), c.src, c.opts))
		for _, key := range []string{mapping.KeyGeometry, mapping.KeyReproduction} {
			if _, written := all[0].Base()[key]; written != c.written {
				t.Errorf("%s, sections %v, repeat %v: %s is written: %v", c.name, c.src.Sections, c.opts.RepeatMetadata, key, written)
			}
		}
		if last := all[len(all)-1].Base(); c.name != "sanity.grib2" && last[mapping.KeyGeometry] == nil {
			t.Errorf("%s: a coordinate has no geometry: %v", c.name, last)
		}
	}
}

// TestPartialEntries: keys left by an edit of another program take precedence over derived keys.
func TestPartialEntries(t *testing.T) {
	whole := readObjects(t, converted(t, filepath.Join(fixtures, "sanity.grib2"), fromgrib.Options{Sections: true}, importers.Options{}), tgm.WithCompleter(fromgrib.NewEntries()))
	base, full := whole[0].StoredBase(), whole[0].Base()
	repro, geometry := full[mapping.KeyReproduction].(map[string]any), full[mapping.KeyGeometry].(map[string]any)
	with := func(m map[string]any, key string, value any) map[string]any {
		out := map[string]any{}
		for k, v := range m {
			out[k] = v
		}
		out[key] = value
		return out
	}
	own := map[string]any{"paramId": int64(1), "new": "text"}
	mixed := with(with(repro, "paramId", int64(1)), "new", "text")
	short := map[string]any{"edition": int64(2), "gridType": "regular_ll"}
	for name, c := range map[string]struct {
		key         string
		value, want any
	}{
		"part of grib_repro":  {mapping.KeyReproduction, own, mixed},
		"part of geometry":    {mapping.KeyGeometry, map[string]any{"Ni": int64(7)}, with(geometry, "Ni", int64(7))},
		"whole grib_repro":    {mapping.KeyReproduction, short, short},
		"removed grib_repro":  {mapping.KeyReproduction, nil, nil},
		"removed geometry":    {mapping.KeyGeometry, nil, nil},
		"text for grib_repro": {mapping.KeyReproduction, "text", "text"},
		"text for geometry":   {mapping.KeyGeometry, "text", "text"},
	} {
		var out bytes.Buffer
		w := tgm.NewMessageWriter(&out, tgm.WriterOptions{})
		if err := w.AppendRaw(whole[0].Raw(), with(base, c.key, c.value)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		o := readObjects(t, out.Bytes(), tgm.WithCompleter(fromgrib.NewEntries()))[0]
		want := with(full, c.key, c.want)
		if c.want == nil {
			delete(want, c.key)
		}
		if !reflect.DeepEqual(o.Base(), want) {
			t.Errorf("%s: %v, want %v", name, o.Base(), want)
		}
		if got := o.Reduced(o.Base()); !reflect.DeepEqual(got, o.StoredBase()) {
			t.Errorf("%s: reduced to %v, stored are %v", name, got, o.StoredBase())
		}
		for _, kind := range []tgm.Want{tgm.WantDecoded, tgm.WantCBOR} {
			s := &tgm.Selection{Keys: map[string]tgm.Want{mapping.KeyGeometry: kind, mapping.KeyReproduction: kind}}
			a, err := o.Message().SelectBase(0, s)
			b, err2 := o.Select(s)
			var plain bytes.Buffer
			w := tgm.NewMessageWriter(&plain, tgm.WriterOptions{})
			if err := w.AppendRaw(whole[0].Raw(), want); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			e, err3 := readObjects(t, plain.Bytes())[0].Select(s)
			if err != nil || err2 != nil || err3 != nil || !reflect.DeepEqual(a, e) || !reflect.DeepEqual(b, e) {
				t.Errorf("%s: selected %v, %v and %v, %v, want %v, %v", name, a, err, b, err2, e, err3)
			}
		}
	}
	if !slices.Contains(mars.IdentificationKeys(), "edition") {
		t.Error("a whole grib_repro has no edition")
	}
}
