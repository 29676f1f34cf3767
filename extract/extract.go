package extract

import (
	"context"
	"fmt"
	"iter"
	"math"
	"strconv"
	"time"

	"github.com/tgmconv/tgmconv/internal/parallel"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
)

// A Selection chooses points of fields: by the first of Places, Areas and Positions that is not
// empty, and else all.
type Selection struct {
	// Places choose the point that is nearest to each, along the great circle. A place that is farther
	// from it than points are from each other lies outside the grid: its value is missing.
	Places []Place
	// Mask, if it is not nil, holds the values of the points of a grid. On fields of the same grid only
	// points for which Masked reports true are taken as the nearest, such as points on land.
	Mask   *look.Field
	Masked func(value float64) bool
	// Bilinear interpolates between the four points around a place in place of taking the nearest: in
	// degrees on rows and columns of latitudes and longitudes and on reduced grids, within the cells of
	// rotated grids, maps and curvilinear ones. Unstructured grids and nested HEALPix have no such points.
	Bilinear bool
	// Areas choose the points that lie within one of them.
	Areas []Area
	// Positions choose points by their numbers: one for each axis, or the number among all in C order.
	Positions [][]uint64
}

// A Record is a value at a point.
type Record struct {
	// Point is the name of the place, or its number, from 1. In other selections it is the number of the
	// point in its grid, from 0.
	Point string
	// Latitude and Longitude are of the point that was taken, in degrees, or of the place with
	// interpolated values. They are NaN if they are not known.
	Latitude, Longitude float64
	// Distance is the distance of the point from the place, in kilometres.
	Distance float64

	Time      mapping.Opt[time.Time] // of reference
	Step      mapping.Opt[time.Duration]
	ValidTime string // in the form of ISO 8601, in the calendar of the data; "" if it is not known
	Number    mapping.Opt[int64]
	Level     mapping.Opt[float64]
	Name      string
	Units     string
	Statistic string // of a record of [Summed], such as "mean over number"; else ""

	// Value is NaN where it is missing. Reason says why, if that is not because it is missing in the
	// field.
	Value  float64
	Reason string

	// Index is the number of the point in its field, -1 if there is none, or more than one.
	Index int
	Field *look.Field

	elements *look.Elements // elements with the value; nil for a computed one
	element  int
}

// Missing reports whether the value is missing.
func (r *Record) Missing() bool { return math.IsNaN(r.Value) }

// AppendValue appends the value as the shortest decimal number that reads back as the same value.
// It reads back in the type of the field. A missing value is nothing.
func (r *Record) AppendValue(dst []byte) []byte {
	switch {
	case r.Missing():
		return dst
	case r.elements != nil:
		return r.elements.AppendText(dst, r.element)
	}
	return strconv.AppendFloat(dst, r.Value, 'g', -1, 64)
}

// Bounds of one read: bytes of fields that are decoded, and values of slices of one
// variable.
const (
	atOnce     = 128 << 20
	mostValues = 1 << 19
)

// Points yields the values of the chosen points of each field, one field after the other. After an
// error it ends. Fields are read on several cores.
func Points(ctx context.Context, fields []*look.Field, s Selection) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		c := &chooser{selection: s, grids: make(map[gridKey]*chosen)}
		most := mostValues / max(1, len(s.Places), len(s.Positions))
		if len(s.Places)+len(s.Positions) == 0 {
			most = 1
		}
		window := parallel.Window[[]*look.Field]{Memory: atOnce, Bytes: bytesOf}
		for group, err := range parallel.Ordered(ctx, look.Together(fields, max(1, most)), window, c.read) {
			if err != nil {
				yield(Record{}, err)
				return
			}
			for _, r := range group {
				if !r.records(yield) {
					return
				}
			}
		}
	}
}

