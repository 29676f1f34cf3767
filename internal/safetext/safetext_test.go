package safetext_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/tgmconv/tgmconv/internal/safetext"
)

func ExampleLine() {
	fmt.Println(safetext.Line("2t\x1b]0;owned\x07 of\ntwo lines"))
	// Output: 2t ]0;owned  of two lines
}

func TestWriter(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext\n":        "plain\ttext\n",
		"\x1b[1;31mred\x1b[0m": "\ufffd[1;31mred\ufffd[0m",
		"\x1b[2Jgone":          "\ufffd[2Jgone",
		"\x1b]0;title\x07":     "\ufffd]0;title\ufffd",
		"back\rward":           "back\ufffdward",
		"c1 \u009b31m":         "c1 \ufffd31m",
		"invalid \x9b31m":      "invalid \ufffd31m",
		"Grüße, 温度":            "Grüße, 温度",
		"left \u202e right":    "left \ufffd right",
	} {
		for _, size := range []int{1, 2, 3, 1000} {
			var out strings.Builder
			w := safetext.NewWriter(&out)
			for b := []byte(in); len(b) > 0; {
				n := min(size, len(b))
				if _, err := w.Write(b[:n]); err != nil {
					t.Fatal(err)
				}
				b = b[n:]
			}
			if out.String() != want {
				t.Errorf("%q in pieces of %d: %q, expected %q", in, size, out.String(), want)
			}
		}
	}
}

func TestEscaper(t *testing.T) {
	for in, want := range map[string]string{
		"a \u202eb\u2066c\u200f\u061c\n": `a \u202eb\u2066c\u200f\u061c` + "\n",
		"\x1b[31m \u009b":                `\u001b[31m \u009b`,
		"line\r\n\t\xff":                 "line\r\n\t\xff",
	} {
		var out strings.Builder
		if _, err := safetext.NewEscaper(&out).Write([]byte(in)); err != nil || out.String() != want {
			t.Errorf("%q became %q, %v, expected %q", in, out.String(), err, want)
		}
	}
}

func FuzzWriter(f *testing.F) {
	f.Add([]byte("a\x1b[0mb\x1b[2J"), 3)
	f.Fuzz(func(t *testing.T, b []byte, at int) {
		at = max(0, min(at, len(b)))
		var out strings.Builder
		w := safetext.NewWriter(&out)
		w.Write(b[:at])
		w.Write(b[at:])
		s := out.String()
		for _, r := range s {
			if unicode.IsControl(r) && r != '\n' && r != '\t' {
				t.Fatalf("%q became %q, with the control character %U", b, s, r)
			}
		}
	})
}
