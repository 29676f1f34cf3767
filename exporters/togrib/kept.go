package togrib

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
)

// A keptHeader is the header of a message of the variable, with the differences of a slice.
type keptHeader struct {
	name     string
	header   grib.Header
	whole    bool // the slice has the grid of the header; else it must be cut to the slice
	hole     bool // there was no field at the position of the slice: without values, it is not written
	settings []Setting
}

// A parsedHeader is the header in an attribute, with its keys.
type parsedHeader struct {
	header    grib.Header
	keys      *keys.Handle
	parameter int64
	err       error
}

// wholeKey is a grid section, the places of a field and its shape.
type wholeKey struct {
	section, shape string
	places         *look.Grid
}

// lastOctets are the octets of fields of the variable that was asked for last.
type lastOctets struct {
	text   string
	octets *mapping.FieldOctets
	err    error
}

// parse returns the header that a text stands for.
func (s *Slicer) parse(text string) *parsedHeader {
	if known := s.heads[text]; known != nil {
		return known
	}
	p := new(parsedHeader)
	if b, err := mapping.ParseHeaderText(text); err != nil {
		p.err = err
	} else {
		p = parseHeader(slices.Clone(b))
	}
	s.heads[text] = p
	return p
}

// headOf returns the header of a field of a variable. An attribute of the variable has the header of the first
// field. It is also returned where the octets of others are not known, or positions were taken out of the variable,
// or added.
func (s *Slicer) headOf(f *look.Field, first *parsedHeader) *parsedHeader {
	text, ok := f.Attributes[mapping.AttrFieldOctets].(string)
	if !ok || first.err != nil {
		return first
	}
	if s.last.text != text {
		s.last.text = text
		s.last.octets, s.last.err = mapping.ParseFieldOctets(text)
	}
	if s.last.err != nil {
		return &parsedHeader{err: fmt.Errorf("%s: %w", mapping.AttrFieldOctets, s.last.err)}
	}
	at, of := f.Number()
	if of != uint64(s.last.octets.Fields) {
		return first
	}
	header := slices.Clone(first.header)
	if !s.last.octets.Set(header, int(at)) {
		return first
	}
	return parseHeader(header)
}

// parseHeader reads the keys of a header.
func parseHeader(b []byte) *parsedHeader {
	p := &parsedHeader{header: b}
	if p.header.Edition() == 0 {
		p.err = fmt.Errorf("%d octets that are no GRIB header", len(b))
		return p
	}
	if p.header.Edition() == 2 {
		p.header[len(b)-1] = 0 // a message of its own
	}
	message, err := p.header.Message()
	if err == nil {
		p.keys, err = keys.New(message, nil)
	}
	if err == nil {
		p.parameter, _ = p.keys.Int("paramId")
	}
	p.err = err
	return p
}

// keptOf returns the header that a field has among its attributes. It is nil if there is none, or if changed attributes
// give another parameter. Errors are *SliceError.
func (s *Slicer) keptOf(ctx context.Context, f *look.Field, p *parameter, noParameter error) (*keptHeader, error) {
	text, ok := f.Attributes[mapping.AttrSections].(string)
	if !ok {
		return nil, nil
	}
	head := s.headOf(f, s.parse(text))
	if head.err != nil {
		return nil, &SliceError{mapping.AttrSections, head.err}
	}
	named := s.set["paramId"] != "" || s.set["shortName"] != ""
	switch {
	case noParameter != nil && (named || head.parameter != 0), noParameter == nil && !named && int64(p.ID) != head.parameter:
		return nil, nil
	}
	k := &keptHeader{header: head.header, hole: isHole(f)}
	k.name, _ = head.keys.String("shortName")
	var err error
	if k.whole, err = s.isWhole(ctx, f, head); err != nil {
		return nil, err
	}
	at := &placing{edits{h: head.keys}, f}
	if err := at.settings(); err != nil {
		return nil, &SliceError{mapping.AttrSections, err}
	}
	k.settings = at.list
	return k, nil
}

// isHole reports whether the slice is at a position without a field. The variable was made of fields.
func isHole(f *look.Field) bool {
	at, of := f.Number()
	var end uint64
	hole := false
	for i, n := range mapping.Floats(f.Attributes[mapping.AttrFieldRuns]) {
		if !(n >= 0 && n < 1<<53) {
			return false
		}
		if at >= end && at < end+uint64(n) {
			hole = i%2 == 1
		}
		end += uint64(n)
	}
	return hole && end == of // else positions were taken out of the variable, or added
}

// isWhole reports whether a field has all points of the grid of a header, in its order.
func (s *Slicer) isWhole(ctx context.Context, f *look.Field, head *parsedHeader) (bool, error) {
	places, err := f.Grid(ctx)
	var none *look.NoGridError
	if err != nil && !errors.As(err, &none) {
		return false, err
	}
	section := head.header.GridSection()
	key := wholeKey{string(section), fmt.Sprint(f.Shape), places}
	whole, known := s.whole[key]
	if !known {
		whole = sameGrid(head, f.Shape, places)
		s.whole[key] = whole
	}
	return whole, nil
}

