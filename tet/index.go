package tet

import (
	"encoding/binary"
	"fmt"
)

const (
	indexMagic   = "TIDX"
	indexHeader  = 32
	entrySize    = 104
	indexVersion = 1
)

// An Execution is the memory budget that a file asks its readers to observe.
type Execution struct {
	PercentBPS uint16 `json:"memory_budget_percent_bps"` // of the available memory, in 1/100 %; 0 = 2500
	Bytes      uint32 `json:"memory_budget_bytes"`       // 0 = use the percentage
}

// An Entry is a row of the chunk index, as it is in the file.
type Entry struct {
	DatasetID     uint64          `json:"dataset_id"`
	ChunkIndex    [MaxRank]uint64 `json:"chunk_index"` // coordinates in the chunk grid; 0 where the dataset has no axis
	PayloadOffset uint64          `json:"payload_offset"`
	RawByteLen    uint64          `json:"raw_byte_len"`
	StoredByteLen uint64          `json:"stored_byte_len"`
	Codec         Codec           `json:"codec"`
	reserved      uint32
}

// An indexHead is the start of the chunk index.
type indexHead struct {
	rows      uint64
	execution Execution
	reserved  bool // a reserved field is not zero
}

// parseIndexHead reads b, the first bytes of the index, which has length bytes in all.
func parseIndexHead(b []byte, offset, length uint64) (indexHead, error) {
	const region = "chunk index"
	at := int64(offset)
	if len(b) < indexHeader {
		return indexHead{}, formatErrorf(region, at, "%d bytes, expected at least %d", len(b), indexHeader)
	}
	if string(b[:4]) != indexMagic {
		return indexHead{}, formatErrorf(region, at, "found % x, expected the magic TIDX", b[:4])
	}
	if v := binary.LittleEndian.Uint32(b[4:]); v != indexVersion {
		return indexHead{}, formatErrorf(region, at+4, "index version %d is not supported, expected 1", v)
	}
	h := indexHead{rows: binary.LittleEndian.Uint64(b[8:])}
	if room := length - indexHeader; room%entrySize != 0 || h.rows != room/entrySize {
		return indexHead{}, formatErrorf(region, at+8, "%d rows of %d bytes, the index has %d bytes for rows", h.rows, entrySize, room)
	}
	h.execution = Execution{binary.LittleEndian.Uint16(b[16:]), binary.LittleEndian.Uint32(b[20:])}
	h.reserved = binary.LittleEndian.Uint16(b[18:]) != 0 || binary.LittleEndian.Uint64(b[24:]) != 0
	return h, nil
}

func (h indexHead) append(b []byte) []byte {
	b = append(b, indexMagic...)
	b = binary.LittleEndian.AppendUint32(b, indexVersion)
	b = binary.LittleEndian.AppendUint64(b, h.rows)
	b = binary.LittleEndian.AppendUint16(b, h.execution.PercentBPS)
	b = binary.LittleEndian.AppendUint16(b, 0)
	b = binary.LittleEndian.AppendUint32(b, h.execution.Bytes)
	return binary.LittleEndian.AppendUint64(b, 0)
}

func parseEntry(b []byte) (e Entry) {
	e.DatasetID = binary.LittleEndian.Uint64(b)
	for i := range e.ChunkIndex {
		e.ChunkIndex[i] = binary.LittleEndian.Uint64(b[8+8*i:])
	}
	e.PayloadOffset = binary.LittleEndian.Uint64(b[72:])
	e.RawByteLen = binary.LittleEndian.Uint64(b[80:])
	e.StoredByteLen = binary.LittleEndian.Uint64(b[88:])
	e.Codec = Codec(binary.LittleEndian.Uint32(b[96:]))
	e.reserved = binary.LittleEndian.Uint32(b[100:])
	return e
}

func (e Entry) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, e.DatasetID)
	for _, c := range e.ChunkIndex {
		b = binary.LittleEndian.AppendUint64(b, c)
	}
	b = binary.LittleEndian.AppendUint64(b, e.PayloadOffset)
	b = binary.LittleEndian.AppendUint64(b, e.RawByteLen)
	b = binary.LittleEndian.AppendUint64(b, e.StoredByteLen)
	b = binary.LittleEndian.AppendUint32(b, uint32(e.Codec))
	return binary.LittleEndian.AppendUint32(b, 0)
}

// check makes the checks that every row must pass, whatever its dataset is. Payloads end at end.
func (e *Entry) check(end int64) error {
	switch {
	case e.Codec != Raw && e.Codec != Zstd:
		return fmt.Errorf("codec %d is not supported, expected 0 or 1", uint32(e.Codec))
	case e.Codec == Raw && e.StoredByteLen != e.RawByteLen:
		return fmt.Errorf("stored_byte_len %d of a raw chunk, expected raw_byte_len %d", e.StoredByteLen, e.RawByteLen)
	case !fits(e.PayloadOffset, e.StoredByteLen, end):
		return fmt.Errorf("a payload of %d bytes from %d on, payloads end at %d", e.StoredByteLen, e.PayloadOffset, end)
	}
	return nil
}
