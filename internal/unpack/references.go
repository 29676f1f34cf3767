package unpack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/internal/unpack/references"
	"github.com/tgmconv/tgmconv/storage"
)

// maxReferences is the size of a file of references.
const maxReferences = 1 << 30

// readReferences reads a file of references in JSON as an archive that is one folder: its files are
// parts of others.
func (n *node) readReferences(ctx context.Context, blob storage.Blob, l listing) (*archive, error) {
	data, err := readAll(ctx, blob, maxReferences)
	if err != nil {
		return nil, err
	}
	found, err := references.ParseJSON(data)
	if err != nil {
		return nil, fmt.Errorf("references: %w", err)
	}
	f := &referenceFolder{found: found, targets: newTargets(n.client, n.location)}
	for key := range found {
		if cleaned := path.Clean(key); cleaned != key || strings.HasPrefix(key, "/") || key == ".." || strings.HasPrefix(key, "../") {
			delete(found, key) // no store has it
			continue
		}
		f.keys = append(f.keys, key)
	}
	slices.Sort(f.keys)
	if f.document = f.documentIn(""); f.document == "" {
		return nil, errors.New("references to no Zarr group or array: no document is among them")
	}
	a := &archive{blob: blob, members: []member{{folder: f}}, byName: map[string]int{"": 0}, sorted: func() []int { return []int{0} }}
	a.done = []func(){f.targets.opened.close}
	return a, nil
}

// readAll reads a blob of at most limit bytes.
func readAll(ctx context.Context, blob storage.Blob, limit int64) ([]byte, error) {
	if blob.Size() > limit {
		return nil, fmt.Errorf("%d bytes, expected at most %d", blob.Size(), limit)
	}
	data := make([]byte, blob.Size())
	if n, err := blob.ReadAt(ctx, data, 0); n < len(data) {
		return nil, fmt.Errorf("read %d of %d bytes: %w", n, len(data), err)
	}
	return data, nil
}

// A referenceFolder is the values in a file of references, or the values below a folder in it.
type referenceFolder struct {
	found    map[string]references.Reference
	keys     []string // in order
	prefix   string   // of the keys: "" or with a slash at its end
	document string
	targets  *targets
}

// documentIn is the first of the documents that a folder has, "" if it has none.
func (f *referenceFolder) documentIn(prefix string) string {
	for _, name := range storage.Documents() {
		if _, ok := f.found[prefix+name]; ok {
			return name
		}
	}
	return ""
}

// name implements folderList.
func (f *referenceFolder) name() string { return f.document }

// bytes implements folderList.
func (f *referenceFolder) bytes() int64 { return 0 }

// state implements folderList.
func (f *referenceFolder) state() string { return f.targets.state(f.found) }

// refers implements folderList.
func (f *referenceFolder) refers() bool { return true }

// within implements folderList.
func (f *referenceFolder) within(name string) folderList {
	inner := *f
	inner.prefix += name + "/"
	if inner.document = f.documentIn(inner.prefix); inner.document == "" {
		return nil
	}
	return &inner
}

