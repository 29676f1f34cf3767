package main

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/inventory"
	"github.com/tgmconv/tgmconv/internal/cases"
	"github.com/tgmconv/tgmconv/internal/nctest"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// A clauseFamily is one set of fields as a file of its format and as the Tensogram file made of it.
type clauseFamily struct {
	name    string // of the format
	file    string
	message string // the Tensogram file
	all     []string
	renamed map[string]string // by the names in the labelled dataset
	native  []clauseVerb      // verbs that take the format only
}

// A clauseVerb runs a verb with a clause and returns the names of the fields that it selects.
type clauseVerb struct {
	name string
	run  func(t *testing.T, in, clause string) []string
}

// A clauseCase is a clause with the fields that it selects of each family, all of them for "*". The
// key of a family with ".tgm" is about the Tensogram file, if that has another answer.
type clauseCase struct {
	clause string
	want   map[string]string
}

// clauseCases are clauses about fields: with keys of each vocabulary, of the place, of the array,
// and of its storage. A clause that means nothing for a format selects nothing there.
var clauseCases = []clauseCase{
	{"name=2t", map[string]string{"grib": "2t"}},
	{"name=2 metre temperature", map[string]string{"grib": "2t"}},
	{"name!=2t", map[string]string{"grib": "t u tcvimd", "netcdf": "*", "tet": "*"}},
	{"shortName=2t/a/t2m", map[string]string{"grib": "2t", "netcdf": "a", "tet": "t2m"}},
	{"name=g/c", map[string]string{"netcdf": "g/c"}},
	{"name=group/flags", map[string]string{"tet": "group/flags"}},
	{"name=g*", map[string]string{"netcdf": "g/c", "tet": "group/flags"}},
	{"name=c/flags", map[string]string{"netcdf": "g/c", "tet": "group/flags"}},
	{"group=/g", map[string]string{"netcdf": "g/c"}},
	{"group=g*", map[string]string{"netcdf": "g/c", "tet": "group/flags"}},
	{"paramId=167", map[string]string{"grib": "2t"}},
	{"mars.param=167", map[string]string{"grib": "2t"}},
	{"units=K", map[string]string{"grib": "t 2t", "netcdf": "a", "tet": "t2m"}},
	{"long_name=Temperature/first/2 metre temperature", map[string]string{"grib": "t 2t", "netcdf": "a", "tet": "t2m"}},
	{"standard_name=air_temperature", map[string]string{"grib": "t 2t", "netcdf": "a"}},
	{"mark=7", map[string]string{"netcdf": "g/c"}},
	{"netcdf.mark=7", map[string]string{"netcdf": "g/c"}},
	{"global.title=sample", map[string]string{"netcdf": "*"}},
	{"level=850", map[string]string{"grib": "u"}},
	{"level>500", map[string]string{"grib": "t u"}},
	{"level_type=isobaricInhPa", map[string]string{"grib": "t u"}},
	{"typeOfLevel=isobaricInhPa", map[string]string{"grib": "t u"}},
	{"levtype=pl", map[string]string{"grib": "t u"}},
	{"levelType=pl", map[string]string{"grib": "t u"}},
	{"date=2018-08-01", map[string]string{"grib": "t u"}},
	{"dataDate=20180801", map[string]string{"grib": "t u"}},
	{"time=12:00,step=0", map[string]string{"grib": "t u"}},
	{"reference_time=2018-08-01T12:00:00Z", map[string]string{"grib": "t u"}},
	{"valid_time>=2018-08-01T12:00:00Z", map[string]string{"grib": "t u 2t"}},
	{"centre=98,class=od", map[string]string{"grib": "t u"}},
	{"centre=ecmf,class:s=od", map[string]string{"grib": "t u"}},
	{"packingType=grid_ccsds", map[string]string{"grib": "tcvimd"}},
	{"gridType=regular_ll,edition=1", map[string]string{"grib": "t u"}},
	{"dtype=float64", map[string]string{"grib": "*", "netcdf": "g/c"}},
	{"dtype=int16", map[string]string{"netcdf": "b"}},
	{"dtype=float", map[string]string{"netcdf": "a", "tet": "t2m"}},
	{"shape=3x4", map[string]string{"netcdf": "a b"}},
	{"shape=[3,4]", map[string]string{"netcdf": "a b"}},
	{"dims=y x", map[string]string{"netcdf": "a b"}},
	{"object=1", map[string]string{"grib.tgm": "u", "netcdf.tgm": "b", "tet.tgm": "group/flags"}},
	{"message=0", map[string]string{"grib": "t", "netcdf": "a", "tet": "t2m", "grib.tgm": "*", "netcdf.tgm": "*", "tet.tgm": "*"}},
	{"message=1", map[string]string{"grib": "u", "netcdf": "b", "tet": "group/flags", "grib.tgm": "", "netcdf.tgm": "", "tet.tgm": ""}},
	{"file=*fields*", map[string]string{"grib": "*", "netcdf": "*", "tet": "*"}},
	{"file=*elsewhere*", nil},
	{"encoding=simple_packing", map[string]string{"grib.tgm": "*"}},
	{"encoding=grid_ccsds", map[string]string{"grib": "tcvimd", "grib.tgm": ""}},
	{"encoding=none", map[string]string{"netcdf.tgm": "*", "tet.tgm": "*"}},
	{"byte_order=little", map[string]string{"grib.tgm": "*", "netcdf.tgm": "*", "tet.tgm": "*"}},
	{"nonsense=1", nil},
}

