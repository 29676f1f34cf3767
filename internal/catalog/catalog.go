package catalog

import (
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// A Catalog holds the entries of any number of files, in the order in which they were added. It takes
// some tens of bytes an entry: data that many entries share are kept once. The zero value is empty
// and ready to use. Reading is safe from several goroutines, adding is not.
type Catalog struct {
	// Keep, which may be nil, chooses entries: it reports true for each entry to add. It is called for each
	// entry in order. known has all metadata of the object; [Entry.Base] has only a part of them.
	Keep func(e *Entry, known *mapping.Known) bool
	// Excludes, which may be nil, reports whether an object of a Tensogram file is not needed. It is asked
	// before anything but the metadata is read, for objects that need no others, see [OnGrid], on several
	// goroutines; Keep is not called for excluded objects.
	Excludes func(known *mapping.Known) bool
	// Axes adds the coordinates of the axes of grids as well, once for each file. They follow from the
	// grids: a dataset does not need them.
	Axes bool

	rows  rowList
	kinds []kind
	files []FileState

	kindNumbers map[string]uint32
	fileNumbers map[string]uint32
}

// A FileState is a file in the state in which it was catalogued.
type FileState struct {
	Name string
	Size int64
	// Version tells states of the file of the same size apart. It may be an entity tag or a time of
	// modification.
	Version string
	// Format is the format of the file, for reading it again.
	Format string
	// Notes say which parts of the file could not be catalogued.
	Notes []string
	// LeftOut are the variables of the file that cannot be read, each with file and reason: "file: name:
	// reason".
	LeftOut []string
	// Digest stands for the labels and the hashes of the objects of a Tensogram file. It is "" if there are
	// objects without a hash, or for another format.
	Digest string
	// Gone is the time, in seconds since 1970, when the file was first found to be missing. It may
	// also be found in another state. It is 0 for a file that is there. The positions of its entries
	// are kept.
	Gone int64
	// Values hold values that were read to build a dataset, by the number of the entry in the file.
	// They are kept as far as they must be known when the file is missing.
	Values map[int][]byte
	// Bare are the metadata of messages without objects that describe a netCDF file, and of netCDF files without
	// variables.
	Bare []map[string]any
}

// addBare adds the metadata of messages without objects to a file.
func (c *Catalog) addBare(name string, messages []map[string]any) {
	if len(messages) > 0 {
		f := &c.files[c.file(name)]
		f.Bare = append(slices.Clone(f.Bare), messages...)
	}
}

// addLeftOut adds variables that cannot be read to a file.
func (c *Catalog) addLeftOut(name string, variables []string) {
	if len(variables) == 0 {
		return
	}
	f := &c.files[c.file(name)]
	f.LeftOut = slices.Clone(f.LeftOut)
	for _, v := range variables {
		f.LeftOut = append(f.LeftOut, storage.Display(name)+": variable "+v)
	}
}

// A row holds the properties in which entries of one kind differ.
type row struct {
	size, offset, length   int64
	reference, valid, step int64 // seconds, since 1970 or as a length
	start                  int64 // of the window of a statistic, in seconds
	level, top, bottom     float64
	number, record         int64
	kind, file             uint32
	message, object        uint32
	known                  known
	format                 format
	values                 []byte // see ValueIndex
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
	hasStart
)

// A kind holds the properties that many entries share.
type kind struct {
	name      string
	dims      []string
	shape     []uint64
	dtype     tgm.DType
	levelType string
	grid      string
	keys      map[string]any
	base      mapping.Entry
	key       string
	variable  string // that the part of a coordinate has
	form      string
	isCoord   bool
}

// Len returns the number of entries.
func (c *Catalog) Len() int { return c.rows.len() }

// Kinds returns the number of kinds of entries.
func (c *Catalog) Kinds() int { return len(c.kinds) }

// Files returns the files, in the order in which they were added.
func (c *Catalog) Files() []FileState { return slices.Clone(c.files) }

// SetFile records the state in which a file was catalogued. The file may be one without entries.
func (c *Catalog) SetFile(f FileState) { c.files[c.file(f.Name)] = f }

// Renamed returns the catalogue with files renamed by name, also at the beginning of its lines. It
// shares memory with c, so that entries may be added only to one of the two.
func (c *Catalog) Renamed(name func(string) string) *Catalog {
	renamed := *c
	renamed.files, renamed.fileNumbers = slices.Clone(c.files), make(map[string]uint32, len(c.files))
	for i := range renamed.files {
		f := &renamed.files[i]
		before := f.Name
		f.Name, f.Notes, f.LeftOut = name(before), slices.Clone(f.Notes), slices.Clone(f.LeftOut)
		renamed.fileNumbers[f.Name] = uint32(i)
		for _, lines := range [][]string{f.Notes, f.LeftOut} {
			for k, line := range lines {
				if rest, ok := strings.CutPrefix(line, before); ok {
					lines[k] = f.Name + rest
				}
			}
		}
	}
	renamed.kinds, renamed.kindNumbers = slices.Clone(c.kinds), make(map[string]uint32, len(c.kinds))
	done, left := make([]bool, len(c.kinds)), len(c.kinds)
	for _, r := range c.rows.all() {
		if left == 0 {
			break
		}
		if done[r.kind] {
			continue
		}
		done[r.kind] = true
		left--
		k := &renamed.kinds[r.kind]
		if head, ok := strings.CutSuffix(k.key, fileMark+c.files[r.file].Name); ok {
			k.key = head + fileMark + renamed.files[r.file].Name
		}
	}
	for i := range renamed.kinds {
		renamed.kindNumbers[renamed.kinds[i].key] = uint32(i)
	}
	return &renamed
}

// file returns the number of a file.
func (c *Catalog) file(name string) uint32 {
	if c.fileNumbers == nil {
		c.fileNumbers = make(map[string]uint32)
	}
	number, ok := c.fileNumbers[name]
	if !ok {
		number = uint32(len(c.files))
		c.files = append(c.files, FileState{Name: name})
		c.fileNumbers[name] = number
	}
	return number
}

// kind returns the number of the kind of a key, which describe makes when it is new.
func (c *Catalog) kind(key string, describe func() (kind, error)) (uint32, error) {
	if c.kindNumbers == nil {
		c.kindNumbers = make(map[string]uint32)
	}
	if number, ok := c.kindNumbers[key]; ok {
		return number, nil
	}
	k, err := describe()
	if err != nil {
		return 0, err
	}
	k.key = key
	number := uint32(len(c.kinds))
	c.kinds = append(c.kinds, k)
	c.kindNumbers[key] = number
	return number, nil
}

// Add appends an entry, without asking Keep. The field Kind of e is ignored: the catalogue finds
// the kind from the other fields.
func (c *Catalog) Add(e Entry) error {
	base := func() (mapping.Entry, error) { return e.Base, nil }
	return c.add(&prepared{entry: e, key: commonKey(&e, appendMap(nil, e.Labels.Keys), nil, e.Grid), base: base})
}

// keep appends an entry if it is to be kept.
func (c *Catalog) keep(p *prepared) error {
	if c.Keep != nil && !c.Keep(&p.entry, p.known) {
		return nil
	}
	return c.add(p)
}

// add appends an entry.
func (c *Catalog) add(p *prepared) error {
	e := &p.entry
	number, err := c.kind(p.key, func() (kind, error) {
		base, err := p.base()
		return kind{
			name: e.Name, dims: e.Dims, shape: e.Shape, dtype: e.DType, levelType: e.Labels.LevelType, grid: e.Grid, keys: e.Labels.Keys,
			base: base, variable: e.variable, isCoord: e.Coordinate, form: e.Form,
		}, err
	})
	if err != nil {
		return err
	}
	file := c.file(e.File)
	l := &e.Labels
	r := row{
		size: e.Size, offset: e.offset, length: e.length, kind: number, file: file,
		message: uint32(e.Message), object: uint32(e.Object), format: e.format,
		reference: l.ReferenceTime.Value.Unix(), valid: l.ValidTime.Value.Unix(), step: int64(l.Step.Value / time.Second),
		level: l.Level.Value, top: l.Top.Value, bottom: l.Bottom.Value, number: l.Number.Value, record: int64(e.Record.Value),
		start: int64(l.WindowStart.Value / time.Second),
	}
	for i, ok := range [...]bool{
		l.ReferenceTime.Known, l.ValidTime.Known, l.Step.Known, l.Level.Known, l.Top.Known, l.Bottom.Known, l.Number.Known,
		e.Record.Known, l.WindowStart.Known,
	} { // in the order of the constants
		if ok {
			r.known |= 1 << i
		}
	}
	r.forget()
	c.rows.add(r)
	return nil
}

// forget takes away values of unknown labels, so that a row is the same wherever it was kept.
func (r *row) forget() {
	for _, label := range []struct {
		bit   known
		value *int64
		none  int64
	}{
		{hasReference, &r.reference, noTime}, {hasValid, &r.valid, noTime}, {hasStep, &r.step, 0}, {hasNumber, &r.number, 0},
		{hasRecord, &r.record, 0}, {hasStart, &r.start, 0},
	} {
		if r.known&label.bit == 0 {
			*label.value = label.none
		}
	}
	for _, label := range []struct {
		bit   known
		value *float64
	}{{hasLevel, &r.level}, {hasTop, &r.top}, {hasBottom, &r.bottom}} {
		if r.known&label.bit == 0 {
			*label.value = 0
		}
	}
}

// ValueIndex returns the index that SetValueIndex has set for entry i, nil for none.
func (c *Catalog) ValueIndex(i int) []byte { return c.rows.at(i).values }

// SetValueIndex keeps with entry i how its values are stored, in the form of [grib.ValueIndex].
func (c *Catalog) SetValueIndex(i int, values []byte) { c.rows.setValues(i, values) }

// Retain keeps the entries with the given numbers, which must be in order, and numbers them from 0.
func (c *Catalog) Retain(entries []int) {
	var rows rowList
	for _, entry := range entries {
		rows.add(c.rows.at(entry))
	}
	c.rows = rows
}

// Entry returns entry i.
func (c *Catalog) Entry(i int) Entry {
	r := c.rows.at(i)
	k := &c.kinds[r.kind]
	e := Entry{
		File: c.files[r.file].Name, Message: int(r.message), Object: int(r.object), Name: k.name, Dims: k.dims, Shape: k.shape,
		DType: k.dtype, Grid: k.grid, Size: r.size, offset: r.offset, length: r.length, format: r.format,
		Kind: int(r.kind), Base: k.base, Coordinate: k.isCoord, variable: k.variable, Form: k.form,
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
	if r.known&hasStart != 0 {
		l.WindowStart = mapping.Some(time.Duration(r.start) * time.Second)
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

// TensogramFiles returns the names of the Tensogram files that have entries, in the order of the first of these.
func (c *Catalog) TensogramFiles() (names []string) {
	seen := make([]bool, len(c.files))
	for _, r := range c.rows.all() {
		if r.format == formatTensogram && !seen[r.file] {
			seen[r.file] = true
			names = append(names, c.files[r.file].Name)
		}
	}
	return names
}

// All yields the entries with their numbers.
func (c *Catalog) All() iter.Seq2[int, Entry] { return c.Select(nil, nil) }

// Select yields the entries for which all clauses hold, with their numbers. asked, which may be
// nil, records which keys the clauses asked for.
func (c *Catalog) Select(clauses mapping.Clauses, asked *mapping.Asked) iter.Seq2[int, Entry] {
	return func(yield func(int, Entry) bool) {
		for i := range c.rows.len() {
			e := c.Entry(i)
			if (len(clauses) == 0 || e.Known().Match(clauses, asked)) && !yield(i, e) {
				return
			}
		}
	}
}
