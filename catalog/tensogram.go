package catalog

import (
	"context"
	"encoding/hex"
	"runtime"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// AddMessages appends the objects of a Tensogram file, which entries call name. It reads metadata
// and descriptors on several cores, and no values. When it fails, the objects before the one that
// cannot be read are there.
func (c *Catalog) AddMessages(ctx context.Context, f *tgm.File, name string) error {
	a := newAdder(c)
	for m, err := range f.Messages() {
		if err == nil {
			err = ctx.Err()
		}
		n := 0
		if err == nil {
			n, err = m.NumObjects()
		}
		if err != nil {
			return a.finish(err)
		}
		for first := 0; first < n; first += taskObjects {
			if err := a.add(task{message: m, first: first, end: min(n, first+taskObjects), file: name}); err != nil {
				return err
			}
		}
	}
	return a.finish(nil)
}

// An adder collects tasks in batches and works on one while the next is collected.
type adder struct {
	catalog *Catalog
	batch   []task
	weight  int        // objects of the batch
	before  chan error // the result of the batch before
}

func newAdder(c *Catalog) *adder {
	a := &adder{catalog: c, before: make(chan error, 1)}
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
	go func() { a.before <- a.catalog.addBatch(tasks) }()
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
}

// Objects are looked at in batches, of which every core takes one task after the other.
const (
	taskObjects  = 256
	batchObjects = 4096
)

// addBatch looks at the objects of tasks on all cores and appends them in order.
func (c *Catalog) addBatch(tasks []task) error {
	var workers sync.WaitGroup
	next := make(chan *task, len(tasks))
	for i := range tasks {
		next <- &tasks[i]
	}
	close(next)
	for range min(len(tasks), runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for t := range next {
				t.look()
			}
		})
	}
	workers.Wait()
	for i := range tasks {
		for j := range tasks[i].found {
			if err := c.add(&tasks[i].found[j]); err != nil {
				return err
			}
		}
		if tasks[i].err != nil {
			return tasks[i].err
		}
	}
	return nil
}

// look describes the objects of a task.
func (t *task) look() {
	var shared *tgm.Metadata
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
			if shared == nil {
				if shared, err = t.message.SharedMetadata(); err != nil {
					t.err = err
					return
				}
			}
			e.Dims = mapping.MessageDims(shared.Extra, e.Shape)
		}
		p.key = commonKey(e, base, e.Grid)
		p.base = func() (mapping.Entry, error) { return wholeBase(t.message, j) }
		t.found = append(t.found, p)
	}
}

// wholeBase is the metadata that the kind of an object has in common.
func wholeBase(m *tgm.Message, j int) (mapping.Entry, error) {
	base, err := m.BaseEntry(j)
	if err != nil {
		return mapping.Entry{}, err
	}
	shared, err := m.SharedMetadata()
	if err != nil {
		return mapping.Entry{}, err
	}
	return mapping.ReadIn(shared.Extra, commonBase(base)), nil
}

// wanted chooses what the catalogue needs of a base entry. Of the grid and the vertical coordinates
// their CBOR will do: it is canonical, so that equal ones have equal bytes.
func wanted(parent string, key []byte) tgm.Want {
	if parent == mapping.KeyReproduction {
		switch string(key) {
		case keyStepType, keyStepRange, keyParamID, keyCentre:
			return tgm.WantDecoded
		case keyPV:
			return tgm.WantCBOR
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
		Labels: ReadLabels(entry), Size: o.Length(),
	}
	e.Labels.Keys = otherKeys(entry)
	e.Record.Value, e.Record.Known = entry.RecordIndex()
	if raw, ok := base[mapping.KeyGeometry].([]byte); ok {
		e.Grid = gridName(raw)
	}
	return e
}

// gridName is a short name for the description of a grid.
func gridName(raw []byte) string {
	sum := xxh3.Hash128(raw).Bytes()
	return hex.EncodeToString(sum[:8])
}