// TestClauses: every verb that takes --where gives one answer to a clause.
func TestClauses(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, f := range clauseFamilies(t) {
		t.Run(f.name, func(t *testing.T) {
			some, n := cases.Of(t), 0
			asked := func(all ...[]clauseVerb) []clauseVerb { // one of three
				return slices.DeleteFunc(slices.Concat(all...), func(clauseVerb) bool { n++; return !some.Has(n, 3) })
			}
			for _, c := range clauseCases {
				var grib []clauseVerb
				if f.name == "grib" {
					grib = append(grib, clauseVerb{"to-grib", writtenBy("to-grib", ".grib")})
				}
				askClause(t, f, f.file, c, c.want[f.name], asked(f.native, objectVerbs[:2], sourceVerbs, grib))
				want, ok := c.want[f.name+".tgm"]
				if !ok {
					want = c.want[f.name]
				}
				askClause(t, f, f.message, c, want, asked(objectVerbs, sourceVerbs[1:], grib))
			}
		})
	}
}

// TestKeyValues: columns, names of outputs and completion have the same values of a key.
func TestKeyValues(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	f := clauseFamilies(t)[0]
	for _, key := range []string{"name", "shortName", "level", "level_type", "typeOfLevel", "date", "centre", "packingType", "dtype", "message", "reference_time"} {
		fields := map[string]func(in string) []string{
			"ls":    func(in string) []string { return shownBy("ls", "-p", key)(t, in, "name=t/u/tcvimd/2t")[1:] },
			"get":   func(in string) []string { return shownBy("get", "-p", key)(t, in, "name=t/u/tcvimd/2t") },
			"split": func(in string) []string { return namedBy(t, key, "split", "-w", "name=t/u/tcvimd/2t", in) },
			"copy":  func(in string) []string { return namedBy(t, key, "copy", "-w", "name=t/u/tcvimd/2t", in) },
			"completion": func(in string) (values []string) {
				for _, c := range completionsOf(t, in, key) {
					if c != "latitude" && c != "longitude" {
						values = append(values, c)
					}
				}
				return values
			},
		}
		want := sortedSet(fields["get"](f.message))
		for name, values := range fields {
			if got := sortedSet(values(f.message)); !slices.Equal(got, want) {
				t.Errorf("%s of %s has the values %q, expected %q", name, key, got, want)
			}
		}
		if key == "message" {
			want = []string{"0", "1", "2", "3"} // of the GRIB file
		}
		for name, got := range map[string][]string{
			"convert": namedBy(t, key, "convert", "-q", "--coordinates", "none", f.file), "completion": completionsOf(t, f.file, key),
		} {
			if got = sortedSet(got); !slices.Equal(got, want) {
				t.Errorf("%s of %s has the values %q of the GRIB file, expected %q", name, key, got, want)
			}
		}
	}
}

