package colour

import (
	"image/color"
	"math"
)

// A tone is a colour in Oklch: lightness from 0 to 1, chroma, and hue in degrees (Ottosson 2020, "A
// perceptual color space for image processing").
type tone struct{ l, c, h float64 }

// A lab is a colour in Oklab, in which equal distances look equally different.
type lab struct{ l, a, b float64 }

func (t tone) lab() lab {
	sin, cos := math.Sincos(t.h * math.Pi / 180)
	return lab{t.l, t.c * cos, t.c * sin}
}

// mix is the colour a part t of the way from x to y.
func mix(x, y lab, t float64) lab {
	return lab{
		x.l + float64(t*(y.l-x.l)), x.a + float64(t*(y.a-x.a)), x.b + float64(t*(y.b-x.b)),
	}
}

// rgb is the colour in sRGB. One that screens cannot show loses chroma until they can.
func (x lab) rgb() color.RGBA {
	low, high := 0.0, 1.0
	if r, ok := x.linear(1); ok {
		return encode(r)
	}
	for range 12 {
		middle := (low + high) / 2
		if _, ok := x.linear(middle); ok {
			low = middle
		} else {
			high = middle
		}
	}
	r, _ := x.linear(low)
	return encode(r)
}

// linear is the colour in linear sRGB with its chroma times c, and whether screens can show it.
func (x lab) linear(c float64) (rgb [3]float64, ok bool) {
	a, b := x.a*c, x.b*c
	l := x.l + float64(0.3963377774*a) + float64(0.2158037573*b)
	m := x.l - float64(0.1055613458*a) - float64(0.0638541728*b)
	s := x.l - float64(0.0894841775*a) - float64(1.2914855480*b)
	l, m, s = l*l*l, m*m*m, s*s*s
	rgb = [3]float64{
		float64(4.0767416621*l) - float64(3.3077115913*m) + float64(0.2309699292*s),
		float64(-1.2684380046*l) + float64(2.6097574011*m) - float64(0.3413193965*s),
		float64(-0.0041960863*l) - float64(0.7034186147*m) + float64(1.7076147010*s),
	}
	const slack = 1e-4
	for _, v := range rgb {
		if v < -slack || v > 1+slack {
			return rgb, false
		}
	}
	return rgb, true
}

// encode applies the transfer function of sRGB (IEC 61966-2-1).
func encode(rgb [3]float64) color.RGBA {
	var b [3]uint8
	for i, v := range rgb {
		v = min(max(v, 0), 1)
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = float64(1.055*math.Pow(v, 1/2.4)) - 0.055
		}
		b[i] = uint8(math.Round(255 * v))
	}
	return color.RGBA{b[0], b[1], b[2], 255}
}
