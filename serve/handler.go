package serve

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/tgmconv/tgmconv/internal/reuse"
	"github.com/tgmconv/tgmconv/zarr"
)

// HandlerOptions configure [NewHandler]. The zero value is for clients that are programs, not
// browsers.
type HandlerOptions struct {
	// Origins lists the origins whose web pages may read from the server (CORS), such as
	// "https://example.org"; "*" permits all. If it is empty, browsers permit only pages of the
	// server's own origin.
	Origins []string
	// Hosts lists the names that the Host header of a request may have, without port; nil permits
	// all. A server on the loopback interface must set it: otherwise a web page can reach it
	// through a name of its own that resolves to 127.0.0.1.
	Hosts []string
	// BodyBytes bounds the bytes of decoded chunks that are being sent; further requests wait. 0
	// means 256 MiB.
	BodyBytes int64
	// Stall is the time for a client to accept the next 256 KiB before its connection is closed. 0 means 20
	// seconds.
	Stall time.Duration
	// Immutable says that the store never changes: clients keep answers without asking again. A file that
	// changes nevertheless is gone.
	Immutable bool
	// Prefix is the part of URL paths that was removed before the handler (http.StripPrefix), such as
	// "/gfs": links begin with it.
	Prefix string
	// Page, which may be nil, returns the handler of a GET or HEAD request that is not for the store. It may
	// serve an HTML page; nil leaves the request to the store.
	Page func(r *http.Request) http.Handler
}

// bodyBytes is HandlerOptions.BodyBytes unless another is given.
const bodyBytes = 256 << 20

// KeptBytes bounds the memory of a dataset's server with the default options. It is in addition to the
// dataset itself and the cache of chunks: chunks that are being sent, memory to be used again, documents, and
// the fields and compressed chunks that a view keeps.
const KeptBytes = bodyBytes + reuse.Most + documentBytes + keptFields + keptEncoded

// NewHandler serves a store over HTTP, read-only, as a folder of files would be: keys are URL
// paths.
//
// GET and HEAD with byte ranges, one a request (RFC 9110 section 14; several are answered with the whole
// value), and entity tags with If-Match, If-None-Match and If-Range. Documents are sent with gzip or zstd to
// clients that accept it. Paths that end with a slash, and paths of groups and arrays, are HTML pages that
// list the keys below, for people and for clients that look for arrays by listing. PROPFIND (RFC 4918, depth
// 0 and 1) and the query list-type=2 of the root (S3's ListObjectsV2) list for clients of WebDAV and S3.
func NewHandler(s zarr.Store, opts HandlerOptions) http.Handler {
	if opts.BodyBytes <= 0 {
		opts.BodyBytes = bodyBytes
	}
	if opts.Stall <= 0 {
		opts.Stall = 20 * time.Second
	}
	return &handler{store: s, opts: opts, bodies: semaphore.NewWeighted(opts.BodyBytes), patience: busyAfter, began: time.Now()}
}

type handler struct {
	store  zarr.Store
	opts   HandlerOptions
	bodies *semaphore.Weighted // bytes of decoded chunks that are being sent
	began  time.Time           // the time of modification that listings show

	patience time.Duration // how long a request waits for memory
}

const allowedMethods = "GET, HEAD, OPTIONS, PROPFIND"

// ServeHTTP implements http.Handler.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	timed := &timedWriter{ResponseWriter: w}
	h.extendDeadline(timed)
	if !h.permitsHost(r.Host) {
		http.Error(w, "the Host header names another server than this one", http.StatusMisdirectedRequest)
		return
	}
	h.permitOrigin(w, r)
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		if h.opts.Page != nil {
			if page := h.opts.Page(r); page != nil {
				page.ServeHTTP(w, r)
				return
			}
		}
		h.get(timed, r)
	case "PROPFIND":
		h.propfind(w, r)
	case http.MethodOptions:
		header := w.Header()
		header.Set("Allow", allowedMethods)
		header.Set("DAV", "1")
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Allow", allowedMethods)
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	}
}

func (h *handler) get(w http.ResponseWriter, r *http.Request) {
	key := strings.TrimPrefix(r.URL.Path, "/")
	if key == "" && r.URL.Query().Get("list-type") == "2" {
		h.listObjects(w, r)
		return
	}
	if folder, ok := strings.CutSuffix(key, "/"); ok || key == "" {
		h.list(w, r, folder)
		return
	}
	if !zarr.ValidKey(key) {
		h.fail(w, zarr.KeyNotFound(key))
		return
	}
	value, err := h.store.Open(r.Context(), key)
	if errors.Is(err, zarr.ErrNotFound) {
		h.list(w, r, key)
		return
	}
	if err != nil {
		h.fail(w, err)
		return
	}
	defer value.Close()
	h.value(w, r, key, value)
}

// fail answers with an error.
func (h *handler) fail(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	var unsupported *zarr.UnsupportedError
	switch {
	case errors.Is(err, zarr.ErrNotFound):
		status = http.StatusNotFound
	case errors.Is(err, zarr.ErrGone), h.opts.Immutable && isChanged(err):
		status = http.StatusGone
	case errors.Is(err, zarr.ErrRange):
		status = http.StatusRequestedRangeNotSatisfiable
	case errors.Is(err, errBusy):
		w.Header().Set("Retry-After", "1")
		status = http.StatusServiceUnavailable
	case errors.As(err, &unsupported), errors.Is(err, errors.ErrUnsupported):
		status = http.StatusNotImplemented
	}
	h.failWith(w, status, err)
}

// isChanged reports whether an error says that a file has changed since it was opened.
func isChanged(err error) bool {
	var changed interface{ FileChanged() bool }
	return errors.As(err, &changed) && changed.FileChanged()
}

func (h *handler) failWith(w http.ResponseWriter, status int, err error) {
	header := w.Header()
	for _, key := range []string{"ETag", "Cache-Control", "Content-Encoding"} {
		header.Del(key)
	}
	h.extendDeadline(w) // it may have passed while the request waited for memory
	http.Error(w, err.Error(), status)
}
