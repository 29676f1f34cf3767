package unpack

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"context"
	"fmt"
	"hash"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"

	"github.com/tgmconv/tgmconv/storage"
)

// isZip reports whether a file begins like a .zip archive: with a member, or with the end of the
// directory where it has none.
func isZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}

// zipMethods are the compressions of .zip that are read (APPNOTE 4.4.5).
var zipMethods = map[uint16]func(io.Reader) (io.ReadCloser, error){
	zip.Deflate: func(r io.Reader) (io.ReadCloser, error) { return flate.NewReader(r), nil },
	12:          func(r io.Reader) (io.ReadCloser, error) { return io.NopCloser(bzip2.NewReader(r)), nil },
	93:          openZstd,
}

// readZip reads the directory at the end of the archive.
func readZip(ctx context.Context, blob storage.Blob) (*archive, error) {
	// What the directory is read with outlives ctx: it reads where the data of a member begin.
	r, err := zip.NewReader(storage.ReaderAt(context.WithoutCancel(ctx), blob), blob.Size())
	if err != nil {
		return nil, err
	}
	var members []member
	for _, f := range r.File {
		if name := cleanName(f.Name); name != "" && f.Mode().IsRegular() {
			members = append(members, zipMember(name, f))
		}
	}
	return newArchive(blob, members), nil
}

// encrypted is the bit of the flags of a member that cannot be read.
const encrypted = 1

func zipMember(name string, f *zip.File) member {
	m := member{name: name, packed: int64(f.CompressedSize64), offset: f.DataOffset}
	m.inPlace = f.Method == zip.Store && f.Flags&encrypted == 0 && f.CompressedSize64 == f.UncompressedSize64
	m.open = func(ctx context.Context, archive storage.Blob) (io.ReadCloser, error) {
		method := zipMethods[f.Method]
		switch {
		case f.Flags&encrypted != 0:
			return nil, fmt.Errorf("member %s is encrypted, which is not supported", name)
		case method == nil:
			return nil, fmt.Errorf("member %s: compression method %d of .zip is not supported", name, f.Method)
		}
		at, err := f.DataOffset()
		if err != nil {
			return nil, fmt.Errorf("member %s: %w", name, err)
		}
		packed, err := newSection(archive, at, m.packed)
		if err != nil {
			return nil, fmt.Errorf("member %s: %w", name, err)
		}
		r, err := method(bufio.NewReaderSize(io.NewSectionReader(storage.ReaderAt(ctx, packed), 0, m.packed), readSize))
		if err != nil {
			return nil, fmt.Errorf("member %s: %w", name, err)
		}
		return &checked{r, crc32.NewIEEE(), f}, nil
	}
	return m
}

// checked compares what was read with the checksum at the end.
type checked struct {
	io.ReadCloser
	sum  hash.Hash32
	file *zip.File
}

// Read implements io.Reader.
func (c *checked) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.sum.Write(p[:n])
	if err == io.EOF && c.sum.Sum32() != c.file.CRC32 {
		return n, fmt.Errorf("member %s: %w", c.file.Name, zip.ErrChecksum)
	}
	return n, err
}
