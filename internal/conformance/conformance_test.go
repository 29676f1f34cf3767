package conformance

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/internal/cases"
)

// TestOurs makes the suite and reads some of it.
func TestOurs(t *testing.T) {
	some := cases.Of(t)
	folder := t.TempDir()
	made, err := Make(folder)
	if err != nil {
		t.Fatal(err)
	}
	all, err := ReadManifest(folder)
	if err != nil || len(all) != len(made) || len(all) < 3000 {
		t.Fatalf("%d cases in the manifest, %d made: %v", len(all), len(made), err)
	}
	for i, c := range all {
		if !some.Has(i, 4) {
			continue
		}
		if err := Check(folder, c); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
	checkFlips(t, some, folder, made)
	checkFinds(t, folder, made)
}

// checkFlips flips bits of some of the files.
func checkFlips(t *testing.T, some cases.Choice, folder string, made []Case) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < len(made); i += 31 {
		if !some.Has(i/31, 2) {
			continue
		}
		file, err := os.ReadFile(filepath.Join(folder, made[i].File))
		if err != nil {
			t.Fatal(err)
		}
		silent, tried, err := Flip(file, 50, rng)
		if err != nil || tried != 50 || len(silent) > 0 {
			t.Errorf("%+v: of %d flipped bits not seen: %v; %v", made[i], tried, silent, err)
		}
	}
}

// checkFinds expects values, types and files that are wrong to be found.
func checkFinds(t *testing.T, folder string, made []Case) {
	t.Helper()
	c := made[0]
	for name, change := range map[string]func(*Case){
		"type":   func(c *Case) { c.DType = "int16" },
		"shape":  func(c *Case) { c.Shape = []uint64{260} },
		"order":  func(c *Case) { c.ByteOrder = "big" },
		"values": func(c *Case) { c.Values = made[len(made)-1].Values },
		"file":   func(c *Case) { c.File = "files/none.tgm" },
	} {
		wrong := c
		change(&wrong)
		if err := Check(folder, wrong); err == nil {
			t.Errorf("another %s: no error", name)
		}
	}
	path := filepath.Join(folder, c.File)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Check(folder, c); err == nil {
		t.Error("a flipped bit: no error")
	}
}
