package option_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/internal/option"
)

// A pack is a choice of a library.
type pack int

// A settings is the settings of a library.
type settings struct {
	pack   pack
	level  int
	codec  string
	sizes  int64
	chosen []string
}

func (o *settings) declare(s *option.Set) {
	option.Choice(s, "pack", &o.pack, []string{"source", "float32"}, "type of values")
	s.Int("level/l", &o.level, 1, 9, "level of compression")
	s.Word("codec", &o.codec, []string{"zstd", "blosc", "none"}, "codec of chunks")
	option.Parsed(s, "memory", &o.sizes, "1GiB", option.ParseBytes, "bound on the memory")
	s.Each("where/w", &o.chosen, "what is taken")
}

// give gives a setting the value that a user types.
func give(s *option.Set, name, text string) {
	for _, o := range s.Options {
		if o.Name != name {
			continue
		}
		o.Given = true
		switch p := o.Value.(type) {
		case *string:
			*p = text
		case *int:
			fmt.Sscan(text, p)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"pack", "float32", ""},
		{"pack", "double", `--pack is "double", expected source or float32`},
		{"level", "9", ""},
		{"level", "10", "--level is 10, expected 1 to 9"},
		{"codec", "", ""},
		{"codec", "gzip", `--codec is "gzip", expected zstd, blosc or none`},
		{"memory", "500MB", ""},
		{"memory", "500", `--memory is "500": found "500", expected a size of at least 1MiB, such as 500MB or 4GiB`},
	} {
		var o settings
		var s option.Set
		o.declare(&s)
		give(&s, test.name, test.text)
		got := ""
		if err := s.Validate(); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("--%s %s: %q, expected %q", test.name, test.text, got, test.want)
		}
		if !s.Given(test.name) || s.Given("where") {
			t.Errorf("--%s: what is given is not known", test.name)
		}
	}
}

func TestDefaults(t *testing.T) {
	var o settings
	var s option.Set
	o.declare(&s)
	if err := s.Validate(); err != nil || o.pack != 0 || o.sizes != 1<<30 {
		t.Errorf("%+v, %v", o, err)
	}
	give(&s, "pack", "float32")
	if err := s.Validate(); err != nil || o.pack != 1 {
		t.Errorf("%+v, %v", o, err)
	}
	var letters []string
	for _, o := range s.Options {
		letters = append(letters, o.Name+o.Letter)
	}
	if got := strings.Join(letters, " "); got != "pack levell codec memory wherew" || !s.Has("where") || s.Has("w") {
		t.Error(got)
	}
}

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int64{"1MiB": 1 << 20, "2mb": 2e6, "1.5 GiB": 3 << 29, "1": 0, "MB": 0, "-4GiB": 0, "9999TiB": 0, "1XB": 0} {
		if got, err := option.ParseBytes(text); got != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
}
