package mapping

import (
	"maps"
	"testing"
)

// elements are of a size in bytes.
type elements struct {
	size  int
	float bool
}

func (e elements) Size() int     { return e.size }
func (e elements) IsFloat() bool { return e.float }

func TestScaling(t *testing.T) {
	entry := func(attributes, types map[string]any) Entry {
		n := NetCDF{Attributes: attributes, AttrTypes: types}
		return Read(map[string]any{KeyNetCDF: n.Map()})
	}
	double := map[string]any{"scale_factor": "double", "add_offset": "double"}
	single := map[string]any{"scale_factor": "float", "add_offset": "float"}
	for name, c := range map[string]struct {
		entry   Entry
		of      elements
		x, want float64
		single  bool
	}{
		"both":               {entry(map[string]any{"scale_factor": 0.1, "add_offset": 5.0}, double), elements{2, false}, 7, 7*0.1 + 5, false},
		"offset alone":       {entry(map[string]any{"add_offset": int64(3)}, nil), elements{2, false}, 7, 10, false},
		"float32":            {entry(map[string]any{"scale_factor": float64(float32(0.1)), "add_offset": 5.0}, single), elements{2, false}, 7, float64(float32(7)*float32(0.1) + 5), true},
		"float32 of 4 bytes": {entry(map[string]any{"scale_factor": 0.5, "add_offset": 5.0}, single), elements{4, false}, 7, 8.5, false},
		"float32, no offset": {entry(map[string]any{"scale_factor": 0.5}, single), elements{4, false}, 7, 3.5, true},
		"floats":             {entry(map[string]any{"scale_factor": float64(float32(0.1)), "add_offset": 5.0}, single), elements{4, true}, 7, float64(float32(7)*float32(0.1) + 5), true},
		"floats, no scale":   {entry(map[string]any{"add_offset": 5.0}, single), elements{4, true}, 7, 12, false},
		"float64":            {entry(map[string]any{"scale_factor": 0.5, "add_offset": 5.0}, single), elements{8, true}, 7, 8.5, false},
	} {
		s, ok := c.entry.Scaling(c.of)
		if v, there := s.Value(c.x); !ok || !there || v != c.want || s.Single != c.single {
			t.Errorf("%s: %v, %v, %+v, expected %v", name, v, ok, s, c.want)
		}
	}
	s, _ := entry(map[string]any{"scale_factor": 1.0, "_FillValue": "18446744073709551615", "missing_value": []any{int64(-1), int64(-2)}}, double).Scaling(elements{8, false})
	for _, x := range []float64{1<<64 - 1, -1, -2} {
		if _, ok := s.Value(x); ok {
			t.Errorf("%v is not missing", x)
		}
	}
	for name, e := range map[string]Entry{
		"no factors": entry(map[string]any{"units": "K"}, nil), "text": entry(map[string]any{"scale_factor": "0.1"}, nil), "GRIB": Read(nil),
		"unpacked": Read(map[string]any{KeyNetCDF: (&NetCDF{Attributes: map[string]any{"scale_factor": 1.0}, Packing: map[string]any{}}).Map()}),
	} {
		if s, ok := e.Scaling(elements{2, false}); ok {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// TestUnpackedByReference knows that release 0.17 of the reference's converter leaves the
// attributes of packed numbers where it unpacks. It does not unpack records.
func TestUnpackedByReference(t *testing.T) {
	for _, test := range []struct {
		name     string
		add      map[string]any
		unpacked bool
	}{
		{"file", map[string]any{"_global": map[string]any{"Conventions": "CF-1.8"}}, true},
		{"record", map[string]any{"_global": map[string]any{}, "record_index": int64(0)}, false},
		{"text", map[string]any{"_global": map[string]any{}, "scale_factor": "0.1"}, false},
		{"names of dimensions", map[string]any{"_global": map[string]any{}, "_dims": []any{"x"}}, false},
		{"attributes alone", nil, false},
	} {
		said := map[string]any{"scale_factor": 0.1, "units": "K", "valid_max": int64(10)}
		maps.Copy(said, test.add)
		e := Read(map[string]any{"name": "t", "netcdf": said})
		n, _ := e.NetCDF()
		if (n.Packing != nil) != test.unpacked || (n.Attributes["scale_factor"] == nil) != test.unpacked || n.Attributes["units"] != "K" {
			t.Errorf("%s: packing %v, attributes %v", test.name, n.Packing, n.Attributes)
		}
		if _, packed := e.Scaling(elements{8, false}); packed != (!test.unpacked && test.name != "text") {
			t.Errorf("%s: packed %v", test.name, packed)
		}
	}
}
