package unpack

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/tgmconv/tgmconv/storage"
)

// hello is "hello\n" compressed with bzip2 1.0.8, which Go does not write.
const hello = "BZh91AY&SY\xc1\xc0\x80\xe2\x00\x00\x01\x41\x00\x00\x10\x02\x44\xa0\x00\x30\xcd\x00\xc3\x46\x29\x97\x17\x72\x45\x38\x50\x90\xc1\xc0\x80\xe2"

func gzipped(data string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, data)
	w.Close()
	return b.String()
}

func zstandard(data string) string {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err)
	}
	return string(w.EncodeAll([]byte(data), nil))
}

type file struct{ name, data string }

func tarred(files ...file) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		w.WriteHeader(&tar.Header{Name: f.name, Size: int64(len(f.data)), Mode: 0o644, Typeflag: tar.TypeReg})
		io.WriteString(w, f.data)
	}
	w.Close()
	return b.String()
}

func zipped(method uint16, files ...file) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		m, err := w.CreateHeader(&zip.FileHeader{Name: f.name, Method: method})
		if err != nil {
			panic(err)
		}
		io.WriteString(m, f.data)
	}
	w.Close()
	return b.String()
}

// folder writes files to a new folder and makes a client.
func folder(t *testing.T, files ...file) (string, *Client) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.name), []byte(f.data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := NewClient(&storage.Client{TempDir: t.TempDir()})
	t.Cleanup(func() { c.Close() })
	return dir, c
}

func read(ctx context.Context, c *Client, location string) (string, error) {
	b, err := c.Open(ctx, location)
	if err != nil {
		return "", err
	}
	defer b.Close()
	data, err := io.ReadAll(io.NewSectionReader(storage.ReaderAt(ctx, b), 0, b.Size()))
	return string(data), err
}

func TestOpen(t *testing.T) {
	dir, c := folder(t,
		file{"plain", "hello\n"}, file{"empty", ""}, file{"a.gz", gzipped("hello\n")}, file{"no-suffix", zstandard("hello\n")},
		file{"a.bz2", hello}, file{"two.gz", gzipped("hel") + gzipped("lo\n")}, file{"twice.gz", gzipped(zstandard("hello\n"))},
		file{"a.tar", tarred(file{"x/y", "hello\n"}, file{"./z.gz", gzipped("hello\n")}, file{".hidden", "no"})},
		file{"one.zip", zipped(zip.Deflate, file{"only", "hello\n"})},
		file{"stored.zip", zipped(zip.Store, file{"a", "hello\n"}, file{"b::c", "hello\n"})},
		file{"t.tgz", gzipped(tarred(file{"in.zip", zipped(zip.Deflate, file{"x", "hello\n"}, file{"y", "no"})}, file{"b", "no"}))},
		file{"strange::name", "hello\n"},
	)
	for _, name := range []string{
		"plain", "a.gz", "no-suffix", "a.bz2", "two.gz", "twice.gz", "a.tar::x/y", "a.tar::z.gz", "one.zip", "one.zip::only",
		"stored.zip::a", "stored.zip::b::c", "t.tgz::in.zip::x", "strange::name",
	} {
		for range 2 {
			if got, err := read(t.Context(), c, filepath.Join(dir, name)); got != "hello\n" || err != nil {
				t.Errorf("%s is %q, error %v", name, got, err)
			}
		}
		head, err := c.Peek(t.Context(), filepath.Join(dir, name), 4)
		if string(head) != "hell" || err != nil {
			t.Errorf("%s begins with %q, error %v", name, head, err)
		}
	}
	if got, err := read(t.Context(), c, filepath.Join(dir, "empty")); got != "" || err != nil {
		t.Errorf("empty is %q, error %v", got, err)
	}
	left, err := os.ReadDir(c.TempDir)
	if len(left) > 0 || err != nil {
		t.Errorf("temporary files have names: %v, error %v", left, err)
	}
}

