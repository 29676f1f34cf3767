package tgm

import (
	"io"
	"slices"

	"github.com/zeebo/xxh3"
)

// CopyChecked is like [Message.CopyTo], and compares the objects with their hashes as it copies them.
// The first object that differs gives a *HashError; its bytes have been written by then.
func (m *Message) CopyChecked(w io.Writer) error {
	n, err := m.NumObjects()
	if err != nil {
		return err
	}
	var objects []*Object
	for j := range n {
		o, err := m.Stored(j)
		if err != nil {
			return err
		}
		objects = append(objects, o)
	}
	slices.SortStableFunc(objects, func(a, b *Object) int { return int(a.frame.offset - b.frame.offset) })
	at := int64(0)
	for _, o := range objects {
		content := o.frame.offset + frameHeaderSize
		if !o.hasHash || content < at {
			continue
		}
		if err := m.copyRange(w, at, content); err != nil {
			return err
		}
		at = o.frame.contentEnd()
		var h xxh3.Hasher
		if err := m.copyRange(io.MultiWriter(w, &h), content, at); err != nil {
			return locate(err, o.where())
		}
		if err := o.compareHash(h.Sum64()); err != nil {
			return err
		}
	}
	return m.copyRange(w, at, m.length)
}

// copyRange copies bytes of the message.
func (m *Message) copyRange(w io.Writer, from, to int64) error {
	n, err := io.Copy(w, io.NewSectionReader(m.src.r, m.offset+from, to-from))
	if err == nil && n != to-from {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return locate(err, m.at(-1, m.offset+from))
	}
	return nil
}
