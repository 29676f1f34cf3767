package serve

import (
	"context"
	"crypto/sha256"

	"github.com/tgmconv/tgmconv/internal/history"
	"github.com/tgmconv/tgmconv/zarr"
)

// State returns the layout that clients of the view's messages will rely on: a message keeps its number
// while others are appended. It reads the metadata of all messages.
func (v *MessageView) State(ctx context.Context) *history.State {
	s := &history.State{Forms: len(zarr.KeyForms(2))}
	n, err := v.file.Len()
	labels := &history.Labels{Shape: []uint64{uint64(n)}, Size: sha256.Size}
	for i := range n {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			break
		}
		var sum [sha256.Size]byte
		sum, err = v.messageState(i, s)
		labels.Data = append(labels.Data, sum[:]...)
	}
	s.Unknown = err != nil
	s.Shape, s.Chunk = labels.Shape, []uint64{1}
	s.Labels = map[string]*history.Labels{"": labels}
	return s
}

// messageState stands for the documents of message i. It takes the forms of keys that an array does not
// have from s.
func (v *MessageView) messageState(i int, s *history.State) (sum [sha256.Size]byte, err error) {
	l, err := v.layout(i)
	if err != nil {
		return sum, err
	}
	group, err := v.messageGroup(l)
	if err != nil {
		return sum, err
	}
	text, err := group.MarshalJSON()
	for j := range l.arrays {
		if err != nil {
			break
		}
		// An array that cannot be shown has no chunks either.
		if array, failed := v.array(place{message: i, array: j, layout: l}); failed == nil {
			array.ChunkKeys = zarr.DefaultKeys
			var document []byte
			document, err = array.MarshalJSON()
			text = append(text, document...)
			s.Forms = min(s.Forms, len(zarr.KeyForms(len(array.Shape))))
		}
	}
	return sha256.Sum256(text), err
}

// Follow gives the arrays of the view a form of chunk keys. Uses, under the path folder, learns of
// requests.
func (v *MessageView) Follow(form int, folder string, uses *history.Uses) {
	v.form, v.follower = form, follower{uses: uses, folder: folder}
}

// chunkKeys implements keyedView.
func (v *MessageView) chunkKeys(path string) (keys zarr.ChunkKeys, dims int, err error) {
	p, err := v.locate(path)
	if err != nil {
		return zarr.ChunkKeys{}, 0, err
	}
	if p.array < 0 {
		return zarr.ChunkKeys{}, 0, zarr.ErrNotFound
	}
	dims = len(p.layout.arrays[p.array].dims)
	return v.keys(dims), dims, nil
}

// keys are the chunk keys of arrays of that number of dimensions.
func (v *MessageView) keys(dims int) zarr.ChunkKeys { return zarr.KeyForms(dims)[v.form] }

// use implements keyedView.
func (v *MessageView) use(_, chunk string) { v.follower.use("", chunk) }
