package catalog

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/failing"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// Entries that Keep chose are in the catalogue under their numbers, also if a read fails afterwards.
func TestKeptEntriesAreThere(t *testing.T) {
	b, err := os.ReadFile("../../fixtures/tgm/shared_metadata.tgm")
	if err != nil {
		t.Fatal(err)
	}
	for from := int64(0); ; from++ {
		r := &failing.Reader{ReaderAt: bytes.NewReader(b), At: from, After: true, Err: errors.New("broken")}
		f, err := tgm.NewFile(r, int64(len(b)))
		if err != nil {
			continue
		}
		c, kept := new(Catalog), 0
		c.Keep = func(*Entry, *mapping.Known) bool { kept++; return true }
		if err := c.AddMessages(t.Context(), f, "a", func(*importers.BadInput) error { return nil }); err != nil && from == 0 {
			t.Fatal(err)
		}
		if c.Len() != kept {
			t.Errorf("reads fail from %d on: %d entries of %d", from, c.Len(), kept)
		}
		if r.Reads() < from {
			break
		}
	}
}
