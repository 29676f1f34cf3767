package tet

import (
	"encoding/binary"
	"fmt"
	"io"
)

// A layout is the structure of a file, parsed and within the bounds of the file. It is not
// yet checked for agreement between directory and index.
type layout struct {
	source
	super   Superblock
	records []Record
	head    indexHead
	foot    footer
	end     int64 // of the payloads
}

// parseLayout reads everything but the rows of the index.
func parseLayout(src source) (*layout, error) {
	l, err := parseCatalog(src)
	if err != nil || !l.super.HasFooter() {
		return l, err
	}
	if l.foot, err = readFooter(src, l.indexEnd()); err != nil {
		return l, err
	}
	l.end = l.foot.start
	return l, nil
}

// parseCatalog reads the superblock, the directory and the head of the index.
func parseCatalog(src source) (*layout, error) {
	l := &layout{source: src, end: src.size}
	b, err := src.bytes(0, min(superblockSize, src.size))
	if err != nil {
		return l, err
	}
	if l.super, err = parseSuperblock(b, src.size); err != nil {
		return l, err
	}
	if l.super.DatasetCount == 0 {
		return l, nil
	}
	if err := l.readDirectory(); err != nil {
		return l, err
	}
	if b, err = src.bytes(int64(l.super.ChunkIndexOffset), int64(min(indexHeader, l.super.ChunkIndexLength))); err != nil {
		return l, err
	}
	l.head, err = parseIndexHead(b, l.super.ChunkIndexOffset, l.super.ChunkIndexLength)
	return l, err
}

func (l *layout) readDirectory() error {
	const region = "dataset directory"
	if l.size < directoryStart {
		return formatErrorf(region, superblockSize, "the file has %d bytes, expected at least %d", l.size, directoryStart)
	}
	b, err := l.bytes(superblockSize, directoryStart-superblockSize)
	if err != nil {
		return err
	}
	n := binary.LittleEndian.Uint64(b)
	if !fits(directoryStart, n, l.size) {
		return formatErrorf(region, superblockSize, "%d bytes of records, the file has %d", n, l.size)
	}
	if most := uint64(l.super.DatasetCount) * (recordHeader + maxName + 1 + 16*MaxRank); n > most {
		return formatErrorf(region, superblockSize, "%d bytes for %d datasets, which take at most %d", n, l.super.DatasetCount, most)
	}
	if want := align8(directoryStart + int64(n)); l.super.ChunkIndexOffset != uint64(want) {
		return formatErrorf("superblock", 16, "chunk index at byte %d, expected %d, after the directory", l.super.ChunkIndexOffset, want)
	}
	if b, err = l.bytes(directoryStart, int64(n)); err != nil {
		return err
	}
	l.records, err = parseDirectory(b, l.super.DatasetCount)
	return err
}

// indexEnd is where the index ends and payloads may begin.
func (l *layout) indexEnd() int64 {
	if l.super.DatasetCount == 0 {
		return superblockSize
	}
	return int64(l.super.ChunkIndexOffset + l.super.ChunkIndexLength)
}

// rowOffset is where row i of the index lies.
func (l *layout) rowOffset(i uint64) int64 {
	return int64(l.super.ChunkIndexOffset + indexHeader + i*entrySize)
}

// rowError is an error about row i of the index.
func (l *layout) rowError(i uint64, err error) error {
	return &FormatError{Region: fmt.Sprintf("chunk index, row %d", i), Offset: l.rowOffset(i), Err: err}
}

// eachRow calls visit with the rows of the index in their order. The entry is valid for the call.
func (l *layout) eachRow(visit func(i uint64, e *Entry) error) error {
	w := window{src: l.source}
	for i := range l.head.rows {
		b, err := w.at(l.rowOffset(i), entrySize)
		if err != nil {
			return err
		}
		e := parseEntry(b)
		if err := visit(i, &e); err != nil {
			return err
		}
	}
	return nil
}

// section reads a span that lies in the file.
func (l *layout) section(s Span) io.Reader {
	return io.NewSectionReader(l.r, int64(s.Offset), int64(s.Len))
}
