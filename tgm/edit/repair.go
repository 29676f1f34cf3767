package edit

import (
	"errors"
	"io"
	"iter"

	"github.com/tgmconv/tgmconv/tgm"
)

// Repaired says what Repair did.
type Repaired struct {
	Copied    int   // valid messages
	Rebuilt   int   // messages whose index was missing or wrong
	Completed int   // messages without an end, of which objects were saved
	Objects   int   // objects of these that were saved
	Dropped   int64 // bytes of the input that belong to no whole frame or message
}

// Repair copies the valid messages of a file. It gives messages without a correct index a new one,
// and makes new messages of the complete objects of messages without an end, unless cut is set. An
// object whose bytes do not match its hash is left out of rebuilt messages.
func Repair(out io.Writer, f *tgm.File, cut bool, opts Options) (r Repaired, err error) {
	for m, err := range f.Messages() {
		if err != nil {
			return r, err
		}
		indexed, err := m.Indexed()
		if err != nil {
			return r, err
		}
		if indexed {
			r.Copied++
			err = m.CopyTo(out)
		} else {
			r.Rebuilt++
			_, err = rebuild(out, m, opts)
		}
		if err != nil {
			return r, err
		}
	}
	gaps, err := f.Gaps()
	if err != nil {
		return r, err
	}
	for _, g := range gaps {
		r.Dropped += g.Length
	}
	torn, err := f.Torn()
	if err != nil || cut {
		return r, err
	}
	for _, m := range torn {
		n, err := rebuild(out, m, opts)
		if err != nil {
			return r, err
		}
		if n > 0 {
			r.Completed++
			r.Objects += n
		}
		for j := range n {
			if o, err := m.Stored(j); err == nil {
				r.Dropped -= o.Length()
			}
		}
	}
	return r, nil
}

// rebuild writes a message of the objects of m that can be read. One without any is not written.
func rebuild(out io.Writer, m *tgm.Message, opts Options) (int, error) {
	var extra map[string]any
	if md, err := m.SharedMetadata(); err == nil {
		extra = md.Extra
	}
	next, stop := iter.Pull2(sound(m))
	defer stop()
	first, err, ok := next()
	if err != nil || !ok {
		return 0, err
	}
	return Write(out, func(yield func(Item, error) bool) {
		for item, err := first, error(nil); yield(item, err) && err == nil; {
			if item, err, ok = next(); !ok {
				return
			}
		}
	}, extra, opts)
}

// sound yields the objects whose frames are what they were.
func sound(m *tgm.Message) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		n, err := m.NumObjects()
		if err != nil {
			yield(Item{}, err)
			return
		}
		for j := range n {
			item, ok, err := soundObject(m, j)
			if err == nil && !ok {
				continue
			}
			if !yield(item, err) || err != nil {
				return
			}
		}
	}
}

// soundObject reads object j; ok is false if it is damaged.
func soundObject(m *tgm.Message, j int) (item Item, ok bool, err error) {
	o, err := m.Stored(j)
	if err != nil {
		return item, false, ifReading(err)
	}
	if _, hashed := o.Hash(); hashed {
		if err := o.VerifyHash(); err != nil {
			return item, false, ifReading(err)
		}
	}
	item.Object = o
	if item.Base, err = m.BaseEntry(j); err != nil {
		// Values are worth having without their names.
		item.Base = nil
		return item, true, ifReading(err)
	}
	delete(item.Base, "_reserved_")
	return item, true, nil
}

// ifReading returns errors that are not about what a file holds.
func ifReading(err error) error {
	for _, damage := range []any{new(*tgm.FramingError), new(*tgm.MetadataError), new(*tgm.HashError), new(*tgm.EncodingError), new(*tgm.ObjectError)} {
		if errors.As(err, damage) {
			return nil
		}
	}
	return err
}
