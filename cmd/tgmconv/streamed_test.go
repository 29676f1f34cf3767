package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// TestStreamedToFile: a message that is streamed to a file has its length at both of its ends.
func TestStreamedToFile(t *testing.T) {
	const source = "../../fixtures/grib/sanity.grib2"
	whole := filepath.Join(t.TempDir(), "a.tgm")
	merged := filepath.Join(t.TempDir(), "b.tgm")
	runs(t, "convert-grib", "-q", "--stream", "-o", whole, source)
	runs(t, "merge", "--stream", "-o", merged, whole, whole)
	for _, name := range []string{whole, merged} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		n := uint64(len(b))
		first, last := binary.BigEndian.Uint64(b[16:]), binary.BigEndian.Uint64(b[n-16:])
		if first != n || last != n {
			t.Errorf("%s: lengths %d and %d, expected %d", filepath.Base(name), first, last, n)
		}
	}
}
