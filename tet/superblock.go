package tet

import "encoding/binary"

// Constants of the layout.
const (
	superblockMagic = "TETR"
	superblockSize  = 32 // magic, u32 version, u32 datasets, u32 flags, u64 offset, u64 length
	layoutVersion   = 1
	directoryStart  = 40 // the superblock and the u64 length of the records
	flagFooter      = 1
)

// A Superblock is the first 32 bytes of a file.
type Superblock struct {
	LayoutVersion    uint32 `json:"layout_version"`
	DatasetCount     uint32 `json:"dataset_count"`
	Flags            uint32 `json:"flags"`
	ChunkIndexOffset uint64 `json:"chunk_index_offset"`
	ChunkIndexLength uint64 `json:"chunk_index_length"`
}

// HasFooter reports whether the file says that it has a footer.
func (s Superblock) HasFooter() bool { return s.Flags&flagFooter != 0 }

// parseSuperblock reads b, the first bytes of a file of size bytes.
func parseSuperblock(b []byte, size int64) (Superblock, error) {
	const region = "superblock"
	if len(b) < superblockSize {
		return Superblock{}, formatErrorf(region, 0, "the file has %d bytes, expected at least %d", len(b), superblockSize)
	}
	if string(b[:4]) != superblockMagic {
		return Superblock{}, formatErrorf(region, 0, "found % x, expected the magic TETR", b[:4])
	}
	s := Superblock{
		LayoutVersion:    binary.LittleEndian.Uint32(b[4:]),
		DatasetCount:     binary.LittleEndian.Uint32(b[8:]),
		Flags:            binary.LittleEndian.Uint32(b[12:]),
		ChunkIndexOffset: binary.LittleEndian.Uint64(b[16:]),
		ChunkIndexLength: binary.LittleEndian.Uint64(b[24:]),
	}
	if s.LayoutVersion != layoutVersion {
		return s, formatErrorf(region, 4, "layout version %d is not supported, expected 1", s.LayoutVersion)
	}
	if !fits(s.ChunkIndexOffset, s.ChunkIndexLength, size) {
		return s, formatErrorf(region, 16, "the chunk index has %d bytes from %d on, the file has %d",
			s.ChunkIndexLength, s.ChunkIndexOffset, size)
	}
	return s, nil
}

func (s Superblock) append(b []byte) []byte {
	b = append(b, superblockMagic...)
	b = binary.LittleEndian.AppendUint32(b, s.LayoutVersion)
	b = binary.LittleEndian.AppendUint32(b, s.DatasetCount)
	b = binary.LittleEndian.AppendUint32(b, s.Flags)
	b = binary.LittleEndian.AppendUint64(b, s.ChunkIndexOffset)
	return binary.LittleEndian.AppendUint64(b, s.ChunkIndexLength)
}

// fits reports whether length bytes from offset on lie below end.
func fits(offset, length uint64, end int64) bool {
	return end >= 0 && offset <= uint64(end) && length <= uint64(end)-offset
}

// align8 rounds n up to a multiple of 8.
func align8(n int64) int64 { return (n + 7) &^ 7 }
