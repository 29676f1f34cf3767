package mapping

import (
	"reflect"
	"slices"
	"testing"
	"time"
)

func fullLabels() Labels {
	return Labels{
		ReferenceTime: Some(time.Date(2026, 4, 4, 12, 0, 0, 0, time.UTC)), ValidTime: Some(time.Date(2026, 4, 4, 18, 0, 0, 0, time.UTC)),
		Step: Some(int64(6)), StepUnits: "h", Level: Some(0.4), LevelType: "depthBelowLandLayer", Top: Some(0.4), Bottom: Some(1.0),
		Number: Some(int64(3)), RecordIndex: Some(uint64(2)), Geometry: map[string]any{"type": "regular_ll"},
	}
}

func fullNetCDF() *NetCDF {
	return &NetCDF{
		Attributes: map[string]any{"units": "K"}, AttrTypes: map[string]any{"units": "string"}, Dims: []string{"t", "x"},
		Packing: map[string]any{"scale_factor": 0.1, PackingDType: "short"}, Enum: map[string]any{"on": int64(1)},
		Missing: map[string]any{"runs": []any{int64(1), int64(0)}},
		Type:    "enum", Encoding: "utf-8", Counts: "n_counts", CountsOf: "n",
		File: &NetCDFFile{
			Dims: []FileDim{{"t", 2, true, "", false}, {"x", 3, false, "/g", true}}, Global: map[string]any{"title": "a"}, GlobalTypes: map[string]any{"title": "string"},
			Groups:  []NetCDFGroup{{"/g", map[string]any{"a": int64(1)}, map[string]any{"a": "int"}}},
			Others:  []NetCDFVariable{{"refs", "reference", "no tensor form", []string{"x"}, map[string]any{"b": "c"}, map[string]any{"b": "string"}, []string{"/x", ""}}},
			Aliases: map[string]any{"/h": "/g"},
			Layout: &NetCDFLayout{
				Kind:  "netCDF-4",
				Types: []LayoutType{{Name: "/e", Class: "enum", Base: "byte", Size: 1, Members: []LayoutMember{{"on", -1}}}},
				Attrs: []LayoutAttr{{Name: "title", Type: "char", Raw: []byte("a\x00\xff")}, {Name: "history"}, {Name: "source", Zeros: 2}},
				Variables: []LayoutVariable{{
					Name: "g/v", Type: "/e", Dims: []string{"x"}, Layout: "chunked", Chunks: []uint64{3},
					Filters: [][]uint64{{1, 5}}, BigEndian: true,
				}},
			},
		},
	}
}

func TestLabelsReadBack(t *testing.T) {
	labels := fullLabels()
	e := Read(labels.Map())
	if v, ok := e.ReferenceTime(); !ok || !v.Equal(labels.ReferenceTime.Value) {
		t.Errorf("reference time %v, %v", v, ok)
	}
	if v, ok := e.ValidTime(); !ok || !v.Equal(labels.ValidTime.Value) {
		t.Errorf("valid time %v, %v", v, ok)
	}
	if v, ok := e.Step(); !ok || v != 6*time.Hour {
		t.Errorf("step %v, %v", v, ok)
	}
	if v, ok := e.Level(); !ok || v != 0.4 || e.LevelType() != "depthBelowLandLayer" {
		t.Errorf("level %v, %v, %s", v, ok, e.LevelType())
	}
	if top, bottom, ok := e.Layer(); !ok || top != 0.4 || bottom != 1 {
		t.Errorf("layer %v to %v, %v", top, bottom, ok)
	}
	if v, ok := e.Member(); !ok || v != 3 {
		t.Errorf("member %v, %v", v, ok)
	}
	if v, ok := e.RecordIndex(); !ok || v != 2 {
		t.Errorf("record %v, %v", v, ok)
	}
	if !reflect.DeepEqual(e.Geometry(), labels.Geometry) {
		t.Errorf("geometry %v", e.Geometry())
	}
	late := Labels{ReferenceTime: Some(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))}
	if m := late.Map(); len(m) != 0 {
		t.Errorf("a year of five digits gives %v", m)
	}
	var none Labels
	if m := none.Map(); len(m) != 0 {
		t.Errorf("no labels give %v", m)
	}
}

