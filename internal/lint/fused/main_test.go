package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCheck compiles a package of three lines: one is fused, one is kept apart, and one asks for it.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	source := `package p

import "math"

func Fused(x, y, z float64) float64 {
	t := x * y
	return t + z
}

func Apart(x, y, z float64) float64 { return float64(x*y) + z }

func Meant(x, y, z float64) float64 { return math.FMA(x, y, z) }
`
	for name, text := range map[string]string{"p.go": source, "go.mod": "module p\n\ngo 1.26\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	found, err := check([]string{"."})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].text != "return t + z" || found[0].file != "p.go" {
		t.Errorf("found %+v, expected the line that returns t + z", found)
	}
}
