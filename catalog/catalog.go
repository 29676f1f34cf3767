package catalog

import (
	"iter"
	"math"
	"slices"
	"time"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mapping/where"
	"github.com/tgmconv/tgmconv/tgm"
)

// A Catalog holds the entries of any number of files, in the order in which they were added. It
// takes about 100 bytes an entry: what many entries have in common is kept once. The zero value is
// empty and ready to use. Reading is safe from several goroutines, adding is not.
type Catalog struct {
	rows  []row
	kinds []kind
	files []string

	kindNumbers map[string]uint32
	fileNumbers map[string]uint32
}

// A row is what entries of one kind differ in.
type row struct {
	size, offset, length   int64
	reference, valid, step int64 // seconds, since 1970 or as a length
	level, top, bottom     float64
	number, record         int64
	kind, file             uint32
	message, object        uint32
	known                  known
	format                 format
}

// known has a bit for each label that a row has.
type known uint16

const (
	hasReference known = 1 << iota
	hasValid
	hasStep
	hasLevel
	hasTop
	hasBottom
	hasNumber
	hasRecord
)

// A kind is what many entries have in common.
type kind struct {
	name      string
	dims      []string
	shape     []uint64
	dtype     tgm.DType
	levelType string
	grid      string
	keys      map[string]any
}

// Len returns the number of entries.
func (c *Catalog) Len() int { return len(c.rows) }

// Files returns the names of the files, in the order in which they were added.
func (c *Catalog) Files() []string { return slices.Clone(c.files) }

// Add appends an entry.
func (c *Catalog) Add(e Entry) {
	key, k := kindOf(&e)
	c.add(&e, key, &k)
}

// add appends an entry of a kind.
func (c *Catalog) add(e *Entry, key string, k *kind) {
	if c.kindNumbers == nil {
		c.kindNumbers, c.fileNumbers = make(map[string]uint32), make(map[string]uint32)
	}
	number, ok := c.kindNumbers[key]
	if !ok {
		number = uint32(len(c.kinds))
		c.kinds = append(c.kinds, *k)
		c.kindNumbers[key] = number
	}
	file, ok := c.fileNumbers[e.File]
	if !ok {
		file = uint32(len(c.files))
		c.files = append(c.files, e.File)
		c.fileNumbers[e.File] = file
	}
	l := &e.Labels
	r := row{
		size: e.Size, offset: e.offset, length: e.length, kind: number, file: file,
		message: uint32(e.Message), object: uint32(e.Object), format: e.format,
		reference: l.ReferenceTime.Value.Unix(), valid: l.ValidTime.Value.Unix(), step: int64(l.Step.Value / time.Second),
		level: l.Level.Value, top: l.Top.Value, bottom: l.Bottom.Value, number: l.Number.Value, record: int64(e.Record.Value),
	}
	for bit, ok := range map[known]bool{
		hasReference: l.ReferenceTime.Known, hasValid: l.ValidTime.Known, hasStep: l.Step.Known, hasLevel: l.Level.Known,
		hasTop: l.Top.Known, hasBottom: l.Bottom.Known, hasNumber: l.Number.Known, hasRecord: e.Record.Known,
	} {
		if ok {
			r.known |= bit
		}
	}
	c.rows = append(c.rows, r)
}

// Entry returns entry i.
func (c *Catalog) Entry(i int) Entry {
	r := &c.rows[i]
	k := &c.kinds[r.kind]
	e := Entry{
		File: c.files[r.file], Message: int(r.message), Object: int(r.object), Name: k.name, Dims: k.dims, Shape: k.shape,
		DType: k.dtype, Grid: k.grid, Size: r.size, offset: r.offset, length: r.length, format: r.format,
	}
	if r.known&hasRecord != 0 {
		e.Record = mapping.Some(uint64(r.record))
	}
	e.Labels = Labels{LevelType: k.levelType, Keys: k.keys}
	l := &e.Labels
	if r.known&hasReference != 0 {
		l.ReferenceTime = mapping.Some(time.Unix(r.reference, 0).UTC())
	}
	if r.known&hasValid != 0 {
		l.ValidTime = mapping.Some(time.Unix(r.valid, 0).UTC())
	}
	if r.known&hasStep != 0 {
		l.Step = mapping.Some(time.Duration(r.step) * time.Second)
	}
	l.Level = r.float(hasLevel, r.level)
	l.Top, l.Bottom = r.float(hasTop, r.top), r.float(hasBottom, r.bottom)
	if r.known&hasNumber != 0 {
		l.Number = mapping.Some(r.number)
	}
	return e
}

func (r *row) float(bit known, v float64) (o mapping.Opt[float64]) {
	if r.known&bit != 0 && !math.IsNaN(v) {
		o = mapping.Some(v)
	}
	return o
}

// All yields the entries with their numbers.
func (c *Catalog) All() iter.Seq2[int, Entry] { return c.Select(nil, nil) }

// Select yields the entries for which all clauses hold, with their numbers. asked, which may be nil,
// learns which keys they asked for.
func (c *Catalog) Select(clauses where.Clauses, asked *where.Asked) iter.Seq2[int, Entry] {
	return func(yield func(int, Entry) bool) {
		for i := range c.rows {
			e := c.Entry(i)
			if clauses.Match(where.Values(e.Value), asked) && !yield(i, e) {
				return
			}
		}
	}
}
