package zarr

import (
	"net"
	"net/http"
	"slices"
	"strings"
)

// permitsHost reports whether a request with this Host header is meant for this server.
func (h *handler) permitsHost(host string) bool {
	if h.opts.Hosts == nil {
		return true
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return slices.ContainsFunc(h.opts.Hosts, func(name string) bool { return strings.EqualFold(name, host) })
}

// permitOrigin adds the headers by which a browser lets a page of another origin read the answer.
func (h *handler) permitOrigin(w http.ResponseWriter, r *http.Request) {
	if len(h.opts.Origins) == 0 {
		return
	}
	header := w.Header()
	origin := "*"
	if !slices.Contains(h.opts.Origins, "*") {
		header.Add("Vary", "Origin")
		if origin = r.Header.Get("Origin"); !slices.Contains(h.opts.Origins, origin) {
			return
		}
	}
	header.Set("Access-Control-Allow-Origin", origin)
	header.Set("Access-Control-Expose-Headers", "Accept-Ranges, Content-Encoding, Content-Length, Content-Range, Content-Type, ETag")
	if r.Method == http.MethodOptions {
		header.Set("Access-Control-Allow-Methods", allowedMethods)
		header.Set("Access-Control-Allow-Headers", "Range, If-Match, If-None-Match, If-Range, Cache-Control, Content-Type, Depth")
		header.Set("Access-Control-Max-Age", "86400")
	}
}
