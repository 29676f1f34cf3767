package catalog

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/parallel"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// AddMessages appends the objects of a Tensogram file; name is the File of their entries. It reads metadata
// and descriptors on several cores, and no values. For a message that cannot be read it calls bad, after
// adding the objects before the bad one. AddMessages ends with an error if bad returns one, or at any other
// error; the messages before stay added.
func (c *Catalog) AddMessages(ctx context.Context, f *tgm.File, name string, bad func(*importers.BadInput) error) error {
	a := newAdder(c, bad)
	var bare []map[string]any
	for m, err := range f.Messages() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return a.finish(err)
		}
		n, err := m.NumObjects()
		if err != nil {
			if err := a.add(task{message: m, file: name, err: err}); err != nil {
				return err
			}
		} else if described := describedAlone(m, n); described != nil {
			bare = append(bare, described)
		}
		shared := sync.OnceValues(m.SharedMetadata) // may be large, and is the same for all
		others := sync.OnceValues(func() ([]map[string]any, error) {
			common, err := shared()
			if err != nil {
				return nil, err
			}
			return translated(m, common.Extra)
		})
		for first := 0; first < n; first += taskObjects {
			if err := a.add(task{message: m, first: first, end: min(n, first+taskObjects), file: name, shared: shared, others: others}); err != nil {
				return err
			}
		}
	}
	if err := a.finish(nil); err != nil {
		return err
	}
	c.addBare(name, bare)
	if a.hashed {
		c.files[c.file(name)].Digest = hex.EncodeToString(a.digest.Sum(nil))
	}
	return nil
}

// describedAlone returns the descriptions, in a message of n objects, of netCDF files without objects in it.
func describedAlone(m *tgm.Message, n int) map[string]any {
	shared, err := m.SharedMetadata()
	switch {
	case err != nil:
		return nil
	case n > 0:
		return mapping.BareNetCDFFiles(shared.Extra)
	case len(mapping.NetCDFFiles(shared.Extra)) > 0:
		return shared.Extra
	}
	return nil
}

// An adder collects tasks in batches and works on one while the next is collected.
type adder struct {
	catalog *Catalog
	bad     func(*importers.BadInput) error
	batch   []task
	weight  int        // objects of the batch
	digest  hash.Hash  // of the objects; used by one batch after the other
	hashed  bool       // whether all have hashes
	before  chan error // the result of the batch before
}

func newAdder(c *Catalog, bad func(*importers.BadInput) error) *adder {
	a := &adder{catalog: c, bad: bad, before: make(chan error, 1), digest: sha256.New(), hashed: true}
	a.before <- nil
	return a
}

// add appends a task. The error is of an earlier one.
func (a *adder) add(t task) error {
	a.batch = append(a.batch, t)
	if a.weight += t.end - t.first; a.weight < batchObjects {
		return nil
	}
	return a.flush()
}

// flush waits for the batch before and begins with the batch that was collected.
func (a *adder) flush() error {
	if err := <-a.before; err != nil {
		return err
	}
	tasks := a.batch
	a.batch, a.weight = nil, 0
	go func() {
		err := a.catalog.addBatch(tasks, a.bad)
		a.identify(tasks)
		a.before <- err
	}()
	return nil
}

// identify adds the labels and hashes of objects to the digest.
func (a *adder) identify(tasks []task) {
	var b []byte
	for i := range tasks {
		a.hashed = a.hashed && tasks[i].err == nil
		for j := range tasks[i].found {
			p := &tasks[i].found[j]
			e := &p.entry
			a.hashed = a.hashed && p.hashed
			b = binary.AppendUvarint(binary.AppendUvarint(b[:0], uint64(e.Message)), uint64(e.Object))
			b = append(appendText(b, e.Name), byte(e.DType), byte(len(e.Shape)))
			for _, n := range e.Shape {
				b = binary.AppendUvarint(b, n)
			}
			b = appendOpt(b, e.Record, binary.BigEndian.AppendUint64)
			b = append(appendLabels(b, &e.Labels), p.keys...)
			a.digest.Write(binary.BigEndian.AppendUint64(b, p.hash))
		}
	}
}

// appendLabels appends labels but for Keys so that different ones give different bytes.
func appendLabels(b []byte, l *Labels) []byte {
	moment := func(b []byte, t time.Time) []byte {
		return binary.AppendVarint(binary.AppendVarint(b, t.Unix()), int64(t.Nanosecond()))
	}
	duration := func(b []byte, d time.Duration) []byte { return binary.AppendVarint(b, int64(d)) }
	number := func(b []byte, x float64) []byte { return binary.BigEndian.AppendUint64(b, math.Float64bits(x)) }
	b = appendOpt(appendOpt(b, l.ReferenceTime, moment), l.ValidTime, moment)
	b = appendOpt(appendOpt(b, l.Step, duration), l.WindowStart, duration)
	b = appendOpt(appendText(b, l.LevelType), l.Level, number)
	b = appendOpt(appendOpt(b, l.Top, number), l.Bottom, number)
	return appendOpt(b, l.Number, binary.AppendVarint)
}

