package keys

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// message reads a message of one field.
func message(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "fixtures", "grib", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestSet sets keys as grib_set does. The expected values are given by grib_set of ecCodes 2.50
// (interop/grib/check_set.py compares whole messages).
func TestSet(t *testing.T) {
	for _, test := range []struct {
		file, key, value string
		check, want      string
	}{
		{"2t.grib2", "expver", "test", "experimentVersionNumber", "test"},
		{"2t.grib2", "expver", "7", "expver", "0007"},
		{"2t.grib2", "dataDate", "19991231", "mars.date", "19991231"},
		{"2t.grib2", "time", "1830", "dataTime", "1830"},
		{"2t.grib2", "step", "36", "stepRange", "36"},
		{"2t.grib2", "endStep", "90m", "stepRange", "90m"},
		{"2t.grib2", "shortName", "10u", "paramId", "165"},
		{"2t.grib2", "paramId", "168", "shortName", "2d"},
		{"2t.grib2", "class", "rd", "marsClass", "rd"},
		{"2t.grib2", "stream", "wave", "stream", "wave"},
		{"2t.grib2", "type", "cf", "typeOfProcessedData", "cf"},
		{"2t.grib2", "type", "an", "typeOfGeneratingProcess", "0"},
		{"2t.grib2", "generatingProcessIdentifier", "99", "generatingProcessIdentifier", "99"},
		{"sanity.grib2", "centre", "kwbc", "centre", "kwbc"},
		{"q_150.grib2", "typeOfLevel", "surface", "scaledValueOfFirstFixedSurface", "MISSING"},
		{"2t.grib2", "scaledValueOfSecondFixedSurface", "missing", "scaledValueOfSecondFixedSurface", "MISSING"},
		{"q_150.grib2", "level", "850", "level", "850"},
		{"q_150.grib2", "level", "0.5", "scaledValueOfFirstFixedSurface", "50"},
		{"cfgrib/t_analysis_and_fc_0.grib", "dataDate", "20011109", "dataDate", "20011109"},
		{"cfgrib/t_analysis_and_fc_0.grib", "step", "12", "stepRange", "12"},
		{"cfgrib/t_analysis_and_fc_0.grib", "level", "300", "level", "300"},
		{"cfgrib/t_analysis_and_fc_0.grib", "shortName", "z", "paramId", "129"},
	} {
		h, err := New(message(t, test.file), nil)
		if err != nil {
			t.Fatal(err)
		}
		changed, err := h.Set(test.key, test.value)
		if err != nil {
			t.Errorf("%s: %s=%s: %v", test.file, test.key, test.value, err)
			continue
		}
		after, err := New(changed, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := after.String(test.check); got != test.want || err != nil {
			t.Errorf("%s: %s=%s gives %s=%s (%v), expected %s", test.file, test.key, test.value, test.check, got, err, test.want)
		}
	}
}

func TestSetRefuses(t *testing.T) {
	for _, test := range []struct {
		key, value string
		want       error
	}{
		{"Ni", "3", ErrStructure}, {"productDefinitionTemplateNumber", "1", ErrStructure}, {"bitsPerValue", "3", ErrStructure},
		{"nonsense", "1", ErrNotFound}, {"levtype", "pl", ErrReadOnly}, {"parameterNumber", "256", ErrOutOfRange},
		{"parameterNumber", "x", ErrNotInteger}, {"shortName", "nonsense", ErrNoConcept}, {"validityDate", "20200101", ErrReadOnly},
		{"expver", "toolong", ErrOutOfRange}, {"centre", "kwbc", ErrStructure}, {"stream", "enda", ErrStructure},
		{"type", "em", ErrStructure}, {"numberOfPoints", "7", ErrStructure},
	} {
		h, err := New(message(t, "2t.grib2"), nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = h.Set(test.key, test.value)
		var key *KeyError
		if !errors.Is(err, test.want) || !errors.As(err, &key) {
			t.Errorf("%s=%s: %v, expected %v", test.key, test.value, err, test.want)
		}
	}
}

// FuzzSet sets keys to anything. A successful change leaves a message that can be read.
func FuzzSet(f *testing.F) {
	for _, name := range []string{"sanity.grib2", "cfgrib/t_analysis_and_fc_0.grib"} {
		b := message(f, name)
		for _, kv := range [][2]string{{"shortName", "10u"}, {"step", "12"}, {"level", "0.5"}, {"dataDate", "20200101"}, {"expver", "1"}, {"stepRange", "0-6"}} {
			f.Add(b[:min(len(b), 4000)], kv[0], kv[1])
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, key, value string) {
		h, err := New(b, nil)
		if err != nil {
			return
		}
		changed, err := h.Set(key, value)
		var bad *KeyError
		if err != nil && !errors.As(err, &bad) {
			t.Fatalf("%v is no *KeyError", err)
		}
		if err == nil && len(changed) != len(b) {
			t.Fatalf("%d bytes of %d", len(changed), len(b))
		}
	})
}
