package blosc

import "encoding/binary"

// Encode appends to dst a contiguous frame of Blosc 2 that holds src.
func Encode(dst, src []byte, p Params) ([]byte, error) {
	p, err := p.checked()
	if err != nil {
		return dst, err
	}
	w := frameWriter{encoder: newEncoder(p, headerSize2), start: len(dst)}
	defer encoders.Put(w.encoder)
	chunks := (len(src) + p.ChunkSize - 1) / p.ChunkSize
	// Enough for content that does not compress, so that dst is not moved.
	dst = grow(dst, minHeader+len(src)+(chunks+1)*(headerSize2+indexTypeSize)+trailerSize)[:len(dst)]
	w.out = append(dst, make([]byte, minHeader)...)
	for rest := src; len(rest) > 0; {
		n := min(p.ChunkSize, len(rest))
		if err := w.chunk(rest[:n]); err != nil {
			return dst, err
		}
		rest = rest[n:]
	}
	return w.finish(len(src))
}

type frameWriter struct {
	*encoder
	out   []byte
	start int // of the frame in out
	index []uint64
	// zeros is how many of the last chunks are only zero bytes and not stored so far. One of them
	// is in pending. They are stored when another chunk follows: C-Blosc2 cannot read a frame with
	// a special value in the index before a stored chunk.
	zeros   int
	pending []byte
}

// indexZeros is the entry of a chunk of zero bytes that is not stored.
const indexZeros = 1<<63 | uint64(specialZeros)<<56

// chunks returns the bytes of the chunks that have been written.
func (w *frameWriter) chunks() int { return len(w.out) - w.start - minHeader }

func (w *frameWriter) chunk(src []byte) error {
	before := len(w.out)
	out, zeros, err := w.encoder.chunk(w.out, src)
	if err != nil {
		return err
	}
	if zeros && len(src)%w.TypeSize == 0 {
		w.zeros++
		w.pending = w.specialZeros(len(src))
		w.index = append(w.index, indexZeros)
		return nil
	}
	if w.zeros > 0 {
		// All of them are full chunks, so it is enough to store one.
		stored := append([]byte(nil), out[before:]...)
		at := uint64(w.chunks())
		for i := len(w.index) - w.zeros; i < len(w.index); i++ {
			w.index[i] = at
		}
		out = append(append(out[:before], w.pending...), stored...)
		before += len(w.pending)
		w.zeros = 0
	}
	w.index = append(w.index, uint64(before-w.start-minHeader))
	w.out = out
	return nil
}

// specialZeros returns a chunk of n zero bytes.
func (w *frameWriter) specialZeros(n int) []byte {
	c := chunk{flags: flagExtended, typeSize: w.TypeSize, size: n, blockSize: w.blockSize, stored: headerSize2,
		filters: w.slots(), special: specialZeros}
	b := make([]byte, headerSize2)
	w.putHeader(b, &c)
	return b
}

// finish writes index, trailer and header.
func (w *frameWriter) finish(size int) ([]byte, error) {
	chunks := w.chunks()
	if len(w.index) > 0 {
		raw := make([]byte, 0, indexTypeSize*len(w.index))
		for _, entry := range w.index {
			raw = binary.LittleEndian.AppendUint64(raw, entry)
		}
		out, err := w.appendIndex(raw)
		if err != nil {
			return w.out[:w.start], err
		}
		w.out = out
	}
	w.out = append(w.out, 0x94, 0x01, 0x93, 0xcd, 0, 6, 0xde, 0, 0, 0xdc, 0, 0, 0xce)
	w.out = binary.BigEndian.AppendUint32(w.out, trailerSize)
	w.out = append(w.out, 0xd8, 0)
	w.out = append(w.out, make([]byte, 16)...)
	w.putFrameHeader(size, chunks)
	return w.out, nil
}

// appendIndex appends the index chunk as C-Blosc2 writes it: BloscLZ, level 5, not split.
func (w *frameWriter) appendIndex(raw []byte) ([]byte, error) {
	e := newEncoder(Params{Codec: BloscLZ, Level: 5, TypeSize: indexTypeSize, Filter: Shuffle}, headerSize2)
	defer encoders.Put(e)
	e.blockSize, e.unsplit = 16384, true
	out, _, err := e.chunk(w.out, raw)
	return out, err
}

func (w *frameWriter) putFrameHeader(size, chunks int) {
	h := w.out[w.start:]
	copy(h, "\x9e\xa8"+frameMagic)
	u32 := func(tagAt int, tag byte, v uint32) {
		h[tagAt] = tag
		binary.BigEndian.PutUint32(h[tagAt+1:], v)
	}
	u64 := func(tagAt int, tag byte, v int) {
		h[tagAt] = tag
		binary.BigEndian.PutUint64(h[tagAt+1:], uint64(v))
	}
	const format2With64BitOffsets, splitAsCodec = 0x12, 3
	u32(atHeaderSize-1, 0xd2, minHeader)
	u64(atFrameSize-1, 0xcf, len(h))
	h[atFlags-1], h[atFlags] = 0xa4, format2With64BitOffsets
	h[atCodec], h[atSplit] = byte(w.Codec)+byte(w.Level)<<4, splitAsCodec
	u64(atSize-1, 0xd3, size)
	u64(atChunks-1, 0xd3, chunks)
	u32(atTypeSize-1, 0xd2, uint32(w.TypeSize))
	u32(atBlockSize-1, 0xd2, uint32(w.blockSize))
	u32(atChunkSize-1, 0xd2, uint32(max(min(w.ChunkSize, size), 1)))
	copy(h[62:], "\xd1\x00\x00\xd1\x00\x01\xc2\xd8\x06")
	for i, f := range w.slots() {
		h[atFilters+i] = byte(f)
	}
	h[77] = byte(w.Codec)
	copy(h[atMetalayers:], "\x93\xcd\x00\x07\xde\x00\x00\xdc\x00\x00")
}
