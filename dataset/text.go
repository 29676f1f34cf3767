package dataset

import (
	"math"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
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
// does: a dimension of characters that also counts something else stays.
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
	joined := make(map[*Variable]bool)
	for _, v := range g.Variables {
		stays := len(v.Dims) == 0 || counts[v.Dims[len(v.Dims)-1]]
		switch {
		case v.Text == TextCharacters && !stays:
			v.Text, joined[v] = TextBytes, true
		case v.Text == TextUTF8 && !v.strings && stays:
			v.Text = TextCharacters
		}
	}
	g.leaveCharacters(joined)
}

// leaveCharacters makes characters of texts again where xarray would confuse the dimensions of texts
// and characters. xarray joins characters by itself. PARAMETER(n, length) as texts along n leaves
// nothing by which MODE(n), of characters, would not be one text. xarray joins the characters that
// are left.
func (g *Group) leaveCharacters(joined map[*Variable]bool) {
	left := make(map[*Variable]bool)
	for changed := true; changed; {
		changed = false
		for _, v := range g.Variables {
			dim, ok := v.joinedByXarray()
			if !ok || left[v] || !g.stackable(dim) {
				continue
			}
			for _, other := range g.Variables {
				if dims := other.shownDims(); joined[other] && !left[other] && len(dims) > 0 && dims[len(dims)-1] == dim {
					other.Text, left[other], changed = TextCharacters, true, true
				}
			}
		}
	}
}

// joinedByXarray is the dimension that a variable of characters loses in xarray: the last dimension, if its
// elements have one byte.
func (v *Variable) joinedByXarray() (string, bool) {
	dims := v.shownDims()
	if len(dims) == 0 || v.Text != TextCharacters && (v.Text != TextBytes || v.Shape[len(v.Shape)-1] > 1) {
		return "", false
	}
	return dims[len(dims)-1], true
}

// shownDims are the dimensions of the texts, or elements, that a variable shows.
func (v *Variable) shownDims() []string {
	if n := len(v.Dims); n > 0 && (v.Text == TextBytes || v.Text == TextUTF8) {
		return v.Dims[:n-1]
	}
	return v.Dims
}

// stackable reports whether xarray takes a dimension for the characters of texts. No variable has its
// name, and all that have it are of bytes and have it last.
func (g *Group) stackable(dim string) bool {
	for _, v := range g.Variables {
		dims := v.shownDims()
		bytes := v.Text == TextCharacters || v.Text == TextBytes
		if i := slices.Index(dims, dim); v.Name == dim || i >= 0 && (!bytes || i < len(dims)-1) {
			return false
		}
	}
	return true
}

// isText reports whether the last dimension of a netCDF variable is the bytes of texts.
func isText(o *Object) bool {
	n, ok := o.Base.NetCDF()
	if !ok || o.DType != tgm.Uint8 || len(o.Shape) == 0 {
		return false
	}
	return n.Type == "string" || n.Type == "char" && (len(n.Dims) > 1 || !hasRecords(o)) // one character per record is not a text
}

// countedDims are the dimensions of a variable in its file without the dimension of the characters
// of texts. xarray may name that one after its length.
func countedDims(o *Object, n *mapping.NetCDF) []string {
	if isText(o) && n.Type == "char" && len(n.Dims) > 0 {
		return n.Dims[:len(n.Dims)-1]
	}
	return n.Dims
}

// maxWidened bounds the bytes of an object whose texts are made longer to match another file.
const maxWidened = 64 << 20

// canWiden reports whether the texts of an object can be made that long.
func canWiden(o *Object, width uint64) bool {
	last := len(o.Shape) - 1
	return width <= maxWidened && rowBytes(append([]uint64{0, width}, o.Shape[:last]...), o.DType) <= maxWidened
}

// textWidth is the length of the longest texts of a variable's objects. It is 0 if all have the
// same length or are not texts.
func textWidth(objects []Object) uint64 {
	least, most := uint64(math.MaxUint64), uint64(0)
	for i := range objects {
		o := &objects[i]
		if !isText(o) {
			return 0
		}
		n := o.Shape[len(o.Shape)-1]
		least, most = min(least, n), max(most, n)
	}
	if least == most {
		return 0
	}
	return most
}

// setText makes a variable of texts whose objects were characters or strings. The dimension of their bytes
// may have no name in the file.
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
