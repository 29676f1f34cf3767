package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/zarr"
)

// errEnough ends a look at fields before their end.
var errEnough = errors.New("enough was seen")

// A gribPlace is the place of --nearest.
type gribPlace struct {
	lat, lon float64
	four     bool   // show four values
	maskName string // of a file; "" for none
	mask     *grib.Field

	mu    sync.Mutex
	found map[string][]geometry.Neighbour // by grid definition
}

// A gribNear is what is near a place in a field.
type gribNear struct {
	points []geometry.Neighbour
	values []float64
	chosen int // of the points
	method string
	units  string
}

func parsePlace(cmd *cobra.Command, text string) (*gribPlace, error) {
	bad := func() error {
		return usagef("--nearest %q: expected LAT,LON[,1|4[,MASK]] with a latitude from -90 to 90 and a longitude from -360 to 360", text)
	}
	parts := strings.SplitN(text, ",", 4)
	if len(parts) < 2 {
		return nil, bad()
	}
	p := &gribPlace{four: true, found: make(map[string][]geometry.Neighbour)}
	var err error
	if p.lat, err = strconv.ParseFloat(strings.TrimSpace(parts[0]), 64); err != nil || !(math.Abs(p.lat) <= 90) {
		return nil, bad()
	}
	if p.lon, err = strconv.ParseFloat(strings.TrimSpace(parts[1]), 64); err != nil || !(math.Abs(p.lon) <= 360) {
		return nil, bad()
	}
	if len(parts) > 2 {
		if parts[2] != "1" && parts[2] != "4" {
			return nil, bad()
		}
		p.four = parts[2] == "4"
	}
	if len(parts) < 4 {
		return p, nil
	}
	p.four, p.maskName = false, parts[3]
	return p, p.openMask(cmd)
}

// openMask reads the first field of the mask file.
func (p *gribPlace) openMask(cmd *cobra.Command) error {
	disk, err := openDisk(cmd, p.maskName)
	if err != nil {
		return inFile(p.maskName, err)
	}
	defer disk.Close()
	_, err = scanFields(cmd.Context(), disk, func(f gribField) error {
		p.mask = f.field
		return errEnough
	})
	if p.mask == nil {
		if err == nil {
			err = errors.New("no GRIB message")
		}
		return inFile(p.maskName, err)
	}
	return nil
}

// near finds the points and reads their values.
func (p *gribPlace) near(f gribField) (*gribNear, error) {
	n := new(gribNear)
	var err error
	if n.points, err = p.points(f.field); err != nil {
		return nil, err
	}
	if n.values, err = p.values(f, n.points); err != nil {
		return nil, err
	}
	n.units, _ = f.String("units")
	n.choose(nil)
	n.method = "nearest"
	if p.mask == nil {
		return n, nil
	}
	land, err := p.values(gribField{field: p.mask}, n.points)
	if err != nil {
		return nil, inFile(p.maskName, err)
	}
	if n.choose(land) {
		n.method = "land"
	}
	return n, nil
}

// choose takes the nearest point, of those where a mask is 0.5 or more if there are any.
func (n *gribNear) choose(mask []float64) bool {
	best := -1
	for i, p := range n.points {
		if mask != nil && !(mask[i] >= 0.5) {
			continue
		}
		if best < 0 || p.Distance < n.points[best].Distance {
			best = i
		}
	}
	if best < 0 {
		return false
	}
	n.chosen = best
	return true
}

// points are the neighbours of the place on the grid of a field.
func (p *gribPlace) points(f *grib.Field) ([]geometry.Neighbour, error) {
	section := 3
	if f.Edition == 1 {
		section = 2
	}
	key := fmt.Sprint(f.Edition, " ", string(f.Section(section)))
	p.mu.Lock()
	list, ok := p.found[key]
	p.mu.Unlock()
	if ok {
		return list, nil
	}
	g, err := f.Grid()
	if err != nil {
		return nil, err
	}
	if list, err = g.Nearest(p.lat, p.lon); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.found) > 100 {
		clear(p.found)
	}
	p.found[key] = list
	return list, nil
}

