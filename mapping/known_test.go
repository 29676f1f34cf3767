package mapping

import (
	"testing"
	"time"
)

// codes are the keys of a source's library.
type codes map[string]struct {
	text   string
	number int64
}

func (c codes) Text(key string) (string, bool) { v, ok := c[key]; return v.text, ok }
func (c codes) Int(key string) (int64, bool)   { v, ok := c[key]; return v.number, ok }
func (c codes) Real(key string) (float64, bool) {
	v, ok := c[key]
	return float64(v.number), ok
}
func (c codes) Value(key string) (any, bool) { v, ok := c[key]; return v.text, ok }

func wholeKnown() *Known {
	message := map[string]any{"source": "run 7", "netcdf_x": map[string]any{"global": map[string]any{"title": "sample"}}}
	return &Known{
		Position: func(key string) (any, bool) { return 2.0, key == "height" },
		Entry: ReadIn(message, map[string]any{
			KeyName: "g/t", KeySource: "x", "height": "said", KeyGRIB: map[string]any{"section": map[string]any{"centre": "ecmf"}},
			KeyNetCDF: map[string]any{"units": "K", "dtype": "said"},
		}),
		Label: func() Label {
			return Label{Name: "g/t", LongName: "temperature", Units: "no", Reference: Some(time.Date(2026, 4, 4, 6, 0, 0, 0, time.UTC))}
		},
		Place:  &Place{File: "a.tgm", Message: 3, Object: 1},
		Array:  func() ArrayKeys { return ArrayKeys{DType: "float32", Shape: []uint64{3, 4}, Dims: []string{"y", "x"}} },
		Stored: func(key string) (any, bool) { return "zstd", key == "compression" || key == "file" },
		Coded:  codes{"centre": {"ecmf", 98}, "packingType": {"grid_simple", 0}, KeyName: {"Temperature", 0}},
	}
}

// TestKnownOrder: the first that has a key says its value.
func TestKnownOrder(t *testing.T) {
	k := wholeKnown()
	for key, want := range map[string]any{
		"height": 2.0, "extra.source": "run 7", "extra.units": nil, "global.title": "sample", "global.none": nil, KeyName: "g/t", "units": "K",
		"centre": "ecmf", "source": "run 7", "long_name": "temperature", "date": int64(20260404), "dataTime": int64(600),
		"reference_time": "2026-04-04T06:00:00Z", "group": "/g", "file": "a.tgm", "message": int64(3), "object": int64(1), "dtype": "said",
		"compression": "zstd", "packingType": "grid_simple", "level": nil, "none": nil,
	} {
		if got, ok := k.Value(key); got != want && (ok || want != nil) {
			t.Errorf("%s is %v, expected %v", key, got, want)
		}
	}
	if v, ok := new(Known).Value(KeyName); ok {
		t.Errorf("nothing is known, and name is %v", v)
	}
}

// TestKnownWords expects a clause to hold for each word that there is for the value of a key. A clause with !=
// holds for none of them.
func TestKnownWords(t *testing.T) {
	k := wholeKnown()
	matches := func(clause string) bool {
		clauses, err := ParseClauses([]string{clause})
		if err != nil {
			t.Fatal(err)
		}
		return k.Match(clauses, nil)
	}
	for clause, want := range map[string]bool{
		"name=g/t": true, "name=t": true, "name!=t": false, "name!=u": true, "shape=3x4": true, "shape=[3,4]": true, "dims=y x": true,
		"dtype=float": true, "dtype=float64": false, "group=g": true, "centre=98": true, "centre=ecmf": true, "centre!=98": false, "centre=97": false,
		"name=Temperature": true, "level=1": false, "level!=1": true, "height=2": true, "height=said": false,
	} {
		if got := matches(clause); got != want {
			t.Errorf("%s: %v, expected %v", clause, got, want)
		}
	}

	// Changed metadata is not found under its former value.
	k.Changeable = true
	for clause, want := range map[string]bool{"centre=98": true, "centre=ecmf": true, "packingType=grid_simple": true} {
		if got := matches(clause); got != want {
			t.Errorf("%s of metadata that may have been changed: %v, expected %v", clause, got, want)
		}
	}
	_, base := k.Entry.Maps()
	base[KeyGRIB] = map[string]any{"section": map[string]any{"centre": "kwbc"}}
	for clause, want := range map[string]bool{"centre=98": false, "centre=ecmf": false, "centre!=98": true, "centre=kwbc": true} {
		if got := matches(clause); got != want {
			t.Errorf("%s of changed metadata: %v, expected %v", clause, got, want)
		}
	}
}

func TestLabelText(t *testing.T) {
	at := time.Date(2017, 3, 22, 6, 0, 0, 0, time.UTC)
	for want, l := range map[string]Label{
		"":                               {},
		"2017-03-22 06:00 +12h, 850 hPa": {Reference: Some(at), Step: Some(12 * time.Hour), Level: Some(850.0), LevelType: "isobaricInhPa"},
		"2017-03-22 06:00, 2 m above ground, member 3": {Valid: Some(at), Level: Some(2.0), LevelType: "heightAboveGround", Member: Some[int64](3)},
		"surface":   {Level: Some(0.0), LevelType: "surface"},
		"hybrid 60": {Level: Some(60.0), LevelType: "hybrid"},
	} {
		if got := l.Text(); got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}
