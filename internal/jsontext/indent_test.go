package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// TestAppendIndent compares with encoding/json.
func TestAppendIndent(t *testing.T) {
	for _, src := range []string{
		`{}`, `[]`, `"x"`, `1.5`, `null`, `{"a":[],"b":{},"c":[1,-2e+05,true,null]}`, `[[[[]]],{"a":{"b":[{}]}}]`,
		`{"a\"b":"c\\","d{":"[,:]}","e":"\u0001é"}`, "{ \"a\" :\n[ 1 ,\t2 , [ ] , { } ] }",
		strings.Repeat("[", 40) + strings.Repeat("]", 40), strings.Repeat(`{"k":[`, 30) + "0" + strings.Repeat("]}", 30),
	} {
		for _, c := range [][2]string{{"", "  "}, {"  ", "  "}, {"> ", "\t"}, {"", ""}} {
			var want bytes.Buffer
			if err := json.Indent(&want, []byte(src), c[0], c[1]); err != nil {
				t.Fatal(err)
			}
			if got := AppendIndent([]byte("x"), []byte(src), c[0], c[1]); string(got) != "x"+want.String() {
				t.Errorf("%s, prefix %q, indent %q:\n%s\nwant\n%s", src, c[0], c[1], got[1:], want.Bytes())
			}
		}
	}
}