func TestNetCDFReadBack(t *testing.T) {
	want := fullNetCDF()
	// Entries read from a file have lists as []any.
	m := want.Map()
	m[NetCDFDims] = []any{"t", "x"}
	base := map[string]any{KeyNetCDF: m}
	entry := ReadIn(want.File.Extra(), base)
	if layout := entry.NetCDFLayout(); !reflect.DeepEqual(layout, want.File.Layout) {
		t.Errorf("layout %+v, want %+v", layout, want.File.Layout)
	}
	got, ok := entry.NetCDF()
	want.File.Layout = nil // read on its own
	if !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, want %+v", got, want)
	}
	if units := Read(base).Units(); units != "K" {
		t.Errorf("units %q", units)
	}
	if got, _ := Read(base).NetCDF(); got.File != nil {
		t.Errorf("an entry without its message knows the file: %+v", got.File)
	}
	m["_global"], m["_file"] = map[string]any{"title": "b"}, map[string]any{"dims": []any{map[string]any{"name": "t", "len": uint64(2)}}}
	if got, _ := Read(base).NetCDF(); got.File == nil || got.File.Global["title"] != "b" || len(got.File.Dims) != 1 {
		t.Errorf("of an entry of the reference the file is %+v", got.File)
	}
	if _, ok := Read(nil).NetCDF(); ok {
		t.Error("an empty entry is a netCDF variable")
	}
	base[KeyRecordIndex] = uint64(0)
	if dims := Read(base).Dims(1); !slices.Equal(dims, []string{"x"}) {
		t.Errorf("dimensions of a record: %v", dims)
	}
}

// TestForeignEntries reads entries of the reference's converters and earthkit's encoder.
func TestForeignEntries(t *testing.T) {
	for _, c := range []struct {
		what      string
		mars      map[string]any
		name      string
		reference string
		valid     string
		level     float64
		member    int64
	}{
		{"convert-grib", map[string]any{"param": int64(130), "date": int64(20260404), "time": int64(1200), "step": int64(6), "levelist": int64(500), "levtype": "pl", "number": int64(7)},
			"130", "2026-04-04T12:00:00Z", "2026-04-04T18:00:00Z", 500, 7},
		{"earthkit", map[string]any{"param": "t", "shortName": "t", "date": "2026-04-04", "time": "0600", "step": "0-6", "levelist": "850", "levtype": "pl", "number": "1"},
			"t", "2026-04-04T06:00:00Z", "2026-04-04T12:00:00Z", 850, 1},
		{"hindcast", map[string]any{"param": "t", "date": int64(20260404), "hdate": int64(20060404), "time": int64(0), "step": "90m", "levelist": 0.5, "number": int64(0)},
			"t", "2006-04-04T00:00:00Z", "2006-04-04T01:30:00Z", 0.5, 0},
	} {
		e := Read(map[string]any{"mars": c.mars})
		reference, ok := e.ReferenceTime()
		if got := reference.Format(time.RFC3339); !ok || got != c.reference {
			t.Errorf("%s: reference time %s, %v", c.what, got, ok)
		}
		valid, ok := e.ValidTime()
		if got := valid.Format(time.RFC3339); !ok || got != c.valid {
			t.Errorf("%s: valid time %s, %v", c.what, got, ok)
		}
		if level, ok := e.Level(); !ok || level != c.level {
			t.Errorf("%s: level %v, %v", c.what, level, ok)
		}
		if member, ok := e.Member(); !ok || member != c.member {
			t.Errorf("%s: member %v, %v", c.what, member, ok)
		}
		if name := e.Name(nil); name != c.name {
			t.Errorf("%s: name %s", c.what, name)
		}
	}
}

func TestEntryRefusesWhatIsNoLabel(t *testing.T) {
	e := Read(map[string]any{"mars": map[string]any{"date": int64(100), "time": int64(2460), "step": "x", "levelist": "to", "number": []any{}},
		"reference_time": "yesterday", "level_type": int64(1), "geometry": "none", "record_index": int64(-1)})
	if _, ok := e.ReferenceTime(); ok {
		t.Error("reference time")
	}
	if _, ok := e.ValidTime(); ok {
		t.Error("valid time")
	}
	if _, ok := e.Step(); ok {
		t.Error("step")
	}
	if _, ok := e.Level(); ok || e.LevelType() != "" {
		t.Error("level")
	}
	if _, ok := e.Member(); ok {
		t.Error("member")
	}
	if _, ok := e.RecordIndex(); ok || e.Geometry() != nil {
		t.Error("record index or geometry")
	}
	if _, ok := Read(map[string]any{"step": int64(1), "step_units": "M"}).Step(); ok {
		t.Error("a month is no fixed time")
	}
}
