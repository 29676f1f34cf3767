package zarr

import (
	"crypto/sha256"
	"strconv"
)

// keptMessageArrays bounds the arrays of messages that are remembered from earlier views.
const keptMessageArrays = 1 << 16

// Follow gives the arrays of the view, which must not be in use yet, the chunk keys that follow from
// those that the views before it had: an array of another document, as that of a message is when the
// file was replaced, takes other keys. Path is where the view is among others that share the
// generations.
func (v *MessageView) Follow(g *Generations, path string) {
	g.begin()
	g.forget(keptMessageArrays)
	v.generations, v.path = g, path
}

// chooseKeys gives the arrays of message i their chunk keys. It is called when the message is first
// asked for: of others no client knows anything.
func (v *MessageView) chooseKeys(i int, l *layout) error {
	group, err := v.messageGroup(l)
	if err != nil {
		return err
	}
	shared, err := AppendJSON(nil, group.document())
	if err != nil {
		return err
	}
	for j := range l.arrays {
		s := new(arrayState)
		// An array that cannot be shown has no chunks either.
		if array, err := v.array(place{message: i, array: j, layout: l}); err == nil {
			err = s.describe(array)
			s.unknown = err != nil
			s.document = sha256.Sum256(append(s.document[:], shared...))
		} else {
			s.unknown = true
		}
		l.arrays[j].keys = v.generations.next(v.arrayPath(i, l.arrays[j].name), s)
	}
	return nil
}

// arrayPath is the path of an array among those of all views that follow one another.
func (v *MessageView) arrayPath(message int, name string) string {
	return joinKey(v.path, strconv.Itoa(message)+"/"+name)
}

// chunkKeys implements keyedView.
func (v *MessageView) chunkKeys(path string) (keys ChunkKeys, dims int, err error) {
	p, err := v.locate(path)
	if err != nil {
		return ChunkKeys{}, 0, err
	}
	if p.array < 0 {
		return ChunkKeys{}, 0, ErrNotFound
	}
	plan := &p.layout.arrays[p.array]
	return plan.keys, len(plan.dims), nil
}

// refused implements keyedView.
func (v *MessageView) refused(path, chunk string) {
	if v.generations == nil {
		return
	}
	if p, err := v.locate(path); err == nil && p.array >= 0 {
		v.generations.refused(v.arrayPath(p.message, p.layout.arrays[p.array].name), chunk)
	}
}