// values are the values of a field at some points; a missing one is the key missingValue, as in
// grib_ls.
func (p *gribPlace) values(f gribField, points []geometry.Neighbour) ([]float64, error) {
	g, err := f.field.Grid()
	if err != nil {
		return nil, err
	}
	stored, _, err := f.field.Decode(nil)
	if err != nil {
		return nil, err
	}
	all, err := geometry.Reorder(g, stored)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(points))
	for i, at := range points {
		if at.Index >= len(all) {
			return nil, fmt.Errorf("the field has %d values, and the grid a point %d", len(all), at.Index)
		}
		if out[i] = all[at.Index]; math.IsNaN(out[i]) {
			out[i] = missingOf(f)
		}
	}
	return out, nil
}

func missingOf(f gribField) float64 {
	if f.Handle != nil {
		if v, err := f.Float("missingValue"); err == nil {
			return v
		}
	}
	return 9999
}

// valueAt is the value with an index as they are stored.
func valueAt(f gribField, index int) (float64, error) {
	values, _, err := f.field.Decode(nil)
	if err != nil {
		return 0, err
	}
	if index >= len(values) {
		return 0, fmt.Errorf("--index is %d, the field has %d values", index, len(values))
	}
	if v := values[index]; !math.IsNaN(v) {
		return v, nil
	}
	return missingOf(f), nil
}

func (p *gribPlace) appendTitles(b []byte) []byte {
	if p.four {
		return append(b, "       value1  value2  value3  value4 "...)
	}
	return append(b, " value "...)
}

func (p *gribPlace) appendValues(b []byte, n *gribNear, format string, width int) []byte {
	if !p.four {
		return fmt.Appendf(b, "%-*s ", width, fmt.Sprintf(format, n.values[n.chosen]))
	}
	for _, v := range n.values {
		b = fmt.Appendf(b, format+" ", v)
	}
	return b
}

// summary says at the end of a list where the points are.
func (p *gribPlace) summary(w io.Writer, n *gribNear) {
	fmt.Fprintf(w, "Input Point: latitude=%.2f  longitude=%.2f\n", p.lat, p.lon)
	point := func(i int) string {
		at := n.points[i]
		return fmt.Sprintf("index=%d latitude=%.2f longitude=%.2f distance=%.2f (Km)", at.Index, at.Latitude, at.Longitude, at.Distance)
	}
	fmt.Fprintf(w, "Grid Point chosen #%d %s\n", n.chosen+1, point(n.chosen))
	if p.maskName != "" {
		fmt.Fprintf(w, "Mask values: %s\n", p.maskName)
	}
	fmt.Fprintln(w, "Other grid Points")
	for i := range n.points {
		fmt.Fprintf(w, "- %d - %s\n", i+1, point(i))
	}
}

// nearObject is a field as grib_ls -j -l writes it: its keys as texts, and the points.
func (l *gribLister) nearObject(f gribField, n *gribNear) ([]byte, error) {
	texts := make([]string, 0, len(l.columns))
	for _, key := range l.keysOf(f) {
		text, err := l.text(f, key)
		if err != nil {
			return nil, err
		}
		name, err := zarr.AppendJSON(nil, key.name)
		if err != nil {
			return nil, err
		}
		value, err := zarr.AppendJSON(nil, text)
		if err != nil {
			return nil, err
		}
		texts = append(texts, fmt.Sprintf("%s : %s", name, value))
	}
	b := fmt.Appendf(nil, "{\n\"keys\" : {%s}\n", strings.Join(texts, ", "))
	first, last := n.chosen, n.chosen+1
	if l.place.four {
		b = fmt.Appendf(b, ", \"selected\" : %d", n.chosen)
		first, last = 0, len(n.points)
	}
	if l.place.four {
		b = append(b, ' ')
	}
	b = fmt.Appendf(b, ", \"method\" : %q\n, \"neighbours\" :\n[\n", n.method)
	units, err := zarr.AppendJSON(nil, n.units)
	if err != nil {
		return nil, err
	}
	for i := first; i < last; i++ {
		if i > first {
			b = append(b, ',')
		}
		at := n.points[i]
		b = fmt.Appendf(b, `{"index" : %d, "latitude" : %.6g, "longitude" : %.6g, "distance" : %.6g, "distance_unit" : "km", "value" : %.6g , "unit" : %s}`+"\n",
			at.Index, at.Latitude, at.Longitude, at.Distance, n.values[i], units)
	}
	return append(b, "]\n}\n"...), nil
}
