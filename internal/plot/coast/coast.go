// Package coast holds coastlines and borders of countries for small maps: Natural Earth's 1:110m
// cultural vectors, version 4.1.0 (https://www.naturalearthdata.com), which are in the public
// domain. generate.go says how they are made.
package coast

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"fmt"
	"io"
	"sync"
)

// A Point is a place in degrees.
type Point struct{ Lon, Lat float64 }

// A Line is a part of a coast or of a border between two countries.
type Line struct {
	Border bool
	Points []Point
}

//go:embed lines.bin
var packed []byte

// Lines returns all lines. They are shared, and must not be changed.
func Lines() ([]Line, error) { return lines() }

var lines = sync.OnceValues(func() ([]Line, error) { return parse(packed) })

// maxBytes is more than the lines take.
const maxBytes = 1 << 20

// parse reads lines. Each is
//
//	kind 0 or 1, uvarint: number of points, two varint a point: longitude and latitude in
//	hundredths of a degree, as the difference to the point before
func parse(b []byte) (list []Line, err error) {
	raw, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(b)), maxBytes))
	if err != nil {
		return nil, fmt.Errorf("coast: %w", err)
	}
	r := bytes.NewReader(raw)
	for r.Len() > 0 {
		kind, _ := r.ReadByte()
		n, err := binary.ReadUvarint(r)
		if err != nil || n > uint64(r.Len()) {
			return nil, fmt.Errorf("coast: a line of %d points with %d bytes left", n, r.Len())
		}
		l := Line{Border: kind == 1, Points: make([]Point, n)}
		var x, y int64
		for i := range l.Points {
			dx, _ := binary.ReadVarint(r)
			dy, err := binary.ReadVarint(r)
			if err != nil {
				return nil, fmt.Errorf("coast: point %d of %d: %w", i, n, err)
			}
			x, y = x+dx, y+dy
			l.Points[i] = Point{float64(x) / 100, float64(y) / 100}
		}
		list = append(list, l)
	}
	return list, nil
}
