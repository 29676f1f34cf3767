package zarr

import (
	"context"
	"fmt"
	"io"
)

// A Decoder makes the elements of the stored bytes of a chunk: little-endian, in C order, exactly size
// bytes.
type Decoder func(c Codec, stored []byte, size int64) ([]byte, error)

// WithDecoders returns the store with further codecs for its arrays, which are read only, by their names:
// numcodecs.X for X of format 2. They stand where the codec bytes does, or right after it.
func WithDecoders(s Store, decoders map[string]Decoder) Store { return &decodedStore{s, decoders} }

type decodedStore struct {
	Store
	decoders map[string]Decoder
}

// Get implements Getter.
func (s *decodedStore) Get(ctx context.Context, key string, r Range) (io.ReadCloser, Info, error) {
	return Get(ctx, s.Store, key, r)
}

// decodersOf are the further codecs of a store.
func decodersOf(s Store) map[string]Decoder {
	if d, ok := s.(*decodedStore); ok {
		return d.decoders
	}
	return nil
}

// foreignStage opens the stage of a further codec; nil if there is none of that name.
func foreignStage(c Codec, in spec) (stage, spec) {
	d := in.decoders[c.Name]
	if d == nil {
		return nil, spec{}
	}
	const ratio, least = 4, 64 << 20 // kerchunk's references to messages of GRIB 1 have too many bytes
	out := in.serial(ratio*min(in.size, maxForeign) + least)
	return &foreign{readOnly(c.Name), c, d, in.size}, out
}

// maxForeign bounds the elements of a chunk that a further codec decodes, in bytes.
const maxForeign = 1 << 40

// foreign is a further codec.
type foreign struct {
	readOnly
	codec   Codec
	decoder Decoder
	size    int64
}

// decode implements stage.
func (f *foreign) decode(_, src []byte, _ int64) ([]byte, error) {
	out, err := f.decoder(f.codec, src, f.size)
	if err == nil && int64(len(out)) != f.size {
		err = fmt.Errorf("%d bytes, expected %d", len(out), f.size)
	}
	if err != nil {
		return nil, fmt.Errorf("codec %s: %w", f.codec.Name, err)
	}
	return out, nil
}
