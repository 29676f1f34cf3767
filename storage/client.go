package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Client resolves locations. The zero value is ready to use; fields must be set before the first
// use. It may be used by several goroutines, and shares connections and cached blocks among them.
type Client struct {
	// Stdin is standard input; nil means that there is none.
	Stdin io.Reader
	// TempDir is the folder for copies of inputs without random access; empty is the system's
	// folder for temporary files.
	TempDir string
	// OnRead, which may be nil, is called after each read of a remote blob of size bytes. It gets
	// the offsets at which the read began and ended. It may be called by several goroutines.
	OnRead func(location string, off, end, size int64)
	// External allows to open files that inputs refer to, see [Client.OpenExternal].
	External bool
	// ExternalFrom are folders and addresses in and below which these files may lie as well.
	ExternalFrom []string
	// Sources, which may be nil, keeps the states of opened files and objects. Outputs of the
	// client do not appear when a source has changed.
	Sources *Sources
	// Header is added to every request to a web server.
	Header http.Header

	patience   time.Duration // with silent servers; 0 means defaultPatience
	renewEvery time.Duration // locks in object stores; 0 means renewEvery

	once    sync.Once
	web     *web
	objects objects // open objects and spooled inputs, by location
	stores  stores
	folders sync.Map // the files of folders that are one input, for a while

	stdinLost atomic.Pointer[error] // why standard input, a part of which was read, could not be kept
}

func (c *Client) init() {
	c.once.Do(func() {
		if c.patience == 0 {
			c.patience = defaultPatience
		}
		c.web = newWeb(c)
		c.objects.cache = newBlockCache()
	})
}

// Resolve returns the bucket of a location, and the name of the blob in it.
func (c *Client) Resolve(location string) (Bucket, string, error) {
	c.init()
	switch s := scheme(location); s {
	case "":
		if location == Stdin {
			return stdinBucket{c}, location, nil
		}
		return localBucket{c}, location, nil
	case "file":
		return localBucket{c}, LocalPath(location), nil
	case "http", "https":
		return webBucket{c}, location, nil
	case "s3", "gs", "az":
		bucket, name := splitBucket(location)
		if bucket == "" {
			return nil, "", fmt.Errorf("%s: no bucket is named, expected %s://BUCKET/NAME", location, s)
		}
		b, err := c.stores.bucket(c, s, bucket)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", Display(location), err)
		}
		return b, name, nil
	default:
		if _, err := os.Lstat(location); err == nil { // a strange name for a file, but one
			return localBucket{c}, location, nil
		}
		return nil, "", &SchemeError{location, s}
	}
}

// Open opens the blob at a location. Errors begin with the location.
func (c *Client) Open(ctx context.Context, location string) (Blob, error) {
	b, name, err := c.Resolve(location)
	if err != nil {
		return nil, err
	}
	blob, err := c.openIn(ctx, b, name)
	if err != nil {
		return nil, located(location, err)
	}
	if folder := FolderOf(blob); folder != nil {
		c.Sources.addFolder(ctx, location, folder.Size())
		return blob, nil
	}
	if blob, err = c.Sources.add(ctx, location, blob); err != nil {
		return nil, err
	}
	if c.OnRead != nil && IsRemote(location) {
		return &observed{blob, location, c.OnRead}, nil
	}
	return blob, nil
}

// observed is a blob whose reads are watched.
type observed struct {
	Blob
	location string
	onRead   func(location string, off, end, size int64)
}

// ReadAt implements [Blob].
func (o *observed) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	n, err := o.Blob.ReadAt(ctx, p, off)
	o.onRead(o.location, off, off+int64(n), o.Size())
	return n, err
}

// Unwrap returns the blob that is watched.
func (o *observed) Unwrap() Blob { return o.Blob }

// Create begins to write the blob at a location; local folders that are missing are made. Errors begin
// with the location.
func (c *Client) Create(ctx context.Context, location string) (Writer, error) {
	b, name, err := c.Resolve(location)
	if err != nil {
		return nil, err
	}
	return b.Create(ctx, name)
}

// Close releases connections and temporary files. No blob may be in use.
func (c *Client) Close() error {
	c.init()
	c.objects.close()
	c.web.client.CloseIdleConnections()
	return nil
}

// located puts a location before an error, in our words: "file: the problem".
func located(location string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return &LocationError{location, err}
}

// A LocationError is an error about the file, folder or object at a location. Its text begins with
// the location.
type LocationError struct {
	Location string
	Err      error
}

func (e *LocationError) Error() string { return Display(e.Location) + ": " + e.Err.Error() }

// NamesFile reports that the text says which file the error is about.
func (e *LocationError) NamesFile() bool { return true }

// Unwrap returns the cause.
func (e *LocationError) Unwrap() error { return e.Err }

// objects are the remote objects and the copies of pipes that are open, and some that were lately.
type objects struct {
	cache *blockCache

	mu   sync.Mutex
	open map[string]*object
	idle []string // locations of objects that are not in use, longest unused first
}

// idleObjects is how many objects are remembered that are not open.
const idleObjects = 8

// object is a shared blob.
type object struct {
	Blob
	refs   int
	pinned bool // cannot be opened again: kept until the client is closed
}

// Unwrap returns the blob that is shared.
func (o *object) Unwrap() Blob { return o.Blob }

// get returns the object at a location, opened by open unless it is known.
func (o *objects) get(location string, open func() (Blob, bool, error)) (Blob, error) {
	if b := o.known(location); b != nil {
		return b, nil
	}
	blob, pinned, err := open()
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	if o.open == nil {
		o.open = make(map[string]*object)
	}
	if o.open[location] == nil {
		o.open[location] = &object{Blob: blob, pinned: pinned}
		blob = nil
	}
	o.mu.Unlock()
	if blob != nil { // another was faster
		blob.Close()
	}
	return o.known(location), nil
}

// known returns the object at a location if it is open.
func (o *objects) known(location string) Blob {
	o.mu.Lock()
	defer o.mu.Unlock()
	b := o.open[location]
	if b == nil {
		return nil
	}
	if b.refs++; b.refs == 1 {
		for i, l := range o.idle {
			if l == location {
				o.idle = append(o.idle[:i:i], o.idle[i+1:]...)
				break
			}
		}
	}
	return &lent{b, sync.OnceFunc(func() { o.release(location, b) })}
}

// lent is a use of a shared blob.
type lent struct {
	*object
	done func()
}

func (l *lent) Close() error { l.done(); return nil }

func (o *objects) release(location string, b *object) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if b.refs--; b.refs > 0 || b.pinned {
		return
	}
	if o.open[location] != b {
		b.Blob.Close()
		return
	}
	if o.idle = append(o.idle, location); len(o.idle) > idleObjects {
		oldest := o.idle[0]
		o.idle = o.idle[1:]
		o.open[oldest].Blob.Close()
		delete(o.open, oldest)
	}
}

// forget lets the object at a location be opened anew, because it has been written or removed.
func (o *objects) forget(location string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	b := o.open[location]
	if b == nil || b.pinned {
		return
	}
	delete(o.open, location)
	if b.refs == 0 {
		o.idle = slices.DeleteFunc(o.idle, func(l string) bool { return l == location })
		b.Blob.Close()
	}
}

func (o *objects) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, b := range o.open {
		b.Blob.Close()
	}
	o.open, o.idle = nil, nil
}
