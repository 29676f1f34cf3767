package site

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/site/pyramid"
)

// The names of the documents of a snapshot for viewers, beside the store.
const (
	mapsFolder     = "@map"         // the maps of each variable at several resolutions, see package pyramid
	fieldsDocument = "@fields.json" // a pyramid.Document
	seriesDocument = "@series.json" // values at one place, see series
	boxDocument    = "@box.json"    // statistics of an area, see box
	tileDocument   = "@tile.bin"    // ?variable=t&halved=2&row=0&col=1&at=0,3: a tile, see pyramid.View.Packed
	headDocument   = "@head.json"   // ?variable=t: the first values, also of variables that have no maps
)

// mapDocuments answers the requests of viewers to a snapshot, except for tiles. path is the path
// within the snapshot; nil leaves the request to the store.
func mapDocuments(maps *pyramid.View, path string) http.Handler {
	switch path {
	case fieldsDocument:
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			d, err := maps.Document(r.Context())
			answer(w, r, d, err)
		})
	case seriesDocument:
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s, err := series(r, maps)
			answer(w, r, s, err)
		})
	case boxDocument:
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			b, err := box(r, maps)
			answer(w, r, b, err)
		})
	case tileDocument:
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := packedTile(r, maps)
			send(w, r, "application/octet-stream", body, err)
		})
	case headDocument:
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h, err := maps.Head(r.Context(), r.URL.Query().Get("variable"))
			answer(w, r, h, err)
		})
	}
	return nil
}

// series reads ?variable=t&latitude=50&longitude=10&along=step&at=0,3&over=number: the values at a place
// along a dimension, and their bands over another, where at has the positions along all dimensions before
// latitude and longitude.
func series(r *http.Request, maps *pyramid.View) (any, error) {
	q := r.URL.Query()
	place, err := degrees(q, "latitude", "longitude")
	if err != nil {
		return nil, err
	}
	at, err := positions(q)
	if err != nil {
		return nil, err
	}
	return maps.Along(r.Context(), q.Get("variable"), place[0], place[1], at, q.Get("along"), q.Get("over"))
}

// box reads ?variable=t&north=50&west=0&south=40&east=10&at=0,3: statistics of a map in an area.
func box(r *http.Request, maps *pyramid.View) (any, error) {
	q := r.URL.Query()
	sides, err := degrees(q, "north", "west", "south", "east")
	if err != nil {
		return nil, err
	}
	at, err := positions(q)
	if err != nil {
		return nil, err
	}
	return maps.Box(r.Context(), q.Get("variable"), sides[0], sides[1], sides[2], sides[3], at)
}

func packedTile(r *http.Request, maps *pyramid.View) ([]byte, error) {
	q := r.URL.Query()
	var place [3]int
	for i, name := range []string{"halved", "row", "col"} {
		n, err := strconv.Atoi(q.Get(name))
		if err != nil {
			return nil, &pyramid.PlaceError{Msg: name + "=" + strconv.Quote(q.Get(name)) + " is no number"}
		}
		place[i] = n
	}
	at, err := positions(q)
	if err != nil {
		return nil, err
	}
	return maps.Packed(r.Context(), q.Get("variable"), place[0], place[1], place[2], at)
}

func degrees(q url.Values, names ...string) (list []float64, err error) {
	for _, name := range names {
		v, err := strconv.ParseFloat(q.Get(name), 64)
		if err != nil {
			return nil, &pyramid.PlaceError{Msg: name + "=" + strconv.Quote(q.Get(name)) + " is no number of degrees"}
		}
		list = append(list, v)
	}
	return list, nil
}

func positions(q url.Values) ([]uint64, error) {
	at := []uint64{}
	if q.Get("at") == "" {
		return at, nil
	}
	for text := range strings.SplitSeq(q.Get("at"), ",") {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return nil, &pyramid.PlaceError{Msg: "at=" + strconv.Quote(q.Get("at")) + " is no list of positions"}
		}
		at = append(at, n)
	}
	return at, nil
}

// answer writes a document that never changes, as JSON.
func answer(w http.ResponseWriter, r *http.Request, document any, err error) {
	var body []byte
	if err == nil {
		body, err = json.Marshal(document)
	}
	send(w, r, "application/json", body, err)
}

// send writes an answer that never changes, or an error.
func send(w http.ResponseWriter, r *http.Request, contentType string, body []byte, err error) {
	var bad *pyramid.PlaceError
	switch {
	case errors.As(err, &bad):
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		z.Write(body) // to memory
		z.Close()
		header.Set("Content-Encoding", "gzip")
		body = out.Bytes()
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		w.Write(body) // an error is one of the connection
	}
}
