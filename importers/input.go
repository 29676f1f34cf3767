package importers

import (
	"context"
	"io"

	"github.com/tgmconv/tgmconv/storage"
)

// Input is something to convert that has not been opened. [storage.Client.Find] lists inputs.
type Input = storage.Input

// Opener opens inputs by their location. [storage.Client] is one.
type Opener interface {
	Open(ctx context.Context, location string) (storage.Blob, error)
}

// A Streamer is an Opener that can give some inputs as streams: those that it would have to copy
// first in order to open them.
type Streamer interface {
	// Stream reads the input at a location once, from its beginning. It returns nil if the input
	// should be opened instead.
	Stream(ctx context.Context, location string) (io.ReadCloser, error)
}

// SizeOf returns the sum of the sizes of the inputs, 0 if a size is not known without reading the
// input.
func SizeOf(inputs []Input) int64 {
	total := int64(0)
	for _, in := range inputs {
		if in.Size == 0 {
			return 0
		}
		total += in.Size
	}
	return total
}

// InputFile is an open input.
type InputFile struct {
	storage.Blob
	Name string // as messages show it
	Path string // of a file of this machine, else empty

	users users
}

// Reader returns a reader of the input for all that have acquired it: a read ends early when the
// contexts of all of them have ended.
func (f *InputFile) Reader() io.ReaderAt { return sharedReader{f} }

type sharedReader struct{ f *InputFile }

func (r sharedReader) ReadAt(p []byte, off int64) (int, error) {
	return r.f.ReadAt(r.f.users.context(), p, off)
}
