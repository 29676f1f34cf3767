package zarr

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/internal/reuse"
)

const shardingName = "sharding_indexed"

// Sharding returns the codec sharding_indexed: a shard holds chunks of a smaller shape, each
// through the inner codecs, and an index of them at its end.
//
//	inner chunks in C order | index: u64 offset, u64 length for each, all ones if it is absent | crc32c
func Sharding(chunk []uint64, inner []Codec) Codec {
	return Codec{Name: shardingName, Configuration: map[string]any{
		"chunk_shape":    chunk,
		"codecs":         codecDocuments(inner),
		"index_codecs":   codecDocuments([]Codec{littleBytes(8), {Name: "crc32c"}}),
		"index_location": "end",
	}}
}

// littleBytes is the codec bytes for little-endian components of a size.
func littleBytes(component int) Codec {
	c := Codec{Name: "bytes"}
	if component > 1 {
		c.Configuration = map[string]any{"endian": "little"}
	}
	return c
}

// sharding reads and writes shards.
type sharding struct {
	shape   []uint64 // of a shard
	chunk   []uint64 // of an inner chunk
	grid    []uint64 // of inner chunks
	size    int      // bytes of an element
	fill    []byte
	inner   *chain
	index   *chain
	atStart bool
}

// absentChunk is the offset and the length of an inner chunk that is not stored.
const absentChunk = math.MaxUint64

// maxShard bounds the elements of a shard, which are made as a whole.
const maxShard = min(4<<30, math.MaxInt)

// maxInnerChunks bounds the index of a shard.
const maxInnerChunks = 1 << 24

// maxShardDepth bounds shards in shards.
const maxShardDepth = 4

func newShardingStage(c Codec, in spec) (stage, spec, error) {
	s, err := newSharding(c, in)
	if err != nil {
		return nil, spec{}, err
	}
	return s, in.serial(s.limit()), nil
}

func newSharding(c Codec, in spec) (*sharding, error) {
	shape := in.shape
	s := &sharding{shape: shape, size: in.element.width(), fill: in.fill}
	if in.depth++; in.depth > maxShardDepth {
		return nil, &UnsupportedError{What: fmt.Sprintf("a shard in more than %d others", maxShardDepth-1)}
	}
	var err error
	if s.chunk, err = configShape(c.Configuration["chunk_shape"]); err != nil {
		return nil, fault.Errorf("zarr", "codec %s: chunk_shape: %w", c.Name, err)
	}
	if len(s.chunk) != len(shape) {
		return nil, fault.Errorf("zarr", "codec %s: chunk_shape has %d dimensions, expected %d", c.Name, len(s.chunk), len(shape))
	}
	n := uint64(1)
	for i, inner := range s.chunk {
		if inner == 0 || shape[i]%inner != 0 {
			return nil, fault.Errorf("zarr", "codec %s: chunk_shape %v does not divide the shard %v", c.Name, s.chunk, shape)
		}
		s.grid = append(s.grid, shape[i]/inner)
		if n *= s.grid[i]; n > maxInnerChunks {
			return nil, fault.Errorf("zarr", "codec %s: more than %d chunks in a shard", c.Name, maxInnerChunks)
		}
	}
	switch location := c.Configuration["index_location"]; location {
	case "end", nil:
	case "start":
		s.atStart = true
	default:
		return nil, fault.Errorf("zarr", "codec %s: index_location is %v, expected start or end", c.Name, location)
	}
	return s, s.setCodecs(c, in)
}

// setCodecs makes the chains of the inner chunks and of the index.
func (s *sharding) setCodecs(c Codec, in spec) error {
	inner, err := configCodecs(c.Configuration["codecs"])
	if err == nil {
		if in, err = in.array(in.element, s.chunk); err == nil {
			s.inner, err = newChain(inner, in)
		}
	}
	if err != nil {
		return fault.Errorf("zarr", "codec %s: codecs: %w", c.Name, err)
	}
	index, err := configCodecs(c.Configuration["index_codecs"])
	if err == nil {
		for _, codec := range index[min(1, len(index)):] {
			if codec.Name != "crc32c" { // the length of the index would not be known
				err = fmt.Errorf("codec %q has no fixed length", codec.Name)
			}
		}
	}
	if err == nil {
		s.index, err = newIndexChain(index, s.grid)
	}
	if err != nil {
		return fault.Errorf("zarr", "codec %s: index_codecs: %w", c.Name, err)
	}
	return nil
}

// newIndexChain makes the chain of an index, an array of the offset and the length of each chunk.
func newIndexChain(codecs []Codec, grid []uint64) (*chain, error) {
	in, err := spec{depth: maxShardDepth}.array(number(Uint64), append(slices.Clone(grid), 2)) // an index is in no shards
	if err != nil {
		return nil, err
	}
	return newChain(codecs, in)
}

func (s *sharding) chunks() int {
	n := 1
	for _, g := range s.grid {
		n *= int(g)
	}
	return n
}

// indexBytes is the stored length of the index.
func (s *sharding) indexBytes() int { return int(s.index.stored()) }

// limit bounds the length of a shard.
func (s *sharding) limit() int64 {
	n, each := int64(s.chunks()), s.inner.stored()
	if each > (math.MaxInt64-int64(s.indexBytes()))/n {
		return math.MaxInt64
	}
	return n*each + int64(s.indexBytes())
}

// decode gives the elements of a shard, size bytes.
func (s *sharding) decode(dst, stored []byte, size int64) ([]byte, error) {
	out, _, err := s.decodeInto(dst, stored, size)
	return out, err
}

// An innerChunk is the place of an inner chunk in a shard.
type innerChunk struct{ offset, length uint64 }

