package conformance

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOurs makes the suite and reads it.
func TestOurs(t *testing.T) {
	folder := t.TempDir()
	made, err := Make(folder)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := ReadManifest(folder)
	if err != nil || len(cases) != len(made) || len(cases) < 3000 {
		t.Fatalf("%d cases in the manifest, %d made: %v", len(cases), len(made), err)
	}
	for _, c := range cases {
		if err := Check(folder, c); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
	t.Logf("%d files", len(cases))
	checkFinds(t, folder, made)
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