// namedBy runs a verb with a key in the name of its output, and returns the values in the names of the files.
func namedBy(t *testing.T, key string, args ...string) (values []string) {
	dir := t.TempDir()
	out := filepath.Join(dir, "v_["+key+"].tgm")
	if args[0] == "copy" {
		args = append(args, out)
	} else {
		args = append(args, "-o", out)
	}
	if _, err := command(t, args...); err != nil {
		t.Error(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "v_*.tgm"))
	for _, file := range files {
		value := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "v_"), ".tgm")
		if args[0] == "split" {
			value = value[:strings.LastIndexByte(value, '_')] // without the number of the object
		}
		values = append(values, value)
	}
	return values
}

// completionsOf are the values that the shell offers for a key.
func completionsOf(t *testing.T, in, key string) []string {
	return slices.Collect(maps.Keys(inventory.Of(t.Context(), []string{in}, []string{key}, inventory.Options{})[key]))
}

func sortedSet(values []string) []string {
	values = slices.Clone(values)
	slices.Sort(values)
	return slices.Compact(values)
}

// askClause asks verbs for the fields of a file that match a clause.
func askClause(t *testing.T, f *clauseFamily, in string, c clauseCase, want string, verbs []clauseVerb) {
	t.Helper()
	expected := strings.Fields(want)
	if want == "*" {
		expected = slices.Clone(f.all)
	}
	slices.Sort(expected)
	for _, v := range verbs {
		if got := f.fieldsAmong(v.run(t, in, c.clause)); !slices.Equal(got, expected) {
			t.Errorf("%s --where %q of %s selects %q, expected %q: %s", v.name, c.clause, filepath.Base(in), got, expected, said)
		}
	}
}

// fieldsAmong are the fields of the family among names, without coordinates that go with them.
func (f *clauseFamily) fieldsAmong(names []string) (fields []string) {
	for _, name := range names {
		if f.name == "grib" {
			name = path.Base(name) // of grids in groups
		}
		if given := f.renamed[name]; given != "" {
			name = given
		}
		if slices.Contains(f.all, name) && !slices.Contains(fields, name) {
			fields = append(fields, name)
		}
	}
	slices.Sort(fields)
	return fields
}