// appendOpt appends a value that may not be known.
func appendOpt[T any](b []byte, o mapping.Opt[T], appendKnown func([]byte, T) []byte) []byte {
	if !o.Known {
		return append(b, 0)
	}
	return appendKnown(append(b, 1), o.Value)
}

// finish waits for all batches. It returns err if none of them failed.
func (a *adder) finish(err error) error {
	if flushErr := a.flush(); flushErr != nil {
		return flushErr
	}
	if lastErr := <-a.before; lastErr != nil {
		return lastErr
	}
	return err
}

// A task is some objects of a message that one goroutine looks at.
type task struct {
	message    *tgm.Message
	first, end int
	file       string
	shared     sharedMetadata
	others     func() ([]map[string]any, error) // the entries of objects that other programs wrote
	found      []prepared
	err        error
}

// A prepared entry waits for its number.
type prepared struct {
	entry Entry
	key   string
	keys  []byte                        // of the labels, see appendMap
	base  func() (mapping.Entry, error) // makes the metadata of the kind
	known *mapping.Known                // all that is known, where it is asked for

	hash   uint64 // of an object of a Tensogram file that has one
	hashed bool
}

// Objects are looked at in batches; every core takes one task after the other.
const (
	taskObjects  = 256
	batchObjects = 4096
)

// addBatch looks at the objects of tasks on all cores and appends them in order.
func (c *Catalog) addBatch(tasks []task, bad func(*importers.BadInput) error) error {
	coded := fromgrib.NewEntries()
	parallel.Each(len(tasks), func(i int) { tasks[i].look(c.Keep != nil, c.Excludes, coded) })
	var broken *tgm.Message
	for i := range tasks {
		t := &tasks[i]
		if t.message == broken {
			continue // the rest of it
		}
		for j := range t.found {
			if err := c.keep(&t.found[j]); err != nil {
				return err
			}
		}
		if t.err != nil {
			broken = t.message
			where := fmt.Sprintf("%s: message %d", storage.Display(t.file), t.message.Index())
			if err := bad(&importers.BadInput{Where: where, Err: t.err}); err != nil {
				return err
			}
		}
	}
	return nil
}

// look describes the objects of a task; with all, with all that is known of them.
func (t *task) look(all bool, excludes func(*mapping.Known) bool, coded *fromgrib.Entries) {
	if t.err != nil {
		return
	}
	shared := t.shared
	for j := t.first; j < t.end; j++ {
		base, err := t.message.SelectBase(j, wanted)
		if err != nil {
			t.err = err
			return
		}
		byOther := understood(base)
		if excludes != nil && !byOther && onGrid(base) {
			excluded, err := t.excluded(j, coded, excludes)
			if err != nil {
				t.err = err
				return
			}
			if excluded {
				continue
			}
		}
		object, err := t.message.Stored(j)
		if err != nil {
			t.err = err
			return
		}
		if byOther {
			entries, err := t.others()
			if err != nil {
				t.err = err
				return
			}
			if byOther = entries[j] != nil; byOther { // all of the entry may say otherwise
				base = entries[j]
			}
		}
		unplaced := !byOther && isUnplaced(base)
		if unplaced {
			if base, err = placed(t.message, j, object.Descriptor().Shape); err != nil {
				t.err = err
				return
			}
		}
		var p prepared
		p.entry = describe(base, object)
		p.hash, p.hashed = object.Hash()
		e := &p.entry
		e.File, e.Message, e.Object = t.file, t.message.Index(), j
		e.offset, e.length = t.message.Offset(), t.message.Length()
		if e.Dims == nil && len(e.Shape) > 0 {
			common, err := shared()
			if err != nil {
				t.err = err
				return
			}
			e.Dims = mapping.MessageDims(common.Extra, e.Shape)
		}
		p.keys = appendMap(nil, e.Labels.Keys)
		p.key = commonKey(e, p.keys, base, e.Grid)
		p.base = func() (mapping.Entry, error) { return kindBase(t.message, j, shared) }
		if unplaced {
			p.base = func() (mapping.Entry, error) {
				common, err := shared()
				if err != nil {
					return mapping.Entry{}, err
				}
				return mapping.ReadIn(common.Extra, commonBase(base)), nil
			}
		}
		if byOther {
			p.key = otherKey(base) + p.key // which ends with the name of the file
			p.base = func() (mapping.Entry, error) {
				common, err := shared()
				if err != nil {
					return mapping.Entry{}, err
				}
				return mapping.ReadIn(common.Extra, commonBase(base)), nil
			}
		}
		if all {
			full, extra, err := allOf(t.message, j, shared)
			if err != nil {
				t.err = err
				return
			}
			if byOther || unplaced {
				full = base
			}
			entry := mapping.ReadIn(extra, full)
			p.known = knownOf(&p.entry, entry)
			p.known.Array = func() mapping.ArrayKeys { return arrayOf(object, entry) }
			p.known.Stored = func(key string) (any, bool) { return storedAs(object, key) }
			p.known.Coded, p.known.Changeable = coded.Coded(entry), true
			// Nothing is read again: who has kept the entry relies on its being there.
			p.base = func() (mapping.Entry, error) { return mapping.ReadIn(extra, commonBase(full)), nil }
		}
		t.found = append(t.found, p)
	}
}

