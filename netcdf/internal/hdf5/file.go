package hdf5

import (
	"fmt"
	"io"
	"sync"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// signature begins every superblock.
const signature = "\x89HDF\r\n\x1a\n"

// File is an open HDF5 file. Its methods, and the methods of its objects, may be called from
// several goroutines at once.
type File struct {
	src wire.Source
	sizes
	superblock int    // version
	root       uint64 // address of the root group's object header
	extension  uint64 // address of the superblock extension, or undefined

	driverBlock uint64 // address of the driver information block, or undefined

	image cacheImage

	name   string // as other files refer to this file
	raw    *RawFile
	others *others

	sharedOnce sync.Once
	shared     *sharedTable
	sharedErr  error

	heaps  heapCache
	names  nameCache
	chunks *chunkCache
}

// Option changes how a File reads.
type Option func(*File)

// WithChunkCache sets how many bytes of decoded chunks are kept for later calls of Read. The
// default is 64 MiB, 0 keeps none.
func WithChunkCache(bytes int64) Option {
	return func(f *File) { f.chunks.limit = bytes }
}

// Find returns where in the file the superblock begins. It is at byte 0, or after a user block
// of 512 bytes or a power of two times that.
func Find(r io.ReaderAt, size int64) (int64, error) {
	src := wire.Source{R: r, Size: size}
	var b [len(signature)]byte
	for at := int64(0); at <= size-int64(len(signature)); at = max(512, 2*at) {
		if err := src.ReadFull("HDF5 signature", b[:], at); err != nil {
			return 0, err
		}
		if string(b[:]) == signature {
			return at, nil
		}
	}
	return 0, wire.Errorf("HDF5 signature", 0, "not found")
}

// NewFile reads the superblock of a file of size bytes. Elements are read from r later, by several
// goroutines at once.
func NewFile(r io.ReaderAt, size int64, opts ...Option) (*File, error) {
	at, err := Find(r, size)
	if err != nil {
		return nil, err
	}
	f := &File{src: wire.Source{R: r, Size: size, Base: at}, chunks: newChunkCache(), others: new(others)}
	for _, o := range opts {
		o(f)
	}
	if f.raw == nil {
		f.raw = &RawFile{r, f.name, size}
	}
	if f.name != "" {
		f.others.keep(f.name, f)
	}
	if err := f.readSuperblock(); err != nil {
		return nil, err
	}
	if err := f.readCacheImage(); err != nil {
		return nil, err
	}
	return f, nil
}

// SuperblockVersion returns the version of the superblock, 0 to 3.
func (f *File) SuperblockVersion() int { return f.superblock }

// Root returns the root group.
func (f *File) Root() (*Object, error) { return f.Object(f.root) }

// extensionMessage is a message of the superblock extension, nil if there is none.
func (f *File) extensionMessage(kind int) (*message, error) {
	if f.extension == undefined {
		return nil, nil
	}
	ext, err := f.readHeader(f.extension)
	if err != nil {
		return nil, err
	}
	return ext.find(kind), nil
}

// readSuperblock reads one of (section II.A)
//
//	v0, v1: signature 8, version, free-space version, root-entry version, 0,
//	        shared-header version, offset width, length width, 0, group leaf k 2,
//	        group internal k 2, flags 4, [v1: chunk internal k 2, 0 2],
//	        base address, free-space address, end of file, driver block,
//	        root symbol table entry: name offset, header address, …
//	v2, v3: signature 8, version, offset width, length width, flags, base
//	        address, extension address, end of file, root header address, checksum 4
func (f *File) readSuperblock() error {
	const what = "superblock"
	f.offset, f.length = 8, 8
	const longest = 8 + 8 + 8 + 4 + 4*8 + 2*8
	c, err := f.load(what, 0, min(longest, f.src.Size-f.src.Base))
	if err != nil {
		return err
	}
	c.skip(len(signature))
	f.superblock = int(c.version(0, 3))
	var base, end uint64
	f.driverBlock, f.extension = undefined, undefined
	if f.superblock < 2 {
		c.skip(4)
		f.widths(c)
		c.skip(1 + 2 + 2 + 4)
		if f.superblock == 1 {
			c.skip(4)
		}
		base = c.addr()
		c.addr()
		end = c.addr()
		f.driverBlock = c.addr()
		c.size()
		f.root = c.addr()
	} else {
		f.widths(c)
		c.skip(1)
		base = c.addr()
		f.extension = c.addr()
		end = c.addr()
		f.root = c.addr()
		c.checksum()
	}
	if c.err != nil {
		return c.err
	}
	// Addresses count from the superblock, also when the base address says otherwise. Then the file
	// was moved after a user block, or out of a user block.
	have := uint64(f.src.Size - f.src.Base)
	switch {
	case end < base:
		return wire.Errorf(what, f.src.Base, "the file begins at byte %d and ends at byte %d", base, end)
	case end-base > have:
		return f.beyond(wire.Errorf(what, f.src.Base, "%d bytes expected from here to the end of the file, %d there: "+
			"it is cut short, or one of several files that a driver of HDF5 made of one: %w", end-base, have, io.ErrUnexpectedEOF))
	case f.root >= have:
		return f.beyond(wire.Errorf(what, f.src.Base, "the root group is at byte %d, beyond the end of the file", f.root))
	}
	return nil
}

// widths reads the widths of addresses and lengths.
func (f *File) widths(c *cursor) {
	f.offset, f.length = int(c.u8()), int(c.u8())
	for _, n := range []int{f.offset, f.length} {
		if n != 2 && n != 4 && n != 8 && c.err == nil {
			c.err = wire.UnsupportedBut("2, 4 and 8", c.what, c.at+int64(c.i-2), "a width of %d bytes for addresses and %d for lengths", f.offset, f.length)
		}
	}
	c.sizes = f.sizes
}

func (f *File) String() string { return fmt.Sprintf("HDF5 file, superblock version %d", f.superblock) }
