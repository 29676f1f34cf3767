package zarr

import (
	"archive/zip"
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// NewZip returns a store in a ZIP archive of size bytes, such as zarr-python's ZipStore and the netCDF
// library write. Values are stored, or deflated. An archive with nothing but a folder that holds the
// store is that store. Names that are no keys are skipped; of entries of the same name the last
// counts.
func NewZip(archive io.ReaderAt, size int64) (Store, error) {
	r, err := zip.NewReader(archive, size)
	if err != nil {
		return nil, fault.Errorf("zarr", "%w", err)
	}
	s := &zipStore{source: archive, size: size, files: make(map[string]*zip.File), folders: make(map[string]map[string]bool)}
	for _, f := range r.File {
		if !strings.HasSuffix(f.Name, "/") && ValidKey(f.Name) {
			s.files[f.Name] = f
		}
	}
	s.enterFolder()
	for key := range s.files {
		s.addTo(key)
	}
	return s, nil
}

type zipStore struct {
	source  io.ReaderAt
	size    int64
	files   map[string]*zip.File
	folders map[string]map[string]bool // keys and folders in each
}

// enterFolder leaves out the folder that all files are in, if the store is there.
func (s *zipStore) enterFolder() {
	top := ""
	for key := range s.files {
		first, _, inFolder := strings.Cut(key, "/")
		if !inFolder || top != "" && first != top {
			return
		}
		top = first
	}
	if !slices.ContainsFunc(Documents(), func(name string) bool { return s.files[JoinKey(top, name)] != nil }) {
		return
	}
	inner := make(map[string]*zip.File, len(s.files))
	for key, f := range s.files {
		inner[strings.TrimPrefix(key, top+"/")] = f
	}
	s.files = inner
}

// addTo lists a key in its folder, and the folder in its own.
func (s *zipStore) addTo(key string) {
	for entry := key; entry != ""; {
		folder := ""
		if i := strings.LastIndexByte(strings.TrimSuffix(entry, "/"), '/'); i >= 0 {
			folder = entry[:i]
		}
		if s.folders[folder] == nil {
			s.folders[folder] = make(map[string]bool)
		}
		if s.folders[folder][entry] {
			return
		}
		s.folders[folder][entry] = true
		if folder == "" {
			return
		}
		entry = folder + "/"
	}
}

// List implements Store.
func (s *zipStore) List(_ context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		entries := s.folders[prefix]
		if entries == nil && prefix != "" {
			yield("", KeyNotFound(prefix))
			return
		}
		for _, entry := range slices.Sorted(maps.Keys(entries)) {
			if !yield(entry, nil) {
				return
			}
		}
	}
}

// Open implements Store.
func (s *zipStore) Open(_ context.Context, key string) (Value, error) {
	f := s.files[key]
	if f == nil {
		return nil, KeyNotFound(key)
	}
	const ratio, least = 1032, 1 << 10 // deflate makes no more of a byte
	packed, plain := f.CompressedSize64, f.UncompressedSize64
	switch {
	case f.Flags&1 != 0:
		return nil, &UnsupportedError{What: key + ": an encrypted file"}
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return nil, &UnsupportedError{What: fmt.Sprintf("%s: ZIP compression method %d", key, f.Method)}
	case packed > uint64(s.size) || f.Method == zip.Store && packed != plain || plain > ratio*packed+least:
		return nil, fault.Errorf("zarr", "%s: %d bytes in %d, the archive has %d", key, plain, packed, s.size)
	}
	return &zipValue{s, key, f}, nil
}

// zipValue is a file of an archive.
type zipValue struct {
	store *zipStore
	key   string
	file  *zip.File
}

// Info implements Value.
func (v *zipValue) Info() Info {
	return Info{Size: int64(v.file.UncompressedSize64), ETag: fmt.Sprintf(`"%08x-%x"`, v.file.CRC32, v.file.UncompressedSize64)}
}

// Read implements Value. The checksum of a whole value is compared.
func (v *zipValue) Read(_ context.Context, r Range) (io.ReadCloser, error) {
	offset, length, err := r.Resolve(v.Info().Size)
	if err != nil {
		return nil, err
	}
	if v.file.Method == zip.Store {
		at, err := v.file.DataOffset()
		if err != nil {
			return nil, fault.Errorf("zarr", "%s: %w", v.key, err)
		}
		body := io.NewSectionReader(v.store.source, at+offset, length)
		if !r.Whole() {
			return io.NopCloser(body), nil
		}
		return io.NopCloser(&checkedReader{r: body, left: length, want: v.file.CRC32}), nil
	}
	body, err := v.file.Open()
	if err != nil {
		return nil, fault.Errorf("zarr", "%s: %w", v.key, err)
	}
	if _, err := io.CopyN(io.Discard, body, offset); err != nil {
		body.Close()
		return nil, fault.Errorf("zarr", "%s: %w", v.key, err)
	}
	return struct {
		io.Reader
		io.Closer
	}{&checkedReader{r: io.LimitReader(body, length), left: length, want: v.file.CRC32, part: !r.Whole()}, body}, nil
}

// Close implements Value.
func (v *zipValue) Close() error { return nil }

// checkedReader gives an error with the last byte if the checksum differs.
type checkedReader struct {
	r    io.Reader
	left int64
	sum  uint32
	want uint32
	part bool
}

func (c *checkedReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.left -= int64(n)
	if c.part {
		return n, err
	}
	c.sum = crc32.Update(c.sum, crc32.IEEETable, p[:n])
	if c.left == 0 && c.sum != c.want {
		return 0, fmt.Errorf("the checksum is %08x, the data give %08x", c.want, c.sum)
	}
	return n, err
}
