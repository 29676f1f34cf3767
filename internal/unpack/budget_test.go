package unpack

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/tgmconv/tgmconv/storage"
)

// TestBudgetOfAFile demands that the unpacked size of a file is bounded as a whole: over members, layers and
// archives in archives.
func TestBudgetOfAFile(t *testing.T) {
	const half = 2800 << 10
	large := strings.Repeat("\x00", half)
	inner := zipped(zip.Deflate, file{"x", large})
	var many []file
	for i := range 100 {
		many = append(many, file{fmt.Sprint(i), ""})
	}
	dir, c := folder(t,
		file{"members.zip", zipped(zip.Deflate, file{"0", large}, file{"1", large})},
		file{"nested.zip", zipped(zip.Deflate, file{"0.zip", inner}, file{"1.zip", inner})},
		file{"gzips.tar", tarred(file{"0.gz", gzipped(large)}, file{"1.gz", gzipped(large)})},
		file{"layers.gz", gzipped(gzipped(large + strings.Repeat("\x00", half)))},
		file{"many.zip", zipped(zip.Store, many...)}, file{"many.tgz", gzipped(tarred(many...))},
		file{"names.tgz", gzipped(tarred(file{strings.Repeat("n", 400<<10), ""}))},
	)
	c.MaxBytes = 4 << 20
	for name, members := range map[string][]string{
		"members.zip": {"::0", "::1"}, "nested.zip": {"::0.zip::x", "::1.zip::x"}, "gzips.tar": {"::0.gz", "::1.gz"},
	} {
		path := filepath.Join(dir, name)
		for range 3 { // again is not more
			if got, err := read(t.Context(), c, path+members[0]); got != large || err != nil {
				t.Errorf("%s: %d bytes, error %v, expected %d", name, len(got), err, half)
			}
		}
		for _, m := range members[1:] {
			_, err := read(t.Context(), c, path+m)
			var spent *TooLargeError
			if !errors.As(err, &spent) || spent.Members < 2 || !strings.Contains(err.Error(), m) {
				t.Errorf("%s: error %v, expected a TooLargeError that names %s", name, err, m)
			}
		}
	}
	for _, name := range []string{"layers.gz", "many.zip::0", "many.tgz::0", "names.tgz"} {
		_, err := read(t.Context(), c, filepath.Join(dir, name))
		var spent *TooLargeError
		if !errors.As(err, &spent) || spent.Limit != 4<<20 {
			t.Errorf("%s: error %v, expected a TooLargeError", name, err)
		}
	}
	c.MaxBytes = 32 << 20
	for _, name := range []string{"members.zip::1", "nested.zip::1.zip::x", "gzips.tar::1.gz", "layers.gz", "many.zip::0"} {
		if _, err := read(t.Context(), c, filepath.Join(dir, name)); err != nil {
			t.Errorf("%s with a larger limit: %v", name, err)
		}
	}
}

// TestBudgetOfAPipe demands that a small stream does not unpack to more than a small file may.
func TestBudgetOfAPipe(t *testing.T) {
	var small bytes.Buffer
	z, err := zstd.NewWriter(&small)
	if err != nil {
		t.Fatal(err)
	}
	for range FreeBytes>>20 + 1 {
		if _, err := z.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	client := NewClient(&storage.Client{Stdin: io.MultiReader(bytes.NewReader(small.Bytes()[:small.Len()/2]), bytes.NewReader(small.Bytes()[small.Len()/2:]))})
	defer client.Close()
	r, err := client.Stream(t.Context(), storage.Stdin)
	if err != nil || r == nil {
		t.Fatal(r, err)
	}
	defer r.Close()
	n, err := io.Copy(io.Discard, r)
	want := max(FreeBytes, Expansion*int64(small.Len()))
	var spent *TooLargeError
	if !errors.As(err, &spent) || n > want+memberBytes {
		t.Errorf("%d bytes, error %v, expected a TooLargeError after %d", n, err, want)
	}
}

// TestOverlappingMembers refuses a directory that lists the same bytes as many members.
func TestOverlappingMembers(t *testing.T) {
	archive := []byte(zipped(zip.Deflate, file{"a", strings.Repeat("some data ", 10000)}))
	end := bytes.Index(archive, []byte("PK\x05\x06"))
	directory := binary.LittleEndian.Uint32(archive[end+16:])
	entry := archive[directory:end]
	var b bytes.Buffer
	b.Write(archive[:directory])
	const members = 100
	for i := range members {
		e := bytes.Clone(entry)
		e[len(e)-1] = 'a' + byte(i%26)
		b.Write(e)
	}
	tail := bytes.Clone(archive[end:])
	binary.LittleEndian.PutUint16(tail[8:], members)
	binary.LittleEndian.PutUint16(tail[10:], members)
	binary.LittleEndian.PutUint32(tail[12:], uint32(members*len(entry)))
	b.Write(tail)
	dir, c := folder(t, file{"overlap.zip", b.String()})
	if _, err := read(t.Context(), c, filepath.Join(dir, "overlap.zip::a")); err == nil || !strings.Contains(err.Error(), "overlap") {
		t.Errorf("error %v, expected one about members that overlap", err)
	}
}