func (c innerChunk) absent() bool { return c.offset == absentChunk && c.length == absentChunk }

// parseIndex reads the stored index. The places lie within size bytes.
func (s *sharding) parseIndex(stored []byte, size uint64) ([]innerChunk, error) {
	index, _, err := s.index.decode(nil, stored, int64(16*s.chunks()))
	if err != nil {
		return nil, fmt.Errorf("codec %s: index: %w", shardingName, err)
	}
	chunks, most := make([]innerChunk, s.chunks()), uint64(s.inner.stored())
	for i := range chunks {
		c := innerChunk{binary.LittleEndian.Uint64(index[16*i:]), binary.LittleEndian.Uint64(index[16*i+8:])}
		if !c.absent() && (c.offset > size || c.length > size-c.offset) {
			return nil, fmt.Errorf("codec %s: chunk %d: %d bytes at %d, the shard has %d", shardingName, i, c.length, c.offset, size)
		}
		if !c.absent() && c.length > most {
			return nil, fmt.Errorf("codec %s: chunk %d: %d bytes, expected at most %d", shardingName, i, c.length, most)
		}
		chunks[i] = c
	}
	return chunks, nil
}

// decodeTexts gives the elements of a shard, size bytes, and the texts that they refer to.
func (s *sharding) decodeTexts(stored []byte, size int64) (out, texts []byte, err error) {
	return s.decodeInto(nil, stored, size)
}

func (s *sharding) decodeInto(dst, stored []byte, size int64) (out, texts []byte, err error) {
	n := s.indexBytes()
	if len(stored) < n {
		return nil, nil, fmt.Errorf("codec %s: %d bytes, expected at least the %d of the index", shardingName, len(stored), n)
	}
	at := len(stored) - n
	if s.atStart {
		at = 0
	}
	index, err := s.parseIndex(stored[at:at+n], uint64(len(stored)))
	if err != nil {
		return nil, nil, err
	}
	if size > maxShard || size != int64(s.size)*int64(nd.Volume(s.shape)) {
		return nil, nil, &UnsupportedError{What: fmt.Sprintf("a shard of %d bytes of elements", size)}
	}
	out = roomFor(dst, int(size))
	fill, texts := s.fillElement()
	shared := &sharedTexts{texts: texts}
	group := new(errgroup.Group)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, c := range index {
		if c.absent() {
			nd.Fill(nd.At(out, s.shape, s.origin(i)), s.chunk, fill)
			continue
		}
		group.Go(func() error { return s.decodeInner(out, shared, stored[c.offset:c.offset+c.length], i) })
	}
	err = group.Wait()
	return out, shared.texts, err
}

// fillElement is the element of absent chunks, and the texts that it refers to.
func (s *sharding) fillElement() (element, texts []byte) {
	if s.inner.specs[0].element.anyLength() {
		return appendRef(nil, 0, len(s.fill)), slices.Clone(s.fill)
	}
	return s.fill, nil
}

func (s *sharding) decodeInner(out []byte, shared *sharedTexts, stored []byte, i int) error {
	block := nd.At(out, s.shape, s.origin(i))
	room := contiguous(block, s.chunk, s.size)
	data, texts, err := s.inner.decode(room, stored, int64(s.innerBytes()))
	if err == nil && texts != nil {
		data, err = shared.add(data, texts)
	}
	if err != nil {
		return fmt.Errorf("codec %s: chunk %d: %w", shardingName, i, err)
	}
	if !reuse.Shares(room, data) {
		nd.Copy(block, nd.At(data, s.chunk, nil), s.chunk, s.size)
	}
	return nil
}

// sharedTexts are the texts of all chunks of a shard.
type sharedTexts struct {
	mu    sync.Mutex
	texts []byte
}

// add appends texts, and returns the references to them as they are now.
func (t *sharedTexts) add(refs, texts []byte) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := uint64(len(t.texts))
	if at+uint64(len(texts)) > maxTexts {
		return nil, fmt.Errorf("more than %d bytes of texts", maxTexts)
	}
	t.texts = append(t.texts, texts...)
	moved := slices.Clone(refs)
	for i := 0; i < len(moved); i += refBytes {
		binary.LittleEndian.PutUint32(moved[i:], binary.LittleEndian.Uint32(moved[i:])+uint32(at))
	}
	return moved, nil
}

func (s *sharding) innerBytes() int { return s.size * int(nd.Volume(s.chunk)) }

// origin is the first element of inner chunk i in the shard.
func (s *sharding) origin(i int) []uint64 {
	at := nd.Place(make([]uint64, len(s.grid)), uint64(i), s.grid)
	for d := range at {
		at[d] *= s.chunk[d]
	}
	return at
}

// configShape reads a list of positive lengths of a configuration.
func configShape(v any) ([]uint64, error) {
	switch v := v.(type) {
	case []uint64:
		return v, nil
	case []any:
		shape := make([]uint64, len(v))
		for i, e := range v {
			n, ok := e.(json.Number)
			if !ok {
				return nil, fmt.Errorf("found %v, expected a number", e)
			}
			length, err := n.Int64()
			if err != nil || length < 1 {
				return nil, fmt.Errorf("found %v, expected a positive integer", e)
			}
			shape[i] = uint64(length)
		}
		return shape, nil
	}
	return nil, fmt.Errorf("found %T, expected a list", v)
}

// configCodecs reads a list of codecs of a configuration.
func configCodecs(v any) ([]Codec, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var list []wireExtension
	if err := decodeJSON(text, &list); err != nil {
		return nil, err
	}
	return codecsOf(list), nil
}
