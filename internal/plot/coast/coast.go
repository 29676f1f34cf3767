// Package coast holds coastlines and borders of countries for maps: Natural Earth's cultural vectors,
// version 4.1.0 (https://www.naturalearthdata.com), which are in the public domain. generate.go makes
// the files.
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

// A Detail is one of the resolutions of Natural Earth.
type Detail int

// The scales for which the lines are drawn.
const (
	Scale110m Detail = iota // 1:110 million, for the world
	Scale50m                // 1:50 million, for continents
	Scale10m                // 1:10 million, for countries
)

// For returns the detail that suits a map with this many degrees to a pixel.
func For(degreesPerPixel float64) Detail {
	switch {
	case degreesPerPixel > 0.12:
		return Scale110m
	case degreesPerPixel > 0.025:
		return Scale50m
	}
	return Scale10m
}

//go:embed 110m.bin
var packed110m []byte

//go:embed 50m.bin
var packed50m []byte

//go:embed 10m.bin
var packed10m []byte

var parsed = [...]func() ([]Line, error){
	Scale110m: sync.OnceValues(func() ([]Line, error) { return parse(packed110m) }),
	Scale50m:  sync.OnceValues(func() ([]Line, error) { return parse(packed50m) }),
	Scale10m:  sync.OnceValues(func() ([]Line, error) { return parse(packed10m) }),
}

// Lines returns all lines of a detail. They are shared, and must not be changed.
func Lines(d Detail) ([]Line, error) { return parsed[d]() }

// maxBytes is more than the lines take.
const maxBytes = 4 << 20

// Unit is the part of a degree that places are multiples of.
const Unit = 1000

// parse reads lines. Each is
//
//	kind 0 or 1, uvarint: number of points, two varint a point: longitude and latitude in
//	thousandths of a degree, as the difference to the point before
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
			l.Points[i] = Point{float64(x) / Unit, float64(y) / Unit}
		}
		list = append(list, l)
	}
	return list, nil
}
