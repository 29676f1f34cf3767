package tgmconv

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestErrorsOfManual checks that the program prints the words in the headings of
// docs/howto/errors.md: the words of each are in a text of the source, or in a message that a
// command of the page prints.
func TestErrorsOfManual(t *testing.T) {
	page, err := os.ReadFile("docs/howto/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	texts := textsOfSource(t)
	headings := regexp.MustCompile(`(?m)^### (.+)$`).FindAllStringSubmatch(string(page), -1)
	if len(headings) < 30 {
		t.Errorf("%d errors are explained, expected at least 30", len(headings))
	}
	for _, h := range headings {
		if !strings.Contains(texts, h[1]) && !strings.Contains(string(page), ": "+h[1]) {
			t.Errorf("docs/howto/errors.md explains %q, which no text of the source has", h[1])
		}
	}
}

// textsOfSource returns the texts in the Go files of the module that are no tests.
func textsOfSource(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				if s, err := strconv.Unquote(text.Value); err == nil {
					all.WriteString(s + "\n")
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