func TestOpenFails(t *testing.T) {
	bomb := strings.Repeat("\x00", 3<<20)
	deep := "hello\n"
	for range maxDepth + 1 {
		deep = gzipped(deep)
	}
	dir, c := folder(t,
		file{"plain", "hello\n"}, file{"cut.gz", gzipped(strings.Repeat("abc", 1000))[:20]}, file{"bomb.gz", gzipped(bomb)},
		file{"bomb.zip", zipped(zip.Deflate, file{"x", bomb})}, file{"deep", deep},
		file{"two.zip", zipped(zip.Store, file{"a", "1"}, file{"b", "2"})}, file{"none.zip", zipped(zip.Store)},

		file{"cut.tar", tarred(file{"x", strings.Repeat("abc", 1000)})[:1000]},
	)
	c.MaxBytes = 1 << 20
	for _, test := range []struct{ name, want string }{
		{"missing.gz", "no such file"}, {"plain::x", "neither a .zip nor a .tar archive"}, {"cut.gz", "the data are cut off: unexpected EOF"},
		{"bomb.gz", "more than 1048576 bytes"}, {"bomb.zip", "more than 1048576 bytes"}, {"deep", "more than 6 layers"},
		{"two.zip", "an archive of 2 files: name one, such as ::a"}, {"two.zip::c", "has no member c"}, {"none.zip", "without files"},
		{"cut.tar::x", "unexpected EOF"},
	} {
		_, err := read(t.Context(), c, filepath.Join(dir, test.name))
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), dir) {
			t.Errorf("%s: error %v, want the location and %q", test.name, err, test.want)
		}
	}
	var large *TooLargeError
	if _, err := c.Open(t.Context(), filepath.Join(dir, "bomb.gz")); !errors.As(err, &large) || large.Limit != 1<<20 {
		t.Errorf("error %v, want a TooLargeError", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Open(ctx, filepath.Join(dir, "two.zip::a")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

func TestFind(t *testing.T) {
	dir, c := folder(t,
		file{"a.tar", tarred(file{"x/1.grib", "1"}, file{"x/2.nc", "2"}, file{"y/3.grib", "3"}, file{"in.zip", zipped(zip.Deflate, file{"4.grib", "4"}, file{"5", "5"})})},
		file{"b.grib", "6"}, file{"c.gz", gzipped("7")}, file{"bad.zip", "PK\x03\x04"},
	)
	for _, test := range []struct{ location, want string }{
		{"a.tar", "a.tar::x/1.grib a.tar::x/2.nc a.tar::y/3.grib a.tar::in.zip::4.grib a.tar::in.zip::5"},
		{"a.tar::x", "a.tar::x/1.grib a.tar::x/2.nc"}, {"a.tar::x/", "a.tar::x/1.grib a.tar::x/2.nc"},
		{"a.tar::*/*.grib", "a.tar::x/1.grib a.tar::y/3.grib"}, {"a.tar::x/2.nc", "a.tar::x/2.nc"},
		{"a.tar::**/*.grib", "a.tar::x/1.grib a.tar::y/3.grib"}, {"a.tar::*.zip::4*", "a.tar::in.zip::4.grib"},
		{"a.tar::in.zip", "a.tar::in.zip::4.grib a.tar::in.zip::5"}, {"b.grib", "b.grib"}, {"c.gz", "c.gz"}, {"bad.zip", "bad.zip"},
		{"[ab].*", "a.tar::x/1.grib a.tar::x/2.nc a.tar::y/3.grib a.tar::in.zip::4.grib a.tar::in.zip::5 b.grib"},
		{"*.tar::y/*", "a.tar::y/3.grib"},
	} {
		found, err := c.Find(t.Context(), filepath.Join(dir, test.location))
		var names []string
		for _, in := range found {
			names = append(names, strings.TrimPrefix(in.Name, dir+string(filepath.Separator)))
		}
		if got := strings.Join(names, " "); got != test.want || err != nil {
			t.Errorf("%s: %s, error %v, want %s", test.location, got, err, test.want)
		}
	}
	for _, name := range []string{"a.tar::z", "b.grib::x", "a.tar::x/[", "a.tar::in.zip::6"} {
		if found, err := c.Find(t.Context(), filepath.Join(dir, name)); err == nil {
			t.Errorf("%s: %v, want an error", name, found)
		}
	}
	found, err := c.Find(t.Context(), filepath.Join(dir, "a.tar::x/1.grib"), filepath.Join(dir, "a.tar"))
	if err != nil || found[0].FromFolder || !found[1].FromFolder || found[0].Size != 1 {
		t.Errorf("named and not: %+v, error %v", found, err)
	}
}

// TestOfManyUsers reads members at once, more of them than are kept.
func TestOfManyUsers(t *testing.T) {
	var files []file
	for i := range 20 {
		files = append(files, file{fmt.Sprint(i), strings.Repeat(fmt.Sprint(i), 1000)})
	}
	dir, c := folder(t, file{"a.tgz", gzipped(tarred(files...))}, file{"a.zip", zipped(zip.Deflate, files...)})
	var wait sync.WaitGroup
	for i := range 200 {
		wait.Go(func() {
			f := files[i%20]
			archive := []string{"a.tgz", "a.zip"}[i/20%2]
			if got, err := read(t.Context(), c, filepath.Join(dir, archive+"::"+f.name)); got != f.data || err != nil {
				t.Errorf("%s::%s differs, error %v", archive, f.name, err)
			}
		})
	}
	wait.Wait()
}

func TestReadsMembersOfTheNetworkInPlace(t *testing.T) {
	big := strings.Repeat("x", 64<<20)
	for name, data := range map[string]string{
		"a.tar": tarred(file{"big", big}, file{"small", "hello\n"}),
		"a.zip": zipped(zip.Store, file{"big", big}, file{"small", "hello\n"}),
	} {
		var sent atomic.Int64
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.ServeContent(&counting{w, &sent}, r, name, time.Unix(1, 0), strings.NewReader(data))
		}))
		defer server.Close()
		_, c := folder(t)
		if got, err := read(t.Context(), c, server.URL+"/"+name+"::small"); got != "hello\n" || err != nil {
			t.Errorf("%s::small is %q, error %v", name, got, err)
		}
		if n := sent.Load(); n > 16<<20 {
			t.Errorf("%d bytes of %s were fetched for one small member", n, name)
		}
	}
}

