// Package edr answers requests of the OGC API - Environmental Data Retrieval, version 1.1 (OGC 19-086r6).
// They ask for values of a labelled dataset at positions, within areas and in cubes.
//
//	/edr                                  the landing page
//	/edr/conformance, /edr/api            classes of conformance, and the OpenAPI document
//	/edr/collections                      a collection for each group of the dataset
//	/edr/collections/ID/position?coords=POINT(8.7 50.1)
//	/edr/collections/ID/area?coords=POLYGON((…))
//	/edr/collections/ID/cube?bbox=W,S,E,N
//	/edr/collections/ID/locations         places that the server was given, and values at one of them
//
// Answers are CoverageJSON, GeoJSON and CSV. No more is decoded than package extract needs for the points.
package edr

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/series"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/extract"
	"github.com/tgmconv/tgmconv/mapping"
)

// Root is the path below which requests are answered.
const Root = "edr"

// Options configure [New]. The zero value has the defaults.
type Options struct {
	Title  string
	Prefix string // of paths, such as "/gfs"
	// Locations are places with names.
	Locations []extract.Place
	// MaxFields, MaxPoints and MaxValues bound a request: its fields, the points of each, and all values. 0
	// means 10000, 100000 and a million.
	MaxFields, MaxPoints, MaxValues int
	// MaxBytes bounds an answer; 0 means 256 MiB.
	MaxBytes int64
}

// Handler answers requests for a dataset. It is an http.Handler.
type Handler struct {
	opts        Options
	collections func() ([]*collection, error)
}

// New returns a handler for a dataset whose values are read from fields.
func New(set *dataset.Dataset, fields dataset.Fields, opts Options) *Handler {
	for _, limit := range []struct {
		of    *int
		value int
	}{{&opts.MaxFields, 10_000}, {&opts.MaxPoints, 100_000}, {&opts.MaxValues, 1_000_000}} {
		if *limit.of <= 0 {
			*limit.of = limit.value
		}
	}
	if opts.MaxBytes <= 0 {
		opts.MaxBytes = 256 << 20
	}
	return &Handler{opts: opts, collections: sync.OnceValues(func() ([]*collection, error) { return collectionsOf(set, fields) })}
}

// Answers reports whether a request is for the handler.
func Answers(r *http.Request) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	return first == Root
}

// A requestError is answered with a status.
type requestError struct {
	status int
	text   string
}

func (e *requestError) Error() string { return e.text }

func badRequest(format string, args ...any) error {
	return &requestError{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

func notFound(format string, args ...any) error {
	return &requestError{http.StatusNotFound, fmt.Sprintf(format, args...)}
}

func tooLarge(format string, args ...any) error {
	return &requestError{http.StatusRequestEntityTooLarge, fmt.Sprintf(format, args...)}
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	out := &answer{limit: h.opts.MaxBytes}
	if err := h.answer(out, r); err != nil {
		status, asked := http.StatusInternalServerError, new(requestError)
		if errors.As(err, &asked) {
			status = asked.status
		}
		text, _ := json.Marshal(map[string]any{"code": http.StatusText(status), "description": err.Error()})
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(text)
		return
	}
	w.Header().Set("Content-Type", out.kind)
	w.Header().Set("Content-Length", fmt.Sprint(out.Len()))
	if r.Method != http.MethodHead {
		_, _ = w.Write(out.Bytes())
	}
}

// An answer is the body of a response, in memory: errors are known before anything is sent.
type answer struct {
	bytes.Buffer
	kind  string // media type
	limit int64
}

// Write implements io.Writer.
func (a *answer) Write(p []byte) (int, error) {
	if int64(a.Len()+len(p)) > a.limit {
		return 0, tooLarge("the answer has more than %d bytes (--max-answer of the server)", a.limit)
	}
	return a.Buffer.Write(p)
}

// json makes a document the answer.
func (a *answer) json(v any) error {
	a.kind = "application/json"
	e := json.NewEncoder(a)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// answer answers a request.
func (h *Handler) answer(out *answer, r *http.Request) error {
	path := strings.Split(strings.Trim(r.URL.Path, "/"), "/")[1:]
	switch {
	case len(path) == 0:
		return out.json(h.landing(r))
	case len(path) == 1 && path[0] == "conformance":
		return out.json(map[string]any{"conformsTo": conformance})
	}
	all, err := h.collections()
	if err != nil {
		return err
	}
	switch {
	case len(path) == 1 && path[0] == "api":
		if err = out.json(h.openAPI(r, all)); err == nil {
			out.kind = "application/vnd.oai.openapi+json;version=3.0"
		}
		return err
	case path[0] != "collections" || len(path) > 4:
		return notFound("%s: there is no such resource", r.URL.Path)
	case len(path) == 1:
		list := []any{}
		for _, c := range all {
			list = append(list, c.document(h, r))
		}
		return out.json(map[string]any{"links": []any{h.link(r, "self", "", "/collections")}, "collections": list})
	}
	for _, c := range all {
		if c.id == path[1] {
			return h.query(out, r, c, path[2:])
		}
	}
	return notFound("there is no collection %q", path[1])
}

// query answers a request for a collection.
func (h *Handler) query(out *answer, r *http.Request, c *collection, path []string) error {
	switch {
	case len(path) == 0:
		return out.json(c.document(h, r))
	case path[0] == queryLocations && len(path) == 1:
		out.kind = mediaGeoJSON
		defer func() { out.kind = mediaGeoJSON }()
		return out.json(h.locations(r, c))
	case path[0] != queryLocations && len(path) > 1:
		return notFound("%s: there is no such resource", r.URL.Path)
	}
	params, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return badRequest("the query cannot be read: %v", err)
	}
	q := &query{params: params, handler: h, collection: c}
	switch path[0] {
	case queryPosition:
		q.selection.Places, err = positions(params.Get("coords"))
	case queryArea:
		q.selection.Areas, err = areas(params.Get("coords"))
	case queryCube:
		q.selection.Areas, err = cube(params.Get("bbox"))
	case queryLocations:
		q.selection.Places, err = h.location(path[1])
	default:
		return notFound("%s: there is no such query; there are position, area, cube and locations", r.URL.Path)
	}
	if err != nil {
		return err
	}
	return q.write(r.Context(), out)
}

// location finds a place by its name.
func (h *Handler) location(id string) ([]extract.Place, error) {
	for _, p := range h.opts.Locations {
		if p.Name == id {
			return []extract.Place{p}, nil
		}
	}
	return nil, notFound("there is no location %q", id)
}

// The kinds of queries.
const (
	queryPosition  = "position"
	queryArea      = mapping.MARSArea // the word is the same
	queryCube      = "cube"
	queryLocations = "locations"
)

// Formats and their media types.
const (
	formatCovJSON = "CoverageJSON"
	formatGeoJSON = "GeoJSON"
	formatCSV     = "CSV"

	mediaCovJSON = "application/vnd.cov+json"
	mediaGeoJSON = "application/geo+json"
	mediaCSV     = "text/csv; charset=utf-8"
)

// writers are the functions that write records in a format, by its name in lower case.
var writers = map[string]struct {
	media string
	write func(io.Writer, series.Records) error
}{
	"coveragejson": {mediaCovJSON, series.CoverageJSON},
	"geojson":      {mediaGeoJSON, geoJSON},
	"csv":          {mediaCSV, series.CSV},
}
