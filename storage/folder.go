package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
)

// documents are the names of files that make their folder one input, such as a Zarr store. They
// are looked for in this order.
var documents = []string{"zarr.json", ".zgroup", ".zarray", ".zmetadata"}

// FolderMagic begins the first bytes of the blob of a folder that is one input. The name of the
// document that makes the folder an input follows.
const FolderMagic = "\x89FOLDER\r\n"

// folderHead is how many bytes the blob of a folder gives, the last of them zero.
const folderHead = 512

// A Folder is one input that consists of files: a document in it says so. It is a folder, or lies
// below a prefix of an object store or an address. Names are slash-separated paths within it.
type Folder interface {
	// Document is the name of that document.
	Document() string
	// Size is how many bytes its files take, 0 if that is not known.
	Size() int64
	// Open opens a file of the folder. If it does not exist, the error wraps fs.ErrNotExist.
	Open(ctx context.Context, name string) (Blob, error)
	// List yields the names directly below a folder within, "" for the folder itself. Names of
	// folders have a slash at the end. A server that cannot list yields an error that wraps
	// errors.ErrUnsupported.
	List(ctx context.Context, folder string) iter.Seq2[string, error]
	// Refers reports whether its content is in other files, which may change when the folder does not.
	Refers() bool
}

// FolderOf returns the folder that was opened as a blob, or nil for the blob of a file.
func FolderOf(b Blob) Folder {
	for {
		switch of := b.(type) {
		case *folderBlob:
			return of.folder
		case interface{ Unwrap() Blob }:
			b = of.Unwrap()
		default:
			return nil
		}
	}
}

// PlaceOf returns where the bytes of a file of a [Folder] lie, if they lie elsewhere than below the
// folder. They are in a file at location, from offset on; location is "" if they are below the folder. It
// is an error if the bytes lie nowhere as they are.
func PlaceOf(b Blob) (location string, offset int64, err error) {
	for {
		switch of := b.(type) {
		case interface{ Place() (string, int64, error) }:
			return of.Place()
		case interface{ Unwrap() Blob }:
			b = of.Unwrap()
		default:
			return "", 0, nil
		}
	}
}

// A folderBlob is a folder that is one input. Its size is the size of all its files if
// that is known, but no more than its head can be read.
type folderBlob struct {
	folder Folder
	head   []byte
	etag   string
	close  func() error
}

// NewFolder returns the blob of a folder. Closing it calls done.
func NewFolder(f Folder, etag string, done func() error) Blob {
	head := make([]byte, folderHead)
	copy(head, FolderMagic+f.Document())
	return &folderBlob{f, head, etag, done}
}

// ReadAt implements Blob.
func (b *folderBlob) ReadAt(_ context.Context, p []byte, off int64) (int, error) {
	if off < 0 || off >= folderHead {
		return 0, errIsFolder
	}
	n := copy(p, b.head[off:])
	if n < len(p) {
		return n, errIsFolder
	}
	return n, nil
}

// errIsFolder is the error of opening a folder as a file.
var errIsFolder = errors.New("is a folder, expected a file")

// Size implements Blob.
func (b *folderBlob) Size() int64 { return max(b.folder.Size(), folderHead) }

// ETag implements Blob.
func (b *folderBlob) ETag() string { return b.etag }

// Close implements Blob.
func (b *folderBlob) Close() error { return b.close() }

// Documents returns the names of files that make their folder one input, in the order of looking
// for them.
func Documents() []string { return documents }

// IsDocument reports whether a file makes the folder that it is in one input.
func IsDocument(name string) bool { return slices.Contains(documents, name) }

