//go:build ignore

// Generate makes 110m.bin, 50m.bin and 10m.bin of the files countries-*.json of the npm package
// world-atlas 2.0.2, a TopoJSON form of Natural Earth's cultural vectors 4.1.0, which are in the public
// domain:
//
//	npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
//	go run generate.go package
package main

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"log"
	"math"
	"os"
	"path/filepath"
)

type topology struct {
	Objects map[string]struct {
		Geometries []struct {
			Type string
			Arcs json.RawMessage
		}
	}
	Arcs      [][][2]int
	Transform struct{ Scale, Translate [2]float64 }
}

// details are the resolutions of Natural Earth, each with the distance in thousandths of a degree that
// its lines may move where points are left out.
var details = []struct {
	name      string
	tolerance float64
}{{"110m", 0}, {"50m", 5}, {"10m", 6}}

func main() {
	log.SetFlags(0)
	for _, d := range details {
		generate(filepath.Join(os.Args[1], "countries-"+d.name+".json"), d.name+".bin", d.tolerance)
	}
}

func generate(from, to string, tolerance float64) {
	b, err := os.ReadFile(from)
	check(err)
	var t topology
	check(json.Unmarshal(b, &t))
	uses := make([]int, len(t.Arcs))
	for _, g := range t.Objects["countries"].Geometries {
		var any any
		check(json.Unmarshal(g.Arcs, &any))
		count(any, uses)
	}
	var out bytes.Buffer
	points := 0
	for i, arc := range t.Arcs {
		kind := byte(0) // a coast belongs to one country
		if uses[i] > 1 {
			kind = 1
		}
		for _, line := range cut(t, arc) {
			if line = simplify(line, tolerance); len(line) > 1 {
				write(&out, kind, line)
				points += len(line)
			}
		}
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	check(err)
	w.Write(out.Bytes())
	check(w.Close())
	check(os.WriteFile(to, packed.Bytes(), 0o666))
	log.Printf("%s: %d points, %d bytes", to, points, packed.Len())
}

// simplify leaves out points as Douglas and Peucker do: points within a distance of the line
// between others.
func simplify(line [][2]int, tolerance float64) [][2]int {
	if len(line) < 3 {
		return line
	}
	first, last := line[0], line[len(line)-1]
	dx, dy := float64(last[0]-first[0]), float64(last[1]-first[1])
	length := math.Hypot(dx, dy)
	far, at := -1.0, 0
	for i, p := range line[1 : len(line)-1] {
		x, y := float64(p[0]-first[0]), float64(p[1]-first[1])
		d := math.Hypot(x, y)
		if length > 0 {
			d = math.Abs(x*dy-y*dx) / length
		}
		if d > far {
			far, at = d, i+1
		}
	}
	if far <= tolerance && length <= 1000 { // a parallel is no straight line on most maps
		return [][2]int{first, last}
	}
	left := simplify(line[:at+1:at+1], tolerance)
	return append(left[:len(left)-1:len(left)-1], simplify(line[at:], tolerance)...)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// count counts how often each arc is used; ^i is arc i backwards.
func count(v any, uses []int) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			count(x, uses)
		}
	case float64:
		i := int(v)
		if i < 0 {
			i = ^i
		}
		uses[i]++
	}
}

// cut returns an arc in thousandths of a degree, without the edges of the map at 180 degrees and the
// South Pole, which polygons have and coasts do not.
func cut(t topology, arc [][2]int) (lines [][][2]int) {
	var line [][2]int
	x, y := 0, 0
	for i, d := range arc {
		x, y = x+d[0], y+d[1]
		p := [2]int{
			int(math.Round(1000 * (float64(x)*t.Transform.Scale[0] + t.Transform.Translate[0]))),
			int(math.Round(1000 * (float64(y)*t.Transform.Scale[1] + t.Transform.Translate[1]))),
		}
		if i > 0 && len(line) > 0 && edge(line[len(line)-1], p) {
			if len(line) > 1 {
				lines = append(lines, line)
			}
			line = nil
		}
		line = append(line, p)
	}
	if len(line) > 1 {
		lines = append(lines, line)
	}
	return lines
}

func edge(a, b [2]int) bool {
	seam := func(p [2]int) bool { return p[0] <= -179900 || p[0] >= 179900 }
	return seam(a) && seam(b) || a[1] <= -89500 && b[1] <= -89500 || a[0]-b[0] > 180000 || b[0]-a[0] > 180000
}

// write appends a line: its kind, the number of points, and their differences.
func write(out *bytes.Buffer, kind byte, line [][2]int) {
	b := append([]byte{kind}, binary.AppendUvarint(nil, uint64(len(line)))...)
	last := [2]int{}
	for _, p := range line {
		b = binary.AppendVarint(b, int64(p[0]-last[0]))
		b = binary.AppendVarint(b, int64(p[1]-last[1]))
		last = p
	}
	out.Write(b)
}
