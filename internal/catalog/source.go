package catalog

import (
	"context"
	"iter"
	"strconv"

	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/parallel"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
	"github.com/tgmconv/tgmconv/tgm"
)

// AddSource appends the fields of GRIB, netCDF, Zarr and .tet files. It reads headers on several cores,
// and no values. The coordinates of fields without a grid follow the fields, once for each file.
// AddSource calls bad for a part that cannot be read, and ends with an error if bad returns one, or
// at any other error.
func (c *Catalog) AddSource(ctx context.Context, src importers.Source, bad func(*importers.BadInput) error) error {
	batch := make([]reading, 0, sourceBatch)
	coords := make(map[string]bool) // existing ones, by file and key
	flush := func() error {
		defer func() {
			for i := range batch {
				batch[i].end()
			}
			batch = batch[:0]
		}()
		readAll(ctx, src, batch, c.reading())
		for i := range batch {
			r := &batch[i]
			for r.next != nil {
				if err := c.keepFound(r); err != nil {
					return err
				}
				r.read(ctx, src, c.reading())
			}
			if err := c.addReading(r, coords, bad); err != nil {
				return err
			}
		}
		return ctx.Err()
	}
	for part, err := range src.Parts(ctx) {
		batch = append(batch, reading{part: part, err: err})
		if len(batch) == sourceBatch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// wantedOf is the part of a source's fields that is read.
type wantedOf struct {
	all  bool // their metadata
	axes bool // the coordinates of the axes of their grids
}

func (c *Catalog) reading() wantedOf { return wantedOf{c.Keep != nil, c.Axes} }

// sourceBatch is how many parts are read together, fieldBatch how many fields of a part.
const (
	sourceBatch = 1024
	fieldBatch  = 256
)

// A reading is a part with its fields and their coordinates, or the reason why there is none. Of a
// part of many fields it has some, until they are kept and the next ones are read.
type reading struct {
	part   importers.Part
	next   func() (*importers.Field, error, bool) // nil when there are no more fields
	stop   func()
	before int // fields that are kept already
	found  []prepared
	coords []preparedCoord
	bare   []map[string]any
	err    error
}

// A preparedCoord is a coordinate that may be there already.
type preparedCoord struct {
	prepared
	once   string
	values func() ([]float64, error) // of an axis of a grid, which may have none
}

// readAll reads parts on all cores.
func readAll(ctx context.Context, src importers.Source, batch []reading, of wantedOf) {
	parallel.Each(len(batch), func(i int) {
		if r := &batch[i]; r.err == nil {
			r.read(ctx, src, of)
		}
	})
}

// addReading appends the fields of a part, and their coordinates that are not there yet.
func (c *Catalog) addReading(r *reading, coords map[string]bool, bad func(*importers.BadInput) error) error {
	c.addBare(r.part.Input, r.bare)
	c.addLeftOut(r.part.Input, r.part.LeftOut)
	if err := c.keepFound(r); err != nil {
		return err
	}
	for i := range r.coords {
		coord := &r.coords[i]
		if coords[coord.once] {
			continue
		}
		coords[coord.once] = true
		if coord.values != nil {
			if _, err := coord.values(); err != nil {
				c.addLeftOut(r.part.Input, []string{coord.entry.Name + ": " + fault.Detail(err)})
				continue
			}
		}
		if err := c.keep(&coord.prepared); err != nil {
			return err
		}
	}
	return judge(r.err, bad)
}

// keepFound appends the fields of a part that have been read.
func (c *Catalog) keepFound(r *reading) error {
	for i := range r.found {
		if err := c.keep(&r.found[i]); err != nil {
			return err
		}
	}
	r.before += len(r.found)
	r.found = nil
	return nil
}

// judge decides whether to go on after an error.
func judge(err error, bad func(*importers.BadInput) error) error {
	if err == nil {
		return nil
	}
	input, ok := err.(*importers.BadInput)
	if !ok {
		return err
	}
	return bad(input)
}

// read reads the fields of the part, or some more of them.
func (r *reading) read(ctx context.Context, src importers.Source, of wantedOf) {
	if r.next == nil {
		fields := src.Read(ctx, r.part, nil)
		if r.readFew(fields, of) {
			return
		}
		r.next, r.stop = iter.Pull2(fields)
		for range fieldBatch { // readFew has them
			r.next()
		}
		return
	}
	for len(r.found) < fieldBatch {
		f, err, ok := r.next()
		if ok && err == nil {
			err = r.add(f, of)
		}
		if !ok || err != nil {
			r.err = err
			r.end()
			return
		}
	}
}

// readFew reads the fields of a part, and reports false if it has more than fieldBatch. Most parts have one field, for
// which a coroutine, which waits for the next call, would take longer than reading it.
func (r *reading) readFew(fields iter.Seq2[*importers.Field, error], of wantedOf) bool {
	n := 0
	for f, err := range fields {
		if n++; n > fieldBatch {
			return false
		}
		if err == nil {
			err = r.add(f, of)
		}
		if r.err = err; err != nil {
			break
		}
	}
	return true
}

// end ends the reading of fields.
func (r *reading) end() {
	if r.next != nil {
		r.stop()
		r.next = nil
	}
}

// add describes a field.
func (r *reading) add(f *importers.Field, of wantedOf) error {
	if f.Values == nil {
		r.bare = append(r.bare, f.Message)
		return nil
	}
	p, err := describeField(f, r.part.Input)
	if err != nil {
		return &importers.BadInput{Where: f.Where, Err: err}
	}
	e := &p.entry
	e.Message, e.Object = r.part.Number, r.before+len(r.found)
	if r.part.Fields != nil {
		e.Object = r.part.Fields[min(e.Object, len(r.part.Fields)-1)]
	}
	e.offset, e.length, e.Size = r.part.Offset, r.part.Length, r.part.Bytes
	e.format = formatGRIB
	if r.part.Variable != "" {
		e.format = formatNetCDF
	}
	if of.all {
		if err := p.addKnown(f); err != nil {
			return &importers.BadInput{Where: f.Where, Err: err}
		}
	}
	r.found = append(r.found, *p)
	for _, coord := range f.Coords {
		if e.Grid == "" || of.axes && coord.Axis { // else it is computed from the grid
			r.addCoord(coord, e)
		}
	}
	return nil
}

// addCoord describes a coordinate of a field with the entry e.
func (r *reading) addCoord(coord *importers.Coord, e *Entry) {
	base := coord.Base()
	p := prepared{base: func() (mapping.Entry, error) { return mapping.Read(base), nil }}
	p.entry = Entry{
		File: e.File, Message: e.Message, Object: e.Object, Name: coord.Name, Dims: coord.Dims, DType: tgm.Float64, Coordinate: true,
		Shape: shapeOf(coord.Shape), offset: e.offset, length: e.length, format: e.format, variable: r.part.Variable,
	}
	p.known = knownOf(&p.entry, mapping.Read(base))
	once := e.File + "\x00" + coord.Key
	p.key = commonKey(&p.entry, appendMap(nil, p.entry.Labels.Keys), base, strconv.FormatUint(xxh3.HashString(coord.Key), 16))
	pc := preparedCoord{prepared: p, once: once}
	if e.Grid != "" {
		pc.values = coord.Values
	}
	r.coords = append(r.coords, pc)
}

func shapeOf(lengths []int) []uint64 {
	shape := make([]uint64, len(lengths))
	for i, n := range lengths {
		shape[i] = uint64(max(0, n))
	}
	return shape
}

// describeField makes the entry of a field from the metadata that a conversion would write. Metadata that the
// catalogue does not need are left out.
func describeField(f *importers.Field, file string) (*prepared, error) {
	var namespaces []mapping.Namespace
	for _, n := range f.Namespaces {
		if n.Key == mapping.KeyMARS || n.Key == mapping.KeyProduct || n.Key == mapping.KeyNetCDF || n.Key == mapping.KeyTet {
			namespaces = append(namespaces, n)
		}
	}
	base, err := mapping.Base(f.Name, f.Attrs, f.Extras, namespaces...)
	if err != nil {
		return nil, err
	}
	if f.Dims != nil {
		base[mapping.KeyDims] = f.Dims
	}
	if kept := reproduction(f.Attrs); len(kept) > 0 {
		base[mapping.KeyReproduction] = kept
	}
	entry := mapping.Read(base)
	p := &prepared{base: func() (mapping.Entry, error) { return mapping.ReadIn(f.Message, commonBase(base)), nil }}
	p.entry = Entry{File: file, Name: f.Name, Dims: f.Dims, DType: f.DType, Labels: ReadLabels(entry), Shape: shapeOf(f.Shape)}
	e := &p.entry
	e.Labels.Keys = otherKeys(entry)
	e.Record.Value, e.Record.Known = entry.RecordIndex()
	if geometry := entry.Geometry(); geometry != nil {
		raw, err := f.GeometryCBOR(geometry)
		if err != nil {
			return nil, err
		}
		e.Grid = gridName(raw)
	}
	p.key = commonKey(e, appendMap(nil, e.Labels.Keys), base, e.Grid)
	return p, nil
}

// addKnown adds all that is known of a field.
func (p *prepared) addKnown(f *importers.Field) error {
	base, err := f.Base()
	p.known = knownOf(&p.entry, mapping.ReadIn(f.Message, base))
	if p.known.Coded = f.Coded; f.Coded != nil {
		stored := p.known.Stored
		p.known.Stored = func(key string) (any, bool) {
			if v, ok := fromgrib.Stored(f.Coded, key); ok {
				return v, true
			}
			return stored(key)
		}
	}
	return err
}

// knownOf is the description, for clauses, of an object that has an entry, and metadata.
func knownOf(e *Entry, all mapping.Entry) *mapping.Known {
	k := mars.KnownOf(all)
	k.Place, k.Stored = e.place(), e.stored
	k.Array = func() mapping.ArrayKeys {
		return mapping.ArrayKeys{DType: storedType(all, e.DType), Shape: e.Shape, Dims: e.Dims}
	}
	return &k
}

// storedType is the type of a field's elements as its file has them: packed numbers, not values.
func storedType(e mapping.Entry, values tgm.DType) string {
	packing, _ := e.Namespace(mapping.KeyNetCDF)[mapping.NetCDFPacking].(map[string]any)
	class, _ := packing[mapping.PackingDType].(string)
	if t := mapping.NetCDFDType(class); t != "" {
		return t
	}
	return values.String()
}

// reproduction is the part of the keys for writing a GRIB field again that the catalogue needs.
func reproduction(attrs *mapping.Attributes) map[string]any {
	kept := make(map[string]any, len(readKeys))
	for _, group := range attrs.Groups() {
		for _, key := range readKeys {
			if value, ok := attrs.Get(group, key); ok && kept[key] == nil {
				kept[key] = value
			}
		}
	}
	return kept
}
