package fromgrib_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

const fixtures = "../../fixtures/grib"

// object is an object of a converted file.
type object struct {
	message int
	base    map[string]any
	desc    *tgm.Descriptor
	values  []float64
}

func (o *object) isField() bool { _, ok := o.base["mars"]; return ok }

// convert converts files and reads the result.
func convert(t *testing.T, src fromgrib.Options, opts importers.Options, names ...string) ([]object, *importers.Report) {
	t.Helper()
	for i, name := range names {
		if !filepath.IsAbs(name) {
			names[i] = filepath.Join(fixtures, name)
		}
	}
	inputs, err := new(storage.Client).Find(t.Context(), names...)
	if err != nil {
		t.Fatal(err)
	}
	s := fromgrib.New(inputs, src)
	defer s.Close()
	var out bytes.Buffer
	report, err := importers.Convert(t.Context(), s, &out, opts)
	if err != nil {
		t.Fatal(err)
	}
	return objects(t, out.Bytes()), report
}

func objects(t *testing.T, b []byte) (all []object) {
	t.Helper()
	for _, o := range readObjects(t, b) {
		a, err := o.Decode(tgm.DecodeOptions{VerifyHash: true})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, object{o.Message().Index(), o.Base(), o.Descriptor(), floats(t, a)})
	}
	return all
}

func floats(t *testing.T, a *tgm.Array) []float64 {
	t.Helper()
	switch a.DType {
	case tgm.Float64:
		v := make([]float64, len(a.Data)/8)
		for i := range v {
			v[i] = math.Float64frombits(binary.LittleEndian.Uint64(a.Data[8*i:]))
		}
		return v
	case tgm.Float32:
		v := make([]float64, len(a.Data)/4)
		for i := range v {
			v[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(a.Data[4*i:])))
		}
		return v
	}
	t.Fatalf("unexpected type %s", a.DType)
	return nil
}

// expectation is ecCodes' description of a message (interop/convert/freeze_importers.py).
type expectation struct {
	Name      string
	MARS      map[string]any
	Valid     string // YYYYMMDDhhmm
	LevelType string `json:"level_type"`
	Values    struct {
		Count, Missing int
		Min, Max, Sum  float64
	}
}

func TestFixturesAgreeWithEcCodes(t *testing.T) {
	text, err := os.ReadFile("testdata/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var files map[string]struct {
		Count    int
		Messages []expectation
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&files); err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all, _ := convert(t, fromgrib.Options{}, importers.Options{Workers: 2}, name)
			fields := slices.DeleteFunc(all, func(o object) bool { return !o.isField() })
			if len(fields) != want.Count {
				t.Fatalf("%d fields, expected %d", len(fields), want.Count)
			}
			for i, w := range want.Messages {
				compare(t, i, &fields[i], &w)
			}
		})
	}
}

func compare(t *testing.T, i int, got *object, want *expectation) {
	t.Helper()
	if got.base["name"] != want.Name {
		t.Errorf("field %d: name %v, expected %v", i, got.base["name"], want.Name)
	}
	mars := got.base["mars"].(map[string]any)
	for k, w := range want.MARS {
		if !sameKey(mars[k], w) {
			t.Errorf("field %d: mars.%s is %#v, expected %v", i, k, mars[k], w)
		}
	}
	if extra := len(mars) - len(want.MARS); extra > 2 {
		t.Errorf("field %d: %d keys in mars, expected %d and grid and area", i, len(mars), len(want.MARS))
	}
	valid, _ := got.base["valid_time"].(string)
	if digits := strings.NewReplacer("-", "", "T", "", ":", "").Replace(valid); !strings.HasPrefix(digits, want.Valid) {
		t.Errorf("field %d: valid_time %s, expected %s", i, valid, want.Valid)
	}
	if got.base["level_type"] != want.LevelType {
		t.Errorf("field %d: level_type %v, expected %v", i, got.base["level_type"], want.LevelType)
	}
	low, high, missing := math.Inf(1), math.Inf(-1), 0
	total, lost := 0.0, 0.0 // a compensated sum
	for _, v := range got.values {
		if math.IsNaN(v) {
			missing++
			continue
		}
		low, high = min(low, v), max(high, v)
		next := total + v
		if math.Abs(total) >= math.Abs(v) {
			lost += total - next + v
		} else {
			lost += v - next + total
		}
		total = next
	}
	w := want.Values
	if len(got.values) != w.Count || missing != w.Missing {
		t.Errorf("field %d: %d values, %d missing, expected %d, %d", i, len(got.values), missing, w.Count, w.Missing)
	}
	if missing == len(got.values) {
		return
	}
	// Where the decimal scale factor is not 0 the same product is rounded in another place, see
	// values.Packed.
	ulp := math.Nextafter(max(math.Abs(w.Min), math.Abs(w.Max)), math.Inf(1)) - max(math.Abs(w.Min), math.Abs(w.Max))
	total += lost
	if math.Abs(low-w.Min) > 4*ulp || math.Abs(high-w.Max) > 4*ulp || math.Abs(total-w.Sum) > 4*ulp*float64(w.Count) {
		t.Errorf("field %d: minimum %v, maximum %v, sum %v, expected %v, %v, %v", i, low, high, total, w.Min, w.Max, w.Sum)
	}
}

