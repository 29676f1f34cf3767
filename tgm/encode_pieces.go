package tgm

import (
	"io"
	"iter"
	"sync/atomic"

	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
	"github.com/tgmconv/tgmconv/internal/codec/compress"
	"github.com/tgmconv/tgmconv/internal/codec/shuffle"
	"github.com/tgmconv/tgmconv/internal/disk"
	"github.com/tgmconv/tgmconv/internal/fault"
)

// A Piece is some consecutive elements of an array, little-endian. Data may be overwritten.
type Piece struct {
	Data    []byte
	Missing *Mask // of the elements of the piece
}

// PiecesBytes is the size from which arrays can be encoded in pieces.
const PiecesBytes = 32 << 20

// TakesPieces reports whether [EncodePieces] supports the pipeline.
func (p Pipeline) TakesPieces() bool {
	p = p.withDefaults()
	return p.Encoding == nameNone && len(p.Params) == 0 && p.ShuffleSize == 0 &&
		(p.Filter == nameNone || p.Filter == nameShuffle) && (p.Compression == nameNone || p.Compression == nameZstd)
}

// EncodePieces encodes an array of at least [PiecesBytes] whose elements come in pieces, in C
// order. It holds one piece at a time. The encoded payload waits in a temporary file in a folder
// until the object is released. The object is the same as [EncodeArray] makes of all elements.
func EncodePieces(shape []uint64, dtype DType, pieces iter.Seq2[Piece, error], p Pipeline, folder string) (*EncodedObject, error) {
	w, err := newEncoder(shape, dtype, LittleEndian, p)
	if err != nil {
		return nil, err
	}
	size, ok := w.object.desc.DecodedSize()
	if !ok || dtype.Size() == 0 || size < PiecesBytes || !p.TakesPieces() {
		return nil, encodingError(nil, "shape %v of %s cannot be encoded in pieces", shape, dtype)
	}
	e := &pieceEncoder{encoder: w, size: int64(size), element: dtype.Size()}
	if err := e.run(pieces, folder); err != nil {
		w.object.Release()
		return nil, err
	}
	return w.object, nil
}

// pieceEncoder takes the pieces of one array through a pipeline.
type pieceEncoder struct {
	*encoder
	size    int64 // of all elements
	element int
	done    int64 // bytes
	buf     []byte
	// head takes the elements, and spool nothing. With shuffled elements head takes their first bytes
	// and spool all others, which follow later; if head is nil, spool takes the first bytes too.
	head  io.Writer
	spool *payloadFile
}

func (e *pieceEncoder) run(pieces iter.Seq2[Piece, error], folder string) error {
	if e.shuffles() {
		e.set(keyShuffleSize, e.element)
	}
	zstd, level := e.pipeline.Compression == nameZstd, e.pipeline.Level
	if zstd && level != 0 {
		e.set(keyZstdLevel, level)
	}
	file, err := newPayloadFile(folder)
	if err != nil {
		return err
	}
	e.object.file = file
	switch {
	case !zstd:
		err = e.collect(pieces, file)
	case compress.ZstdSamples(level):
		err = e.compressLater(pieces, folder)
	default:
		err = e.compress(pieces, folder)
	}
	if err != nil {
		return err
	}
	if err := e.appendMasks(); err != nil {
		return err
	}
	return e.object.seal()
}

func (e *pieceEncoder) shuffles() bool { return e.pipeline.Filter == nameShuffle }

// collect stores all elements in a file, shuffled if that is the filter.
func (e *pieceEncoder) collect(pieces iter.Seq2[Piece, error], file *payloadFile) error {
	e.head = file
	if e.shuffles() {
		e.head, e.spool = nil, file
	}
	err := e.addAll(pieces)
	file.size = e.size
	return err
}

// compress makes the payload's frame while the pieces come. The frame begins with whole
// elements, or with the first byte of each, and these are compressed at once. The other bytes
// wait in a file.
func (e *pieceEncoder) compress(pieces iter.Seq2[Piece, error], folder string) error {
	if e.shuffles() {
		spool, err := newPayloadFile(folder)
		if err != nil {
			return err
		}
		defer spool.close()
		e.spool = spool
	}
	var fed error
	err := compress.EncodeZstdFed(e.object.file, e.size, e.pipeline.Level, func(enc io.Writer) error {
		e.head = enc
		if fed = e.addAll(pieces); fed != nil || e.spool == nil {
			return fed
		}
		e.spool.size = e.size - e.size/int64(e.element)
		fed = e.spool.each(func(b []byte) error {
			_, err := enc.Write(b)
			return err
		})
		return fed
	})
	if fed != nil {
		return fed
	}
	if err != nil {
		return compressionError(err, "%s", nameZstd)
	}
	return nil
}

// compressLater makes the payload's frame once all elements are there. It is for levels that depend
// on samples of the whole.
func (e *pieceEncoder) compressLater(pieces iter.Seq2[Piece, error], folder string) error {
	plain, err := newPayloadFile(folder)
	if err != nil {
		return err
	}
	defer plain.close()
	if err := e.collect(pieces, plain); err != nil {
		return err
	}
	if err := compress.EncodeZstdFrom(e.object.file, plain.f, plain.size, e.pipeline.Level); err != nil {
		return compressionError(err, "%s", nameZstd)
	}
	return nil
}

