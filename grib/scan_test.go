package grib_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/grib"
)

func fixtures(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, p := range []string{"*.grib*", "cfgrib/*", "earthkit/*", "eccodes-python/*"} {
		m, err := filepath.Glob(filepath.Join("../fixtures/grib", p))
		if err != nil || len(m) == 0 {
			t.Fatalf("no fixtures match %s (%v)", p, err)
		}
		all = append(all, m...)
	}
	return all
}

func readFixture(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../fixtures/grib", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// scanAll returns the messages and the errors of a scan.
func scanAll(b []byte) (found []grib.Info, errs []error) {
	for info, err := range grib.Scan(bytes.NewReader(b), int64(len(b))) {
		if err != nil {
			errs = append(errs, err)
		} else {
			found = append(found, info)
		}
	}
	return found, errs
}

func TestScanJunk(t *testing.T) {
	one, two := readFixture(t, "earthkit/t_gribjump.grib"), readFixture(t, "sanity.grib2")
	one = one[:be24(one[4:])]
	in := bytes.Join([][]byte{[]byte("a GRIB file, GRI"), one, []byte("GRIB? no. "), two, make([]byte, 28), two, make([]byte, 5000), []byte("GRIB\x00")}, nil)
	found, errs := scanAll(in)
	want := []grib.Info{
		{Index: 0, Offset: 16, Length: int64(len(one)), Edition: 1, Junk: 16},
		{Index: 1, Offset: int64(26 + len(one)), Length: int64(len(two)), Edition: 2, Junk: 10},
		{Index: 2, Offset: int64(26 + 28 + len(one) + len(two)), Length: int64(len(two)), Edition: 2},
	}
	if len(errs) != 0 || len(found) != len(want) {
		t.Fatalf("found %v, errors %v", found, errs)
	}
	for i := range want {
		if found[i] != want[i] {
			t.Errorf("message %d is %+v, expected %+v", i, found[i], want[i])
		}
	}
	f, err := grib.NewFile(bytes.NewReader(in), int64(len(in)))
	if err != nil || f.Len() != 3 || f.Junk() != 30 {
		t.Errorf("file of %d messages and %d bytes of junk, expected 3 and 30 (%v)", f.Len(), f.Junk(), err)
	}
}

func be24(b []byte) int { return int(b[0])<<16 | int(b[1])<<8 | int(b[2]) }

func TestTruncatedLastMessage(t *testing.T) {
	one := readFixture(t, "sanity.grib2")
	in := append(append([]byte(nil), one...), one[:len(one)-3]...)
	check := func(what string, err error) {
		t.Helper()
		var f *grib.FormatError
		if !errors.As(err, &f) || f.Offset != int64(len(one)) {
			t.Errorf("%s: %v, expected a FormatError at %d", what, err, len(one))
		}
	}
	_, err := grib.NewFile(bytes.NewReader(in), int64(len(in)))
	check("file", err)
	f, err := grib.NewFile(bytes.NewReader(in), int64(len(in)), grib.WithSkipBad())
	if err != nil || f.Len() != 1 || len(f.Skipped()) != 1 {
		t.Fatalf("%d messages, skipped %v (%v)", f.Len(), f.Skipped(), err)
	}
	check("skipped by file", f.Skipped()[0].Err)
}

// TestCorruptLength reads a file whose first message claims to be shorter than it is.
func TestCorruptLength(t *testing.T) {
	in := readFixture(t, "malformed/era5-levels-corrupted.grib")
	var format *grib.FormatError
	if _, err := grib.NewFile(bytes.NewReader(in), int64(len(in))); !errors.As(err, &format) || format.Offset != 0 {
		t.Errorf("%v, expected a FormatError at 0", err)
	}
	f, err := grib.NewFile(bytes.NewReader(in), int64(len(in)), grib.WithSkipBad())
	if err != nil || f.Len() != 1 || len(f.Skipped()) != 1 || f.Junk() != 0 {
		t.Fatalf("%d messages, skipped %v, %d bytes of junk (%v)", f.Len(), f.Skipped(), f.Junk(), err)
	}
	m, err := f.Message(0)
	if err != nil || m.Offset != 22068 {
		t.Fatalf("message at %d (%v)", m.Offset, err)
	}
	if v, _, err := m.Fields()[0].Decode(nil); err != nil || len(v) == 0 {
		t.Errorf("the good message does not decode: %v", err)
	}
}

// TestShortBitmap expects an error, not data, for a bitmap that does not cover the grid.
func TestShortBitmap(t *testing.T) {
	in := readFixture(t, "malformed/lsm_bitmap.grib2")
	f, err := grib.NewFile(bytes.NewReader(in), int64(len(in)))
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = m.Fields()[0].Decode(nil)
	var format *grib.FormatError
	if !errors.As(err, &format) || format.Section != 6 {
		t.Errorf("%v, expected a FormatError in section 6", err)
	}
	if _, err := m.Fields()[0].Quantised(); !errors.As(err, &format) {
		t.Errorf("quantised: %v, expected a FormatError", err)
	}
}

func TestUnsupported(t *testing.T) {
	b := readFixture(t, "sanity.grib2")
	m, err := grib.ParseMessage(b, 0)
	if err != nil {
		t.Fatal(err)
	}
	sections := m.Fields()[0].Sections()
	set := func(section, octet int, v byte) []byte {
		c := append([]byte(nil), b...)
		for _, s := range sections {
			if s.Number == section {
				c[s.Offset+int64(octet)-1] = v
			}
		}
		return c
	}
	for _, x := range []struct {
		name      string
		data      []byte
		section   int
		template  int
		atParsing bool
	}{
		{"data template", set(5, 11, 99), 5, 99, false},
		{"edition", set(0, 8, 3), 0, -1, true},
	} {
		m, err := grib.ParseMessage(x.data, 1000)
		if !x.atParsing {
			if err != nil {
				t.Fatal(err)
			}
			_, _, err = m.Fields()[0].Decode(nil)
		}
		var u *grib.UnsupportedError
		if !errors.As(err, &u) || u.Section != x.section || u.Template != x.template || u.Offset < 1000 {
			t.Errorf("%s: %v", x.name, err)
		}
	}
}

// TestBitmapElsewhere expects ecCodes' results for messages that name a bitmap and do not hold it.
// It also has messages that hold a bitmap and name another.
func TestBitmapElsewhere(t *testing.T) {
	decode := func(b []byte) ([]float64, int) {
		m, err := grib.ParseMessage(b, 0)
		if err != nil {
			t.Fatal(err)
		}
		v, missing, err := m.Fields()[0].Decode(nil)
		if err != nil {
			t.Fatal(err)
		}
		return v, missing.Count()
	}
	plain := readFixture(t, "sanity.grib2")
	want, _ := decode(plain)
	for _, indicator := range []byte{1, 253, 254} {
		b := bytes.Clone(plain)
		b[sectionAt(t, b, 6)+5] = indicator
		if got, missing := decode(b); missing != 0 || !slices.Equal(got, want) {
			t.Errorf("bitmap %d is not there: %d values, %d missing, expected %d and none", indicator, len(got), missing, len(want))
		}
	}
	for _, b := range packings(t) {
		if b[7] != 1 || b[15]&0x40 == 0 {
			continue
		}
		_, want := decode(b)
		named := bytes.Clone(b)
		named[sectionAt(t, b, 3)+5] = 254
		if _, got := decode(named); got != want {
			t.Errorf("bitmap with a number: %d missing, expected %d", got, want)
		}
		return
	}
	t.Error("no message of edition 1 with a bitmap")
}

// TestBitmapBefore: indicator 254 with no bitmap before it.
func TestBitmapBefore(t *testing.T) {
	plain := readFixture(t, "sanity.grib2")
	m, err := grib.ParseMessage(plain, 0)
	if err != nil {
		t.Fatal(err)
	}
	f := m.Fields()[0]
	empty := []byte{0, 0, 0, 6, 6, 254}
	build := func(parts ...[]byte) []byte {
		b := append(slices.Concat(parts...), "7777"...)
		binary.BigEndian.PutUint64(b[8:], uint64(len(b)))
		return b
	}
	fewer := bytes.Clone(f.Section(3))
	points := binary.BigEndian.Uint32(fewer[6:])
	binary.BigEndian.PutUint32(fewer[6:], points+7)
	head := slices.Concat(f.Section(0), f.Section(1))
	rest := slices.Concat(f.Section(4), f.Section(5), empty, f.Section(7))
	for name, b := range map[string][]byte{
		"fewer values than points":    build(head, fewer, rest),
		"the first field of several":  build(head, f.Section(3), rest, rest),
		"fewer values, second field":  build(head, f.Section(3), rest, fewer, rest),
		"second field of fewer alone": build(head, fewer, rest, rest),
	} {
		m, err := grib.ParseMessage(b, 0)
		if err != nil {
			t.Fatal(err)
		}
		var bad error
		for _, f := range m.Fields() {
			_, _, err := f.Decode(nil)
			bad = cmp.Or(bad, err)
		}
		var format *grib.FormatError
		if !errors.As(bad, &format) || format.Section != 6 {
			t.Errorf("%s: %v, expected an error in section 6", name, bad)
		}
	}
}

// sectionAt returns where a section of the first field of a message begins.
func sectionAt(t *testing.T, b []byte, number int) int64 {
	t.Helper()
	m, err := grib.ParseMessage(b, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range m.Fields()[0].Sections() {
		if s.Number == number {
			return s.Offset
		}
	}
	t.Fatalf("no section %d", number)
	return 0
}

// TestMaxPoints reads a constant field, which has no data: only the limit bounds the memory that
// its claim takes.
func TestMaxPoints(t *testing.T) {
	b := readFixture(t, "cfgrib/cfrzr_and_cprat_0s.grib")
	m, err := grib.ParseMessage(b, 0)
	if err != nil {
		t.Fatal(err)
	}
	const points = 933_120_000 // 1 km
	huge := append([]byte(nil), b[:len(m.Data)]...)
	for _, s := range m.Fields()[0].Sections() {
		switch s.Number {
		case 3:
			binary.BigEndian.PutUint32(huge[s.Offset+6:], points)
		case 5:
			binary.BigEndian.PutUint32(huge[s.Offset+5:], points)
			huge[s.Offset+19] = 0
		}
	}
	for _, x := range []struct {
		data []byte
		most grib.Limits
		max  int64
	}{{huge, grib.Limits{}, grib.DefaultMaxPoints}, {huge, grib.Limits{MaxPoints: points}, grib.DefaultMaxArray}, {b, grib.Limits{MaxPoints: 100}, 100}} {
		m, err := grib.ParseMessage(x.data, 0, grib.WithLimits(x.most))
		if err != nil {
			t.Fatal(err)
		}
		var limit *grib.LimitError
		if _, _, err := m.Fields()[0].Decode(nil); !errors.As(err, &limit) || limit.Max != x.max {
			t.Errorf("%v, expected a LimitError of %d", err, x.max)
		}
		if q, err := m.Fields()[0].Quantised(); err != nil || q.Bits != 0 {
			t.Errorf("quantised: %v, expected a constant", err)
		}
	}
	m, err = grib.ParseMessage(huge, 0, grib.WithLimits(grib.Limits{MaxPoints: points}))
	if err != nil {
		t.Fatal(err)
	}
	if q, err := m.Fields()[0].Quantised(); err != nil || q.N != points || q.Bits != 0 {
		t.Errorf("%v, expected %d constant points", err, points)
	}
}

// TestHead reads messages without their data.
func TestHead(t *testing.T) {
	for _, name := range fixtures(t) {
		f, err := grib.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.Len() {
			whole, err := f.Message(i)
			if err != nil {
				t.Fatal(err)
			}
			head, err := f.Head(i)
			if err != nil {
				t.Fatalf("%s: message %d: %v", name, i, err)
			}
			w, h := whole.Fields()[0], head.Fields()[0]
			for n := range 7 {
				if w.Edition == 1 && n == 4 {
					continue
				}
				if !bytes.Equal(w.Section(n), h.Section(n)) {
					t.Fatalf("%s: message %d: section %d differs", name, i, n)
				}
			}
			if !bytes.HasPrefix(w.Bytes(), h.Bytes()) || w.DataTemplate() != h.DataTemplate() {
				t.Errorf("%s: message %d: the head is not how it begins", name, i)
			}
			if _, _, err := h.Decode(nil); err == nil {
				t.Errorf("%s: message %d decodes without data", name, i)
			}
		}
		f.Close()
	}
}

// TestSeveralFields reads a message of four fields, two of which use the bitmap of the first.
func TestSeveralFields(t *testing.T) {
	f, err := grib.Open("testdata/packings.grib")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for m, err := range f.Messages() {
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Fields()) == 1 {
			continue
		}
		for i, field := range m.Fields() {
			want, missing, err := field.Decode(nil)
			if err != nil || missing.Count() == 0 {
				t.Fatalf("field %d: %d missing (%v)", i, missing.Count(), err)
			}
			alone, err := grib.ParseMessage(field.Bytes(), 0)
			if err != nil || len(alone.Fields()) != 1 {
				t.Fatalf("field %d alone: %v", i, err)
			}
			got, _, err := alone.Fields()[0].Decode(nil)
			if err != nil || digest("", got) != digest("", want) {
				t.Errorf("field %d alone has other values (%v)", i, err)
			}
			if field.Index != i || field.Section(1) == nil || field.ProductTemplate() != 0 {
				t.Errorf("field %d: index %d, template %d", i, field.Index, field.ProductTemplate())
			}
		}
		return
	}
	t.Error("no message of several fields")
}
