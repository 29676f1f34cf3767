package zarr

import (
	"context"
	"encoding/xml"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// The part of a multistatus response (RFC 4918 section 14) that clients of a read-only store use.
type davMultistatus struct {
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

// maxListed bounds what one PROPFIND lists.
const maxListed = 1_000_000

// propfind lists a folder, or describes a value, for clients of WebDAV.
func (h *handler) propfind(w http.ResponseWriter, r *http.Request) {
	depth := r.Header.Get("Depth")
	if depth != "0" && depth != "1" {
		http.Error(w, "PROPFIND: the depth must be 0 or 1", http.StatusForbidden)
		return
	}
	key := strings.Trim(r.URL.Path, "/")
	if key != "" && !ValidKey(key) {
		h.fail(w, keyNotFound(key))
		return
	}
	answer := new(davMultistatus)
	if value, err := h.store.Open(r.Context(), key); key != "" && err == nil {
		answer.add(key, value.Info(), h.began)
		value.Close()
	} else if errors.Is(err, ErrGone) {
		h.fail(w, err)
		return
	} else if err := h.describeFolder(r.Context(), answer, key, depth == "1"); err != nil {
		h.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	w.WriteHeader(http.StatusMultiStatus)
	w.Write([]byte(xml.Header))
	xml.NewEncoder(w).Encode(answer) // an error here is one of the connection
}

// describeFolder adds a folder and, if children is set, what lies directly below it.
func (h *handler) describeFolder(ctx context.Context, answer *davMultistatus, folder string, children bool) error {
	answer.addFolder(folder, h.began)
	found := false
	for key, err := range h.store.List(ctx, folder) {
		if errors.Is(err, errors.ErrUnsupported) {
			return keyNotFound(folder)
		}
		if err != nil {
			return err
		}
		found = true
		if !children || len(answer.Responses) > maxListed {
			break
		}
		if name, ok := strings.CutSuffix(key, "/"); ok {
			answer.addFolder(name, h.began)
		} else if info, err := Stat(ctx, h.store, key); err == nil {
			answer.add(key, info, h.began)
		}
	}
	if !found {
		return keyNotFound(folder)
	}
	return nil
}

func (m *davMultistatus) add(key string, info Info, modified time.Time) {
	m.append((&url.URL{Path: "/" + key}).EscapedPath(), davProp{
		Length: &info.Size, ETag: info.ETag, Modified: modified.UTC().Format(http.TimeFormat),
	})
}

func (m *davMultistatus) addFolder(key string, modified time.Time) {
	if key != "" {
		key += "/"
	}
	m.append((&url.URL{Path: "/" + key}).EscapedPath(), davProp{
		Type: davResourceType{new(struct{})}, Modified: modified.UTC().Format(http.TimeFormat),
	})
}

func (m *davMultistatus) append(href string, prop davProp) {
	m.Responses = append(m.Responses, davResponse{href, davPropstat{prop, "HTTP/1.1 200 OK"}})
}
