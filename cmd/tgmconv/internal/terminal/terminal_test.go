package terminal

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/importers"
)

// TestProgressOfReads demands a bar when inputs are read for long, and that it goes away. The bar
// shows how far they were read.
func TestProgressOfReads(t *testing.T) {
	out, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	p := &Progress{terminal: out}
	p.Read("a", 0, 10, 100)
	if p.bar != nil {
		t.Error("a bar appears at once")
	}
	p.since = time.Now().Add(-quietTime)
	p.Read("b", 0, 50, 300)
	p.Read("a", 0, 5, 100) // again
	if p.bar == nil || p.bar.Current() != 60 || p.total != 400 {
		t.Errorf("bar %v of %d, expected 60 of 400", p.bar, p.total)
	}
	p.Update(importers.Progress{BytesIn: 20})
	if p.bar.Current() != 60 {
		t.Errorf("the bar went back to %d", p.bar.Current())
	}
	p.End()
	if p.bar != nil {
		t.Error("the bar stays")
	}
	p.Silence()
	p.Read("a", 0, 100, 100)
	if p.bar != nil {
		t.Error("a bar appears without a terminal")
	}
}

func TestColours(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{"CLICOLOR_FORCE": "1"}, true},
		{map[string]string{"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, false},
		{map[string]string{"CLICOLOR_FORCE": "1", "TERM": "dumb"}, false},
		{map[string]string{}, false}, // no terminal
	} {
		for _, name := range []string{"CLICOLOR_FORCE", "NO_COLOR", "TERM"} {
			t.Setenv(name, c.env[name])
		}
		if got := wantsColours(new(bytes.Buffer)); got != c.want {
			t.Errorf("%v: %v, expected %v", c.env, got, c.want)
		}
	}
}
