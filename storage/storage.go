// Package storage opens, lists and creates files and objects by their location: local files and
// folders, pipes, standard input, http(s) addresses, and the object stores s3://, gs:// and az://.
// It does not interpret their content.
//
// Most callers make a [Client] and call its Find, Open and Create with what the user typed:
//
//	forecast.grib2  archive/  '*.nc'       local files, a folder, a glob
//	-                                      standard input
//	https://host/path                      a file on a web server, by ranges
//	s3://bucket/key  s3://bucket/prefix/   Amazon's protocol: AWS_* variables, profiles, AWS_ENDPOINT_URL
//	gs://bucket/key                        Google Cloud Storage: application default credentials, STORAGE_EMULATOR_HOST
//	az://container/key                     Azure blobs: AZURE_STORAGE_CONNECTION_STRING, AZURE_STORAGE_ACCOUNT and _KEY
//
// Reading is by [Blob]: any offset, several goroutines, a context for each read. What lies on the
// network is read in blocks that are kept for a while and fetched ahead of sequential readers, and
// every range is asked for on the condition that the object is still the one that was opened. What
// cannot be read at any offset (a pipe, a server without ranges) is copied to a temporary file
// without a name. Writing is by [Writer]: nothing appears under the name before Commit.
package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"
)

// A Bucket is a place where blobs lie under names: the local file system, a web, a bucket of an
// object store. It may be used by several goroutines.
type Bucket interface {
	// Open opens a blob. The error of one that is not there wraps fs.ErrNotExist.
	Open(ctx context.Context, name string) (Blob, error)
	// List lists the blobs whose names begin with prefix, in the order of their names. A bucket
	// that cannot, as the web, yields an error that wraps errors.ErrUnsupported.
	List(ctx context.Context, prefix string) iter.Seq2[Entry, error]
	// Create begins a blob, which replaces one of that name when it is committed. ctx is for all
	// writing.
	Create(ctx context.Context, name string) (Writer, error)
}

// A Remover is a [Bucket] that can remove blobs.
type Remover interface {
	// Remove removes a blob, which need not be there.
	Remove(ctx context.Context, name string) error
}

// A Blob is an open file or object. It may be used by several goroutines.
type Blob interface {
	// ReadAt is as of io.ReaderAt, and ends early when ctx does.
	ReadAt(ctx context.Context, p []byte, off int64) (int, error)
	Size() int64
	// ETag identifies the state of the content, as entity tags of HTTP do, without quotes; empty
	// when nothing does.
	ETag() string
	Close() error
}

// A Writer writes a blob. One of Commit and Abort must be called; Abort after Commit does nothing.
type Writer interface {
	io.Writer
	// Commit makes what was written appear under its name, whole.
	Commit() error
	// Abort drops what was written.
	Abort()
}

// An Entry is a blob in a list.
type Entry struct {
	Name     string
	Size     int64
	Modified time.Time
	ETag     string
}

// ReaderAt reads b as an io.ReaderAt under ctx.
func ReaderAt(ctx context.Context, b Blob) io.ReaderAt { return readerAt{ctx, b} }

type readerAt struct {
	ctx  context.Context
	blob Blob
}

func (r readerAt) ReadAt(p []byte, off int64) (int, error) { return r.blob.ReadAt(r.ctx, p, off) }

// ErrChanged says that an object is no longer the one that was opened.
var ErrChanged = errors.New("the file has changed since it was opened")

// A SchemeError is a location whose scheme is not known.
type SchemeError struct{ Location, Scheme string }

func (e *SchemeError) Error() string {
	return fmt.Sprintf("%s: %s addresses are not supported, expected http, https, s3, gs or az", Display(e.Location), e.Scheme)
}
