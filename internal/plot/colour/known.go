package colour

import (
	"image/color"
	"math"
	"slices"
	"strings"
)

// known are tables that many programs have under these names. Their authors (Smith and van der Walt; Nuñez,
// Anderton and Renslow) gave them to the public domain (CC0). Each is given by colours at even distances,
// between which it is within a few units of 255 of the original.
var known = []*Table{
	{Name: "viridis", fixed: []uint32{0x440154, 0x482878, 0x3e4a89, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725}},
	{Name: "plasma", fixed: []uint32{0x0d0887, 0x46039f, 0x7201a8, 0x9c179e, 0xbd3786, 0xd8576b, 0xed7953, 0xfb9f3a, 0xfdca26, 0xf0f921}},
	{Name: "inferno", fixed: []uint32{0x000004, 0x1b0c41, 0x4a0c6b, 0x781c6d, 0xa52c60, 0xcf4446, 0xed6925, 0xfb9b06, 0xf7d13d, 0xfcffa4}},
	{Name: "magma", fixed: []uint32{0x000004, 0x180f3d, 0x440f76, 0x721f81, 0x9e2f7f, 0xcd4071, 0xf1605d, 0xfd9668, 0xfeca8d, 0xfcfdbf}},
	{Name: "cividis", fixed: []uint32{0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838}},
}

// reversedSuffix ends the name of a table that is taken from its other end.
const reversedSuffix = "_r"

// reversed is the table that is taken from its other end.
func (t *Table) reversed() *Table {
	r := &Table{Name: t.Name + reversedSuffix, Diverging: t.Diverging, tones: slices.Clone(t.tones), fixed: slices.Clone(t.fixed)}
	slices.Reverse(r.tones)
	slices.Reverse(r.fixed)
	return r
}

// named returns the table of a name that may end with reversedSuffix, nil if there is none.
func named(name string) *Table {
	all := slices.Concat(tables, known)
	if i := slices.IndexFunc(all, func(t *Table) bool { return t.Name == name }); i >= 0 {
		return all[i]
	}
	if forward, ok := strings.CutSuffix(name, reversedSuffix); ok {
		if t := named(forward); t != nil {
			return t.reversed()
		}
	}
	return nil
}

// labOf is the colour in Oklab.
func labOf(c color.RGBA) lab {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	r, g, b := linear(c.R), linear(c.G), linear(c.B)
	l := math.Cbrt(float64(0.4122214708*r) + float64(0.5363325363*g) + float64(0.0514459929*b))
	m := math.Cbrt(float64(0.2119034982*r) + float64(0.6806995451*g) + float64(0.1073969566*b))
	s := math.Cbrt(float64(0.0883024619*r) + float64(0.2817188376*g) + float64(0.6299787005*b))
	return lab{
		float64(0.2104542553*l) + float64(0.7936177850*m) - float64(0.0040720468*s),
		float64(1.9779984951*l) - float64(2.4285922050*m) + float64(0.4505937099*s),
		float64(0.0259040371*l) + float64(0.7827717662*m) - float64(0.8086757660*s),
	}
}
