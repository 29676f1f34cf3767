package serve

import (
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// permitsHost reports whether a request with this Host header is meant for this server.
func (h *handler) permitsHost(host string) bool {
	if h.opts.Hosts == nil {
		return true
	}
	host, ok := hostName(host)
	return ok && slices.ContainsFunc(h.opts.Hosts, func(name string) bool { return strings.EqualFold(name, host) })
}

// hostName is the name or address in a Host header (RFC 9110 section 7.2), without brackets and port. It
// returns false for a header of another form.
func hostName(header string) (name string, ok bool) {
	host, port := header, ""
	if i := strings.LastIndexByte(header, ':'); i > strings.LastIndexByte(header, ']') {
		host, port = header[:i], header[i+1:]
	}
	if port != "" {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return "", false
		}
	}
	if inner, bracketed := strings.CutPrefix(host, "["); bracketed {
		inner, ok = strings.CutSuffix(inner, "]")
		address, err := netip.ParseAddr(inner)
		return inner, ok && err == nil && address.Is6()
	}
	return host, host != "" && !strings.ContainsAny(host, ":[]")
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
	header.Set("Access-Control-Expose-Headers", "Accept-Ranges, Content-Encoding, Content-Length, Content-Range, Content-Type, ETag, Link")
	if r.Method == http.MethodOptions {
		header.Set("Access-Control-Allow-Methods", allowedMethods)
		header.Set("Access-Control-Allow-Headers", "Range, If-Match, If-None-Match, If-Range, Cache-Control, Content-Type, Depth")
		header.Set("Access-Control-Max-Age", "86400")
	}
}
