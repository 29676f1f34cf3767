package zarr

import (
	"bufio"
	"errors"
	"html"
	"net/http"
	"net/url"
	"strings"
)

// list answers with a page of links to what lies directly below a folder.
func (h *handler) list(w http.ResponseWriter, r *http.Request, folder string) {
	if folder != "" && !ValidKey(folder) {
		h.fail(w, keyNotFound(folder))
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
			if errors.Is(err, errors.ErrUnsupported) {
				err = keyNotFound(folder)
			}
			h.fail(w, err)
			return
		}
		if !started {
			started = true
			header.Set("Content-Type", "text/html; charset=utf-8")
			header.Set("Cache-Control", "no-cache")
			if r.Method == http.MethodHead {
				return
			}
			writeHead(out, folder)
		}
		writeLink(out, key)
	}
	if !started {
		h.fail(w, keyNotFound(folder))
		return
	}
	out.WriteString("</ul>\n")
	out.Flush() // an error here is one of the connection
}

func writeHead(out *bufio.Writer, folder string) {
	// GDAL takes a page for a listing by this title.
	title := html.EscapeString("Index of /" + folder)
	out.WriteString("<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>" + title + "</title>\n<h1>" + title + "</h1>\n<ul>\n")
}

func writeLink(out *bufio.Writer, key string) {
	name := strings.TrimSuffix(key, "/")
	name = key[strings.LastIndexByte(name, '/')+1:]
	target := (&url.URL{Path: "/" + key}).EscapedPath()
	out.WriteString("<li><a href=\"" + html.EscapeString(target) + "\">" + html.EscapeString(name) + "</a>\n")
}