// sameGrid reports whether places, nil for none, are the points of the grid of a header.
func sameGrid(head *parsedHeader, shape []uint64, places *look.Grid) bool {
	points := 1
	for _, n := range shape {
		points *= int(n)
	}
	if places != nil && nowhere(places) {
		places = nil // of a grid whose points are not on Earth
	}
	g, err := geometry.Parse(head.header.Edition(), head.header.GridSection(), geometry.Centre(head.header.Centre()), geometry.DataValues(points))
	if err != nil {
		n, err := head.keys.Int("numberOfDataPoints")
		return err == nil && n == int64(points) && places == nil
	}
	if g.NumberOfDataPoints != points || !slices.EqualFunc(g.Shape(), shape, func(a int, b uint64) bool { return uint64(a) == b }) {
		return false
	}
	if places == nil {
		return true
	}
	lat, lon, err := g.Coordinates()
	if err != nil || g.Separable() != places.Separable {
		return false
	}
	same, i := true, 0
	if places.Separable {
		return near1(lat, places.Lat, 0) && near1(lon, places.Lon, 360)
	}
	err = places.Blocks(func(first int, y, x []float64) {
		i = first + len(y)
		same = same && i <= len(lat) && near1(lat[first:i], y, 0) && near1(lon[first:i], x, 360)
	})
	return err == nil && same && i == len(lat)
}

// nowhere reports whether no place has a latitude.
func nowhere(places *look.Grid) bool {
	return places.Lat != nil && !slices.ContainsFunc(places.Lat, func(v float64) bool { return v == v })
}

// near1 reports whether angles are the same but for the rounding of stores, and whole turns.
func near1(a, b []float64, turn float64) bool {
	const rounding = 1e-4
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		d := x - y
		if turn > 0 {
			d = math.Remainder(d, turn)
		}
		return math.Abs(d) <= rounding
	})
}

// A placing finds the settings by which a slice differs from a header.
type placing struct {
	edits
	f *look.Field
}

func (p *placing) settings() error {
	p.level()
	if n, ok := p.f.Member.Get(); ok && !p.is("number", n) && !p.is("perturbationNumber", n) {
		p.set("number", strconv.FormatInt(n, 10))
	}
	for _, dim := range p.f.Unlabelled() {
		key := axisKeys[dim]
		v, ok := p.f.Position(dim)
		if n, isNumber := mapping.Float(v); ok && isNumber && key != "" {
			p.set(key, text(n))
		} else {
			return fmt.Errorf("no key says where along %s the field lies", dim)
		}
	}
	return p.times()
}

// axisKeys are the keys of axes that no label says, by their names.
var axisKeys = map[string]string{
	"percentile": "percentileValue", "direction": "directionNumber", "frequency": "frequencyNumber",
}

func (p *placing) set(key, value string) { p.list = append(p.list, Setting{Key: key, Value: value}) }

// level sets the level, or the top and bottom of a layer, if the header has others.
func (p *placing) level() {
	kind, _ := p.h.String("typeOfLevel")
	scale := 1.0
	switch {
	case kind == "isobaricInPa" && p.f.LevelType == "isobaricInhPa":
		scale = 100
	case kind == "isobaricInhPa" && p.f.LevelType == "isobaricInPa":
		scale = 0.01
	}
	if cell, ok := p.f.LevelCell.Get(); ok {
		p.surface("topLevel", "First", cell[0]*scale)
		p.surface("bottomLevel", "Second", cell[1]*scale)
	} else if v, ok := p.f.LevelAt.Get(); ok {
		p.surface("level", "First", v*scale)
	}
}

// surface sets a level. In edition 2 the scale factor is kept where it can be, as are levels below zero, which ecCodes
// reads as large numbers.
func (p *placing) surface(key, which string, v float64) {
	if v != v || p.isLevel(key, v) {
		return
	}
	value := "scaledValueOf" + which + "FixedSurface"
	now, err := p.h.Level(key)
	stored, err2 := p.h.Int(value)
	if err == nil && err2 == nil && now != 0 && stored != 0 {
		scaled := v / now * float64(stored)
		if n := math.Round(scaled); math.Abs(scaled-n) < 1e-6 && n >= 0 && n < math.MaxUint32 {
			p.set(value, strconv.FormatFloat(n, 'f', -1, 64))
			return
		}
	}
	p.set(key, text(v))
}