// clauseFamilies makes the inputs.
func clauseFamilies(t *testing.T) []*clauseFamily {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	var grib []byte
	for _, part := range []struct {
		file        string
		first, last int
	}{{"earthkit/t_pl.grib", 0, 240}, {"earthkit/u_pl.grib", 240, 480}, {"earthkit/chem_ll.grib2", 0, 0}, {"sanity.grib2", 0, 0}} {
		data, err := os.ReadFile("../../fixtures/grib/" + part.file)
		if err != nil {
			t.Fatal(err)
		}
		if part.last == 0 {
			part.last = len(data)
		}
		grib = append(grib, data[part.first:part.last]...)
	}
	tet, err := os.ReadFile("../../fixtures/tet/tetpy/weather.tet")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"fields.grib": grib, "fields.tet": tet} {
		if err := os.WriteFile(at(name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	writeClauseVariables(t, at("fields.nc"))
	families := []*clauseFamily{
		{"grib", at("fields.grib"), at("of_grib_fields.tgm"), []string{"t", "u", "tcvimd", "2t"}, map[string]string{"t2m": "2t"}, []clauseVerb{
			{"grib ls", shownBy("grib", "ls", "-p", "shortName")}, {"grib get", shownBy("grib", "get", "-p", "shortName")}, {"grib copy", writtenBy("grib copy", ".grib")},
		}},
		{"netcdf", at("fields.nc"), at("of_netcdf_fields.tgm"), []string{"a", "b", "g/c"}, nil, []clauseVerb{{"netcdf ls", shownBy("netcdf", "ls", "-p", "path")}, {"refs", writtenBy("refs", ".json")}}},
		{"tet", at("fields.tet"), at("of_tet_fields.tgm"), []string{"t2m", "group/flags"}, map[string]string{"group_flags": "group/flags"}, nil},
	}
	for _, f := range families {
		if _, err := command(t, "convert", "-q", "-o", f.message, f.file); err != nil {
			t.Fatal(err)
		}
	}
	return families
}

// writeClauseVariables writes a netCDF file of three variables, one packed, one in a group.
func writeClauseVariables(t *testing.T, path string) {
	texts := func(pairs ...string) (attrs []netcdf.Attr) {
		for i := 0; i < len(pairs); i += 2 {
			attrs = append(attrs, netcdf.Attr{Name: pairs[i], Type: ncwrite.Atomic(netcdf.Char), Value: pairs[i+1]})
		}
		return attrs
	}
	variable := func(name string, class netcdf.Class, dims []string, attrs ...netcdf.Attr) *ncwrite.Var {
		return &ncwrite.Var{Name: name, Type: ncwrite.Atomic(class), Dims: dims, Attrs: attrs}
	}
	yx := []string{"y", "x"}
	scale := netcdf.Attr{Name: "scale_factor", Type: ncwrite.Atomic(netcdf.Double), Value: []float64{0.5}}
	mark := netcdf.Attr{Name: "mark", Type: ncwrite.Atomic(netcdf.Int), Value: []int64{7}}
	root := &ncwrite.Group{
		Dims: []*netcdf.Dim{{Name: "y", Len: 3}, {Name: "x", Len: 4}}, Attrs: texts("title", "sample"),
		Vars: []*ncwrite.Var{
			variable("a", netcdf.Float, yx, texts("units", "K", "standard_name", "air_temperature", "long_name", "first")...),
			variable("b", netcdf.Short, yx, append(texts("units", "m"), scale)...),
		},
		Groups: []*ncwrite.Group{{Name: "g", Dims: []*netcdf.Dim{{Name: "z", Len: 2}}, Vars: []*ncwrite.Var{
			variable("c", netcdf.Double, []string{"z"}, mark),
		}}},
	}
	nctest.Write(t, path, netcdf.NetCDF4, root, func(w *ncwrite.Writer) error {
		return errors.Join(
			w.Write(t.Context(), root.Vars[0], []uint64{0, 0}, []uint64{3, 4}, make([]byte, 3*4*4)),
			w.Write(t.Context(), root.Vars[1], []uint64{0, 0}, []uint64{3, 4}, make([]byte, 3*4*2)),
			w.Write(t.Context(), root.Groups[0].Vars[0], []uint64{0}, []uint64{2}, make([]byte, 2*8)),
		)
	})
}

// objectVerbs are the verbs for objects of Tensogram files.
var objectVerbs = []clauseVerb{
	{"ls", shownBy("ls", "-p", "name")},
	{"get", shownBy("get", "-p", "name")},
	{"dump", func(t *testing.T, in, clause string) (names []string) {
		out, _ := command(t, "dump", "-w", clause, in)
		for _, m := range regexp.MustCompile(`(?m)^--- object \d+: (.*) ---$`).FindAllStringSubmatch(out, -1) {
			names = append(names, m[1])
		}
		return names
	}},
	{"copy", copiedBy("copy")},
	{"merge", copiedBy("merge", "-o")},
	{"split", func(t *testing.T, in, clause string) (names []string) {
		dir := t.TempDir()
		command(t, "split", "-w", clause, "-o", filepath.Join(dir, "[index].tgm"), in)
		files, _ := filepath.Glob(filepath.Join(dir, "*.tgm"))
		for _, file := range files {
			names = append(names, shownBy("get", "-p", "name")(t, file, "name!=_")...)
		}
		return names
	}},
	{"set", func(t *testing.T, in, clause string) []string {
		out := filepath.Join(t.TempDir(), "out.tgm")
		command(t, "set", "-s", "chosen=yes", "-w", clause, in, out)
		return shownBy("get", "-p", "name")(t, out, "chosen=yes")
	}},
}

// sourceVerbs are the verbs for inputs of any format; convert, the first, takes no Tensogram files.
var sourceVerbs = []clauseVerb{
	{"convert", func(t *testing.T, in, clause string) []string {
		out := filepath.Join(t.TempDir(), "out.tgm")
		if _, err := command(t, "convert", "-q", "-w", clause, "-o", out, in); err != nil {
			return nil
		}
		return shownBy("get", "-p", "name")(t, out, "name!=_")
	}},
	{"stats", listedBy("stats", "--json")},
	{"values", listedBy("values", "--format", "json")},
	{"to-netcdf", writtenBy("to-netcdf", ".nc")},
	{"to-zarr", writtenBy("to-zarr", ".zarr")},
}

// shownBy runs a verb that prints a name a line.
func shownBy(args ...string) func(*testing.T, string, string) []string {
	return func(t *testing.T, in, clause string) []string {
		out, _ := command(t, slices.Concat(args, []string{"-w", clause, in})...)
		var names []string
		for line := range strings.Lines(out) {
			names = append(names, strings.TrimSpace(line))
		}
		return names
	}
}

// listedBy runs a verb that prints a list of objects with names.
func listedBy(args ...string) func(*testing.T, string, string) []string {
	return func(t *testing.T, in, clause string) (names []string) {
		out, err := command(t, slices.Concat(args, []string{"-w", clause, in})...)
		if err != nil {
			return nil
		}
		var list []struct{ Name string }
		if err := json.Unmarshal([]byte(out), &list); err != nil {
			t.Error(err, out)
		}
		for _, f := range list {
			names = append(names, f.Name)
		}
		return names
	}
}

// copiedBy runs a verb that writes a Tensogram file.
func copiedBy(verb ...string) func(*testing.T, string, string) []string {
	return func(t *testing.T, in, clause string) []string {
		out := filepath.Join(t.TempDir(), "out.tgm")
		args := []string{verb[0], "-w", clause}
		if len(verb) > 1 {
			args = append(args, verb[1], out, in)
		} else {
			args = append(args, in, out)
		}
		command(t, args...)
		return shownBy("get", "-p", "name")(t, out, "name!=_")
	}
}

// referencesIn are the arrays of a file of references.
func referencesIn(t *testing.T, file string) (names []string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
	}
	var refs struct{ Refs map[string]json.RawMessage }
	if err := json.Unmarshal(data, &refs); err != nil {
		t.Error(err)
	}
	for key := range refs.Refs {
		if name, ok := strings.CutSuffix(key, "/.zarray"); ok {
			names = append(names, name)
		}
	}
	return names
}

// writtenBy runs a verb that writes a file or a store of another format, whose arrays stats or the
// store's metadata name.
func writtenBy(verb, suffix string) func(*testing.T, string, string) []string {
	return func(t *testing.T, in, clause string) []string {
		out := filepath.Join(t.TempDir(), "out"+suffix)
		args := append(strings.Fields(verb), "-w", clause, "-o", out, in)
		if verb == "grib copy" {
			args = []string{"grib", "copy", "-w", clause, in, out}
		}
		_, err := command(t, args...)
		if why := said; err != nil {
			said = why
			return nil
		}
		switch suffix {
		case ".grib":
			return shownBy("grib", "get", "-p", "shortName")(t, out, "count>0")
		case ".json":
			return referencesIn(t, out)
		case ".nc":
			return shownBy("netcdf", "ls", "-p", "path")(t, out, "name!=_")
		}
		var names []string
		files, _ := filepath.Glob(filepath.Join(out, "*", "zarr.json"))
		deeper, _ := filepath.Glob(filepath.Join(out, "*", "*", "zarr.json"))
		for _, file := range slices.Concat(files, deeper) {
			rel, _ := filepath.Rel(out, filepath.Dir(file))
			names = append(names, filepath.ToSlash(rel))
		}
		return names
	}
}
