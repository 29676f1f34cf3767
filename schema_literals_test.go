package tgmconv

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/mapping"
)

// hasOwnWords are the folders that know nothing of base[i], or define its vocabularies.
var hasOwnWords = []string{
	"mapping", "mars", "cf", "grib", "netcdf", "tet", "internal/tetquery", "codec", "tgm", "storage", "interop", "bench", "internal/fakestore", "importers/fromgrib/internal/sidecar", "cmd/tgmconv/internal/cdl", "cmd/tgmconv/internal/gribtools", "cmd/tgmconv/internal/tetshow", "fixtures/bombs",
}

// otherWords are, by file, words that are keys of base[i] but mean something else in this file. "*"
// at the end of a name stands for what follows.
var otherWords = []struct{ file, words, meaning string }{
	{"cmd/tgmconv/*", "name", "flags and titles of tables"},
	{"cmd/tgmconv/internal/converting/convert.go", "cf", "the flag --cf"},
	{"cmd/tgmconv/internal/gribverbs/ls.go", "mars", "the flag --mars and a namespace of ecCodes"},
	{"cmd/tgmconv/internal/netcdfverbs/ls.go", "units", "a title"},
	{"cmd/tgmconv/internal/cli/help.go", "grib netcdf tet", "names of verbs"},
	{"cmd/tgmconv/root.go", "grib netcdf tet", "names of verbs"},
	{"cmd/tgmconv/internal/looking/extract.go", "netcdf", "a value of --format"},
	{"cmd/tgmconv/schema.go", "number", "a type of JSON Schema"},
	{"extract/place.go", "name", "a title of a table, and a property of GeoJSON"},
	{"dataset/plain.go", "level step number", "names of coordinates"},
	{"dataset/name.go", "level step number", "names of dimensions"},
	{"look/array.go", "step number", "names of dimensions"},
	{"exporters/togrib/*", "step number level", "keys of ecCodes"},
	{"cf/needs.go", "geometry", "an attribute of CF"},
	{"cmd/tgmconv/internal/selftest/selftest.go", "grib netcdf", "names of features"},
	{"internal/conformance/make.go", "name", "what a user of the package writes"},
	{"serve/dims.go", "level step", "names of coordinates"},
	{"zarr/*", "name level", "keys of Zarr's documents, and parameters of its codecs"},
	{"serve/wirecodec.go", "level", "a parameter of Zarr's codecs"},
	{"cmd/tgmconv/internal/site/pyramid/pyramid.go", "level", "a parameter of Zarr's codecs"},
	{"cmd/tgmconv/internal/site/pyramid/conventions.go", "name", "a key of Zarr's conventions"},
	{"serve/storedcodecs.go", "level", "a parameter of Zarr's codecs"},
	{"importers/fromzarr/storage.go", "level name", "keys of Zarr's documents"},
	{"importers/fromzarr/place.go", "level", "keys of Zarr's documents"},
	{"exporters/tozarr/options.go", "level", "a parameter of Zarr's codecs"},
}

// meansOther reports whether a word of a file is meant as something else than a key of base[i].
func meansOther(path, word string) bool {
	for _, o := range otherWords {
		if prefix, ok := strings.CutSuffix(o.file, "*"); path != o.file && !(ok && strings.HasPrefix(path, prefix)) {
			continue
		}
		if slices.Contains(strings.Fields(o.words), word) {
			return true
		}
	}
	return false
}

// TestSchemaKeysAreNotSpelledOut holds that the keys of base[i] are spelled in package mapping and
// nowhere else.
func TestSchemaKeysAreNotSpelledOut(t *testing.T) {
	keys := make(map[string]bool)
	for _, k := range mapping.Schema() {
		if k.Producer == mapping.NetCDFMessage || strings.HasPrefix(k.Key, mapping.KeyGRIB+".") {
			continue // ordinary words
		}
		keys[k.Key[strings.LastIndexByte(k.Key, '.')+1:]] = true
	}
	files := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains(hasOwnWords, path) || len(path) > 1 && path[0] == '.' {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		for _, found := range spelledKeys(t, path, keys) {
			t.Errorf("%s: use the constant of package mapping", found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Errorf("only %d files were looked at", files)
	}
}

// spelledKeys lists the places of a file where a key stands as a literal.
func spelledKeys(t *testing.T, path string, keys map[string]bool) (found []string) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			return n.Tag == nil // of a document
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			if n.Kind != token.STRING || err != nil || !keys[text] && !strings.HasPrefix(text, mapping.KeyMARS+".") || meansOther(path, text) {
				return true
			}
			found = append(found, set.Position(n.Pos()).String()+": "+n.Value)
		}
		return true
	})
	return found
}

// TestSpelledKeysAreFound makes sure that the rule can fail: for keys of maps, cases, arguments,
// operands and elements alike.
func TestSpelledKeysAreFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.go")
	text := `package a

var m = map[string]any{"dim_names": 1, "name": 2}
var x = m["name"]
var y = "mars.step"

type document struct {
	Name string ` + "`json:\"name\"`" + `
}

func f(key string) bool {
	switch key {
	case "name":
		return true
	}
	return key == "dim_names" || slices.Contains([]string{"name"}, key) || attr("name")
}
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{mapping.KeyName: true, mapping.KeyDims: true}
	if found := spelledKeys(t, path, keys); len(found) != 8 {
		t.Errorf("found %q, expected eight places", found)
	}
}

// TestOtherWordsAreThere holds that each exception is needed.
func TestOtherWordsAreThere(t *testing.T) {
	for _, o := range otherWords {
		files, err := filepath.Glob(strings.TrimSuffix(o.file, "*") + map[bool]string{true: "*.go"}[strings.HasSuffix(o.file, "*")])
		if err != nil || len(files) == 0 {
			t.Errorf("%s: no such file (%v)", o.file, err)
		}
		var all strings.Builder
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
		for _, word := range strings.Fields(o.words) {
			if !strings.Contains(all.String(), strconv.Quote(word)) {
				t.Errorf("%s: has no %q", o.file, word)
			}
		}
	}
}
