package importers

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"github.com/zeebo/xxh3"
	"golang.org/x/sync/errgroup"

	"github.com/tgmconv/tgmconv/storage"
)

// A small input is identified by all of its bytes, a large one by pieces.
const (
	identifiedWhole = 2 << 20
	identifiedPiece = 4 << 10
	identifiedParts = 32
	identifiedAhead = 16 // pieces that are read at a time
)

// An identity is the name of the source that an input is, once it is known.
type identity struct {
	mu sync.Mutex
	id string
}

// SourceID returns the name of the source of an input, as mapping.KeySource has it. It is a hash of all bytes of the input. Of a large input it
// is a hash of its size, of pieces of it, and of the output of more; of a folder it is a hash of its size and of that output. It does not depend
// on names and times: a copy of an input is the same source.
func (s *OpenFiles[T]) SourceID(ctx context.Context, location string, more func(parsed T, w io.Writer) error) (string, error) {
	f, err := s.Acquire(ctx, location)
	if err != nil {
		return "", err
	}
	defer f.Release()
	known := &f.identity
	known.mu.Lock()
	defer known.mu.Unlock()
	if known.id != "" {
		return known.id, nil
	}
	hash := xxh3.New()
	if err := f.identify(ctx, hash); err != nil {
		return "", err
	}
	if f.Size() > identifiedWhole || storage.FolderOf(f.Blob) != nil {
		if err := more(f.Parsed, hash); err != nil {
			return "", err
		}
	}
	known.id = fmt.Sprintf("%016x", hash.Sum64())
	return known.id, nil
}

// identify writes the bytes that identify the input by itself.
func (f *InputFile) identify(ctx context.Context, w io.Writer) error {
	size := f.Size()
	_, err := w.Write(binary.LittleEndian.AppendUint64(nil, uint64(size)))
	if err != nil || storage.FolderOf(f.Blob) != nil { // which has no bytes of its own
		return err
	}
	if size <= identifiedWhole {
		_, err := io.Copy(w, io.NewSectionReader(storage.ReaderAt(ctx, f.Blob), 0, size))
		return err
	}
	in := storage.ReaderAt(storage.Sparse(ctx), f.Blob)
	pieces := make([]byte, identifiedParts*identifiedPiece)
	var group errgroup.Group
	group.SetLimit(identifiedAhead)
	for i := range int64(identifiedParts) {
		piece := pieces[i*identifiedPiece:][:identifiedPiece]
		at := (size - identifiedPiece) * i / (identifiedParts - 1)
		group.Go(func() error {
			_, err := io.ReadFull(io.NewSectionReader(in, at, identifiedPiece), piece)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	_, err = w.Write(pieces)
	return err
}
