package zarr

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// NewHandler serves a store over HTTP, read-only, as a folder of files would be: keys are URL
// paths.
//
// GET and HEAD with byte ranges, one a request (RFC 9110 section 14; several are answered with the
// whole value), entity tags with If-None-Match and If-Range, and CORS for pages of any origin.
// Paths that end with a slash, and those of groups and arrays, are HTML pages that list what is
// below, for people and for clients that look for arrays by listing.
func NewHandler(s Store) http.Handler { return &handler{store: s} }

type handler struct{ store Store }

const allowedMethods = "GET, HEAD, OPTIONS"

// ServeHTTP implements http.Handler.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Access-Control-Expose-Headers", "Accept-Ranges, Content-Length, Content-Range, Content-Type, ETag")
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		h.get(w, r)
	case http.MethodOptions:
		header.Set("Allow", allowedMethods)
		header.Set("Access-Control-Allow-Methods", allowedMethods)
		header.Set("Access-Control-Allow-Headers", "Range, If-None-Match, If-Range, Cache-Control, Content-Type")
		header.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
	default:
		header.Set("Allow", allowedMethods)
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	}
}

func (h *handler) get(w http.ResponseWriter, r *http.Request) {
	key := strings.TrimPrefix(r.URL.Path, "/")
	if folder, ok := strings.CutSuffix(key, "/"); ok || key == "" {
		h.list(w, r, folder)
		return
	}
	if !ValidKey(key) {
		h.fail(w, r, keyNotFound(key))
		return
	}
	info, err := h.store.Stat(r.Context(), key)
	if errors.Is(err, ErrNotFound) {
		h.list(w, r, key)
		return
	}
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.value(w, r, key, info)
}

// value answers with the value of a key.
func (h *handler) value(w http.ResponseWriter, r *http.Request, key string, info Info) {
	header := w.Header()
	header.Set("Accept-Ranges", "bytes")
	header.Set("Content-Type", contentType(key))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-cache") // kept by clients, but asked for again: the file may be written anew
	if info.ETag != "" {
		header.Set("ETag", info.ETag)
		if matchesTag(r.Header.Get("If-None-Match"), info.ETag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	selected := requestedRange(r, info.ETag)
	offset, length, err := selected.Resolve(info.Size)
	if err != nil {
		header.Set("Content-Range", fmt.Sprintf("bytes */%d", info.Size))
		h.failWith(w, http.StatusRequestedRangeNotSatisfiable, err)
		return
	}
	var body io.ReadCloser
	if r.Method == http.MethodGet {
		// Opened before the status is written: a chunk that cannot be decoded is an error, not half
		// an answer.
		if body, _, err = h.store.Get(r.Context(), key, selected); err != nil {
			h.fail(w, r, err)
			return
		}
		defer body.Close()
	}
	header.Set("Content-Length", strconv.FormatInt(length, 10))
	status := http.StatusOK
	if !selected.Whole() {
		header.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", offset, offset+length-1, info.Size))
		status = http.StatusPartialContent
	}
	w.WriteHeader(status)
	if body != nil {
		copyBody(w, body, length)
	}
}

// copyBody sends the body. When that fails, net/http cuts the connection because the length it was
// told is not there, and the client sees it.
func copyBody(w io.Writer, body io.Reader, length int64) {
	buffer := make([]byte, min(length, 256<<10)+1)
	// Hidden from io.Copy, which would otherwise choose its own, smaller buffer.
	io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{io.LimitReader(body, length)}, buffer)
}

func contentType(key string) string {
	if key == "zarr.json" || strings.HasSuffix(key, "/zarr.json") {
		return "application/json"
	}
	return "application/octet-stream"
}

// requestedRange is the one range the request asks for. A Range header that is wrong, asks for
// several ranges, or is made for another state of the value (If-Range) counts as none, as RFC 9110
// section 14.2 allows.
func requestedRange(r *http.Request, tag string) Range {
	if condition := r.Header.Get("If-Range"); condition != "" && (condition != tag || strings.HasPrefix(tag, "W/")) {
		return Range{}
	}
	selected, ok := parseRange(r.Header.Get("Range"))
	if !ok {
		return Range{}
	}
	return selected
}

// parseRange reads a Range header of one byte range.
func parseRange(header string) (Range, bool) {
	unit, set, ok := strings.Cut(header, "=")
	if !ok || !strings.EqualFold(unit, "bytes") {
		return Range{}, false
	}
	first, last, ok := strings.Cut(strings.Trim(set, " \t"), "-")
	if !ok {
		return Range{}, false
	}
	if first == "" {
		n, ok := parsePosition(last)
		return Suffix(n), ok
	}
	start, ok := parsePosition(first)
	if !ok || last == "" {
		return From(start), ok
	}
	end, ok := parsePosition(last)
	if !ok || end < start {
		return Range{}, false
	}
	return Bytes(start, end-start+1), true
}

// parsePosition reads a byte position; one that no value reaches counts as the highest that an
// int64 reaches.
func parsePosition(digits string) (int64, bool) {
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	const highest = 1<<63 - 2 // so that the length from 0 on still fits
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n > highest {
		return highest, true
	}
	return n, true
}

// matchesTag reports whether an If-None-Match header names tag (weak comparison, RFC 9110 section
// 13.1.2).
func matchesTag(header, tag string) bool {
	for field := range strings.SplitSeq(header, ",") {
		field = strings.TrimSpace(field)
		if field == "*" || strings.TrimPrefix(field, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// fail answers with an error.
func (h *handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusInternalServerError
	var unsupported *UnsupportedError
	switch {
	case errors.Is(err, ErrNotFound):
		status = http.StatusNotFound
	case errors.Is(err, ErrRange):
		status = http.StatusRequestedRangeNotSatisfiable
	case errors.As(err, &unsupported), errors.Is(err, errors.ErrUnsupported):
		status = http.StatusNotImplemented
	}
	h.failWith(w, status, err)
}

func (h *handler) failWith(w http.ResponseWriter, status int, err error) {
	header := w.Header()
	header.Del("ETag")
	header.Del("Cache-Control")
	http.Error(w, err.Error(), status)
}