// open implements folderList.
func (f *referenceFolder) open(ctx context.Context, _ *openFolder, name string) (storage.Blob, error) {
	r, ok := f.found[f.prefix+name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return f.targets.open(ctx, r)
}

// list implements folderList.
func (f *referenceFolder) list(folder string) iter.Seq[string] {
	prefix := f.prefix
	if folder != "" {
		prefix += folder + "/"
	}
	return func(yield func(string) bool) {
		at, _ := slices.BinarySearch(f.keys, prefix)
		for at < len(f.keys) && strings.HasPrefix(f.keys[at], prefix) {
			rest := f.keys[at][len(prefix):]
			first, _, isFolder := strings.Cut(rest, "/")
			entry := strings.TrimPrefix(prefix, f.prefix) + first
			if isFolder {
				entry += "/"
			}
			if !yield(entry) {
				return
			}
			at++
			if isFolder { // past all that lies in it
				at, _ = slices.BinarySearch(f.keys, prefix+first+string('/'+1))
			}
		}
	}
}

// targets opens the files that references are about, which the storage client allows or not.
type targets struct {
	client *Client
	input  string // the location of the references
	opened cache[storage.Blob]

	mu     sync.Mutex
	seen   map[string]fs.FileInfo // files of this machine as they were opened first
	at     time.Time
	states string // as of then
	names  []string
}

func newTargets(c *Client, input string) *targets { return &targets{client: c, input: input} }

// A TargetError says which file a value is in that cannot be read.
type TargetError struct {
	Target string
	Err    error
}

func (e *TargetError) Error() string {
	return fmt.Sprintf("it is in the file %s: %v", storage.Display(e.Target), e.Err)
}

// Unwrap returns the cause.
func (e *TargetError) Unwrap() error { return e.Err }

// open opens the value of a reference.
func (t *targets) open(ctx context.Context, r references.Reference) (storage.Blob, error) {
	if r.Target == "" {
		return inMemory(r.Data), nil
	}
	if !t.client.External {
		return nil, &TargetError{r.Target, storage.ErrExternal}
	}
	blob, release, err := t.opened.get(ctx, r.Target, func() (storage.Blob, error) { return t.openFile(ctx, r.Target) })
	if err != nil {
		return nil, err
	}
	location := blob.(*placed).location
	if err := t.unchanged(location); err != nil {
		release()
		return nil, &TargetError{r.Target, err}
	}
	if r.Length < 0 {
		return &placed{&lent{blob, release}, location, 0, ""}, nil
	}
	if r.Offset > blob.Size() {
		release()
		return nil, &TargetError{r.Target, fmt.Errorf("from byte %d on, and has %d bytes: %w", r.Offset, blob.Size(), io.ErrUnexpectedEOF)}
	}
	// A range that passes the end of the file ends there, as for fsspec: kerchunk counts too many bytes for
	// messages of GRIB 1, and the decoder of the value sees that some are missing.
	part, err := newSection(blob, r.Offset, min(r.Length, blob.Size()-r.Offset))
	if err != nil {
		release()
		return nil, err
	}
	return &placed{&lent{part, release}, location, r.Offset, ""}, nil
}

// unchanged returns an error if a file of this machine has changed since it was opened first. Its bytes would
// be a mixture.
func (t *targets) unchanged(location string) error {
	path := storage.LocalPath(location)
	if path == "" {
		return nil
	}
	now, err := os.Stat(path)
	t.mu.Lock()
	defer t.mu.Unlock()
	before := t.seen[location]
	switch {
	case err != nil || before != nil && !sameState(before, now):
		return storage.ErrChanged
	case before == nil:
		if t.seen == nil {
			t.seen = make(map[string]fs.FileInfo)
		}
		t.seen[location] = now
	}
	return nil
}

// placed is a blob whose bytes lie in the file at a location, from an offset on. why, if set, says why
// they do not lie there as they are.
type placed struct {
	storage.Blob
	location string
	offset   int64
	why      string
}

// Place returns the place of the file, for package storage.
func (p *placed) Place() (location string, offset int64, err error) {
	if p.why != "" {
		return "", 0, fmt.Errorf("%s: its unpacked bytes have no place in a file; unpack it first", p.why)
	}
	return p.location, p.offset, nil
}

// openFile opens a file by its name in references. A missing file is an error: an absent chunk has no
// reference.
func (t *targets) openFile(ctx context.Context, target string) (storage.Blob, error) {
	var failed error
	for _, name := range t.namesOf(target) {
		location, blob, err := t.client.OpenExternal(ctx, t.input, name)
		if err == nil {
			return &placed{blob, location, 0, ""}, nil
		}
		if failed == nil {
			failed = err
		}
	}
	if errors.Is(failed, fs.ErrNotExist) { // which would mean that there is no chunk
		failed = errors.New("there is no such file")
	}
	return nil, &TargetError{target, failed}
}

// namesOf are the names that a target can mean, the likeliest first: file:// addresses may have characters by
// their codes, and relative targets are relative to the references.
func (t *targets) namesOf(target string) []string {
	if storage.IsRemote(target) {
		return []string{target}
	}
	local := storage.LocalPath(target)
	if storage.IsRemote(t.input) && !filepath.IsAbs(local) {
		base, _, _ := strings.Cut(t.input, "?")
		return []string{base[:strings.LastIndexByte(base, '/')+1] + strings.TrimPrefix(local, "./")}
	}
	names := []string{local}
	if plain, err := url.PathUnescape(local); err == nil && plain != local && local != target {
		names = append(names, plain)
	}
	return names
}

// stateFor is how long the states of files are not looked at again.
const stateFor = 3 * time.Second

// state identifies the states of all files of this machine that references are about.
func (t *targets) state(found map[string]references.Reference) string {
	if !t.client.External {
		return ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if time.Since(t.at) < stateFor {
		return t.states
	}
	if t.names == nil {
		seen := make(map[string]bool)
		for _, r := range found {
			if r.Target != "" && !seen[r.Target] {
				seen[r.Target] = true
				t.names = append(t.names, r.Target)
			}
		}
		slices.Sort(t.names)
	}
	h := xxh3.New()
	for _, target := range t.names {
		if storage.IsRemote(target) {
			continue
		}
		for _, name := range t.namesOf(target) {
			if p := storage.LocalPath(t.input); p != "" && !filepath.IsAbs(name) {
				name = filepath.Join(filepath.Dir(p), name)
			}
			if st, err := os.Stat(name); err == nil {
				fmt.Fprintf(h, "%q %d %d\n", name, st.ModTime().UnixNano(), st.Size())
			}
		}
	}
	t.at, t.states = time.Now(), fmt.Sprintf("-%x", h.Sum64())
	return t.states
}
