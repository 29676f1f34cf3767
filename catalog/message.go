package catalog

import (
	"context"
	"fmt"
	"iter"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mapping/where"
	"github.com/tgmconv/tgmconv/tgm"
)

// A Message is a message of a Tensogram file with the metadata of the message as a whole.
type Message struct {
	*tgm.Message
	File   string // name of the file
	Shared *tgm.Metadata
	in     *tgm.File
	err    error // what went wrong in a lookup, which has no other way to say it
}

// Err returns the first error of [Message.Value], nil if there was none.
func (m *Message) Err() error { return m.err }

// An Object is an object of a Tensogram file with all its metadata.
type Object struct {
	*tgm.Object
	Message *Message
}

// Ref returns what it takes to read the object again.
func (o Object) Ref() Ref { return Ref{o.Message.in, o.Message.Index(), o.Index()} }

// A Ref names an object of an open Tensogram file in a few bytes of memory.
type Ref struct {
	file            *tgm.File
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

// Messages yields the messages of a file; name is the name of the file in listings. An error is the
// last thing it yields.
func Messages(ctx context.Context, f *tgm.File, name string) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
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
			message := &Message{Message: m, File: name, Shared: shared, in: f}
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
// records which keys the clauses asked for. An error is the last thing it yields.
func (m *Message) Select(clauses where.Clauses, asked *where.Asked) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		for object, err := range m.Message.Objects() {
			o := Object{object, m}
			if err != nil {
				yield(Object{}, err)
				return
			}
			if clauses.Match(where.Values(o.Value), asked) && !yield(o, nil) {
				return
			}
		}
	}
}

// Name returns the name of the object, see [ObjectName].
func (o Object) Name() string { return ObjectName(o.Base(), o.Index()) }

// Summary returns the date, time, step, level and member of the object.
func (o Object) Summary() mapping.Summary { return mapping.Read(o.Base()).Summary() }

// Value returns the value of a key: of the object's own metadata, then of its namespaces (so that
// step finds mars.step), then of the message's (extra.KEY asks only there), and last of what is
// known of every object, such as its shape and dtype.
func (o Object) Value(key string) (any, bool) {
	if rest, ok := mapping.ExtraKey(key); ok {
		return mapping.Path(o.Message.Shared.Extra, rest)
	}
	if value, ok := mapping.Read(o.Base()).Lookup(key); ok {
		return value, true
	}
	if value, ok := mapping.Path(o.Message.Shared.Extra, key); ok {
		return value, true
	}
	return o.ownValue(key)
}

// ownValue is what is known of every object.
func (o Object) ownValue(key string) (any, bool) {
	d := o.Descriptor()
	switch key {
	case "object":
		return int64(o.Index()), true
	case "offset":
		return o.Offset(), true
	case "length", "size":
		return o.Length(), true
	case "type":
		return d.Type, true
	case "dtype":
		return d.DType.String(), true
	case "shape":
		return d.Shape, true
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
	case mapping.KeyName:
		name := Name(o.Base())
		return name, name != ""
	}
	if value, ok := o.Message.place(key); ok {
		return value, true
	}
	value, ok := d.Params[key]
	return value, ok
}

// place is what is known of a message and of the objects in it.
func (m *Message) place(key string) (any, bool) {
	switch key {
	case "file":
		return m.File, true
	case "message":
		return int64(m.Index()), true
	case "version":
		return WireVersion, true
	}
	return nil, false
}

// WireVersion is the version of the message format, as the key version has it.
const WireVersion = int64(tgm.WireVersion)

// Value returns the value of a key: that of the first object that has the key, as the reference's
// command does it, else that of the message. [Message.Err] returns the error of reading metadata.
func (m *Message) Value(key string) (any, bool) {
	if rest, ok := mapping.ExtraKey(key); ok {
		return mapping.Path(m.Shared.Extra, rest)
	}
	for base, err := range m.BaseEntries() {
		if err != nil {
			m.err = err
			return nil, false
		}
		if value, ok := mapping.Read(base).Lookup(key); ok {
			return value, true
		}
	}
	if value, ok := mapping.Path(m.Shared.Extra, key); ok {
		return value, true
	}
	switch key {
	case "offset":
		return m.Offset(), true
	case "length", "size":
		return m.Length(), true
	}
	return m.place(key)
}