// sameKey compares a key with its type: an integer is not a float, nor a text.
func sameKey(got, want any) bool {
	n, ok := want.(json.Number)
	if !ok {
		return got == want
	}
	if i, err := n.Int64(); err == nil {
		return got == i
	}
	f, err := n.Float64()
	return err == nil && got == f
}

func TestSourceEncodingKeepsTheIntegers(t *testing.T) {
	for _, c := range []struct {
		file  string
		bits  int64
		block int64 // samples; 32 are the source's, 16 ours
	}{{"2t.grib2", 16, 32}, {"2t_simple.grib2", 16, 16}, {"lsm.grib2", 8, 32}} {
		all, _ := convert(t, fromgrib.Options{}, importers.Options{}, c.file)
		d := all[0].desc
		if d.Encoding != "simple_packing" || d.Compression != "szip" || d.Params["sp_bits_per_value"] != c.bits {
			t.Errorf("%s is stored as %s, %s with %v bits, expected simple_packing, szip, %d", c.file, d.Encoding, d.Compression, d.Params["sp_bits_per_value"], c.bits)
		}
		if block := d.Params["szip_block_size"]; block != c.block {
			t.Errorf("%s has blocks of %v samples, expected %d", c.file, block, c.block)
		}
	}
	simple, _ := convert(t, fromgrib.Options{}, importers.Options{}, "2t_simple.grib2")
	ccsds, _ := convert(t, fromgrib.Options{}, importers.Options{}, "2t.grib2")
	if !slices.Equal(simple[0].values, ccsds[0].values) {
		t.Error("the same field gives other values in simple packing than in CCSDS")
	}
}

func TestSpectralFieldsArePairs(t *testing.T) {
	all, report := convert(t, fromgrib.Options{}, importers.Options{}, "cfgrib/spherical_harmonics.grib")
	o := all[0]
	if len(o.desc.Shape) != 2 || o.desc.Shape[1] != 2 || !reflect.DeepEqual(o.base["dim_names"], []any{"coefficient", "part"}) {
		t.Errorf("shape %v, dims %v", o.desc.Shape, o.base["dim_names"])
	}
	if report.Coordinates != 0 {
		t.Errorf("%d coordinates of a spectral field", report.Coordinates)
	}
	g := o.base["geometry"].(map[string]any)
	if g["J"] == nil || g["K"] == nil || g["M"] == nil {
		t.Errorf("geometry %v", g)
	}
}

