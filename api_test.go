package tgmconv

import (
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostPackages bounds the packages that programs can import, so that each stays polished. Whatever need not be one of
// them is internal.
const mostPackages = 34

// TestPublicPackages expects few packages that programs can import, each with a comment and a runnable example.
func TestPublicPackages(t *testing.T) {
	var public []string
	for _, p := range packages(t) {
		name, ours := strings.CutPrefix(p.ImportPath+"/", module+"/")
		first, _, _ := strings.Cut(name, "/")
		if ours && !strings.Contains("/"+name, "/internal/") && !slices.Contains([]string{"bench", "cmd", "fixtures", "interop", "packaging"}, first) {
			public = append(public, "./"+name)
		}
	}
	if len(public) > mostPackages || len(public) < 20 {
		t.Errorf("%d packages, expected %d at most: %v", len(public), mostPackages, public)
	}
	for _, folder := range public {
		described, examples := false, 0
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") && filepath.Base(file) != "example_test.go" {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Base(file) != "example_test.go" {
				described = described || f.Doc != nil
				continue
			}
			for _, e := range doc.Examples(f) {
				if e.Output != "" {
					examples++
				}
			}
		}
		if !described || examples == 0 {
			t.Errorf("%s: has a comment %t, and %d examples in example_test.go", folder, described, examples)
		}
	}
}
