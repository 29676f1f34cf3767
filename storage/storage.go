// Package storage opens, lists and creates files and objects by their location. Locations are
// local files and folders, pipes, standard input, http(s) addresses, and the object stores s3://,
// gs:// and az://. It does not interpret their content.
//
// Most callers make a [Client] and call its Find, Open and Create with the locations that the user
// typed:
//
//	forecast.grib2  archive/  '*.nc'       local files, a folder, a glob
//	-                                      standard input
//	https://host/path                      a file on a web server, by ranges
//	s3://bucket/key  s3://bucket/prefix/   Amazon's protocol: AWS_* variables, profiles,
//	                                       AWS_ENDPOINT_URL
//	gs://bucket/key                        Google Cloud Storage: application default credentials,
//	                                       STORAGE_EMULATOR_HOST
//	az://container/key                     Azure blobs: AZURE_STORAGE_CONNECTION_STRING,
//	                                       AZURE_STORAGE_ACCOUNT and _KEY
//
// s3a:// is another word for s3://, and azure://, abfs:// and abfss:// for az://.
//
// A [Blob] reads at any offset, from several goroutines, with a context for each read. Objects on
// the network are read in blocks, which are cached for a while and fetched ahead of sequential
// readers; every request has the condition that the object has not changed since it was opened. An
// input without random access (a pipe, a server without ranges) is copied to a temporary file
// without a name. A [Writer] writes a blob, which does not appear under its name before Commit.
package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"time"
)

// A Bucket holds blobs under names: the local file system, the web, a bucket of an object store. It
// may be used by several goroutines.
type Bucket interface {
	// Open opens a blob. If it does not exist, the error wraps fs.ErrNotExist.
	Open(ctx context.Context, name string) (Blob, error)
	// List lists the blobs whose names begin with prefix, in the order of their names. A bucket
	// that cannot list, such as the web, yields an error that wraps errors.ErrUnsupported.
	List(ctx context.Context, prefix string) iter.Seq2[Entry, error]
	// Create begins a blob, which replaces an existing blob of that name when it is committed.
	// The context applies to all writes.
	Create(ctx context.Context, name string) (Writer, error)
}

// A Remover is a [Bucket] that can remove blobs.
type Remover interface {
	// Remove removes a blob. It is no error if there is none.
	Remove(ctx context.Context, name string) error
}

// A Blob is an open file or object. It may be used by several goroutines.
type Blob interface {
	// ReadAt is like ReadAt of io.ReaderAt, and ends early when ctx does.
	ReadAt(ctx context.Context, p []byte, off int64) (int, error)
	Size() int64
	// ETag identifies the state of the content, as entity tags of HTTP do, without quotes. It is
	// empty if it is not known.
	ETag() string
	Close() error
}

// A Writer writes a blob. One of Commit and Abort must be called; Abort after Commit does nothing.
type Writer interface {
	io.Writer
	// Commit makes the complete blob appear under its name.
	Commit() error
	// Abort discards the written bytes.
	Abort()
}

// A WriteError is an error of writing: of an output, or of a temporary file. It is not about reading.
type WriteError struct{ LocationError }

// writing is an error of writing to a location.
func writing(location, op string, err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		err = pe.Err
	case errors.As(err, &le):
		err = le.Err
	}
	return &WriteError{LocationError{location, fmt.Errorf("%s: %w", op, err)}}
}

// An Entry is a blob in a list.
type Entry struct {
	Name     string
	Size     int64
	Modified time.Time
	ETag     string
}

// ReaderAt returns an io.ReaderAt that reads b under ctx.
func ReaderAt(ctx context.Context, b Blob) io.ReaderAt { return readerAt{ctx, b} }

type readerAt struct {
	ctx  context.Context
	blob Blob
}

func (r readerAt) ReadAt(p []byte, off int64) (int, error) { return r.blob.ReadAt(r.ctx, p, off) }

// ErrChanged is the error of reading a file or object that has changed since it was opened.
var ErrChanged = errors.New("the file has changed since it was opened")

// A SchemeError reports a location whose scheme is not supported.
type SchemeError struct{ Location, Scheme string }

func (e *SchemeError) Error() string {
	return fmt.Sprintf("%s: %s addresses are not supported, expected http, https, s3, gs or az", Display(e.Location), e.Scheme)
}
