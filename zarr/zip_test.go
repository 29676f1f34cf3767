package zarr

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"
)

// archived is a ZIP archive of files, in the order that they are listed in: name, content.
func archived(t testing.TB, method uint16, files ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		f, err := w.CreateHeader(&zip.FileHeader{Name: files[i], Method: method})
		if err == nil {
			_, err = io.WriteString(f, files[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func openZip(t testing.TB, archive []byte) Store {
	t.Helper()
	s, err := NewZip(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestZip(t *testing.T) {
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		checkStore(t, openZip(t, archived(t, method, "zarr.json", "root", "a/zarr.json", "array", "a/c/0", "0123456789", "../b", "x", "/c", "x")))
	}
}

// The only folder of an archive is left out of keys. Of two files of a name the last counts.
func TestZipOfFolder(t *testing.T) {
	s := openZip(t, archived(t, zip.Store, "x.zarr/.zgroup", "old", "x.zarr/a/.zarray", "array", "x.zarr/.zgroup", "new"))
	for key, want := range map[string]string{".zgroup": "new", "a/.zarray": "array"} {
		if text, err := ReadAll(t.Context(), s, key, 100); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v, expected %q", key, text, err, want)
		}
	}
}

func TestDamagedZip(t *testing.T) {
	whole := archived(t, zip.Store, "zarr.json", "0123456789")
	if _, err := NewZip(bytes.NewReader(whole[:20]), 20); err == nil {
		t.Error("20 bytes were opened")
	}
	changed := bytes.Replace(whole, []byte("0123"), []byte("0124"), 1)
	if _, err := ReadAll(t.Context(), openZip(t, changed), "zarr.json", 100); err == nil || !strings.Contains(err.Error(), "zarr.json") || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("%v, expected an error of the checksum of zarr.json", err)
	}
	// A size that nothing can have is refused before there is memory for it.
	deflated := archived(t, zip.Deflate, "zarr.json", "0123456789")
	at := bytes.Index(deflated, []byte("PK\x01\x02"))
	deflated[at+24+3] = 0x7f // the highest byte of the size
	if _, err := ReadAll(t.Context(), openZip(t, deflated), "zarr.json", 1<<40); err == nil {
		t.Error("2 GB in 12 bytes were accepted")
	}
}

func FuzzZip(f *testing.F) {
	f.Add(archived(f, zip.Store, "zarr.json", "{}", "a/zarr.json", "[]"))
	f.Add(archived(f, zip.Deflate, "x/.zgroup", `{"zarr_format":2}`, "x/a/.zarray", string(old(`{}`)["a/.zarray"]), "x/a/0", "12345678"))
	f.Fuzz(func(t *testing.T, archive []byte) {
		s, err := NewZip(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			return
		}
		for a, err := range Arrays(t.Context(), s, "") {
			if err == nil {
				readSmall(t, a)
			}
		}
	})
}
