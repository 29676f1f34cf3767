package unpack

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/storage"
)

// TestStream reads compressed files without keeping them, and pipes. Files that need any offset, or have it
// already, are left to Open.
func TestStream(t *testing.T) {
	const text = "what is in it"
	large := strings.Repeat("0123456789", 1<<16)
	for name, test := range map[string]struct {
		data         string
		file, member string // output of Stream; empty is nil
		pipe         string
	}{
		"plain": {text, "", "", text},
		"gzip":  {gzipped(text), text, "", text},
		"large": {gzipped(large), large, "", large},
		"zstd":  {zstandard(text), text, "", text},
		"bzip2": {hello, "hello\n", "", "hello\n"},
		"zip":   {zipped(8, file{"a", large}), large, large, ""},
		"small": {zipped(8, file{"a", text}), "", "", ""}, // is in memory
		"tar":   {tarred(file{"a", text}), "", "", ""},
		"tgz":   {gzipped(tarred(file{"a", text})), "", "", ""},
		"twice": {gzipped(zstandard(text)), text, "", ""},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(test.data), 0o600); err != nil {
			t.Fatal(err)
		}
		client := NewClient(&storage.Client{Stdin: strings.NewReader(test.data), TempDir: t.TempDir()})
		locations := map[string]string{path: test.file, storage.Stdin: test.pipe}
		if test.member != "" {
			locations[path+"::a"] = test.member
		}
		for location, want := range locations {
			if head, err := client.Peek(t.Context(), location, 5); err != nil || want != "" && string(head) != want[:5] {
				t.Errorf("%s: peeked at %q, %v", location, head, err)
			}
			r, err := client.Stream(t.Context(), location)
			if err != nil || (r != nil) != (want != "") {
				t.Errorf("%s: stream %v, %v; expected %.20q", location, r, err, want)
			}
			if r == nil {
				continue
			}
			if b, err := io.ReadAll(r); err != nil || string(b) != want {
				t.Errorf("%s: %.20q, %v; expected %.20q", location, b, err, want)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
		client.Close()
	}
}
