//go:build interop

package grib_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"math"
	"path/filepath"
	"testing"

	"github.com/nilsmagnus/grib/griblib"
	"github.com/tgmconv/tgmconv/grib"
)

// opinion is the message as github.com/nilsmagnus/grib reads it; it may panic.
func opinion(b []byte) (m *griblib.Message, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return griblib.ReadMessage(bytes.NewReader(b))
}

// doubt names the part of a field that github.com/nilsmagnus/grib v1.2.8 is known to read
// wrongly, "" for nothing.
func doubt(f *grib.Field) string {
	s := f.Section(5)
	negative := s[15]&0x80 != 0 || s[17]&0x80 != 0
	switch t := f.DataTemplate(); {
	case t != 0 && t != 2 && t != 3:
		return "no other data templates than 5.0, 5.2 and 5.3"
	case f.GridTemplate() != 0:
		return "only grid template 3.0 is looked at here"
	case f.Section(6)[5] != 255:
		return "bitmaps are ignored"
	case negative:
		return "negative scale factors are taken for large ones"
	case s[19] == 0:
		return "constant fields have no values"
	case t == 0 && 8*(len(f.Section(7))-5)/int(s[19]) != int(binary.BigEndian.Uint32(s[5:])):
		return "bits that fill the last octet are taken for a value"
	case t != 0 && s[22] != 0:
		return "missing values of complex packing are numbers"
	}
	return ""
}

// second reports whether the second opinion has the same values of a field.
func second(t *testing.T, name string, f *grib.Field, m *griblib.Message) bool {
	t.Helper()
	want, _, err := f.Decode(nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(m.Section7.Data) != len(want) {
		return false
	}
	for i, v := range m.Section7.Data {
		// The formula is computed in another order there.
		if !(math.Abs(v-want[i]) <= 1e-9*(1+math.Abs(want[i]))) {
			return false
		}
	}
	return true
}

// sameSections compares the content of sections 1, 3 and 4.
func sameSections(t *testing.T, name string, f *grib.Field, m *griblib.Message) {
	t.Helper()
	g, err := f.Grid()
	if err != nil {
		t.Fatal(err)
	}
	grid, ok := m.Section3.Definition.(*griblib.Grid0)
	if !ok {
		t.Errorf("%s: grid %T", name, m.Section3.Definition)
		return
	}
	e, _ := g.Extent()
	p := f.Parameter()
	head := m.Section4.ProductDefinitionTemplate
	if f.ProductTemplate() != 0 {
		p[1], p[2] = 0, 0 // others are read as nothing
	}
	if int(m.Section1.OriginatingCenter) != f.Centre() || int(grid.Ni) != g.Ni || int(grid.Nj) != g.Nj || int(m.Section3.DataPointCount) != g.NumberOfDataPoints ||
		math.Abs(float64(grid.La1)/1e6-e.LatitudeOfFirst) > 1e-9 || grid.ScanningMode != uint8(g.Scan) ||
		int(m.Section0.Discipline) != p[0] || int(head.ParameterCategory) != p[1] || int(head.ParameterNumber) != p[2] {
		t.Errorf("%s: centre %d, grid %d by %d from %v, parameter %v; the other reader has %d, %d by %d from %d, %d %d %d", name, f.Centre(), g.Ni, g.Nj, e.LatitudeOfFirst, p,
			m.Section1.OriginatingCenter, grid.Ni, grid.Nj, grid.La1, m.Section0.Discipline, head.ParameterCategory, head.ParameterNumber)
	}
}

// TestSecondOpinion lets another Go library read the messages it can read. Where it is wrong, the
// log says so by name.
func TestSecondOpinion(t *testing.T) {
	before := log.Writer()
	log.SetOutput(io.Discard) // the library writes there
	t.Cleanup(func() { log.SetOutput(before) })
	names := fixtures(t)
	more, err := filepath.Glob("../.interop/corpus/grib/*")
	if err != nil {
		t.Fatal(err)
	}
	agreed, wrong, right := 0, map[string]int{}, map[string]int{}
	one := func(name string, b []byte, f *grib.Field) {
		reason := doubt(f)
		m, err := opinion(b)
		same := err == nil && second(t, name, f, m)
		switch {
		case reason != "" && same:
			right[reason]++
		case reason != "":
			wrong[reason]++
		case err != nil:
			t.Errorf("%s: the other reader: %v", name, err)
		case !same:
			t.Errorf("%s: values differ", name)
		default:
			agreed++
			sameSections(t, name, f, m)
		}
	}
	for _, name := range append(names, more...) {
		file, err := grib.Open(name, grib.WithSkipBad())
		if err != nil {
			continue
		}
		for m, err := range file.Messages() {
			if err != nil || m.Edition != 2 || len(m.Fields()) != 1 || len(m.Data) > 1<<20 {
				continue
			}
			if _, _, err := m.Fields()[0].Decode(nil); err == nil {
				one(fmt.Sprint(filepath.Base(name), " ", m.Index), m.Data, m.Fields()[0])
			}
		}
		file.Close()
	}
	var n int
	d := draft(t, &n)
	for scale := range 4 {
		for _, bits := range []int{3, 8, 11, 16, 24} {
			d.Quantised = &grib.Quantised{N: n, Reference: 200, BinaryScale: scale, DecimalScale: scale % 3, Bits: bits, Samples: make([]uint32, n)}
			for i := range d.Quantised.Samples {
				d.Quantised.Samples[i] = uint32(i*i/7+i%5) & (1<<bits - 1)
			}
			for _, e := range encoders() {
				b, err := e.Encode(nil, d)
				if err != nil {
					t.Fatal(err)
				}
				one(fmt.Sprintf("%+v, %d bits", e, bits), b, onlyField(t, b))
			}
		}
	}
	t.Logf("%d fields agree; wrong in the other reader: %v; right all the same: %v", agreed, wrong, right)
	if agreed < 50 {
		t.Errorf("only %d fields agree", agreed)
	}
	for _, reason := range []string{"bitmaps are ignored", "negative scale factors are taken for large ones"} {
		if wrong[reason] == 0 {
			t.Errorf("%s no longer: let the test compare these", reason)
		}
	}
}