// TestCoordinatesAreSharedAndLast: fields of editions 1 and 2 on one grid, whose definitions are
// not the same, and a reduced grid.
func TestCoordinatesAreSharedAndLast(t *testing.T) {
	all, report := convert(t, fromgrib.Options{}, importers.Options{Coordinates: importers.CoordinatesAll}, "cfgrib/t_on_different_level_types.grib", "cfgrib/reduced_gg.grib")
	first := slices.IndexFunc(all, func(o object) bool { return !o.isField() })
	fields, coords := all[:first], all[first:]
	for _, c := range coords {
		if c.isField() || len(c.base) != 5 || c.base["units"] == nil || !strings.HasPrefix(c.base["name"].(string), c.base["standard_name"].(string)) {
			t.Errorf("after the fields is %v", c.base)
		}
	}
	if report.Coordinates != len(coords) || len(coords) != 6 {
		t.Errorf("%d coordinates, reported %d, expected 6", len(coords), report.Coordinates)
	}
	for i, f := range fields {
		own := slices.DeleteFunc(slices.Clone(coords), func(c object) bool { return !reflect.DeepEqual(c.base["geometry"], f.base["geometry"]) })
		names := []string{"latitude", "longitude"}
		if len(f.desc.Shape) == 1 {
			names = []string{"latitudes", "longitudes"}
		}
		if len(own) != 2 || own[0].base["name"] != names[0] || own[1].base["name"] != names[1] {
			t.Fatalf("field %d has coordinates %v", i, own)
		}
		points := len(own[0].values)
		if len(f.desc.Shape) == 2 {
			points *= len(own[1].values)
		}
		if points != len(f.values) {
			t.Errorf("field %d of %d values has coordinates of %d points", i, len(f.values), points)
		}
	}
	reduced := all[len(all)-2]
	if !reflect.DeepEqual(reduced.base["dim_names"], []any{"values"}) || reduced.values[0] < 80 || reduced.values[0] > 90 {
		t.Errorf("latitudes of a reduced grid begin with %v on %v", reduced.values[0], reduced.base["dim_names"])
	}
}

// TestPointsAreNotWrittenByDefault: geometry is enough to compute them. Where they are asked for
// they are in the first message only, as float64 in the smallest form.
func TestPointsAreNotWrittenByDefault(t *testing.T) {
	const file = "earthkit/wind_20x20.grib" // regular
	const rotated = "earthkit/rotated_wind_20x20.grib"
	for _, c := range []struct {
		file string
		mode importers.Coordinates
		want string
	}{
		{file, importers.CoordinatesAxes, "latitude longitude latitude longitude"},
		{file, importers.CoordinatesAll, "latitude longitude latitude longitude"},
		{rotated, importers.CoordinatesAxes, ""},
		{rotated, importers.CoordinatesAll, "latitudes longitudes"},
	} {
		all, report := convert(t, fromgrib.Options{Split: true}, importers.Options{Coordinates: c.mode}, c.file)
		var names []string
		for _, o := range all {
			if o.isField() {
				continue
			}
			names = append(names, o.base["name"].(string))
			if len(o.desc.Shape) == 2 && (o.message != 0 || o.desc.DType.String() != "float64" || o.desc.Compression != "zstd") {
				t.Errorf("%s: message %d, %s with %s", c.file, o.message, o.desc.DType, o.desc.Compression)
			}
		}
		if got := strings.Join(names, " "); got != c.want || report.Messages != 2 {
			t.Errorf("%s: mode %v: %d messages with %q, want %q", c.file, c.mode, report.Messages, got, c.want)
		}
	}
}

func TestGrouping(t *testing.T) {
	const file = "cfgrib/era5-levels-members.grib"
	for _, c := range []struct {
		opts     fromgrib.Options
		messages int
	}{
		{fromgrib.Options{}, 1}, {fromgrib.Options{Split: true}, 160}, {fromgrib.Options{GroupBy: []string{"number"}}, 10},
		{fromgrib.Options{GroupBy: []string{"shortName", "level"}}, 4}, {fromgrib.Options{GroupBy: []string{"noSuchKey"}}, 1},
	} {
		all, report := convert(t, c.opts, importers.Options{Coordinates: importers.CoordinatesNone}, file)
		if report.Messages != c.messages || report.Fields != 160 {
			t.Errorf("%+v: %d fields in %d messages, expected %d", c.opts, report.Fields, report.Messages, c.messages)
		}
		for _, key := range c.opts.GroupBy {
			same := make(map[int]any)
			for _, o := range all {
				v := o.base["mars"].(map[string]any)[key]
				if first, ok := same[o.message]; ok && first != v {
					t.Errorf("message %d has %s %v and %v", o.message, key, first, v)
				}
				same[o.message] = v
			}
		}
	}
}

