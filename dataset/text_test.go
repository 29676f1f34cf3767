package dataset

import (
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/tgm"
)

// TestLeaveCharacters compares the dimensions of xarray with the dimensions of the file. xarray joins
// the last dimension of characters.
func TestLeaveCharacters(t *testing.T) {
	variable := func(name string, text Text, dims ...string) *Variable {
		v := &Variable{Name: name, Text: text, DType: tgm.Uint8, Dims: dims}
		for _, dim := range dims {
			n := uint64(4)
			if dim == "one" {
				n = 1
			}
			v.Shape = append(v.Shape, n)
		}
		return v
	}
	chars := TextCharacters
	for _, c := range []struct {
		name string
		vars []*Variable
		want []string // the dimensions shown
	}{
		{"a dimension that only texts have", []*Variable{
			variable("mode", chars, "prof", "param"), variable("names", chars, "prof", "param", "length"), variable("more", chars, "prof", "calib", "param", "length"),
		}, []string{"mode prof,param", "names prof,param,length", "more prof,calib,param,length"}},
		{"a dimension that numbers have", []*Variable{
			variable("mode", chars, "prof", "param"), variable("names", chars, "prof", "param", "length"), variable("t", NotText, "prof", "param"),
		}, []string{"mode prof,param", "names prof,param", "t prof,param"}},
		{"a dimension with a coordinate", []*Variable{
			variable("mode", chars, "prof", "param"), variable("names", chars, "prof", "param", "length"), variable("param", chars, "param", "length"),
		}, []string{"mode prof,param", "names prof,param", "param param"}},
		{"characters that are texts", []*Variable{variable("mode", chars, "prof", "param"), variable("t", NotText, "prof")}, []string{"mode prof", "t prof"}},
		{"texts of one byte", []*Variable{variable("a", chars, "n", "one"), variable("b", chars, "n", "length")},
			[]string{"a n,one", "b n,length"}},
		{"texts in UTF-8", []*Variable{variable("mode", chars, "prof", "param"), variable("names", TextUTF8, "prof", "param", "length")},
			[]string{"mode prof,param", "names prof,param"}},
	} {
		g := &Group{Variables: c.vars}
		g.joinCharacters()
		var got []string
		for _, v := range g.Variables {
			got = append(got, v.Name+" "+strings.Join(v.shownDims(), ","))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, expected %q", c.name, got, c.want)
		}
	}
}
