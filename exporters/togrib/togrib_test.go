package togrib_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/togrib"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/cases"
	"github.com/tgmconv/tgmconv/tgm"
)

// converted converts GRIB files to one Tensogram file.
func converted(t testing.TB, opts fromgrib.Options, to importers.Options, names ...string) *tgm.File {
	t.Helper()
	var inputs []importers.Input
	for _, name := range names {
		inputs = append(inputs, importers.Input{Name: name})
	}
	src := fromgrib.New(inputs, opts)
	defer src.Close()
	var out bytes.Buffer
	to.SkipBad = true
	if _, err := importers.Convert(context.Background(), src, &out, to); err != nil {
		t.Fatal(err)
	}
	return fileOf(t, out.Bytes())
}

func fileOf(t testing.TB, b []byte) *tgm.File {
	t.Helper()
	f, err := tgm.NewFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// objectsOf are all objects of a file.
func objectsOf(f *tgm.File) iter.Seq2[togrib.Object, error] {
	return func(yield func(togrib.Object, error) bool) {
		for m, err := range f.Messages() {
			var shared *tgm.Metadata
			if err == nil {
				shared, err = m.SharedMetadata()
			}
			if err != nil {
				yield(togrib.Object{}, err)
				return
			}
			for o, err := range m.Objects() {
				if !yield(togrib.Object{Object: o, Extra: shared.Extra, File: "test.tgm"}, err) {
					return
				}
			}
		}
	}
}

// exported writes a file as GRIB.
func exported(t testing.TB, f *tgm.File, opts togrib.Options) ([]byte, *togrib.Report) {
	t.Helper()
	var out bytes.Buffer
	report, err := togrib.Export(context.Background(), &out, objectsOf(f), opts)
	if err != nil {
		t.Fatal(err)
	}
	if report.BytesOut != int64(out.Len()) {
		t.Errorf("%d bytes reported, %d written", report.BytesOut, out.Len())
	}
	return out.Bytes(), report
}

// messagesOf are the messages of GRIB, in order, without broken ones.
func messagesOf(t testing.TB, b []byte) (all []*grib.Message) {
	t.Helper()
	s, err := grib.NewFile(bytes.NewReader(b), int64(len(b)), grib.WithSkipBad())
	if err != nil {
		t.Fatal(err)
	}
	for m, err := range s.Messages() {
		if err == nil {
			all = append(all, m)
		}
	}
	return all
}

// counts are the numbers of messages by result.
type counts struct{ same, values int }

// compare compares messages with the messages that came back. Messages that can be rebuilt are the same;
// others have the same values.
func (c *counts) compare(t *testing.T, name string, want, got []*grib.Message, kept bool) {
	t.Helper()
	if len(want) != len(got) {
		c.compareFields(t, name, want, got)
		return
	}
	for i, m := range want {
		rebuildable := kept
		if !kept {
			rebuildable = true
			for _, f := range m.Fields() {
				rebuildable = rebuildable && f.Rebuildable()
			}
		}
		switch {
		case bytes.Equal(m.Data, got[i].Data):
			c.same++
		case rebuildable:
			t.Errorf("%s, message %d: other octets (%d and %d)", name, i, len(m.Data), len(got[i].Data))
		default:
			for j, f := range m.Fields() {
				compareValues(t, fmt.Sprintf("%s, message %d, field %d", name, i, j), f, got[i].Fields()[min(j, len(got[i].Fields())-1)])
			}
			c.values++
		}
	}
}

// compareFields compares fields where messages of several came back one by one.
func (c *counts) compareFields(t *testing.T, name string, want, got []*grib.Message) {
	t.Helper()
	a, b := fieldsOf(want), fieldsOf(got)
	if len(a) != len(b) {
		t.Errorf("%s: %d fields, expected %d", name, len(b), len(a))
		return
	}
	for i := range a {
		if a[i].Rebuildable() && !bytes.Equal(a[i].Section(7), b[i].Section(7)) {
			t.Errorf("%s, field %d: other octets", name, i)
		}
		compareValues(t, fmt.Sprintf("%s, field %d", name, i), a[i], b[i])
		c.values++
	}
}

func fieldsOf(messages []*grib.Message) (all []*grib.Field) {
	for _, m := range messages {
		all = append(all, m.Fields()...)
	}
	return all
}

func compareValues(t *testing.T, name string, a, b *grib.Field) {
	t.Helper()
	want, _, err := a.Decode(nil)
	if err != nil {
		return
	}
	got, _, err := b.Decode(nil)
	if err != nil || len(got) != len(want) {
		t.Errorf("%s: %d values (%v), expected %d", name, len(got), err, len(want))
		return
	}
	for i, v := range want {
		if math.Float64bits(v) != math.Float64bits(got[i]) && (v == v || got[i] == got[i]) {
			t.Errorf("%s (template %d): value %d is %v, expected %v", name, a.DataTemplate(), i, got[i], v)
			return
		}
	}
}

// samples are the sample files.
func samples(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"../../fixtures/grib/*", "../../fixtures/grib/*/*"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if st, err := os.Stat(name); err == nil && st.Mode().IsRegular() && isGRIB(name) {
				all = append(all, name)
			}
		}
	}
	return all
}

