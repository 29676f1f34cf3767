package grib_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/tgmconv/tgmconv/grib"
)

// partOf takes a field apart as a converter does, integers unpacked.
func partOf(f *grib.Field) (grib.Part, error) {
	p := grib.Part{Header: f.Header()}
	q, err := f.Integers()
	if errors.Is(err, grib.ErrNotQuantised) {
		p.Values, p.Missing, err = f.Decode(nil)
		return p, err
	}
	p.Quantised = q
	return p, err
}

// rebuilt counts the results of Rebuild.
type rebuilt struct{ same, other, apart int }

func (r *rebuilt) String() string {
	return fmt.Sprintf("%d messages rebuilt byte for byte, %d of other packings, %d cannot be decoded", r.same, r.other, r.apart)
}

// message takes a message apart and builds it again, whole and field by field.
func (r *rebuilt) message(t *testing.T, name string, m *grib.Message) {
	t.Helper()
	var parts []grib.Part
	for _, f := range m.Fields() {
		p, err := partOf(f)
		if err != nil {
			r.apart++
			return
		}
		parts = append(parts, p)
	}
	r.verbatim(t, name, m, parts)
	got, err := grib.Rebuild(parts...)
	rebuildable := true
	for _, f := range m.Fields() {
		rebuildable = rebuildable && f.Rebuildable()
	}
	if same := err == nil && bytes.Equal(got, m.Data); same != rebuildable {
		t.Errorf("%s, message %d: rebuildable: %v, but the same octets: %v", name, m.Index, rebuildable, same)
	}
	var other *grib.UnsupportedError
	switch {
	case errors.As(err, &other):
		r.other++
	case err != nil:
		t.Errorf("%s, message %d: %v", name, m.Index, err)
	case !bytes.Equal(got, m.Data):
		t.Errorf("%s, message %d: %d bytes, differing from byte %d of %d on", name, m.Index, len(got), firstDifference(got, m.Data), len(m.Data))
	default:
		r.same++
	}
	if err != nil || len(parts) == 1 {
		return
	}
	for i, f := range m.Fields() {
		alone, err := grib.Rebuild(parts[i])
		if err != nil {
			t.Errorf("%s, message %d, field %d: %v", name, m.Index, i, err)
		} else if want := f.Bytes(); !bytes.Equal(alone, want) {
			t.Errorf("%s, message %d: field %d alone differs from byte %d on", name, m.Index, i, firstDifference(alone, want))
		}
	}
}

// verbatim builds a message again of the octets of its data, and each field alone.
func (r *rebuilt) verbatim(t *testing.T, name string, m *grib.Message, parts []grib.Part) {
	t.Helper()
	var whole []grib.Part
	for i, f := range m.Fields() {
		p := grib.Part{Header: parts[i].Header, Data: f.DataSections()}
		whole = append(whole, p)
		if got, err := grib.Rebuild(p); err != nil || !bytes.Equal(got, f.Bytes()) {
			t.Errorf("%s, message %d, field %d verbatim: %v, or other octets", name, m.Index, i, err)
		}
	}
	if got, err := grib.Rebuild(whole...); err != nil || !bytes.Equal(got, m.Data) {
		t.Errorf("%s, message %d verbatim: %v, or other octets", name, m.Index, err)
	}
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// TestRebuild builds every sample message again.
func TestRebuild(t *testing.T) {
	var r rebuilt
	for _, name := range fixtures(t) {
		f, err := grib.Open(name, grib.WithSkipBad())
		if err != nil {
			t.Fatal(err)
		}
		for m, err := range f.Messages() {
			if err == nil {
				r.message(t, name, m)
			}
		}
		f.Close()
	}
	t.Log(&r)
	if r.same < 500 {
		t.Errorf("%v, expected at least 500", &r)
	}
}

// TestHeaderOfIntegers compares a header's description of the packing with the sections of fields.
func TestHeaderOfIntegers(t *testing.T) {
	for _, name := range []string{"lsm.grib2", "gfs_2p50_f000.grib2", "sanity.grib2"} {
		m, err := grib.ParseMessage(readFixture(t, name), 0)
		if err != nil {
			t.Fatal(err)
		}
		f := m.Fields()[0]
		header := f.Header()
		section := f.Section(5)
		want := len(section) > 20 && section[20] == 1
		if header.DataTemplate() != f.DataTemplate() || header.OfIntegers() != want {
			t.Errorf("%s: template %d of integers %v, expected %d, %v", name, header.DataTemplate(), header.OfIntegers(), f.DataTemplate(), want)
		}
		if string(f.Data()) != string(f.Section(7)) {
			t.Errorf("%s: the data are not section 7", name)
		}
	}
}
