package fromgrib

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/cases"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
)

// entryOf is base[i] of a message with one field.
func entryOf(s *Source, message []byte) (map[string]any, error) {
	m, err := grib.ParseMessage(message, 0)
	if err != nil {
		return nil, err
	}
	return fieldEntry(s, m.Fields()[0])
}

func fieldEntry(s *Source, f *grib.Field) (map[string]any, error) {
	part := importers.Part{Input: "test", Length: int64(len(f.Message.Data))}
	field, err := s.field(s.fieldAt(context.Background(), f, &part, 0), "test")
	if err != nil {
		return nil, err
	}
	return mapping.Base(field.Name, field.Attrs, field.Extras, field.Namespaces...)
}

// sections finds sections 1 and 4 of a message of edition 2.
func sections(message []byte) map[int][]byte {
	found := make(map[int][]byte)
	for at := 16; at+5 <= len(message) && string(message[at:at+4]) != "7777"; {
		length := int(message[at])<<24 | int(message[at+1])<<16 | int(message[at+2])<<8 | int(message[at+3])
		found[int(message[at+4])] = message[at : at+length]
		at += length
	}
	return found
}

// TestEveryOctetTells changes every octet of sections 1 and 4 of a message and expects another base[i] each
// time. It has one message for each product template (interop/grib/check_labels.py made them).
func TestEveryOctetTells(t *testing.T) {
	data, err := os.ReadFile("testdata/templates.grib2")
	if err != nil {
		t.Fatal(err)
	}
	some := cases.Of(t)
	s := New(nil, Options{})
	pairs, templates := 0, 0
	for len(data) > 0 {
		end := bytes.Index(data, []byte("7777")) + 4
		message := data[:end]
		data = data[end:]
		templates++
		pairs += octetPairs(t, some, s, message)
	}
	if templates < 100 || pairs < 500 || pairs < 3000 && some.All() {
		t.Errorf("%d templates, %d pairs", templates, pairs)
	}
}

// octetPairs changes some octets of one message and returns how many changes there were.
func octetPairs(t *testing.T, some cases.Choice, s *Source, message []byte) (pairs int) {
	base, err := entryOf(s, message)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(message)
	parts := sections(changed)
	template := int(parts[4][7])<<8 | int(parts[4][8])
	for section, first := range map[int]int{1: 5, 4: 9} { // octets before these describe the form
		for i := first; i < len(parts[section]); i++ {
			if !some.Has(i, 4) {
				continue
			}
			octet := &parts[section][i]
			old := *octet
			*octet ^= 2
			entry, err := entryOf(s, changed)
			*octet = old
			if err != nil {
				continue // a count of the octets that follow, which would be too few
			}
			pairs++
			if reflect.DeepEqual(entry, base) && !hidden(template, section, i) {
				t.Errorf("template 4.%d: octet %d of section %d tells nothing: %d", template, i+1, section, old)
			}
		}
	}
	return pairs
}

// hidden reports whether no key gives an octet of section 4: ecCodes has two keys siteId in
// template 4.20, and the second hides the first.
func hidden(template, section, octet int) bool {
	return template == 20 && section == 4 && octet >= 24 && octet < 28
}

// TestLevelsAreNotRounded reads the soil layers of a GFS file.
func TestLevelsAreNotRounded(t *testing.T) {
	f, err := grib.Open("../../fixtures/grib/gfs_2p50_f000.grib2")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := New(nil, Options{})
	found := make(map[string]bool)
	for i := range f.Len() {
		m, err := f.Message(i)
		if err != nil {
			t.Fatal(err)
		}
		entry, err := entryOf(s, m.Data)
		if err != nil {
			t.Fatal(err)
		}
		if e := mapping.Read(entry); e.LevelType() == "depthBelowLandLayer" {
			top, bottom, _ := e.Layer()
			found[fmt.Sprint(e.Name(nil), " ", top, " ", bottom)] = true
		}
	}
	for _, want := range []string{"st 0 0.1", "st 0.1 0.4", "st 0.4 1", "st 1 2"} {
		if !found[want] {
			t.Errorf("there is no layer %s in %v", want, found)
		}
	}
}

// TestFieldsOfFixturesDiffer compares the base[i] of fields of a fixture. They are the same only if
// the sections before the data are.
func TestFieldsOfFixturesDiffer(t *testing.T) {
	fields := 0
	err := filepath.WalkDir("../../fixtures/grib", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, "malformed") {
			return err
		}
		f, err := grib.Open(path, grib.WithSkipBad())
		if err != nil {
			return nil // no GRIB
		}
		defer f.Close()
		s := New(nil, Options{})
		heads := make(map[string]string) // base[i]: the sections
		for i := range f.Len() {
			m, err := f.Message(i)
			if err != nil {
				return err
			}
			for _, field := range m.Fields() {
				entry, err := fieldEntry(s, field)
				if err != nil {
					return fmt.Errorf("%s: message %d: %w", path, i, err)
				}
				for _, packing := range []string{"bitsPerValue", "decimalScaleFactor", "packingType"} {
					delete(entry[mapping.KeyReproduction].(map[string]any), packing)
				}
				fields++
				labels, head := fmt.Sprint(entry), headOf(field)
				if known, ok := heads[labels]; ok && known != head {
					t.Errorf("%s: message %d has the labels of another field: %s", path, i, labels)
				}
				heads[labels] = head
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if fields < 500 {
		t.Errorf("only %d fields were read", fields)
	}
}

// headOf is the description of a field: sections 1 to 4, without the flags and the packing that
// section 1 of edition 1 has.
func headOf(f *grib.Field) string {
	var head []byte
	for n := 1; n <= 4; n++ {
		section := bytes.Clone(f.Section(n))
		if f.Edition == 1 {
			if n > 2 {
				break
			}
			if n == 1 && len(section) > 27 {
				section[7], section[26], section[27] = 0, 0, 0
			}
		}
		head = append(head, section...)
	}
	return string(head)
}

// TestParameterIsSaidOnce holds that a parameter without a MARS key has its number in base[i].product, and
// nowhere else.
func TestParameterIsSaidOnce(t *testing.T) {
	message, err := os.ReadFile("../../fixtures/grib/2t.grib2")
	if err != nil {
		t.Fatal(err)
	}
	h, err := keys.New(message, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range []bool{false, true} {
		attrs := new(mapping.Attributes)
		if said {
			err = attrs.Set(mars.GroupMARS, "param", int64(167))
		}
		if err == nil {
			err = parameterAttribute(attrs, h)
		}
		if err != nil {
			t.Fatal(err)
		}
		if id, ok := attrs.Get(mars.GroupProduct, "paramId"); ok == said || ok && id != int64(167) {
			t.Errorf("with the MARS key %v: paramId %v, %v", said, id, ok)
		}
	}
}
