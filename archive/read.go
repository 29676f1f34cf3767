package archive

import (
	"context"
	"fmt"
	"strconv"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// Version implements [dataset.Fields].
func (a *Archive) Version(ref int) string {
	if parts := a.parts(ref); parts != nil {
		return a.partsVersion(parts)
	}
	e := a.Catalog.Entry(ref)
	version := a.states[e.File].Version
	if version == "" {
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

// File implements [dataset.FileSource].
func (a *Archive) File(ref int) string {
	parts := a.parts(ref)
	if parts == nil {
		return a.Catalog.Entry(ref).File
	}
	name := ""
	for _, p := range parts {
		file := a.Catalog.Entry(p.Ref).File
		if name != "" && file != name {
			return ""
		}
		name = file
	}
	return name
}

// Object implements [dataset.ObjectSource].
func (a *Archive) Object(ref int) (*tgm.Object, error) {
	if a.parts(ref) != nil {
		return nil, nil
	}
	e := a.Catalog.Entry(ref)
	offset, length, ok := e.MessageSpan()
	if !ok {
		return nil, nil
	}
	m, err := a.messages.Get(context.Background(), fmt.Sprintf("%x %s", offset, e.File), func() (*tgm.Message, error) {
		f, err := tgm.NewFile(&checkedReader{a, e.File}, offset+length)
		if err != nil {
			return nil, err
		}
		return f.MessageAt(e.Message, offset, length)
	})
	if err != nil {
		return nil, located(&e, err)
	}
	object, err := m.Stored(e.Object)
	return object, located(&e, err)
}

// A checkedReader reads a file in the state in which it was catalogued, or fails.
type checkedReader struct {
	a    *Archive
	name string
}

// ReadAt implements io.ReaderAt.
func (r *checkedReader) ReadAt(p []byte, off int64) (int, error) {
	// Requests under way are answered to the end, also when the user interrupts the command.
	f, err := r.a.files.Acquire(context.Background(), r.name)
	if err != nil {
		if changed := r.a.check(r.name); changed != nil {
			return 0, changed
		}
		return 0, err
	}
	defer f.Release()
	if storage.IsRemote(r.name) && f.Blob.ETag() != r.a.states[r.name].Version {
		return 0, &ChangedError{r.name, "changed"}
	}
	n, err := f.Reader().ReadAt(p, off)
	if changed := r.a.check(r.name); changed != nil {
		return 0, changed
	}
	return n, err
}

// Read implements [dataset.Fields].
func (a *Archive) Read(ctx context.Context, ref int, buffer []byte) (*tgm.Array, error) {
	if parts := a.parts(ref); parts != nil {
		return a.readParts(ctx, parts, buffer)
	}
	object, err := a.Object(ref)
	if err != nil {
		return nil, err
	}
	if object != nil {
		array, err := object.Decode(tgm.DecodeOptions{ByteOrder: tgm.LittleEndian, Dst: buffer})
		return array, a.Located(ref, err)
	}
	return a.readChecked(ctx, ref, func(e *catalog.Entry) (*tgm.Array, error) { return a.readField(ctx, e, buffer, dataset.ReadField) })
}

// ReadSingle implements [dataset.SingleSource].
func (a *Archive) ReadSingle(ctx context.Context, ref int, buffer []byte) (*tgm.Array, error) {
	if object, err := a.Object(ref); object != nil || err != nil || a.parts(ref) != nil {
		return a.Read(ctx, ref, buffer)
	}
	return a.readChecked(ctx, ref, func(e *catalog.Entry) (*tgm.Array, error) { return a.readField(ctx, e, buffer, dataset.ReadSingle) })
}

// readChecked reads from a file that must be in the state in which it was catalogued, before and
// after.
func (a *Archive) readChecked(ctx context.Context, ref int, read func(*catalog.Entry) (*tgm.Array, error)) (*tgm.Array, error) {
	select {
	case a.reading <- struct{}{}:
		defer func() { <-a.reading }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	e := a.Catalog.Entry(ref)
	if err := a.check(e.File); err != nil {
		return nil, err
	}
	array, err := read(&e)
	if changed := a.check(e.File); changed != nil {
		return nil, changed
	}
	return array, err
}

// A fieldReader is [dataset.ReadField] or [dataset.ReadSingle].
type fieldReader func(ctx context.Context, f *importers.Field, scratch *importers.Scratch, buffer []byte) (*tgm.Array, error)

// readField reads the values of a field of a file that is not Tensogram, or of its coordinate. They
// are in the memory of buffer if it has room.
func (a *Archive) readField(ctx context.Context, e *catalog.Entry, buffer []byte, read fieldReader) (*tgm.Array, error) {
	part, _ := e.Part()
	source := a.sources[importers.Format(a.states[e.File].Format)]
	if source == nil {
		return nil, gone(e.Where())
	}
	scratch := a.scratch.Get().(*importers.Scratch)
	defer a.scratch.Put(scratch)
	for f, err := range source.Read(ctx, part, scratch) {
		if err != nil {
			return nil, err
		}
		if !e.Coordinate {
			return read(ctx, f, scratch, buffer)
		}
		for _, coord := range f.Coords {
			if coord.Name == e.Name {
				return dataset.ReadCoord(coord)
			}
		}
		break
	}
	return nil, gone(e.Where())
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
	seen := make(map[string]bool)
	for _, e := range a.Catalog.All() {
		if _, _, ok := e.MessageSpan(); !ok || seen[e.File] {
			continue
		}
		seen[e.File] = true
		open, err := a.files.Acquire(context.Background(), e.File)
		if err != nil {
			continue
		}
		size := open.Size() // of what may be compressed
		open.Release()
		if f, err := tgm.NewFile(&checkedReader{a, e.File}, size); err == nil {
			files = append(files, TensogramFile{f, e.File, a.states[e.File].Version})
		}
	}
	return files
}

var (
	_ dataset.Fields       = (*Archive)(nil)
	_ dataset.SingleSource = (*Archive)(nil)
)
