//go:build ignore

// Generate makes lines.bin of countries-110m.json of the npm package world-atlas 2.0.2, a TopoJSON
// form of Natural Earth's 1:110m cultural vectors 4.1.0, which are in the public domain:
//
//	npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
//	go run generate.go package/countries-110m.json
package main

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"log"
	"math"
	"os"
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

func main() {
	log.SetFlags(0)
	b, err := os.ReadFile(os.Args[1])
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
			write(&out, kind, line)
			points += len(line)
		}
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	check(err)
	w.Write(out.Bytes())
	check(w.Close())
	check(os.WriteFile("lines.bin", packed.Bytes(), 0o666))
	log.Printf("%d points, %d bytes", points, packed.Len())
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

// cut returns an arc in hundredths of a degree, without the edges of the map at 180 degrees and the
// South Pole, which polygons have and coasts do not.
func cut(t topology, arc [][2]int) (lines [][][2]int) {
	var line [][2]int
	x, y := 0, 0
	for i, d := range arc {
		x, y = x+d[0], y+d[1]
		p := [2]int{
			int(math.Round(100 * (float64(x)*t.Transform.Scale[0] + t.Transform.Translate[0]))),
			int(math.Round(100 * (float64(y)*t.Transform.Scale[1] + t.Transform.Translate[1]))),
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
	seam := func(p [2]int) bool { return p[0] <= -17990 || p[0] >= 17990 }
	return seam(a) && seam(b) || a[1] <= -8950 && b[1] <= -8950 || a[0]-b[0] > 18000 || b[0]-a[0] > 18000
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
