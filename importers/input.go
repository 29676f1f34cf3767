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

// An ExternalOpener is an Opener that also opens files that inputs refer to.
type ExternalOpener interface {
	// OpenExternal opens the file that the input at a location refers to by name, if that is
	// allowed. The location of the file is also returned where it does not exist.
	OpenExternal(ctx context.Context, input, name string) (location string, blob storage.Blob, err error)
}

// A PackedOpener is an Opener that unpacks files. It gives the size of the file at a location before it
// unpacks it; 0 if it does not know it.
type PackedOpener interface {
	PackedSize(location string) int64
}

// A Streamer is an Opener that gives some inputs as streams: inputs that it would have to copy in order to
// open them.
type Streamer interface {
	// Stream reads the input at a location once, from its beginning. It returns nil if the input
	// should be opened instead.
	Stream(ctx context.Context, location string) (io.ReadCloser, error)
}

// SizeOf returns the sum of the sizes of the inputs. It is 0 if a size is not known without reading the
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
	storage.Blob // that reads; under one that the opener lends
	Location     string
	Name         string // as messages show it

	opened   io.Closer // that the opener gave
	users    users
	identity identity
}

// newInputFile returns the input that an opener has opened. A blob that is lent to each user says by a method Lent
// which blob reads for all of them: it is found here once, and not by each read.
func newInputFile(opened storage.Blob, location string) *InputFile {
	blob := opened
	if l, ok := opened.(interface{ Lent() storage.Blob }); ok {
		blob = l.Lent()
	}
	return &InputFile{Blob: blob, Location: location, Name: storage.Display(location), opened: opened}
}

// Close closes the input for its opener.
func (f *InputFile) Close() error { return f.opened.Close() }

// Reader returns a reader of the input for all that have acquired it: a read ends early when the
// contexts of all of them have ended.
func (f *InputFile) Reader() io.ReaderAt { return sharedReader{f} }

// Context returns the context of all that have acquired the input: it ends when the contexts of all of
// them have ended.
func (f *InputFile) Context() context.Context { return f.users.context() }

type sharedReader struct{ f *InputFile }

func (r sharedReader) ReadAt(p []byte, off int64) (int, error) {
	return r.f.ReadAt(r.f.users.context(), p, off)
}
