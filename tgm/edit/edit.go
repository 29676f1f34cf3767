// Package edit makes messages of the objects of other messages. It copies frames bit for bit, with
// payload, masks, descriptor and hash, and decodes nothing. It can change the metadata, and which
// objects share a message.
//
// Write is the core: it writes one message of any objects, which it takes one by one. Change and
// Template are the languages of "tgmconv set" and of its output names, Repair makes a whole file of
// a damaged one.
package edit

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"reflect"
	"slices"

	"github.com/tgmconv/tgmconv/tgm"
)

// Options say how messages are written. The zero value has the defaults.
type Options struct {
	tgm.WriterOptions
	// Stream writes each object when it is added, with the index at the end of the message.
	Stream bool
	// Upgrade rewrites descriptors in the form that every release reads. Payloads do not change.
	// Objects whose descriptor changes get a new hash, after the old one was compared.
	Upgrade bool
}

// Item is an object to be copied to a message.
type Item struct {
	Object *tgm.Object
	File   string         // that it is read from, if that is known: for errors
	Base   map[string]any // its metadata in the new message; nil keeps its old metadata
	Params map[string]any // the parameters of its descriptor in the new message; nil keeps its old parameters
}

// Items yields the objects of a message with their own metadata.
func Items(m *tgm.Message) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for o, err := range m.Objects() {
			if !yield(Item{Object: o}, err) || err != nil {
				return
			}
		}
	}
}

// Write writes a message of the items, with the metadata extra of the whole message. It
// returns the number of objects. It holds one object at a time.
func Write(out io.Writer, items iter.Seq2[Item, error], extra map[string]any, opts Options) (n int, err error) {
	var w writer = tgm.NewMessageWriter(out, opts.WriterOptions)
	if opts.Stream {
		w = tgm.NewStreamWriter(out, opts.WriterOptions)
	}
	w.SetExtra(extra)
	defer w.Abort()
	for item, err := range items {
		if err == nil {
			err = add(w, item, opts.Upgrade)
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, w.Close()
}

type writer interface {
	Append(*tgm.EncodedObject, map[string]any) error
	AppendRaw(*tgm.RawObject, map[string]any) error
	SetExtra(map[string]any)
	Close() error
	Abort()
}

func add(w writer, item Item, upgrade bool) error {
	base := item.Base
	if base == nil {
		base = item.Object.StoredBase()
	}
	if !upgrade && item.Params == nil {
		return w.AppendRaw(item.Object.Raw(), base)
	}
	e, err := item.Object.Encoded()
	if err == nil && item.Params != nil {
		err = e.SetParams(item.Params)
	}
	if err != nil {
		return err
	}
	return w.Append(e, base)
}

// ErrConflict is wrapped by the error of [JoinExtra] for a key that has different values.
var ErrConflict = errors.New("messages have different values")

// Conflict says which value is taken if messages have different values of a key.
type Conflict string

// The ways to settle a conflict.
const (
	First Conflict = "first"
	Last  Conflict = "last"
	Error Conflict = "error"
)

// JoinExtra adds the metadata of another message to all, the joined metadata of the messages
// before it.
func JoinExtra(all, more map[string]any, settle Conflict) error {
	for _, key := range slices.Sorted(maps.Keys(more)) {
		old, there := all[key]
		switch {
		case !there || settle == Last:
			all[key] = more[key]
		case settle == Error && !reflect.DeepEqual(old, more[key]):
			return fmt.Errorf("%w of %s: %v and %v", ErrConflict, key, old, more[key])
		}
	}
	return nil
}