// times sets the reference time and the step, if the header has others.
func (p *placing) times() error {
	from, to, err := p.span()
	if err != nil {
		return nil // of units that have no length, such as months: the header has them
	}
	step := to
	if v, ok := p.f.Step.Get(); ok {
		step = v
	}
	reference := p.f.Reference
	if !reference.Known && p.f.Valid.Known {
		reference = mapping.Some(p.f.Valid.Value.Add(-step))
	}
	moved := reference.Known && !p.isReferenceTime(reference.Value)
	if moved {
		t := reference.Value.UTC()
		p.set("dataDate", t.Format("20060102"))
		p.set("dataTime", t.Format("1504"))
	}
	isRange := to != from
	if r, err := p.h.String("stepRange"); err == nil && strings.Contains(r, "-") {
		isRange = true
	}
	switch {
	case !isRange && step != to:
		unit, size := p.unit(step)
		p.set("endStep", strconv.FormatInt(int64(step/size), 10)+unit)
	case isRange && (step != to || moved):
		switch cell, ok := p.f.StepCell.Get(); {
		case ok && cell[1] == step:
			from = cell[0]
		case step == to:
		case from != 0:
			from += step - to
		default:
			return errors.New("the steps between which the statistic is taken are not known: the step has no bounds")
		}
		unit, size := p.unit(from, step)
		p.set("stepRange", fmt.Sprintf("%d%s-%d%s", from/size, unit, step/size, unit))
	}
	return nil
}

// span returns the steps of the header, the same twice for one of one time.
func (p *placing) span() (from, to time.Duration, err error) {
	r, err := p.h.String("stepRange")
	if err != nil {
		return 0, 0, err
	}
	first, last, ok := strings.Cut(r, "-")
	if !ok {
		last = first
	}
	units, _ := p.h.String("stepUnits")
	if from, err = stepOf(first, units); err == nil {
		to, err = stepOf(last, units)
	}
	return from, to, err
}

// unitLengths are the units of steps with a length.
var unitLengths = map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "": time.Hour, "D": 24 * time.Hour}

// stepOf reads a step as ecCodes writes it: a number, with its unit unless it is the unit of stepUnits.
func stepOf(text, units string) (time.Duration, error) {
	number := strings.TrimRight(text, "smhDMY")
	if number != text {
		units = text[len(number):]
	}
	n, err := strconv.ParseInt(number, 10, 32)
	size, ok := unitLengths[units]
	if err != nil || !ok {
		return 0, fmt.Errorf("step %q in units %q", text, units)
	}
	return time.Duration(n) * size, nil
}

// unit returns the unit of the steps of the header if it divides durations, else the largest that does.
func (p *placing) unit(durations ...time.Duration) (string, time.Duration) {
	name, _ := p.h.String("stepUnits")
	if size, ok := unitLengths[name]; ok && name != "" && !slices.ContainsFunc(durations, func(d time.Duration) bool { return d%size != 0 }) {
		return name, size
	}
	return unitOf(durations...)
}

// keptMessage makes the message of a slice whose variable has the header of one.
func (m *maker) keptMessage(f *field, k *keptHeader) (r result, err error) {
	if k.whole {
		m.grids.find(k.header, f.object.Slice.points())
		f.grid = m.grids.grid
	}
	message, err := k.header.Message()
	if err != nil {
		return r, err
	}
	for _, s := range k.settings {
		if message, err = keys.SetAll(message, s); err != nil {
			return r, &EditError{s.Key, err}
		}
	}
	if message, err = keys.SetAll(message, m.opts.Set...); err != nil {
		return r, err
	}
	if f.header, err = k.header.WithSectionsOf(message); err != nil {
		return r, err
	}
	f.kept = true
	if err := f.decode(); err != nil {
		return r, err
	}
	if f.missing.Count() == len(f.values) && k.hole {
		return result{empty: true}, nil
	}
	if m.opts.Packing == PackSource && m.opts.Bits == 0 {
		if r, ok := f.unscaled(); ok {
			r.edited = len(m.opts.Set) > 0
			return r, nil
		}
	}
	r, err = f.repack()
	if err == nil && k.header.Edition() == 2 {
		copy(r.message[4:6], k.header[4:6]) // reserved octets of section 0, which encoders set to 0 or to 255
	}
	r.edited, r.built, r.repacked = len(m.opts.Set) > 0, true, false
	return r, err
}

// unscaled makes the message of a field of floats or coefficients, if it has the values that the field has.
func (f *field) unscaled() (r result, ok bool) {
	if _, linear := f.header.Scaling(); linear || !f.header.Rebuilds() || f.header.Floats() == 32 && !allSingle(f.values) {
		return r, false
	}
	part := grib.Part{Header: f.header, Values: f.values, Missing: f.missing}
	if !f.header.HasBitmap() {
		part.Missing = nil
	}
	message, err := grib.RebuildIn(nil, part)
	if err != nil {
		return r, false
	}
	m, err := grib.ParseMessage(message, 0)
	if err != nil {
		return r, false
	}
	values, missing, err := m.Fields()[0].Decode(nil)
	if err != nil || !sameMask(missing, f.missing) || !sameValues(values, f.values, 0) {
		return r, false
	}
	return result{header: f.header, message: message, missing: f.missing, built: true}, true
}
