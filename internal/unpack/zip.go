package unpack

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"math"
	"sync"

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
	zip.Deflate: openDeflate,
	12:          func(r io.Reader) (io.ReadCloser, error) { return io.NopCloser(bzip2.NewReader(r)), nil },
	93:          openZstd,
}

// inflaters are readers of deflate that are not in use: each has tables of 40 kB.
var inflaters sync.Pool

func openDeflate(r io.Reader) (io.ReadCloser, error) {
	if used, ok := inflaters.Get().(io.ReadCloser); ok {
		if err := used.(flate.Resetter).Reset(r, nil); err != nil {
			return nil, err
		}
		return &inflater{used}, nil
	}
	return &inflater{flate.NewReader(r)}, nil
}

// inflater gives its reader back when it is closed.
type inflater struct{ io.ReadCloser }

// Close implements io.Closer.
func (i *inflater) Close() error {
	r := i.ReadCloser
	if r == nil {
		return nil
	}
	i.ReadCloser = nil
	err := r.Close()
	inflaters.Put(r)
	return err
}

// readZip reads the directory at the end of the archive.
func readZip(ctx context.Context, blob storage.Blob, list listing) (*archive, error) {
	// The reader of the directory outlives ctx: it reads where the data of a member begin.
	in := storage.ReaderAt(context.WithoutCancel(ctx), blob)
	directory := &bounded{ReaderAt: in, left: list.directoryBytes()}
	r, err := zip.NewReader(directory, blob.Size())
	if err != nil {
		if directory.left < 0 {
			err = list.tooLarge()
		}
		return nil, err
	}
	directory.left = math.MaxInt64
	var members []member
	var packed uint64
	for i, f := range r.File {
		if err := list.count(i, f.Name); err != nil {
			return nil, err
		}
		if packed += f.CompressedSize64; packed > uint64(blob.Size()) || f.CompressedSize64 > uint64(blob.Size()) {
			return nil, fmt.Errorf("member %s: up to it the members take %d bytes of an archive of %d: they overlap", f.Name, packed, blob.Size())
		}
		if name := cleanName(f.Name); name != "" && f.Mode().IsRegular() {
			members = append(members, zipMember(name, f))
		}
	}
	return newArchive(blob, members), nil
}

// bounded fails where more than a number of bytes is read: the directory is kept in memory.
type bounded struct {
	io.ReaderAt
	left int64
}

// ReadAt implements io.ReaderAt.
func (b *bounded) ReadAt(p []byte, off int64) (int, error) {
	if b.left == math.MaxInt64 {
		return b.ReaderAt.ReadAt(p, off)
	}
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, errors.New("the directory is too large")
	}
	return b.ReaderAt.ReadAt(p, off)
}

// encrypted is the bit of the flags of a member that cannot be read.
const encrypted = 1

func zipMember(name string, f *zip.File) member {
	m := member{name: name, packed: int64(f.CompressedSize64), offset: f.DataOffset}
	m.claimed = int64(min(f.UncompressedSize64, math.MaxInt64))
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
		r, err := method(bufio.NewReaderSize(io.NewSectionReader(storage.ReaderAt(ctx, packed), 0, m.packed), int(min(readSize, m.packed))))
		if err != nil {
			return nil, fmt.Errorf("member %s: %w", name, err)
		}
		return &checked{r, crc32.NewIEEE(), f}, nil
	}
	return m
}

// checked compares the bytes read with the checksum at the end.
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
