package hdf5

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/internal/half"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// inMemory is a File around bytes that need not be a whole file.
func inMemory(b []byte) *File {
	return &File{src: wire.Source{R: bytes.NewReader(b), Size: int64(len(b))}, sizes: sizes{offset: 8, length: 8},
		extension: undefined, chunks: newChunkCache(), others: new(others)}
}

func odd(t *testing.T, name string) []byte {
	t.Helper()
	b, err := readMaybeGzip("../../testdata/odd/" + name + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestChecksums changes a byte in structures of each kind that has a checksum: reading everything
// must meet it.
func TestChecksums(t *testing.T) {
	for _, c := range []struct{ file, magic string }{
		{"index_latest.h5", "OHDR"}, {"index_latest.h5", "FAHD"}, {"index_latest.h5", "FADB"}, {"index_latest.h5", "EAHD"},
		{"index_latest.h5", "EAIB"}, {"index_latest.h5", "EADB"}, {"index_latest.h5", "EASB"}, {"index_latest.h5", "BTHD"},
		{"index_latest.h5", "BTLF"}, {"index_latest.h5", "BTIN"}, {"groups_latest_order.h5", "FRHP"},
		{"groups_latest_order.h5", "FHDB"}, {"groups_latest_order.h5", "FHIB"}, {"groups_latest_order.h5", "BTLF"},
		{"groups_latest_order.h5", "OCHK"}, {"shared_tree.h5", "SMTB"}, {"shared_tree.h5", "FRHP"},
	} {
		b := odd(t, c.file)
		at := bytes.Index(b, []byte(c.magic))
		if at < 0 {
			t.Errorf("%s has no %s", c.file, c.magic)
			continue
		}
		if err := readEverything(b); err != nil {
			t.Errorf("%s: %v", c.file, err)
		}
		b[at+4+7] ^= 0x40
		err := readEverything(b)
		var format *FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), "checksum") {
			t.Errorf("%s: a changed byte in %s at %d: %v, expected a wrong checksum", c.file, c.magic, at, err)
		}
	}
}

// readEverything reads all objects and elements and returns the first error.
func readEverything(b []byte) error {
	f, err := NewFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return err
	}
	root, err := f.Root()
	if err != nil {
		return err
	}
	return everythingIn(root, map[uint64]bool{})
}