// openIn opens a file in a bucket, or a folder that is one input. Where a server has nothing of that
// name, or a page with a list, there may be a folder.
func (c *Client) openIn(ctx context.Context, b Bucket, name string) (Blob, error) {
	switch b.(type) {
	case stdinBucket:
		return b.Open(ctx, name)
	case localBucket:
		if folder, err := c.openLocalFolder(ctx, name); folder != nil || err != nil {
			return folder, err
		}
		return b.Open(ctx, name)
	case webBucket:
		if u, err := url.Parse(name); err != nil || u.RawQuery != "" {
			return b.Open(ctx, name)
		}
	}
	likely := strings.HasSuffix(strings.TrimSuffix(name, "/"), ".zarr")
	if likely {
		if folder, err := c.openRemoteFolder(ctx, b, name); folder != nil || err != nil {
			return folder, err
		}
	}
	blob, err := b.Open(ctx, name)
	// A page with a list is made when it is asked for, and has no ranges.
	isPage := err == nil && remote(blob) == nil && beginsWith(ctx, blob, '<')
	if likely || !isPage && !(errors.Is(err, fs.ErrNotExist) && path.Ext(name) == "") {
		return blob, err
	}
	if folder, _ := c.openRemoteFolder(ctx, b, name); folder != nil {
		if blob != nil {
			blob.Close()
		}
		return folder, nil
	}
	return blob, err
}

// beginsWith reports whether a character comes first in a text, after white space.
func beginsWith(ctx context.Context, b Blob, first byte) bool {
	head := make([]byte, min(64, b.Size()))
	n, _ := b.ReadAt(Glance(Sparse(ctx)), head, 0)
	text := bytes.TrimLeft(head[:n], " \t\r\n")
	return len(text) > 0 && text[0] == first
}

// openRemoteFolder is the function for a folder that is opened several times in a row.
func (c *Client) openRemoteFolder(ctx context.Context, b Bucket, name string) (Blob, error) {
	type key struct {
		bucket Bucket
		name   string
	}
	type opened struct {
		at   time.Time
		blob Blob // which need not be closed
	}
	at := key{b, name}
	if o, ok := c.folders.Load(at); ok && time.Since(o.(*opened).at) < measuredFor {
		return o.(*opened).blob, nil
	}
	blob, err := openRemoteFolder(ctx, b, name)
	if blob != nil {
		c.folders.Store(at, &opened{time.Now(), blob})
	}
	return blob, err
}

// openRemoteFolder opens the folder below a name; nil if it has none of the documents.
func openRemoteFolder(ctx context.Context, b Bucket, name string) (Blob, error) {
	f := &remoteFolder{bucket: b, name: strings.TrimSuffix(name, "/")}
	for _, document := range documents {
		blob, err := b.Open(ctx, f.path(document))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", document, err)
		}
		f.document = document
		etag, isJSON := document+"-"+blob.ETag(), beginsWith(ctx, blob, '{')
		if err := blob.Close(); err != nil {
			return nil, err
		}
		if !isJSON { // some servers answer with a page for any name
			break
		}
		return NewFolder(f, etag, func() error { return nil }), nil
	}
	return nil, nil
}

// A remoteFolder is the folder below a name in a bucket.
type remoteFolder struct {
	bucket         Bucket
	name, document string
}

func (f *remoteFolder) path(name string) string {
	if f.name == "" {
		return name
	}
	return f.name + "/" + name
}

// Document implements Folder.
func (f *remoteFolder) Document() string { return f.document }

// Size implements Folder.
func (f *remoteFolder) Size() int64 { return 0 }

// Refers implements Folder.
func (f *remoteFolder) Refers() bool { return false }

// Open implements Folder.
func (f *remoteFolder) Open(ctx context.Context, name string) (Blob, error) {
	if _, isWeb := f.bucket.(webBucket); isWeb {
		name = (&url.URL{Path: name}).EscapedPath()
	}
	return f.bucket.Open(ctx, f.path(name))
}

// List implements Folder.
func (f *remoteFolder) List(ctx context.Context, folder string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		prefix := f.path("")
		if folder != "" {
			prefix = f.path(folder + "/")
		}
		last := ""
		for e, err := range f.bucket.List(ctx, prefix) {
			if err != nil {
				yield("", err)
				return
			}
			name, _, below := strings.Cut(strings.TrimPrefix(e.Name, prefix), "/")
			if below {
				name += "/"
			}
			if name == last || name == "" || name == "/" {
				continue
			}
			last = name
			if folder != "" {
				name = folder + "/" + name
			}
			if !yield(name, nil) {
				return
			}
		}
	}
}