func TestWhere(t *testing.T) {
	for _, c := range []struct {
		clauses string
		fields  int
	}{
		{"shortName=z", 80}, {"shortName=z level=500", 40}, {"shortName!=z", 80}, {"number=0/1/2.0", 48},
		{"mars.levelist=850", 80}, {"centre=98", 160}, {"centre=ecmf", 160}, {"centre!=7 class=23", 160},
		{"level>500", 80}, {"number=2/to/8/by/3 shortName=z", 24}, {"dataDate=2017-01-01", 80}, {"shortName=?", 160}, {"expver:s=0001", 160}, {"noSuchKey!=1 number=9", 16},
	} {
		clauses, err := fromgrib.ParseWhere(strings.Fields(c.clauses))
		if err != nil {
			t.Fatal(err)
		}
		opts := fromgrib.Options{Where: clauses}
		if _, report := convert(t, opts, importers.Options{}, "cfgrib/era5-levels-members.grib"); report.Fields != c.fields {
			t.Errorf("%s selects %d fields, expected %d", c.clauses, report.Fields, c.fields)
		}
	}
	for _, bad := range []string{"", "x", "=1", "!=1", "count=1", "offset!=0"} {
		if _, err := fromgrib.ParseWhere([]string{bad}); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	// A clause on the values needs them.
	clauses, err := fromgrib.ParseWhere([]string{"numberOfMissing=0"})
	if err != nil {
		t.Fatal(err)
	}
	if _, report := convert(t, fromgrib.Options{Where: clauses}, importers.Options{}, "2t.grib2"); report.Fields != 1 {
		t.Error("a field without missing points is not selected by numberOfMissing=0")
	}
}

func TestAllKeys(t *testing.T) {
	all, _ := convert(t, fromgrib.Options{AllKeys: true}, importers.Options{}, "2t.grib2")
	g := all[0].base["grib"].(map[string]any)
	statistics := g["statistics"].(map[string]any)
	if statistics["max"] != 311.0301055908203 || g["ls"].(map[string]any)["shortName"] != "2t" || g["vertical"].(map[string]any)["level"] != int64(2) {
		t.Errorf("grib is %v", g)
	}
	repro := all[0].base["grib_repro"].(map[string]any)
	if repro["edition"] != int64(2) || repro["packingType"] != "grid_ccsds" || repro["Ni"] != int64(1440) {
		t.Errorf("grib_repro is %v", repro)
	}
}

// TestZerosWithADecimalScale: a field of zeros in many bits is zero, whatever is done about the
// powers of ten.
func TestZerosWithADecimalScale(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(fixtures, "2t_simple.grib2"))
	if err != nil {
		t.Fatal(err)
	}
	for at := 16; at < len(b)-4; {
		s := b[at : at+int(binary.BigEndian.Uint32(b[at:]))]
		switch at += len(s); s[4] {
		case 5:
			binary.BigEndian.PutUint32(s[11:], 0) // reference value
			binary.BigEndian.PutUint16(s[17:], 6) // decimal scale factor
		case 7:
			clear(s[5:])
		}
	}
	name := filepath.Join(t.TempDir(), "zeros.grib2")
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	all, _ := convert(t, fromgrib.Options{}, importers.Options{}, name)
	for i, v := range all[0].values {
		if v != 0 {
			t.Fatalf("value %d is %v", i, v)
		}
	}
}

// TestOceanLevels: whole levels and places of ocean products in edition 1 are integers, as
// codes_get gives them; others keep the fraction that it cuts off.
func TestOceanLevels(t *testing.T) {
	path, err := filepath.Abs("../../grib/keys/testdata/ocean.grib")
	if err != nil {
		t.Fatal(err)
	}
	fields, _ := convert(t, fromgrib.Options{}, importers.Options{}, path)
	for i, want := range [][2]any{{int64(5), int64(7)}, {-5.7, int64(8)}} {
		m := fields[i].base["mars"].(map[string]any)
		if got := [2]any{m["levelist"], m["latitude"]}; !reflect.DeepEqual(got, want) {
			t.Errorf("message %d: levelist and latitude are %#v, want %#v", i, got, want)
		}
	}
}
