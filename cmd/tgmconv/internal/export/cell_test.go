package export

import "testing"

func TestCell(t *testing.T) {
	for text, want := range map[string]string{
		"t2m": "t2m", "": "", "=1+1": "'=1+1", "+a": "'+a", "-a": "'-a", "@SUM(A1)": "'@SUM(A1)", "\tx": "'\tx", "\rx": "'\rx", "a=b": "a=b",
	} {
		if got := cell(text); got != want {
			t.Errorf("%q became %q, expected %q", text, got, want)
		}
	}
}
