// Command chart draws the bars of speed in the README from the figures of bench/README.md.
//
//	go run ./bench/chart >docs/images/speed.svg
package main

import (
	"bytes"
	"fmt"
	"html"
	"log"
	"math"
	"os"
	"regexp"
	"strconv"
)

// A bar compares one program with tgmconv. The pattern finds its figures in bench/README.md: how many times as fast
// tgmconv is, or the figures of tgmconv and of the program, which are work done a second or, if seconds is set, time.
type bar struct {
	work, peer string
	figures    *regexp.Regexp
	seconds    bool
}

var bars = []bar{
	{"Convert 500 GRIB fields", "Tensogram's convert-grib", regexp.MustCompile(`\| 500 such fields \|.* ([\d.]+) times \|`), false},
	{"Write 500 fields as GRIB", "Tensogram's to-grib", regexp.MustCompile(`\| to-grib, 500 CCSDS.*\| ([\d.]+) times as fast`), false},
	{"Open and read 100 GRIB fields in xarray", "gribberish", regexp.MustCompile(`\| gribberish .* ([\d.]+) times ours`), false},
	{"Open and read 100 GRIB fields in xarray", "cfgrib", regexp.MustCompile(`\| cfgrib .* ([\d.]+) times ours`), false},
	{"Take a point out of each field", "GribJump", regexp.MustCompile(`(?m)^\| 1 \| ([\d ]+) \|.*\| ([\d ]+) \| \d+, \d+ \|$`), false},
	{"Unpack CCSDS fields", "ecCodes", regexp.MustCompile(`decoding GRIB.*–7\.6, ([\d.]+)–`), false},
	{"Write netCDF with deflate", "nccopy", regexp.MustCompile(`(?m)^\| to-netcdf, 199 MB.*\| ([\d.]+) \| ([\d.]+), .nccopy`), true},
	{"Unpack JPEG 2000 fields", "ecCodes", regexp.MustCompile(`decoding GRIB.*3\.3, ([\d.]+)–`), false},
	{"Compress noisy values with SZ3", "pysz", regexp.MustCompile(`\| sz3, pysz \| ([\d.]+) `), false},
}

func main() {
	text, err := os.ReadFile("bench/README.md")
	if err != nil {
		log.Fatal(err)
	}
	picture, err := draw(text)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := os.Stdout.Write(picture); err != nil {
		log.Fatal(err)
	}
}

// draw returns the chart as SVG. Bars are on a logarithmic scale, on which equally fast is a line.
func draw(text []byte) ([]byte, error) {
	const top, row, middle, perDouble = 46, 26, 470, 62
	var out bytes.Buffer
	height := top + len(bars)*row + 34
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 %d" font-family="sans-serif" font-size="13">`+"\n", height)
	fmt.Fprintf(&out, `<rect width="820" height="%d" fill="#fff"/>`+"\n", height)
	fmt.Fprintf(&out, `<text x="16" y="26" font-size="15" font-weight="bold">How many times as fast as other programs (logarithmic)</text>`+"\n")
	for i, b := range bars {
		factor, err := b.factor(text)
		if err != nil {
			return nil, err
		}
		y := top + i*row
		from, to, colour := float64(middle), middle+perDouble*math.Log2(factor), "#2a7fb8"
		if factor < 1 {
			from, to, colour = to, from, "#c2694a"
		}
		fmt.Fprintf(&out, `<text x="16" y="%d">%s</text><text x="%d" y="%d" text-anchor="end" fill="#555">%s</text>`+"\n",
			y+16, html.EscapeString(b.work), middle-40, y+16, html.EscapeString(b.peer))
		fmt.Fprintf(&out, `<rect x="%.1f" y="%d" width="%.1f" height="18" fill="%s"/><text x="%.1f" y="%d">%.2g</text>`+"\n",
			from, y+3, to-from, colour, to+6, y+17, factor)
	}
	end := top + len(bars)*row
	fmt.Fprintf(&out, `<path d="M%d %dV%d" stroke="#222"/>`+"\n", middle, top, end+4)
	fmt.Fprintf(&out, `<text x="%d" y="%d" text-anchor="middle" fill="#555">equally fast</text>`+"\n", middle, end+20)
	fmt.Fprintf(&out, "</svg>\n")
	return out.Bytes(), nil
}

// factor returns how many times as fast tgmconv is.
func (b bar) factor(text []byte) (float64, error) {
	found := b.figures.FindSubmatch(text)
	if found == nil {
		return 0, fmt.Errorf("bench/README.md: no figures for %q, expected %s", b.work, b.figures)
	}
	numbers := make([]float64, len(found)-1)
	for i, digits := range found[1:] {
		n, err := strconv.ParseFloat(string(bytes.ReplaceAll(digits, []byte(" "), nil)), 64)
		if err != nil {
			return 0, fmt.Errorf("bench/README.md: %s: %w", b.work, err)
		}
		numbers[i] = n
	}
	if len(numbers) == 1 {
		return numbers[0], nil
	}
	if b.seconds {
		return numbers[1] / numbers[0], nil
	}
	return numbers[0] / numbers[1], nil
}
