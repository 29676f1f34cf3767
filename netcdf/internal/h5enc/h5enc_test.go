package h5enc

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/netcdf/internal/hdf5"
)

// file places the objects of a file after the superblock and opens it.
func file(t *testing.T, root *Object, objects ...*Object) *hdf5.File {
	t.Helper()
	var blocks []*Block
	for _, o := range append([]*Object{root}, objects...) {
		more, err := o.Finish()
		if err != nil {
			t.Fatal(err)
		}
		blocks = append(blocks, more...)
	}
	end := Place(blocks, SuperblockBytes)
	super := Superblock(root.Block, end)
	super.Complete()
	if super.Len() != SuperblockBytes {
		t.Fatalf("superblock of %d bytes", super.Len())
	}
	b := make([]byte, end)
	for _, block := range append(blocks, super) {
		copy(b[block.Addr:], block.Data)
	}
	f, err := hdf5.NewFile(bytes.NewReader(b), int64(end))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestDense stores links and attributes in the object header, in heaps, and outside of these.
func TestDense(t *testing.T) {
	for _, n := range []int{0, 1, 64, 65, 3000} {
		for _, length := range []int{5, 5000, 70000} {
			if n*length > 20<<20 {
				continue
			}
			root, child := NewGroup(), NewGroup()
			for i := range n {
				root.AddLink(fmt.Sprintf("link %d", i), child.Block)
				text := &Block{}
				text.Text(strings.Repeat("x", length))
				root.AddAttr(fmt.Sprintf("attribute %d", i), String(length, NullTerminated, false), Scalar(), text)
			}
			checkDense(t, file(t, root, child), n, length)
		}
	}
}

func checkDense(t *testing.T, f *hdf5.File, n, length int) {
	t.Helper()
	o, err := f.Root()
	if err != nil {
		t.Fatal(err)
	}
	links, err := o.Links()
	if err != nil || len(links) != n {
		t.Fatalf("%d links, want %d, error %v", len(links), n, err)
	}
	for i, l := range links {
		if l.Name != fmt.Sprintf("link %d", i) {
			t.Errorf("link %d of %d: %s", i, n, l.Name)
		}
	}
	attrs, err := o.Attributes()
	if err != nil || len(attrs) != n {
		t.Fatalf("%d attributes, want %d, error %v", len(attrs), n, err)
	}
	for i := range attrs {
		if raw, err := attrs[i].Read(); err != nil || attrs[i].Name != fmt.Sprintf("attribute %d", i) || len(raw) != length {
			t.Errorf("attribute %d of %d: %s of %d bytes, error %v", i, n, attrs[i].Name, len(raw), err)
		}
	}
}

func TestTooLarge(t *testing.T) {
	root := NewGroup()
	for i := range maxNamed + 1 {
		root.AddLink(fmt.Sprint(i), root.Block)
	}
	if _, err := root.Finish(); err == nil {
		t.Error("too many links are accepted")
	}
	named := NewDatatype(Enum(Integer(4, true, false), []Member{{Name: strings.Repeat("x", maxBody)}}))
	if _, err := named.Finish(); err == nil {
		t.Error("a datatype that does not fit an object header is accepted")
	}
}

func TestPlaceFillsReferences(t *testing.T) {
	a, b := &Block{}, &Block{}
	a.Ref(b)
	a.Ref(nil)
	a.Checksum()
	b.U8(1, 2, 3)
	if end := Place([]*Block{a, b}, 100); a.Addr != 104 || b.Addr != 128 || end != 131 {
		t.Errorf("blocks at %d and %d, end at %d", a.Addr, b.Addr, end)
	}
	if a.Data[0] != 128 || a.Data[8] != 0xff || bytes.Equal(a.Data[16:], make([]byte, 4)) {
		t.Errorf("% x", a.Data)
	}
}