func isGRIB(name string) bool {
	f, err := grib.Open(name, grib.WithSkipBad())
	if err != nil {
		return false
	}
	defer f.Close()
	for m, err := range f.Messages() {
		return err == nil && m != nil
	}
	return false
}

// roundTrip converts a file and writes it again.
func (c *counts) roundTrip(t *testing.T, name string, opts fromgrib.Options, to importers.Options) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	opts.Sections, opts.SkipBad = true, true
	src := fromgrib.New([]importers.Input{{Name: name}}, opts)
	defer src.Close()
	var out bytes.Buffer
	to.SkipBad = true
	if _, err := importers.Convert(t.Context(), src, &out, to); err != nil {
		return // nothing in it can be read
	}
	got, report := exported(t, fileOf(t, out.Bytes()), togrib.Options{})
	if report.Edited != 0 {
		t.Errorf("%s: %d fields are taken for edited", name, report.Edited)
	}
	c.compare(t, filepath.Base(name), decodable(messagesOf(t, b)), messagesOf(t, got), opts.KeepData)
}

// decodable leaves out messages that conversions skip.
func decodable(all []*grib.Message) (good []*grib.Message) {
	for _, m := range all {
		ok := len(m.Fields()) > 0
		for _, f := range m.Fields() {
			_, _, err := f.Decode(nil)
			ok = ok && err == nil
		}
		if ok {
			good = append(good, m)
		}
	}
	return good
}

// TestSamplesComeBack converts every sample file and writes it again.
func TestSamplesComeBack(t *testing.T) {
	for _, test := range []struct {
		name string
		from fromgrib.Options
		to   importers.Options
	}{
		{"default", fromgrib.Options{}, importers.Options{}},
		{"kept data", fromgrib.Options{KeepData: true}, importers.Options{}},
		{"split", fromgrib.Options{Split: true, AllKeys: true}, importers.Options{Coordinates: importers.CoordinatesNone}},
		{"stream", fromgrib.Options{}, importers.Options{Stream: true, Encoding: importers.Encoding{Encoding: importers.EncodingNone, Compression: "zstd"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			some := cases.Of(t)
			var c counts
			for i, name := range samples(t) {
				if !some.Has(i, 6) {
					continue
				}
				c.roundTrip(t, name, test.from, test.to)
			}
			t.Logf("%d messages with the same octets, %d with the same values", c.same, c.values)
			if c.same == 0 || c.same < 900 && some.All() {
				t.Errorf("%d messages with the same octets, expected 900 of all samples", c.same)
			}
		})
	}
}

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestTypeOfOriginalValues holds that section 5 of a message that is packed again still says that
// the values were integers.
func TestTypeOfOriginalValues(t *testing.T) {
	b, err := os.ReadFile("../../fixtures/grib/gfs_2p50_f000.grib2")
	if err != nil {
		t.Fatal(err)
	}
	b = b[:binary.BigEndian.Uint64(b[8:])]
	section := func(message []byte) []byte {
		at := 16
		for message[at+4] != 5 {
			at += int(binary.BigEndian.Uint32(message[at:]))
		}
		return message[at:]
	}
	source := section(b)
	if template := binary.BigEndian.Uint16(source[9:]); template != 3 {
		t.Fatalf("data representation %d, expected complex packing", template)
	}
	for _, kind := range []byte{0, 1} {
		source[20] = kind
		path := filepath.Join(t.TempDir(), "a.grib2")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		f := converted(t, fromgrib.Options{Sections: true}, importers.Options{}, path)
		for _, packing := range []togrib.Packing{togrib.PackSource, togrib.PackSimple, togrib.PackComplex} {
			got, _ := exported(t, f, togrib.Options{Packing: packing})
			if have := section(got)[20]; have != kind {
				t.Errorf("packing %q: type %d, expected %d", packing, have, kind)
			}
		}
	}
}
