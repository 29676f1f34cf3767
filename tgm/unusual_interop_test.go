//go:build interop

package tgm

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestReferenceAgreesOnUnusual lets the reference read the hand-made messages of our own tests.
// These tests then follow the format and not our belief.
func TestReferenceAgreesOnUnusual(t *testing.T) {
	empty := map[string]any{"base": []any{}}
	both := map[string]any{"base": []any{map[string]any{"n": 1}, map[string]any{"n": 2}}}
	files := map[string][]byte{
		"before": newCraft(0x81).meta(1, empty).object(1, false).object(2, false).done(false),
		"preceders": newCraft(0xC1).meta(1, both).object(1, true).
			meta(8, entry(map[string]any{"n": 9})).object(2, true).done(false),
		"footer":   newCraft(0xAB).meta(1, empty).object(1, true).object(2, true).index(6).meta(7, both).done(false),
		"streamed": newCraft(0xAB).meta(1, empty).object(1, true).object(2, true).meta(7, both).index(6).done(true),
	}
	folder := t.TempDir()
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(folder, name+".tgm"), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	python(t, "0.24.0", "tgm/read.py", folder)
	for name, b := range files {
		text, err := os.ReadFile(filepath.Join(folder, name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var r readReport
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		if r.Error != "" || len(r.Messages) != 1 {
			t.Errorf("%s: reference found %d messages: %s", name, len(r.Messages), r.Error)
			continue
		}
		m, err := open(t, b).Message(0)
		if err != nil {
			t.Fatal(err)
		}
		md, err := m.Metadata()
		if err != nil {
			t.Fatal(err)
		}
		for j := range 2 {
			a, err := decodeAll(m, j, true)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := os.ReadFile(filepath.Join(folder, name+".0."+string(rune('0'+j))+".bin"))
			if err != nil || !bytes.Equal(theirs, a.Data) {
				t.Errorf("%s: object %d is % x for the reference, % x for us, %v", name, j, theirs, a.Data, err)
			}
			n, _ := md.Base[j]["n"].(int64)
			if theirs, _ := r.Messages[0].Base[j]["n"].(float64); int64(theirs) != n {
				t.Errorf("%s: base entry %d has n %v for the reference, %d for us", name, j, theirs, n)
			}
		}
	}
}
