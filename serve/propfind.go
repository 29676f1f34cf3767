package serve

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"github.com/tgmconv/tgmconv/zarr"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// The part of a multistatus response (RFC 4918 section 14) that clients of a read-only store use.
type davMultistatus struct {
	prefix string // of all paths

	XMLName   xml.Name      `xml:"DAV: multistatus"`
	Responses []davResponse `xml:"response"`
}

type davResponse struct {
	Href     string      `xml:"href"`
	Propstat davPropstat `xml:"propstat"`
}

type davPropstat struct {
	Prop   davProp `xml:"prop"`
	Status string  `xml:"status"`
}

type davProp struct {
	Length   *int64          `xml:"getcontentlength,omitempty"`
	ETag     string          `xml:"getetag,omitempty"`
	Modified string          `xml:"getlastmodified"`
	Type     davResourceType `xml:"resourcetype"`
}

type davResourceType struct {
	Collection *struct{} `xml:"collection,omitempty"`
}

// Bounds of the answer to one PROPFIND: a folder, and all that is below it.
const (
	maxListed      = 1_000_000
	maxListedBelow = 100_000
)

// errListed says that there is more below a folder than one PROPFIND lists.
var errListed = errors.New("too much for PROPFIND of depth infinity")

// propfind lists a folder, or all that is below it, or describes a value, for clients of WebDAV.
func (h *handler) propfind(w http.ResponseWriter, r *http.Request) {
	depth, ok := davDepths[r.Header.Get("Depth")]
	if !ok {
		http.Error(w, "PROPFIND: the depth must be 0, 1 or infinity", http.StatusBadRequest)
		return
	}
	key := strings.Trim(r.URL.Path, "/")
	if key != "" && !zarr.ValidKey(key) {
		h.fail(w, zarr.KeyNotFound(key))
		return
	}
	answer := &davMultistatus{prefix: h.opts.Prefix}
	if value, openErr := h.store.Open(r.Context(), key); key != "" && openErr == nil {
		answer.add(key, value.Info(), h.began)
		value.Close()
	} else if err := h.describeFolder(r.Context(), answer, key, depth); errors.Is(err, errListed) {
		http.Error(w, fmt.Sprintf("PROPFIND: more than %d values and folders, which depth 1 lists one folder at a time", maxListedBelow), http.StatusForbidden)
		return
	} else if err != nil {
		// A folder of chunks has the key that a chunk had if its array has more dimensions now.
		if errors.Is(err, zarr.ErrNotFound) && errors.Is(openErr, zarr.ErrGone) {
			err = openErr
		}
		h.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	w.WriteHeader(http.StatusMultiStatus)
	w.Write([]byte(xml.Header))
	xml.NewEncoder(w).Encode(answer) // an error here is one of the connection
}

// A davDepth is the number of levels below a folder that are listed.
type davDepth int

const (
	davNothing davDepth = iota
	davChildren
	davAll
)

// davDepths are the values of the header Depth.
var davDepths = map[string]davDepth{"0": davNothing, "1": davChildren, "infinity": davAll, "": davAll}

// describeFolder adds a folder and all nodes below it.
func (h *handler) describeFolder(ctx context.Context, answer *davMultistatus, folder string, depth davDepth) error {
	answer.addFolder(folder, h.began)
	found := false
	for key, err := range h.store.List(ctx, folder) {
		if errors.Is(err, errors.ErrUnsupported) {
			return zarr.KeyNotFound(folder)
		}
		if err != nil {
			return err
		}
		found = true
		switch {
		case depth == davNothing || len(answer.Responses) > maxListed:
			return nil
		case depth == davAll && len(answer.Responses) > maxListedBelow:
			return errListed
		}
		if name, ok := strings.CutSuffix(key, "/"); ok {
			if depth == davChildren {
				answer.addFolder(name, h.began)
			} else if err := h.describeFolder(ctx, answer, name, depth); err != nil {
				return err
			}
		} else if info, err := zarr.Stat(ctx, h.store, key); err == nil {
			answer.add(key, info, h.began)
		}
	}
	if !found {
		return zarr.KeyNotFound(folder)
	}
	return nil
}

func (m *davMultistatus) add(key string, info zarr.Info, modified time.Time) {
	m.append((&url.URL{Path: m.prefix + "/" + key}).EscapedPath(), davProp{
		Length: &info.Size, ETag: info.ETag, Modified: modified.UTC().Format(http.TimeFormat),
	})
}

func (m *davMultistatus) addFolder(key string, modified time.Time) {
	if key != "" {
		key += "/"
	}
	m.append((&url.URL{Path: m.prefix + "/" + key}).EscapedPath(), davProp{
		Type: davResourceType{new(struct{})}, Modified: modified.UTC().Format(http.TimeFormat),
	})
}

func (m *davMultistatus) append(href string, prop davProp) {
	m.Responses = append(m.Responses, davResponse{href, davPropstat{prop, "HTTP/1.1 200 OK"}})
}
