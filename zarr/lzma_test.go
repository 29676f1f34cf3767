package zarr

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"
)

// TestLZMADictionary holds that the dictionary size in a chunk is read before memory is taken for it.
func TestLZMADictionary(t *testing.T) {
	var out bytes.Buffer
	w, err := xz.WriterConfig{DictCap: 1 << 20}.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("elements")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	l := lzmaBytes{"lzma", lzmaXZ}
	if n, err := l.dictionary(out.Bytes()); err != nil || n != 1<<20 {
		t.Errorf("a dictionary of %d bytes, %v", n, err)
	}
	if got, err := l.decode(nil, out.Bytes(), 8); err != nil || string(got) != "elements" {
		t.Errorf("found %q, %v", got, err)
	}
	for n := range out.Len() {
		if _, err := l.decode(nil, out.Bytes()[:n], 8); err == nil {
			t.Errorf("no error for %d of %d bytes", n, out.Len())
		}
	}
	alone := lzmaBytes{"lzma", lzmaAlone}
	if _, err := alone.decode(nil, append([]byte{0x5d, 0, 0, 0, 0x80}, make([]byte, 40)...), 8); err == nil || !strings.Contains(err.Error(), "dictionary of 2147483648 bytes") {
		t.Errorf("a dictionary of 2 GiB: %v", err)
	}
}