func everythingIn(o *Object, seen map[uint64]bool) error {
	if seen[o.Addr] {
		return nil
	}
	seen[o.Addr] = true
	if _, err := o.Attributes(); err != nil {
		return err
	}
	if o.Kind == DatasetObject {
		d, err := o.Dataset()
		if err != nil || d.Space.Null {
			return err
		}
		native, err := d.Type.Native()
		if err != nil {
			return nil
		}
		return d.Read(context.Background(), make([]byte, int(d.Space.Len())*native.Size), make([]uint64, len(d.Space.Dims)), d.Space.Dims)
	}
	if o.Kind != GroupObject {
		return nil
	}
	links, err := o.Links()
	if err != nil {
		return err
	}
	for _, l := range links {
		next, err := o.Follow(l)
		if err == nil {
			err = everythingIn(next, seen)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// TestHeaderLoop has a continuation block that continues in itself.
func TestHeaderLoop(t *testing.T) {
	continuation := func(addr, size uint64) []byte {
		m := []byte{msgContinuation, 0, 16, 0, 0, 0, 0, 0}
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(m, addr), size)
	}
	b := []byte{1, 0, 2, 0, 1, 0, 0, 0, 24, 0, 0, 0, 0, 0, 0, 0}
	b = append(b, continuation(40, 24)...)
	b = append(b, continuation(40, 24)...)
	_, err := inMemory(b).readHeader(0)
	if err == nil || !strings.Contains(err.Error(), "used twice") {
		t.Errorf("%v, expected that the block is used twice", err)
	}
	copy(b[24:], continuation(40, 1<<40)[8:])
	_, err = inMemory(b).readHeader(0)
	if err == nil || !strings.Contains(err.Error(), "1099511627776 bytes") {
		t.Errorf("%v, expected that the block is too long", err)
	}
}

// TestTreeLoops has nodes that are their own children.
func TestTreeLoops(t *testing.T) {
	node := []byte("TREE\x00\x01\x02\x00")
	for range 2 + 2 + 3 {
		node = append(node, 0, 0, 0, 0, 0, 0, 0, 0)
	}
	f := inMemory(append(node, make([]byte, 1000)...))
	err := f.groupTree(0, func(uint64) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "level 1, expected 0") {
		t.Errorf("%v, expected a wrong level", err)
	}
	// All children of one leaf the same: more nodes than the file has room for.
	leaf := append([]byte("TREE\x00\x00\x00\x00"), make([]byte, 24)...)
	many := []byte("TREE\x00\x01\xff\x00")
	many = append(many, make([]byte, 16+255*16+8)...)
	for i := range 255 {
		binary.LittleEndian.PutUint64(many[24+16*i+8:], uint64(len(many)))
	}
	f = inMemory(append(many, leaf...))
	err = f.groupTree(0, func(uint64) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "used twice") {
		t.Errorf("%v, expected that nodes are used twice", err)
	}
}

// TestTruncated cuts a file: the superblock knows where it should end.
func TestTruncated(t *testing.T) {
	b := odd(t, "userblock_latest.h5")
	for n := range len(b) {
		_, err := NewFile(bytes.NewReader(b[:n]), int64(n))
		if err == nil {
			t.Fatalf("%d of %d bytes open", n, len(b))
		}
		if n > 1024+48 && (!errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "expected from here to the end of the file")) {
			t.Fatalf("%d of %d bytes: %v", n, len(b), err)
		}
	}
}

func TestUnsupportedFilter(t *testing.T) {
	// The filter of the dataset zfp becomes an unknown filter.
	b := bytes.ReplaceAll(odd(t, "x_plugins.h5"), []byte{1, 1, 0, 0, 0, 0, 0, 0, 0x0d, 0x7d}, []byte{1, 1, 0, 0, 0, 0, 0, 0, 0x11, 0x7d})
	f, err := NewFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	root, err := f.Root()
	if err != nil {
		t.Fatal(err)
	}
	o, err := root.Follow(Link{Name: "zfp", Kind: SoftLink, Target: "/zfp"})
	if err != nil {
		t.Fatal(err)
	}
	d, err := o.Dataset()
	if err != nil {
		t.Fatal(err)
	}
	err = d.Read(context.Background(), make([]byte, 40), []uint64{0}, []uint64{10})
	var unsupported *UnsupportedError
	if !errors.As(err, &unsupported) || !strings.Contains(err.Error(), "filter 32017 (sz)") {
		t.Errorf("%v, expected an UnsupportedError that names filter 32017", err)
	}
}

// TestChunkCache reads rows of chunks that hold several. Each chunk is decoded once, and a chunk
// that was handed out entirely is not kept.
func TestChunkCache(t *testing.T) {
	k := newChunkCache()
	k.limit = 100
	decoded := 0
	decode := func() ([]byte, error) { decoded++; return make([]byte, 40), nil }
	for row := range int64(4) {
		for chunk := range uint64(2) {
			if b, err := k.get(chunkKey{nil, chunk}, part{10, 40}, decode); err != nil || len(b) != 40 {
				t.Fatal(row, chunk, err)
			}
		}
	}
	if decoded != 2 || len(k.items) != 0 || k.bytes != 0 {
		t.Errorf("%d chunks decoded, %d kept with %d bytes; expected 2, 0, 0", decoded, len(k.items), k.bytes)
	}
	// A row of chunks larger than the cache: the chunks that fit are still of use.
	decoded = 0
	for range 4 {
		for chunk := range uint64(10) {
			if _, err := k.get(chunkKey{nil, chunk}, part{10, 1000}, decode); err != nil {
				t.Fatal(err)
			}
		}
	}
	if k.bytes > k.limit || decoded != 10+3*8 {
		t.Errorf("%d bytes kept of %d, %d chunks decoded, expected 34", k.bytes, k.limit, decoded)
	}
	failing := errors.New("failing")
	if _, err := k.get(chunkKey{nil, 99}, part{1, 10}, func() ([]byte, error) { return nil, failing }); !errors.Is(err, failing) {
		t.Errorf("%v, expected %v", err, failing)
	}
	if k.items[chunkKey{nil, 99}] != nil {
		t.Error("a chunk that failed is kept")
	}
}

// TestBloscOddBitshuffle unpacks 100 shorts, 30 of each value from 0 on, as HDF5's Blosc filter
// packed them with bit shuffling. The bits of a number of elements that is no multiple of eight
// stay where they are.
func TestBloscOddBitshuffle(t *testing.T) {
	src, _ := hex.DecodeString("02013402c8000000c80000003100000014000000190000001f000100281f010200281f020200281a030200500003000300")
	got, err := unblosc(nil, src, nil, 200, true)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		if v := binary.LittleEndian.Uint16(got[2*i:]); int(v) != i/30 {
			t.Fatalf("element %d is %d, expected %d", i, v, i/30)
		}
	}
}