// excluded reports whether an object is excluded by its metadata.
func (t *task) excluded(j int, coded *fromgrib.Entries, excludes func(*mapping.Known) bool) (bool, error) {
	shared, err := t.shared()
	if err != nil {
		return false, err
	}
	e := &unread{message: &Message{Message: t.message, File: t.file, Shared: shared, coded: coded}, index: j}
	if e.base, err = t.message.StoredBase(j); err != nil {
		return false, err
	}
	excluded := excludes(e.known())
	return excluded, e.err
}

// onGrid reports whether an entry is [OnGrid]. The description of its grid may be CBOR.
func onGrid(base map[string]any) bool {
	return base[mapping.KeyGeometry] != nil && base[mapping.KeySource] == nil && base[mapping.KeyNetCDF] == nil
}

// OnGrid reports whether an object has all its coordinates in a description of its grid.
func OnGrid(e mapping.Entry) bool {
	base, _ := e.Maps()
	return onGrid(base)
}

// sharedMetadata gives the metadata that the objects of a message share, decoded once.
type sharedMetadata func() (*tgm.Metadata, error)

// allOf is all metadata of an object, and the metadata that its message has for all.
func allOf(m *tgm.Message, j int, common sharedMetadata) (base, extra map[string]any, err error) {
	if base, err = m.BaseEntry(j); err != nil {
		return nil, nil, err
	}
	shared, err := common()
	if err != nil {
		return nil, nil, err
	}
	return base, shared.Extra, nil
}

// kindBase is the metadata that the kind of an object has in common.
func kindBase(m *tgm.Message, j int, common sharedMetadata) (mapping.Entry, error) {
	base, extra, err := allOf(m, j, common)
	if err != nil {
		return mapping.Entry{}, err
	}
	return mapping.ReadIn(extra, commonBase(base)), nil
}

// wanted is the part of a base entry that the catalogue needs. Of the grid and the vertical
// coordinates their CBOR will do: it is canonical, so that equal ones have equal bytes.
var wanted = &tgm.Selection{
	Keys: map[string]tgm.Want{
		mapping.KeyGRIB: tgm.WantNone, mapping.KeyCF: tgm.WantNone, mapping.KeyReserved: tgm.WantNone,
		mapping.KeyGeometry: tgm.WantCBOR,
	},
	Members: map[string]map[string]tgm.Want{mapping.KeyReproduction: wantedMembers()},
	Others:  tgm.WantDecoded,
}

func wantedMembers() map[string]tgm.Want {
	members := map[string]tgm.Want{keyPV: tgm.WantCBOR}
	for _, key := range readKeys {
		if key != keyPV {
			members[key] = tgm.WantDecoded
		}
	}
	return members
}

// describe makes the entry of an object.
func describe(base map[string]any, o *tgm.Object) Entry {
	entry := mapping.Read(base)
	d := o.Descriptor()
	e := Entry{
		Name: ObjectName(base, o.Index()), Shape: d.Shape, DType: d.DType, Dims: entry.Dims(len(d.Shape)),
		Labels: ReadLabels(entry), Size: o.Length(), Form: formOf(d),
	}
	e.Labels.Keys = otherKeys(entry)
	e.Record.Value, e.Record.Known = entry.RecordIndex()
	switch grid := base[mapping.KeyGeometry].(type) {
	case []byte:
		e.Grid = gridName(grid)
	case map[string]any:
		if raw, err := mapping.MarshalCBOR(grid); err == nil {
			e.Grid = gridName(raw)
		}
	}
	return e
}

// formOf is a text that is the same for objects that are stored in the same way.
func formOf(d *tgm.Descriptor) string {
	transforms, err := d.Transforms()
	for i := range transforms {
		transforms[i].Level = 0 // a reader does not need it
	}
	return fmt.Sprint(transforms, err, d.DType, d.ByteOrder)
}

// gridName is a short name for the description of a grid.
func gridName(raw []byte) string {
	sum := xxh3.Hash128(raw).Bytes()
	return hex.EncodeToString(sum[:8])
}