// TestAsksOnceForWhatIsNotThere demands that a failing address is asked for once, and again by later openers.
func TestAsksOnceForWhatIsNotThere(t *testing.T) {
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		http.NotFound(w, r)
	}))
	defer server.Close()
	_, c := folder(t)
	found, err := c.Find(t.Context(), server.URL+"/none.nc")
	if err != nil || len(found) != 1 {
		t.Fatalf("found %v, error %v", found, err)
	}
	for want := range int64(2) {
		if _, err := c.Open(t.Context(), found[0].Name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("error %v", err)
		}
		if n := requests.Load(); n != 1+want {
			t.Errorf("%d requests, expected %d", n, 1+want)
		}
	}
}

type counting struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c *counting) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return c.ResponseWriter.Write(p)
}

func TestSplit(t *testing.T) {
	for _, test := range []struct {
		location, archive, member string
		ok                        bool
	}{
		{"a.zip::x", "a.zip", "x", true}, {"a.zip", "a.zip", "", false}, {"a::b::c", "a", "b::c", true}, {"a.zip::", "a.zip", "", true},
		{"http://[::1]:80/a", "http://[::1]:80/a", "", false}, {"http://[::1]:80/a.zip::x", "http://[::1]:80/a.zip", "x", true},
		{"s3://b/a.zip::x", "s3://b/a.zip", "x", true}, {"-::x", "-", "x", true}, {"http://h", "http://h", "", false},
	} {
		archive, member, ok := Split(test.location)
		if archive != test.archive || ok != test.ok || ok && member != test.member {
			t.Errorf("%s: %q, %q, %v", test.location, archive, member, ok)
		}
	}
}

func FuzzOpen(f *testing.F) {
	for _, seed := range []string{
		gzipped("hello"), zstandard("hello"), hello, tarred(file{"a", "1"}, file{"b", "2"}), zipped(zip.Deflate, file{"a", "1"}),
		zipped(zip.Store, file{"a", "1"}, file{"b", "2"}), gzipped(tarred(file{"a.zip", zipped(zip.Deflate, file{"a", "1"})})),
	} {
		f.Add([]byte(seed))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		c := NewClient(&storage.Client{Stdin: bytes.NewReader(data), TempDir: dir})
		c.MaxBytes = 1 << 20
		defer c.Close()
		found, err := c.Find(t.Context(), storage.Stdin)
		if err != nil {
			return
		}
		for _, in := range found[:min(len(found), 10)] {
			if got, err := read(t.Context(), c, in.Name); err == nil && len(got) > max(1<<20, len(data)) {
				t.Errorf("%s: %d bytes of %d", in.Name, len(got), len(data))
			}
			_, _ = c.Peek(t.Context(), in.Name, 100)
		}
	})
}
