package colour

import (
	"image/color"
	"math"
	"slices"
	"strings"
)

// known are tables that many programs have under these names. Their authors (Smith and van der Walt; Nuñez,
// Anderton and Renslow) gave them to the public domain (CC0). Each is given by colours at even distances,
// between which it is within 7 units of 255 of matplotlib's, cividis within 11.
var known = []*Table{
	{Name: "viridis", fixed: []uint32{
		0x440154, 0x48186a, 0x472d7b, 0x424086, 0x3b528b, 0x33638d, 0x2c728e, 0x26828e, 0x21918c,
		0x1fa088, 0x28ae80, 0x3fbc73, 0x5ec962, 0x84d44b, 0xaddc30, 0xd8e219, 0xfde725,
	}},
	{Name: "plasma", fixed: []uint32{
		0x0d0887, 0x310597, 0x4c02a1, 0x6600a7, 0x7e03a8, 0x9511a1, 0xaa2395, 0xbc3587, 0xcc4778,
		0xda5a6a, 0xe66c5c, 0xf0804e, 0xf89540, 0xfdac33, 0xfdc527, 0xf8df25, 0xf0f921,
	}},
	{Name: "inferno", fixed: []uint32{
		0x000004, 0x0b0724, 0x210c4a, 0x3d0965, 0x57106e, 0x71196e, 0x8a226a, 0xa32c61, 0xbc3754,
		0xd24644, 0xe45a31, 0xf1731d, 0xf98e09, 0xfcac11, 0xf9cb35, 0xf2ea69, 0xfcffa4,
	}},
	{Name: "magma", fixed: []uint32{
		0x000004, 0x0a0822, 0x1d1147, 0x36106b, 0x51127c, 0x6a1c81, 0x832681, 0x9c2e7f, 0xb73779,
		0xd0416f, 0xe75263, 0xf56b5c, 0xfc8961, 0xfea772, 0xfec488, 0xfde2a3, 0xfcfdbf,
	}},
	{Name: "cividis", fixed: []uint32{
		0x00224e, 0x002e6a, 0x1a386f, 0x32436d, 0x434e6c, 0x535a6d, 0x61656f, 0x6f7073, 0x7d7c78,
		0x8c8878, 0x9b9476, 0xaba072, 0xbcae6c, 0xcdbb63, 0xdec958, 0xf0d846, 0xfee838,
	}},
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
