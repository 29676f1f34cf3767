package edit_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tgmconv/tgmconv/tgm/edit"
)

// TestShortNames shortens names that file systems refuse, each to another.
func TestShortNames(t *testing.T) {
	for _, name := range []string{"a.tgm", strings.Repeat("x", 251) + ".tgm"} {
		if got := edit.ShortName(name); got != name {
			t.Errorf("%s became %s", name, got)
		}
	}
	template, err := edit.ParseTemplate("out/[name].tgm")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, value := range []string{strings.Repeat("x", 300), strings.Repeat("x", 301), strings.Repeat("温", 100) + "a", strings.Repeat("温", 100) + "b", strings.Repeat("é", 127) + "x"} {
		got := template.Expand(func(string) (string, bool) { return value, true })
		base, ok := strings.CutPrefix(got, "out/")
		if !ok || len(base) > 255 || !strings.HasSuffix(base, ".tgm") || !utf8.ValidString(base) || seen[got] {
			t.Errorf("%s became %s of %d bytes", value, got, len(base))
		}
		seen[got] = true
	}
}
