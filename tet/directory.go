package tet

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// MaxRank is the largest number of dimensions a dataset may have.
const MaxRank = 8

// maxName bounds the names of datasets, so that the directory is read before its size is trusted.
const maxName = 1<<16 - 1

// recordHeader is the length of the fields before the name of a dataset.
const recordHeader = 16

// A Record describes a dataset as the directory does.
type Record struct {
	Name       string   `json:"name"`
	DType      DType    `json:"dtype"`
	Shape      []uint64 `json:"shape"`
	ChunkShape []uint64 `json:"chunk_shape"`
}

// parseDirectory reads the count records that fill blob, which starts at byte 40 of the file.
func parseDirectory(blob []byte, count uint32) ([]Record, error) {
	// A record has at least one dimension, which bounds count before it sizes anything.
	if least := uint64(count) * (recordHeader + 16); uint64(len(blob)) < least {
		return nil, formatErrorf("dataset directory", directoryStart, "%d bytes for %d datasets, which take at least %d", len(blob), count, least)
	}
	records := make([]Record, 0, count)
	at := 0
	for i := range count {
		record, n, err := parseRecord(blob[at:])
		if err != nil {
			return nil, &FormatError{Region: fmt.Sprintf("dataset directory, record %d", i), Offset: int64(directoryStart + at), Err: err}
		}
		records = append(records, record)
		at += n
	}
	if at != len(blob) {
		return nil, formatErrorf("dataset directory", int64(directoryStart+at), "%d bytes after the last record", len(blob)-at)
	}
	return records, nil
}

// parseRecord reads the record at the start of b and returns its length.
func parseRecord(b []byte) (Record, int, error) {
	if len(b) < recordHeader {
		return Record{}, 0, fmt.Errorf("%d bytes, expected at least %d", len(b), recordHeader)
	}
	nameLen := binary.LittleEndian.Uint32(b)
	rank := binary.LittleEndian.Uint32(b[8:])
	if rank < 1 || rank > MaxRank {
		return Record{}, 0, fmt.Errorf("rank %d is not supported, expected 1 to %d", rank, MaxRank)
	}
	if nameLen > maxName {
		return Record{}, 0, fmt.Errorf("name of %d bytes, expected at most %d", nameLen, maxName)
	}
	shapes := align8(recordHeader + int64(nameLen))
	end := shapes + 16*int64(rank)
	if end > int64(len(b)) {
		return Record{}, 0, fmt.Errorf("a name of %d bytes and rank %d take %d bytes, %d are left", nameLen, rank, end, len(b))
	}
	name := b[recordHeader : recordHeader+nameLen]
	if !utf8.Valid(name) {
		return Record{}, 0, fmt.Errorf("the name %q is not UTF-8", name)
	}
	return Record{
		Name:       string(name),
		DType:      DType(binary.LittleEndian.Uint32(b[4:])),
		Shape:      parseExtents(b[shapes:], rank),
		ChunkShape: parseExtents(b[shapes+8*int64(rank):], rank),
	}, int(end), nil
}

func parseExtents(b []byte, rank uint32) []uint64 {
	extents := make([]uint64, rank)
	for i := range extents {
		extents[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return extents
}

// size is the length of the record in the file.
func (r Record) size() int64 {
	return align8(recordHeader+int64(len(r.Name))) + 16*int64(len(r.Shape))
}

func (r Record) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(r.Name)))
	b = binary.LittleEndian.AppendUint32(b, uint32(r.DType))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(r.Shape)))
	b = binary.LittleEndian.AppendUint32(b, 0)
	b = append(b, r.Name...)
	padding := align8(int64(len(r.Name))) - int64(len(r.Name))
	b = append(b, make([]byte, padding)...)
	for _, n := range r.Shape {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	for _, n := range r.ChunkShape {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return b
}