// bytesOf is about the memory that reading fields takes.
func bytesOf(fields []*look.Field) int64 {
	n := uint64(8)
	for _, d := range fields[0].Shape {
		if d > 0 && n > atOnce/d {
			return atOnce
		}
		n *= d
	}
	return int64(n)
}

// read reads the chosen points of fields that are read together.
func (c *chooser) read(ctx context.Context, fields []*look.Field) ([]*reading, error) {
	all, at := make([]*reading, len(fields)), make([][]uint64, len(fields))
	for i, f := range fields {
		points, err := c.choose(ctx, f)
		if err != nil {
			return nil, err
		}
		all[i], at[i] = &reading{points: points, field: f}, points.at
	}
	elements, err := look.ElementsAt(ctx, fields, at)
	for i, e := range elements {
		all[i].elements = e
	}
	return all, err
}

// A reading is the values of the chosen points of a field.
type reading struct {
	points   *chosen
	field    *look.Field
	elements *look.Elements
}

// records yields a record for each point.
func (r *reading) records(yield func(Record, error) bool) bool {
	f := r.field
	common := Record{
		Time: f.Reference, Step: f.Step, ValidTime: f.ValidTime(), Number: f.Member, Level: f.Level, Name: f.Name, Units: f.Units,
		Field: f, Index: -1,
	}
	if r.points.rows == nil {
		for i, at := range r.points.at {
			record := common
			record.Point, record.Latitude, record.Longitude = strconv.FormatUint(at, 10), math.NaN(), math.NaN()
			if r.points.lat != nil {
				record.Latitude, record.Longitude = r.points.lat[i], r.points.lon[i]
			}
			if r.set(&record, i); !yield(record, nil) {
				return false
			}
		}
	}
	for i := range r.points.rows {
		row := &r.points.rows[i]
		record := common
		record.Point, record.Latitude, record.Longitude, record.Distance = row.name, row.lat, row.lon, row.distance
		switch {
		case row.reason != "":
			record.Reason, record.Value = row.reason, math.NaN()
		case row.corners == nil:
			r.set(&record, row.first)
		default:
			record.Value = row.interpolated(r.elements)
		}
		if !yield(record, nil) {
			return false
		}
	}
	if err := r.elements.Err(); err != nil {
		return yield(Record{}, err)
	}
	return true
}

// set gives a record the value of one of the points that were read.
func (r *reading) set(record *Record, i int) {
	record.Index = int(r.points.at[i])
	record.elements, record.element = r.elements, i
	if record.Value = math.NaN(); !r.elements.Missing(i) {
		record.Value = r.elements.Float(i)
	}
}

// interpolated is the weighted mean of the corners of a cell, NaN if one that counts is missing. It is
// computed from differences to one of them, so that the mean of equal values is this value.
func (r *row) interpolated(e *look.Elements) float64 {
	base, sum := math.NaN(), 0.0
	for i, w := range r.corners {
		if w == 0 {
			continue
		}
		if e.Missing(r.first + i) {
			return math.NaN()
		}
		v := e.Float(r.first + i)
		if math.IsNaN(base) {
			base = v
		}
		if v != base {
			sum += float64(w * (v - base))
		}
	}
	return base + sum
}

// position is the number of the element at a position of a field.
func position(f *look.Field, p []uint64) (uint64, error) {
	total, at := uint64(1), uint64(0)
	for _, n := range f.Shape {
		total *= n
	}
	if len(p) == 1 && len(f.Shape) != 1 {
		if p[0] >= total {
			return 0, fmt.Errorf("index %d is not below %d, the number of values", p[0], total)
		}
		return p[0], nil
	}
	if len(p) != len(f.Shape) {
		return 0, fmt.Errorf("the index has %d numbers, the field %d axes", len(p), len(f.Shape))
	}
	for i, n := range f.Shape {
		if p[i] >= n {
			return 0, fmt.Errorf("index %d is outside an axis of length %d", p[i], n)
		}
		at = at*n + p[i]
	}
	return at, nil
}
