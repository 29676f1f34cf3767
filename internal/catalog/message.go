package catalog

import (
	"context"
	"fmt"
	"iter"

	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
	"github.com/tgmconv/tgmconv/tgm"
)

// A Message is a message of a Tensogram file with the metadata of the message as a whole.
type Message struct {
	*tgm.Message
	File   string // name of the file
	Shared *tgm.Metadata
	in     *tgm.File
	reader *tgm.ObjectReader // of the pass over the file
	coded  *fromgrib.Entries
	err    error // error of a lookup, which has no other way to return it
}

// Err returns the first error of [Message.Value], nil if there was none.
func (m *Message) Err() error { return m.err }

// An Object is an object of a Tensogram file with all its metadata.
type Object struct {
	*tgm.Object
	Message *Message
}

// Ref returns the place for reading the object again.
func (o Object) Ref() Ref { return Ref{o.Message.in, o.Message.File, o.Message.Index(), o.Index()} }

// A Ref names an object of an open Tensogram file in a few bytes of memory.
type Ref struct {
	file            *tgm.File
	name            string
	message, object int
}

// Open reads the object.
func (r Ref) Open() (*tgm.Object, error) {
	m, err := r.file.Message(r.message)
	if err != nil {
		return nil, err
	}
	return m.Object(r.object)
}

// File returns the name of the file in listings.
func (r Ref) File() string { return r.name }

// Message returns the message of the object.
func (r Ref) Message() (*tgm.Message, error) { return r.file.Message(r.message) }

// Messages yields the messages of a file; name is the name of the file in listings. An error is the
// last thing it yields.
func Messages(ctx context.Context, f *tgm.File, name string) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		coded, reader := fromgrib.NewEntries(), tgm.NewObjectReader()
		for m, err := range f.Messages() {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(nil, err)
				return
			}
			shared, err := m.SharedMetadata()
			if err != nil {
				yield(nil, err)
				return
			}
			message := &Message{Message: m, File: name, Shared: shared, in: f, reader: reader, coded: coded}
			if !yield(message, nil) {
				return
			}
			if message.err != nil {
				yield(nil, message.err)
				return
			}
		}
	}
}

// Select yields the objects of the message for which all clauses hold. asked, which may be nil,
// records which keys the clauses asked for. An error is the last thing it yields. Of an object that
// its metadata or its place exclude nothing else is read.
func (m *Message) Select(clauses mapping.Clauses, asked *mapping.Asked) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		n, err := m.NumObjects()
		for j := 0; j < n && err == nil; j++ {
			e := &unread{message: m, index: j}
			var matches bool
			if matches, err = e.matches(clauses, asked); err != nil || !matches {
				continue
			}
			var o *tgm.Object
			if o, err = e.read(); err == nil && !yield(Object{o, m}, nil) {
				return
			}
		}
		if err != nil {
			yield(Object{}, err)
		}
	}
}

// Name returns the name of the object, see [ObjectName].
func (o Object) Name() string { return ObjectName(o.StoredBase(), o.Index()) }

// Summary returns the date, time, step, level and member of the object.
func (o Object) Summary() mapping.Summary { return mapping.Read(o.StoredBase()).Summary() }

// Units returns the units of the object, "" if it has none.
func (o Object) Units() string { return mars.UnitsOf(o.unread().described()) }

// Known returns the description of the object for clauses.
func (o Object) Known() *mapping.Known { return o.unread().known() }

// unread is the object with the means to read more of it.
func (o Object) unread() *unread {
	return &unread{message: o.Message, index: o.Index(), base: o.StoredBase(), object: o.Object}
}

// arrayOf describes the elements of an object.
func arrayOf(o *tgm.Object, e mapping.Entry) mapping.ArrayKeys {
	d := o.Descriptor()
	dims := e.Dims(len(d.Shape))
	if dims == nil {
		message, _ := e.Maps()
		dims = mapping.MessageDims(message, d.Shape)
	}
	return mapping.ArrayKeys{DType: d.DType.String(), Shape: d.Shape, Dims: dims}
}

// Value returns the value of a key, see [mapping.Known.Value].
func (o Object) Value(key string) (any, bool) { return o.Known().Value(key) }

// storedAs returns facts on the storage of an object.
func storedAs(o *tgm.Object, key string) (any, bool) {
	d := o.Descriptor()
	switch key {
	case "offset":
		return o.Offset(), true
	case "length", "size":
		return o.Length(), true
	case "type":
		return d.Type, true
	case "byte_order":
		return d.ByteOrder.String(), true
	case "encoding":
		return d.Encoding, true
	case "filter":
		return d.Filter, true
	case "compression":
		return d.Compression, true
	case "hash":
		hash, ok := o.Hash()
		return fmt.Sprintf("%016x", hash), ok
	case "version":
		return WireVersion, true
	}
	value, ok := d.Params[key]
	return value, ok
}

// WireVersion is the version of the message format, as the key version has it.
const WireVersion = int64(tgm.WireVersion)

// Known returns the description of the message for clauses. A key is looked up in its objects, and the first that
// has it counts, as in the reference's command. [Message.Err] returns the error of reading metadata.
func (m *Message) Known() *mapping.Known {
	k := &mapping.Known{Entry: mapping.ReadIn(m.Shared.Extra, nil), Lookup: m.lookup, Stored: m.place}
	if files := mapping.NetCDFFiles(m.Shared.Extra); len(files) == 1 {
		k.Entry = files[0]
	}
	return k
}

// Value returns the value of a key, see [Message.Known].
func (m *Message) Value(key string) (any, bool) { return m.Known().Value(key) }

// lookup is the value of a key of the first object that has it.
func (m *Message) lookup(key string) (any, bool) {
	for base, err := range m.BaseEntries() {
		if err != nil {
			m.err = err
			return nil, false
		}
		if value, ok := mapping.Read(base).Lookup(key); ok {
			return value, true
		}
	}
	return nil, false
}

// place returns facts on the place of a message.
func (m *Message) place(key string) (any, bool) {
	switch key {
	case "offset":
		return m.Offset(), true
	case "length", "size":
		return m.Length(), true
	case "file":
		return m.File, true
	case "message":
		return int64(m.Index()), true
	case "version":
		return WireVersion, true
	}
	return nil, false
}
