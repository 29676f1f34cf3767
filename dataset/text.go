package dataset

import (
	"strings"

	"github.com/tgmconv/tgmconv/mapping"
)

// Text says whether the elements of a variable are the bytes of texts, and in which encoding. Such
// a variable has elements of type uint8. Except with TextCharacters its last dimension is the bytes
// of a text, with zeros at the end of shorter ones.
type Text int

// The kinds of text.
const (
	NotText        Text = iota
	TextCharacters      // each element is a character
	TextBytes           // of an encoding that nothing states, as netCDF has them
	TextUTF8
)

// joinCharacters makes texts of the characters along dimensions that nothing else has, as xarray
// does: a dimension of characters that also counts something else stays, and so does one that is
// empty, because no array has texts of no bytes.
func (g *Group) joinCharacters() {
	counts := make(map[string]bool) // dimensions that count more than the characters of a text
	for _, v := range g.Variables {
		for i, dim := range v.Dims {
			if i < len(v.Dims)-1 || v.Text != TextCharacters && (v.Text != TextUTF8 || v.strings) {
				counts[dim] = true
			}
		}
		counts[v.Name] = true
	}
	for _, v := range g.Variables {
		last := len(v.Dims) - 1
		stays := last < 0 || counts[v.Dims[last]] || v.Shape[last] == 0
		switch {
		case v.Text == TextCharacters && !stays:
			v.Text = TextBytes
		case v.Text == TextUTF8 && !v.strings && stays:
			v.Text = TextCharacters
		}
	}
}

// setText makes a variable of texts of one whose objects were characters or strings, of which the
// dimension of the bytes may have no name in the file.
func (v *Variable) setText(n *mapping.NetCDF) {
	switch n.Type {
	case "string":
		v.Text, v.strings = TextUTF8, true
		if len(v.Dims) == len(v.Shape)-1 {
			v.Dims = append(v.Dims[:len(v.Dims):len(v.Dims)], v.Name+"_bytes")
		}
	case "char":
		v.Text = TextCharacters
		if encoding, _ := n.Attributes["_Encoding"].(string); strings.EqualFold(strings.ReplaceAll(encoding, "-", ""), "utf8") {
			v.Text = TextUTF8
		}
	}
}
