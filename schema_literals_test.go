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

// ambiguous are keys of base[i] that are words of other formats and documents as well. As literals
// they are refused only where something is looked up or filed under them.
var ambiguous = []string{
	mapping.KeyName, mapping.KeyUnits, mapping.KeyStandardName, mapping.KeyStep, mapping.KeyLevel, mapping.KeyNumber,
	mapping.KeyGRIB, mapping.KeyNetCDF, mapping.KeyMARS, mapping.KeyCF, mapping.MARSGrid, mapping.MARSArea, mapping.KeyGeometry,
}

// hasOwnWords are the folders that know nothing of base[i], or define what its vocabularies say.
var hasOwnWords = []string{
	"mapping", "mars", "cf", "grib", "netcdf", "tet", "codec", "tgm", "storage", "interop", "bench", "importers/fromgrib/sidecar",
}

// TestSchemaKeysAreNotSpelledOut holds that the keys of base[i] are spelled in package mapping and
// nowhere else.
func TestSchemaKeysAreNotSpelledOut(t *testing.T) {
	keys := make(map[string]bool)
	for _, k := range mapping.Schema() {
		if k.Producer == mapping.NetCDFMessage || strings.HasPrefix(k.Key, mapping.KeyGRIB+".") {
			continue // words of every day
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
	report := func(e ast.Expr, always bool) {
		literal, ok := e.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return
		}
		text, err := strconv.Unquote(literal.Value)
		if err != nil || !keys[text] && !strings.HasPrefix(text, mapping.KeyMARS+".") {
			return
		}
		if always || !slices.Contains(ambiguous, text) {
			found = append(found, set.Position(literal.Pos()).String()+": "+literal.Value)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			report(n, false)
		case *ast.IndexExpr:
			report(n.Index, true)
		}
		return true
	})
	return found
}

// TestSpelledKeysAreFound makes sure that the rule can fail.
func TestSpelledKeysAreFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(path, []byte("package a\n\nvar m = map[string]any{\"dim_names\": 1, \"name\": 2}\nvar x = m[\"name\"]\nvar y = \"mars.step\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{mapping.KeyName: true, mapping.KeyDims: true}
	if found := spelledKeys(t, path, keys); len(found) != 3 {
		t.Errorf("found %q, expected three places", found)
	}
}
