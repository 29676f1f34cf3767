package archive

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// Version implements [dataset.Fields]. A file that has changed since it was catalogued has none: a
// client that asks whether its copy is still good gets the same answer as a client that reads.
func (a *Archive) Version(ref int) string {
	if parts := a.parts(ref); parts != nil {
		return a.partsVersion(parts)
	}
	e := a.Catalog.Entry(ref)
	version := a.versions[e.File]
	if version == "" || a.check(e.File) != nil {
		return ""
	}
	if offset, _, ok := e.MessageSpan(); ok {
		return version + "-" + strconv.FormatInt(offset, 16)
	}
	place := make([]byte, 0, len(version)+32) // each request of a chunk makes one
	place = append(place, version...)
	for _, n := range []uint64{uint64(e.Message), uint64(e.Object), e.Record.Value} {
		place = strconv.AppendUint(append(place, '-'), n, 16)
	}
	return string(place)
}

// File implements [dataset.Fields]. The name is the same wherever the files lie together.
func (a *Archive) File(ref int) string {
	parts := a.parts(ref)
	if parts == nil {
		return a.fileOf(ref)
	}
	name := ""
	for _, p := range parts {
		file := a.File(p.Ref)
		if name != "" && file != name {
			return ""
		}
		name = file
	}
	return name
}

// fileOf is the file of an object, in any state.
func (a *Archive) fileOf(ref int) string {
	file, _ := catalog.SplitState(a.Catalog.Entry(ref).File)
	return a.StoredName(file)
}

// Object implements [dataset.Fields]. A large GRIB field that is constant has one too.
func (a *Archive) Object(ref int) (*tgm.Object, error) {
	if a.parts(ref) != nil || a.isGone(ref) {
		return nil, nil
	}
	e := a.Catalog.Entry(ref)
	offset, length, ok := e.MessageSpan()
	if !ok {
		return a.constant(ref, &e)
	}
	m, err := a.messages.Get(context.Background(), fmt.Sprintf("%x %s", offset, e.File), func() (*keptMessage, error) {
		f, err := tgm.NewFile(&checkedReader{a, e.File}, offset+length)
		if err != nil {
			return nil, err
		}
		m, err := f.MessageAt(e.Message, offset, length)
		if err != nil {
			return nil, err
		}
		return keepMessage(m)
	})
	if err == nil {
		err = a.checkInput(e.File) // the descriptor may be known already
	}
	if err != nil {
		return nil, located(&e, err)
	}
	object, err := m.stored(e.Object)
	return object, located(&e, err)
}

// A keptMessage is a message with the objects that were asked for.
type keptMessage struct {
	message *tgm.Message
	objects []atomic.Pointer[tgm.Object] // nil pointers for those that were not, and for large descriptors
}

// keptDescriptor bounds the descriptors of objects that are kept.
const keptDescriptor = 2 << 10

func keepMessage(m *tgm.Message) (*keptMessage, error) {
	n, err := m.NumObjects()
	return &keptMessage{m, make([]atomic.Pointer[tgm.Object], n)}, err
}

// stored is [tgm.Message.Stored].
func (m *keptMessage) stored(j int) (*tgm.Object, error) {
	if j >= 0 && j < len(m.objects) {
		if o := m.objects[j].Load(); o != nil {
			return o, nil
		}
	}
	o, err := m.message.Stored(j)
	if err == nil && o.Length()-o.PayloadLength() <= keptDescriptor {
		m.objects[j].Store(o)
	}
	return o, err
}

// A checkedReader reads a file in the state in which it was catalogued, or fails.
type checkedReader struct {
	a    *Archive
	name string
}

// ReadAt implements io.ReaderAt.
func (r *checkedReader) ReadAt(p []byte, off int64) (int, error) {
	ctx := context.Background() // requests under way are answered to the end, also when the user interrupts the command
	f, err := r.a.files.Acquire(ctx, r.name)
	if err != nil {
		if changed := r.a.checkInput(r.name); changed != nil {
			return 0, changed
		}
		return 0, err
	}
	defer f.Release()
	if storage.IsRemote(r.name) && f.Blob.ETag() != r.a.states[r.name].Version {
		return 0, &ChangedError{r.name, "changed"}
	}
	n, err := f.Blob.ReadAt(ctx, p, off)
	if changed := r.a.checkInput(r.name); changed != nil {
		return 0, changed
	}
	return n, err
}

// readChecked reads from a file that must be in the state in which it was catalogued, before and
// after.
func (a *Archive) readChecked(ctx context.Context, ref int, read func(*catalog.Entry) error) error {
	select {
	case a.reading <- struct{}{}:
		defer func() { <-a.reading }()
	case <-ctx.Done():
		return ctx.Err()
	}
	e := a.Catalog.Entry(ref)
	if err := a.check(e.File); err != nil {
		return err
	}
	err := read(&e)
	if changed := a.check(e.File); changed != nil {
		return changed
	}
	return err
}

// readField reads a region of the values of a field in a form. The field is of a file that is not
// Tensogram, or is its coordinate. The values are in the memory of buffer if it has room. With whole, the
// region is all of them.
func (a *Archive) readField(ctx context.Context, ref int, form importers.Form, r array.Region, whole bool, buffer []byte) (data []byte, err error) {
	err = a.readValues(ctx, ref, whole, func(f *importers.Field, scratch *importers.Scratch) (err error) {
		e := a.Catalog.Entry(ref)
		if !e.Coordinate {
			data, err = dataset.ReadField(ctx, f, form, r, scratch, buffer)
			return err
		}
		for _, coord := range f.Coords {
			if coord.Name == e.Name {
				data, err = dataset.ReadCoord(coord)
				return err
			}
		}
		return gone(e.Where())
	})
	return data, err
}

// readValues calls read with a field of a file that is not Tensogram. With data, its stored bytes are
// read with its description, in the memory of the scratch that read is given.
func (a *Archive) readValues(ctx context.Context, ref int, data bool, read func(*importers.Field, *importers.Scratch) error) error {
	return a.readChecked(ctx, ref, func(e *catalog.Entry) error {
		part, _ := e.Part()
		source := a.sources[a.formatOf(e)]
		if source == nil {
			return gone(e.Where())
		}
		scratch := a.scratch.Get().(*importers.Scratch)
		defer a.scratch.Put(scratch)
		described := scratch // by the bytes read with the values
		if !data {
			described = nil
		}
		for f, err := range source.Read(ctx, part, described) {
			if err != nil {
				return err
			}
			return read(f, scratch)
		}
		return gone(e.Where())
	})
}

// A TensogramFile is a Tensogram file of an archive, message by message.
type TensogramFile struct {
	*tgm.File
	Name, Version string
}

// Tensogram returns the Tensogram files in their order. They are read only when something is asked
// of them.
func (a *Archive) Tensogram() []TensogramFile {
	var files []TensogramFile
	for _, name := range a.live.TensogramFiles() {
		open, err := a.files.Acquire(context.Background(), name)
		if err != nil {
			continue
		}
		size := open.Size() // of a file that may be compressed
		open.Release()
		if f, err := tgm.NewFile(&checkedReader{a, name}, size, tgm.WithCompleter(a.entries)); err == nil {
			files = append(files, TensogramFile{f, name, a.states[name].Version})
		}
	}
	return files
}
