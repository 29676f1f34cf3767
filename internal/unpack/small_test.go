package unpack

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestArchiveIsOpenedOnce opens the file of an archive once for all of its members, and again when it
// has changed.
func TestArchiveIsOpenedOnce(t *testing.T) {
	const members = 20
	var files []file
	for i := range members {
		files = append(files, file{fmt.Sprint(i), fmt.Sprint("member ", i)})
	}
	for name, data := range map[string]string{"zip": zipped(zip.Deflate, files...), "stored": zipped(zip.Store, files...), "tgz": gzipped(tarred(files...))} {
		dir, c := folder(t, file{"a", data})
		path := filepath.Join(dir, "a")
		found, err := c.Find(t.Context(), path)
		if err != nil || len(found) != members {
			t.Fatalf("%s: %d members, %v", name, len(found), err)
		}
		n := c.known(path)
		if n == nil {
			t.Fatalf("%s: the archive is not known, but open", name)
		}
		n.close()
		for i, in := range found {
			if got, err := read(t.Context(), c, in.Name); got != files[i].data || err != nil {
				t.Errorf("%s: %s: %q, %v", name, in.Name, got, err)
			}
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if got, err := read(t.Context(), c, found[1].Name); err == nil {
			t.Errorf("%s: %q of an archive that is no more", name, got)
		}
		if err := os.WriteFile(path, []byte(zipped(zip.Deflate, file{"1", "another"}, file{"2", "and more"})), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := read(t.Context(), c, path+"::1"); got != "another" || err != nil {
			t.Errorf("%s: %q, %v of an archive that was replaced", name, got, err)
		}
	}
}

// TestMemberIsNotSmall reads members whose archive claims that they are small.
func TestMemberIsNotSmall(t *testing.T) {
	large := strings.Repeat("0123456789", smallBytes)
	data := []byte(zipped(zip.Deflate, file{"a", large}, file{"b", "small"}))
	entry := bytes.Index(data, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(data[entry+24:], 100)
	dir, c := folder(t, file{"a.zip", string(data)})
	for range 2 {
		if got, err := read(t.Context(), c, filepath.Join(dir, "a.zip::a")); got != large || err != nil {
			t.Errorf("%d bytes, %v, expected %d", len(got), err, len(large))
		}
	}
}

// TestSmallIsBounded keeps no more than its limit in memory.
func TestSmallIsBounded(t *testing.T) {
	var s small
	for i := range 10 * smallTotal / smallBytes {
		s.put(fmt.Sprint(i), make([]byte, smallBytes))
		sum := 0
		for _, b := range s.data {
			sum += len(b)
		}
		if sum > smallTotal || s.held > smallTotal {
			t.Fatalf("%d bytes are kept", sum)
		}
	}
	if _, ok := s.get("0"); ok {
		t.Error("the first one is still kept")
	}
}
