package tozarr

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tgmconv/tgmconv/storage"
)

// A Target is a place to write a store to. It may be used by several goroutines.
type Target interface {
	// Lock waits until no other process writes to the target. [Hold.Release] must follow.
	Lock(ctx context.Context, opts storage.LockOptions) (*Hold, error)
	// Put writes the value of a key, whole or not at all. With durable, it has reached the disk
	// when Put returns.
	Put(ctx context.Context, key string, data []byte, durable bool) error
	// Get reads the value of a key. If there is none, the error wraps fs.ErrNotExist.
	Get(ctx context.Context, key string) ([]byte, error)
	// Remove removes a key. It is no error if there is none.
	Remove(ctx context.Context, key string) error
	// Empty reports whether the target has no keys, apart from its lock.
	Empty(ctx context.Context) (bool, error)
	// Settle waits until everything that was put has reached the disk.
	Settle(ctx context.Context) error
	// Ordered reports whether the output depends on the order in which keys are put.
	Ordered() bool
}

// A bucketTarget is a folder, or a prefix in a bucket of an object store.
type bucketTarget struct {
	client   *storage.Client
	location string // without a slash at its end
	bucket   storage.Bucket
	prefix   string
	local    bool

	mu   sync.Mutex
	made map[string]bool // folders
}

// NewFolder returns a target that writes to a folder, or to a prefix of an object store. client
// resolves the location.
func NewFolder(client *storage.Client, location string) (Target, error) {
	b, name, err := client.Resolve(location)
	if err != nil {
		return nil, err
	}
	t := &bucketTarget{
		client: client, location: strings.TrimRight(location, "/"), bucket: b, prefix: strings.TrimRight(name, "/"),
		local: !storage.IsRemote(location), made: make(map[string]bool),
	}
	if t.prefix == "" {
		return nil, fmt.Errorf("%s: expected the name of a folder", location)
	}
	return t, nil
}

func (t *bucketTarget) name(key string) string {
	if t.local {
		return filepath.Join(t.prefix, filepath.FromSlash(key))
	}
	return t.prefix + "/" + key
}

// Put implements Target.
func (t *bucketTarget) Put(ctx context.Context, key string, data []byte, durable bool) error {
	name := t.name(key)
	if err := t.makeFolder(filepath.Dir(name)); err != nil {
		return err
	}
	w, err := t.bucket.Create(ctx, name)
	if err != nil {
		return err
	}
	defer w.Abort()
	if _, err := w.Write(data); err != nil {
		return err
	}
	if l, ok := w.(*storage.LocalWriter); ok && !durable {
		return l.CommitUnsynced()
	}
	return w.Commit()
}

// makeFolder makes a local folder once.
func (t *bucketTarget) makeFolder(folder string) error {
	if !t.local {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.made[folder] {
		return nil
	}
	t.made[folder] = true
	return os.MkdirAll(folder, 0o777)
}

// Get implements Target.
func (t *bucketTarget) Get(ctx context.Context, key string) ([]byte, error) {
	b, err := t.bucket.Open(ctx, t.name(key))
	if err != nil {
		return nil, err
	}
	defer b.Close()
	data := make([]byte, b.Size())
	if n, err := b.ReadAt(ctx, data, 0); n < len(data) {
		return nil, fmt.Errorf("%s: %d of %d bytes read: %w", key, n, len(data), err)
	}
	return data, nil
}

// Remove implements Target.
func (t *bucketTarget) Remove(ctx context.Context, key string) error {
	r, ok := t.bucket.(storage.Remover)
	if !ok {
		return fmt.Errorf("%s: %w", key, errors.ErrUnsupported)
	}
	return r.Remove(ctx, t.name(key))
}

// Empty implements Target.
func (t *bucketTarget) Empty(ctx context.Context) (bool, error) {
	if t.local {
		entries, err := os.ReadDir(t.prefix)
		if errors.Is(err, fs.ErrNotExist) {
			return true, nil
		}
		// Runs that were killed before they had put their plan leave its folder.
		return !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() != unfinished }), err
	}
	for e, err := range t.bucket.List(ctx, t.prefix+"/") {
		if err != nil || e.Name != t.name(lockKey) {
			return false, err
		}
	}
	return true, nil
}

// Settle implements Target.
func (t *bucketTarget) Settle(context.Context) error {
	if !t.local {
		return nil
	}
	return storage.SyncFileSystem(t.prefix)
}

// Ordered implements Target.
func (t *bucketTarget) Ordered() bool { return false }

// A Zip is a target that writes one zip file without compression, as zarr-python's ZipStore and
// GDAL's /vsizip/ read it. After an interruption it must be written again from the start.
type Zip struct {
	mu  sync.Mutex
	out storage.Writer
	zip *zip.Writer
}

// NewZip returns a target that writes a zip file to out. Close completes it.
func NewZip(out storage.Writer) *Zip { return &Zip{out: out, zip: zip.NewWriter(out)} }

// nameIsUTF8 is the flag of a zip entry that its name is UTF-8, not code page 437.
const nameIsUTF8 = 1 << 11

// Put implements Target.
func (z *Zip) Put(_ context.Context, key string, data []byte, _ bool) error {
	header := &zip.FileHeader{Name: key, Method: zip.Store, CRC32: crc32.ChecksumIEEE(data)}
	header.CompressedSize64, header.UncompressedSize64 = uint64(len(data)), uint64(len(data))
	if strings.ContainsFunc(key, func(r rune) bool { return r >= utf8.RuneSelf }) {
		header.Flags |= nameIsUTF8 // CreateRaw writes the header as it is
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	w, err := z.zip.CreateRaw(header)
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

// Get implements Target: nothing can be read yet.
func (z *Zip) Get(_ context.Context, key string) ([]byte, error) {
	return nil, &fs.PathError{Op: "open", Path: key, Err: fs.ErrNotExist}
}

// Remove implements Target.
func (z *Zip) Remove(context.Context, string) error { return nil }

// Empty implements Target.
func (z *Zip) Empty(context.Context) (bool, error) { return true, nil }

// Settle implements Target.
func (z *Zip) Settle(context.Context) error { return nil }

// Ordered implements Target.
func (z *Zip) Ordered() bool { return true }

// Close completes the file: it appears under its name.
func (z *Zip) Close() error {
	if err := z.zip.Close(); err != nil {
		return err
	}
	return z.out.Commit()
}

var _ io.Closer = (*Zip)(nil)
