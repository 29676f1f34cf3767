package serve

import (
	"bufio"
	"errors"
	"html"
	"net/http"
	"net/url"
	"strings"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/zarr"
)

// list answers with a page of links to the nodes directly below a folder.
func (h *handler) list(w http.ResponseWriter, r *http.Request, folder string) {
	if folder != "" && !zarr.ValidKey(folder) {
		h.fail(w, zarr.KeyNotFound(folder))
		return
	}
	header := w.Header()
	out := bufio.NewWriterSize(w, 16<<10)
	started := false
	for key, err := range h.store.List(r.Context(), folder) {
		if err != nil {
			if started {
				out.WriteString("<li>the list ends here: " + html.EscapeString(err.Error()) + "\n")
				break
			}
			if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, zarr.ErrNotFound) {
				h.absent(w, r, folder)
				return
			}
			h.fail(w, err)
			return
		}
		if !started {
			started = true
			header.Set("Content-Type", "text/html; charset=utf-8")
			header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
			header.Set("X-Content-Type-Options", "nosniff")
			header.Set("Cache-Control", "no-cache")
			if r.Method == http.MethodHead {
				return
			}
			writeHead(out, folder)
		}
		writeLink(out, h.opts.Prefix, key)
	}
	if !started {
		h.absent(w, r, folder)
		return
	}
	out.WriteString("</ul>\n")
	out.Flush() // an error here is one of the connection
}

// absent answers that there is nothing under a key. For clients the status 404 of a chunk means
// fill values. If the array is gone, because the store has changed since the client opened it, the
// answer is an error with another status.
func (h *handler) absent(w http.ResponseWriter, r *http.Request, key string) {
	array := ""
	for path, rest := range splits(key) {
		if !isChunkKey(rest) {
			continue
		}
		switch _, err := zarr.Stat(r.Context(), h.store, zarr.JoinKey(path, "zarr.json")); {
		case err == nil:
			h.fail(w, zarr.KeyNotFound(key))
			return
		case !errors.Is(err, zarr.ErrNotFound):
			h.fail(w, err)
			return
		}
		array = path // the shortest one
	}
	if array != "" {
		h.failWith(w, http.StatusGone, fault.Errorf("serve", "%s: there is no array %q, or not any more", key, array))
		return
	}
	h.fail(w, zarr.KeyNotFound(key))
}

func writeHead(out *bufio.Writer, folder string) {
	// GDAL takes a page for a listing by this title.
	title := html.EscapeString("Index of /" + folder)
	out.WriteString("<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>" + title + "</title>\n<h1>" + title + "</h1>\n<ul>\n")
}

func writeLink(out *bufio.Writer, prefix, key string) {
	name := strings.TrimSuffix(key, "/")
	name = key[strings.LastIndexByte(name, '/')+1:]
	target := (&url.URL{Path: prefix + "/" + key}).EscapedPath()
	out.WriteString("<li><a href=\"" + html.EscapeString(target) + "\">" + html.EscapeString(name) + "</a>\n")
}
