package grib_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"testing"

	"github.com/tgmconv/tgmconv/grib"
)

// sameRounded checks that DecodeFloat32 gives the values of Decode, rounded, or the same error.
func sameRounded(t *testing.T, f *grib.Field, values []float64, missing int, err error) {
	t.Helper()
	singles, missing32, err32 := f.DecodeFloat32(nil)
	if (err == nil) != (err32 == nil) || err != nil && err.Error() != err32.Error() {
		t.Fatalf("template %d: the error is %v, as float32 %v", f.DataTemplate(), err, err32)
	}
	if len(singles) != len(values) || missing32.Count() != missing {
		t.Fatalf("template %d: %d values, %d missing; as float32 %d, %d missing", f.DataTemplate(), len(values), missing, len(singles), missing32.Count())
	}
	for i, v := range values {
		if want := float32(v); math.Float32bits(singles[i]) != math.Float32bits(want) {
			t.Fatalf("template %d: value %d is %v, as float32 %v (%#x)", f.DataTemplate(), i, v, singles[i], math.Float32bits(singles[i]))
		}
	}
}

// Values as float32 are the values of Decode, rounded, in every packing, with a bitmap and without.
func TestDecodeFloat32(t *testing.T) {
	templates := make(map[int]bool)
	check := func(m *grib.Message) {
		for _, f := range m.Fields() {
			values, missing, err := f.Decode(nil)
			sameRounded(t, f, values, missing.Count(), err)
			if err == nil && f.Edition == 2 {
				templates[f.DataTemplate()] = true
			}
		}
	}
	for _, b := range packings(t) {
		m, err := grib.ParseMessage(b, 0)
		if err != nil {
			t.Fatal(err)
		}
		check(m)
	}
	for _, name := range fixtures(t) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := grib.NewFile(bytes.NewReader(b), int64(len(b)), grib.WithSkipBad())
		if err != nil {
			continue
		}
		for i := range file.Len() {
			if m, err := file.Message(i); err == nil {
				check(m)
			}
		}
	}
	for _, template := range []int{0, 2, 3, 4, 40, 41, 42, 50, 51, 61, 200} {
		if !templates[template] {
			t.Errorf("no field of template 5.%d was read", template)
		}
	}
}

// A stream that ends too early gives the same error for both types.
func TestDecodeFloat32Truncated(t *testing.T) {
	for _, b := range packings(t) {
		m, err := grib.ParseMessage(b, 0)
		if err != nil || m.Edition != 2 || m.Fields()[0].DataTemplate() != 42 {
			continue
		}
		sections := m.Fields()[0].Sections()
		for i := range sections {
			if sections[i].Number != 7 || len(sections[i].Data) < 20 {
				continue
			}
			short := withSection(sections, 2, 7, sections[i].Data[:len(sections[i].Data)/2])
			m, err := grib.ParseMessage(short, 0)
			if err != nil {
				t.Fatal(err)
			}
			values, missing, err := m.Fields()[0].Decode(nil)
			var format *grib.FormatError
			if !errors.As(err, &format) {
				t.Fatalf("half of a stream: %v, expected a FormatError", err)
			}
			sameRounded(t, m.Fields()[0], values, missing.Count(), err)
			return
		}
	}
	t.Fatal("no CCSDS stream was found")
}