// addAll stores all pieces.
func (e *pieceEncoder) addAll(pieces iter.Seq2[Piece, error]) error {
	for p, err := range pieces {
		if err != nil {
			return err
		}
		if err := e.add(p); err != nil {
			return err
		}
	}
	if e.done != e.size {
		desc := &e.object.desc
		return encodingError(nil, "%d bytes given for shape %v of %s, expected %d", e.done, desc.Shape, desc.DType, e.size)
	}
	return nil
}

// add stores a piece.
func (e *pieceEncoder) add(p Piece) error {
	n := len(p.Data) / e.element
	if len(p.Data)%e.element != 0 || int64(len(p.Data)) > e.size-e.done {
		return encodingError(nil, "a piece of %d bytes after %d of %d", len(p.Data), e.done, e.size)
	}
	first := int(e.done / int64(e.element))
	a := Array{DType: e.object.desc.DType, Data: p.Data, Missing: p.Missing, Disposable: true}
	s, masks, err := splitNonFinite(&a, n, &e.pipeline, first)
	if err != nil {
		return err
	}
	for kind, m := range masks {
		if m != nil {
			e.mark(kind, first, m)
		}
	}
	e.done += int64(len(p.Data))
	if e.spool == nil {
		_, err := e.head.Write(s.data)
		return err
	}
	if cap(e.buf) < len(s.data) {
		e.buf = make([]byte, len(s.data))
	}
	b := e.buf[:len(s.data)]
	if err := shuffle.Encode(b, s.data, e.element); err != nil {
		return encodingError(err, "filter %s", nameShuffle)
	}
	if e.head != nil {
		if _, err := e.head.Write(b[:n]); err != nil {
			return err
		}
		b = b[n:]
	}
	for at := int64(first); len(b) > 0; at += e.size / int64(e.element) {
		if err := e.spool.writeAt(b[:n], at); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

// mark adds the mask of a piece to the mask of all elements.
func (e *pieceEncoder) mark(kind, first int, m *Mask) {
	all := &e.masks[kind]
	if *all == nil {
		*all = bitmask.New(int(e.size / int64(e.element)))
	}
	for i := range m.Indices() {
		(*all).Set(first + i)
	}
}

// payloadFile is a payload in a temporary file.
type payloadFile struct {
	f       *disk.File
	removed bool
	size    int64
	users   atomic.Int32
	hash    *xxh3.Hasher // of the bytes that Write has appended; nil if others came another way
}

func newPayloadFile(folder string) (*payloadFile, error) {
	f, removed, err := createTemp(folder)
	if err != nil {
		return nil, err
	}
	return (&payloadFile{f: f, removed: removed, hash: xxh3.New()}).share(), nil
}

// share returns p for one more user, who must close it.
func (p *payloadFile) share() *payloadFile {
	p.users.Add(1)
	return p
}

func (p *payloadFile) close() {
	if p.users.Add(-1) == 0 {
		dropTemp(p.f, p.removed)
	}
}

// copyTo writes the payload to w.
func (p *payloadFile) copyTo(w io.Writer) error {
	if _, err := p.f.Seek(0, io.SeekStart); err != nil {
		return fault.Errorf("tgm", "read a spooled object: %w", err)
	}
	return copyFile(w, p.f, p.size)
}

// writeAt writes b somewhere.
func (p *payloadFile) writeAt(b []byte, off int64) error {
	p.hash = nil
	return p.put(b, off)
}

func (p *payloadFile) put(b []byte, off int64) error {
	if _, err := p.f.WriteAt(b, off); err != nil {
		return fault.Errorf("tgm", "spool an object: %w", err)
	}
	return nil
}

// Write appends b.
func (p *payloadFile) Write(b []byte) (int, error) {
	if err := p.put(b, p.size); err != nil {
		return 0, err
	}
	p.size += int64(len(b))
	if p.hash != nil {
		p.hash.Write(b)
	}
	return len(b), nil
}

// copyBytes is how much of a payload is in memory when it is copied.
const copyBytes = 256 << 10

// each gives the payload to do, a part at a time.
func (p *payloadFile) each(do func([]byte) error) error {
	b := make([]byte, copyBytes)
	for off := int64(0); off < p.size; {
		n, err := p.f.ReadAt(b[:min(copyBytes, p.size-off)], off)
		if n == 0 {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return fault.Errorf("tgm", "read a spooled object: %w", err)
		}
		if err := do(b[:n]); err != nil {
			return err
		}
		off += int64(n)
	}
	return nil
}

// hashTo makes h the hash of the payload, so that more bytes can be added to it.
func (p *payloadFile) hashTo(h *xxh3.Hasher) error {
	if p.hash != nil {
		*h = *p.hash
		return nil
	}
	return p.each(func(b []byte) error {
		_, err := h.Write(b)
		return err
	})
}
