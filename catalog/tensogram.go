package catalog

import (
	"context"
	"encoding/hex"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// AddMessages appends the objects of a Tensogram file; name is the File of their entries. It reads
// metadata and descriptors on several cores, and no values. For a message that cannot be read it
// calls bad, after adding the objects before the one that is wrong. AddMessages ends with an error
// if bad returns one, or at any other error; the messages before stay added.
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
		} else if n == 0 {
			if shared, err := m.SharedMetadata(); err == nil && shared.Extra[mapping.KeyNetCDF] != nil {
				bare = append(bare, shared.Extra)
			}
		}
		for first := 0; first < n; first += taskObjects {
			if err := a.add(task{message: m, first: first, end: min(n, first+taskObjects), file: name}); err != nil {
				return err
			}
		}
	}
	if err := a.finish(nil); err != nil {
		return err
	}
	c.addBare(name, bare)
	return nil
}

// An adder collects tasks in batches and works on one while the next is collected.
type adder struct {
	catalog *Catalog
	bad     func(*importers.BadInput) error
	batch   []task
	weight  int        // objects of the batch
	before  chan error // the result of the batch before
}

func newAdder(c *Catalog, bad func(*importers.BadInput) error) *adder {
	a := &adder{catalog: c, bad: bad, before: make(chan error, 1)}
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

// flush waits for the batch before and begins with the one that was collected.
func (a *adder) flush() error {
	if err := <-a.before; err != nil {
		return err
	}
	tasks := a.batch
	a.batch, a.weight = nil, 0
	go func() { a.before <- a.catalog.addBatch(tasks, a.bad) }()
	return nil
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
	found      []prepared
	err        error
}

// A prepared entry waits for its number.
type prepared struct {
	entry Entry
	key   string
	base  func() (mapping.Entry, error) // makes the metadata of the kind
	all   mapping.Entry                 // all metadata, where these are asked for
}

// Objects are looked at in batches, of which every core takes one task after the other.
const (
	taskObjects  = 256
	batchObjects = 4096
)

// addBatch looks at the objects of tasks on all cores and appends them in order.
func (c *Catalog) addBatch(tasks []task, bad func(*importers.BadInput) error) error {
	var workers sync.WaitGroup
	next := make(chan *task, len(tasks))
	for i := range tasks {
		next <- &tasks[i]
	}
	close(next)
	for range min(len(tasks), runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for t := range next {
				t.look(c.Keep != nil)
			}
		})
	}
	workers.Wait()
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

// look describes the objects of a task; with all, with all their metadata.
func (t *task) look(all bool) {
	if t.err != nil {
		return
	}
	shared := sync.OnceValues(t.message.SharedMetadata) // may be large, and is the same for all
	for j := t.first; j < t.end; j++ {
		object, err := t.message.Stored(j)
		if err != nil {
			t.err = err
			return
		}
		base, err := t.message.SelectBase(j, wanted)
		if err != nil {
			t.err = err
			return
		}
		var p prepared
		p.entry = describe(base, object)
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
		p.key = commonKey(e, base, e.Grid)
		p.base = func() (mapping.Entry, error) { return kindBase(t.message, j, shared) }
		if all {
			if p.all, err = allOf(t.message, j, shared); err != nil {
				t.err = err
				return
			}
		}
		t.found = append(t.found, p)
	}
}

// sharedMetadata gives the metadata that the objects of a message share, decoded once.
type sharedMetadata func() (*tgm.Metadata, error)

// allOf is all metadata of an object.
func allOf(m *tgm.Message, j int, common sharedMetadata) (mapping.Entry, error) {
	base, err := m.BaseEntry(j)
	if err != nil {
		return mapping.Entry{}, err
	}
	var extra map[string]any
	if shared, err := common(); err == nil {
		extra = shared.Extra
	}
	return mapping.ReadIn(extra, base), nil
}

// kindBase is the metadata that the kind of an object has in common.
func kindBase(m *tgm.Message, j int, common sharedMetadata) (mapping.Entry, error) {
	base, err := m.BaseEntry(j)
	if err != nil {
		return mapping.Entry{}, err
	}
	shared, err := common()
	if err != nil {
		return mapping.Entry{}, err
	}
	return mapping.ReadIn(shared.Extra, commonBase(base)), nil
}

// wanted chooses what the catalogue needs of a base entry. Of the grid and the vertical coordinates
// their CBOR will do: it is canonical, so that equal ones have equal bytes.
func wanted(parent string, key []byte) tgm.Want {
	if parent == mapping.KeyReproduction {
		switch {
		case string(key) == keyPV:
			return tgm.WantCBOR
		case slices.Contains(readKeys, string(key)):
			return tgm.WantDecoded
		}
		return tgm.WantNone
	}
	switch string(key) {
	case mapping.KeyReproduction:
		return tgm.WantMembers
	case mapping.KeyGRIB, mapping.KeyCF, mapping.KeyReserved:
		return tgm.WantNone
	case mapping.KeyGeometry:
		return tgm.WantCBOR
	}
	return tgm.WantDecoded
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
	if raw, ok := base[mapping.KeyGeometry].([]byte); ok {
		e.Grid = gridName(raw)
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