// TestUserDefinedLink reads a link of a kind that only the program knows which made it. The
// link is listed, and leads nowhere.
func TestUserDefinedLink(t *testing.T) {
	message := []byte{1, 8, 187, 2, 'u', 'd', 3, 0, 1, 2, 3}
	c := &cursor{sizes: sizes{offset: 8, length: 8}, b: message, what: "link"}
	l, err := parseLink(c)
	if err != nil || l.Name != "ud" || c.left() != 0 {
		t.Fatalf("link %+v, %d bytes left, error %v", l, c.left(), err)
	}
	var unsupported *wire.UnsupportedError
	if _, err := (&Object{Kind: GroupObject}).Follow(l); !errors.As(err, &unsupported) {
		t.Errorf("error %v, expected an unsupported link", err)
	}
}

// TestBitFiltersBehindOthers undoes filters whose result another filter makes smaller: its size is
// a limit only.
func TestBitFiltersBehindOthers(t *testing.T) {
	plain := &Filter{ID: FilterNbit, Params: []uint32{8, 1, 50, nbitAtomic, 4, 0, 32, 0}}
	if got, err := unnbit(nil, []byte{1, 2, 3}, plain, 1000, false); err != nil || !bytes.Equal(got, []byte{1, 2, 3}) {
		t.Errorf("data left alone: % x, error %v", got, err)
	}
	nibbles := &Filter{ID: FilterNbit, Params: []uint32{8, 0, 4, nbitAtomic, 1, 0, 4, 0}}
	if got, err := unnbit(nil, []byte{0x12, 0x34}, nibbles, 1000, false); err != nil || !bytes.Equal(got, []byte{1, 2, 3, 4}) {
		t.Errorf("nibbles: % x, error %v", got, err)
	}
	if _, err := unnbit(nil, []byte{0x12, 0x34}, nibbles, 3, false); err == nil {
		t.Error("four elements in three bytes")
	}
	offset := &Filter{ID: FilterScaleOffset, Params: []uint32{2, 0, 4, 0, 1, 0, 0, 0}}
	src := append(append([]byte{4, 0, 0, 0, 1, 10}, make([]byte, 15)...), 0x12, 0x34)
	if got, err := unscaleOffset(nil, src, offset, 1000, false); err != nil || !bytes.Equal(got, []byte{11, 12, 13, 14}) {
		t.Errorf("offsets: % x, error %v", got, err)
	}
}

// TestHalfBits goes through all halves that are numbers.
func TestHalfBits(t *testing.T) {
	for h := range 1 << 16 {
		l := ieeeHalf.Layout
		f := l.value([]byte{byte(h), byte(h >> 8)})
		if got := half.Bits(f); f == f && got != uint16(h) {
			t.Fatalf("%#04x is %g, which became %#04x", h, f, got)
		}
	}
}

// TestUnreadableAttribute damages the length of an attribute's name. The other attributes and the
// elements of the dataset must be readable.
func TestUnreadableAttribute(t *testing.T) {
	b, err := os.ReadFile("../../../fixtures/netcdf/pyfive/attr_datatypes.hdf5")
	if err != nil {
		t.Fatal(err)
	}
	before := attributeNames(t, b)
	at := bytes.Index(b, []byte("string_one\x00"))
	b[at-5] = 0xff // of two bytes, before the lengths of type and space
	after := attributeNames(t, b)
	if len(after) != len(before) || slices.Contains(after, "string_one") || !slices.Contains(after, "without a readable name: error") {
		t.Errorf("attributes %q, before %q", after, before)
	}
}

func attributeNames(t *testing.T, file []byte) (names []string) {
	t.Helper()
	f, err := NewFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	root, err := f.Root()
	if err != nil {
		t.Fatal(err)
	}
	list, err := root.Attributes()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		name := a.Name
		if a.Err() != nil {
			name += ": error"
		}
		names = append(names, name)
	}
	return names
}
