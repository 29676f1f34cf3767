package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/zarr"
)

// value answers with a value, or the part of it that the request asks for.
func (h *handler) value(w http.ResponseWriter, r *http.Request, key string, v zarr.Value) {
	header := w.Header()
	header["Content-Type"] = contentType(key)
	header["X-Content-Type-Options"] = noSniff
	header["Cache-Control"] = noCache
	if h.opts.Immutable {
		header["Cache-Control"] = forEver
	}
	if doc, ok := v.(*document); ok {
		header.Set("Vary", "Accept-Encoding")
		v = doc.negotiate(header, r)
	}
	info := v.Info()
	if info.ETag != "" {
		header.Set("ETag", info.ETag)
	}
	if status := precondition(r, info.ETag); status != 0 {
		w.WriteHeader(status)
		return
	}
	header["Accept-Ranges"] = rangesOfBytes
	selected := requestedRange(r, info.ETag)
	offset, length, err := selected.Resolve(info.Size)
	if err != nil {
		header.Set("Content-Range", fmt.Sprintf("bytes */%d", info.Size))
		h.failWith(w, http.StatusRequestedRangeNotSatisfiable, err)
		return
	}
	var body *outgoing
	if r.Method == http.MethodGet {
		// Begun before the status is written: a chunk that cannot be decoded or read is an error,
		// not half an answer.
		open, release, err := h.open(r.Context(), v, selected)
		if err != nil {
			h.fail(w, err)
			return
		}
		defer release()
		defer open.Close()
		body = &outgoing{body: open, left: length}
		if err = body.advance(); err != nil {
			body.done()
			h.fail(w, fault.Errorf("serve", "%s: %w", key, err))
			return
		}
	}
	header.Set("Content-Length", strconv.FormatInt(length, 10))
	status := http.StatusOK
	if !selected.Whole() {
		header.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", offset, offset+length-1, info.Size))
		status = http.StatusPartialContent
	}
	w.WriteHeader(status)
	if body != nil {
		h.send(w, body)
	}
}

// Values of headers that are the same in all answers, which never change: http.Header.Set would make
// a slice for each.
var (
	noSniff       = []string{"nosniff"}
	noCache       = []string{"no-cache"} // clients may keep it, and ask whether it is still the same
	forEver       = []string{"public, max-age=31536000, immutable"}
	rangesOfBytes = []string{"bytes"}
	typeOfJSON    = []string{"application/json"}
	typeOfChunks  = []string{"application/octet-stream"}
)

func contentType(key string) []string {
	if key == "zarr.json" || strings.HasSuffix(key, "/zarr.json") {
		return typeOfJSON
	}
	return typeOfChunks
}

// precondition is the status that ends a request whose If-Match or If-None-Match does not hold. It is 0 if
// the value with the entity tag tag is to be sent (RFC 9110 section 13.2.2).
func precondition(r *http.Request, tag string) int {
	if header := r.Header.Get("If-Match"); header != "" && !matchesTag(header, tag, true) {
		return http.StatusPreconditionFailed
	}
	if header := r.Header.Get("If-None-Match"); header != "" && tag != "" && matchesTag(header, tag, false) {
		return http.StatusNotModified
	}
	return 0
}

// matchesTag reports whether a list of entity tags has tag in it (RFC 9110 section 8.8.3.2).
func matchesTag(header, tag string, strong bool) bool {
	for field := range strings.SplitSeq(header, ",") {
		field = strings.TrimSpace(field)
		switch {
		case field == "*":
			return true
		case strong && field == tag && tag != "" && !strings.HasPrefix(tag, "W/"):
			return true
		case !strong && strings.TrimPrefix(field, "W/") == strings.TrimPrefix(tag, "W/"):
			return true
		}
	}
	return false
}

// negotiate chooses the form of a document by the Accept-Encoding header of a request for all of
// it.
func (d *document) negotiate(header http.Header, r *http.Request) zarr.Value {
	if r.Header.Get("Range") != "" {
		return d
	}
	for _, coding := range []string{"zstd", "gzip"} {
		if !acceptsCoding(r.Header.Get("Accept-Encoding"), coding) {
			continue
		}
		if data, ok := d.compressed(coding); ok {
			header.Set("Content-Encoding", coding)
			tag := strings.TrimSuffix(d.info.ETag, `"`) + "-" + coding + `"`
			return &bytesValue{data, zarr.Info{Size: int64(len(data)), ETag: tag}}
		}
	}
	return d
}

// acceptsCoding reports whether an Accept-Encoding header names a coding, and not with the weight 0
// (RFC 9110 section 12.5.3).
func acceptsCoding(header, coding string) bool {
	for field := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(field, ";")
		if !strings.EqualFold(strings.TrimSpace(name), coding) {
			continue
		}
		weight, ok := strings.CutPrefix(strings.ReplaceAll(params, " ", ""), "q=")
		q, err := strconv.ParseFloat(weight, 64)
		return !ok || err == nil && q > 0
	}
	return false
}

// A bytesValue is a value in memory.
type bytesValue struct {
	data []byte
	info zarr.Info
}

// Info implements Value.
func (v *bytesValue) Info() zarr.Info { return v.info }

// Read implements Value.
func (v *bytesValue) Read(_ context.Context, r zarr.Range) (io.ReadCloser, error) {
	return memoryValue(v.data, r)
}

// Close implements Value.
func (v *bytesValue) Close() error { return nil }

// errBusy is the error for a request that waited too long for others to be answered.
var errBusy = errors.New("the server is busy sending to other clients")

// busyAfter is how long a request waits for memory.
const busyAfter = time.Minute

// open opens the part of v that r selects, when there is memory to decode it. The caller calls release when
// the body is sent.
func (h *handler) open(ctx context.Context, v zarr.Value, r zarr.Range) (body io.ReadCloser, release func(), err error) {
	weight := int64(0)
	if chunk, ok := v.(*chunkValue); ok && chunk.chunk.Stored == nil {
		weight = min(chunk.chunk.Size, h.opts.BodyBytes)
	}
	if weight == 0 {
		body, err = v.Read(ctx, r) // does not wait for memory
		return body, func() {}, err
	}
	waiting, cancel := context.WithTimeout(ctx, h.patience)
	defer cancel()
	if err := h.bodies.Acquire(waiting, weight); err != nil {
		return nil, nil, errBusy
	}
	if body, err = v.Read(ctx, r); err != nil {
		h.bodies.Release(weight)
		return nil, nil, err
	}
	return body, func() { h.bodies.Release(weight) }, nil
}
