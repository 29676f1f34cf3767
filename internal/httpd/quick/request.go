package quick

import (
	"bufio"
	"bytes"
	"context"
	"net/http"
	"net/url"
)

// A requestReader reads requests without a body. It remembers what the last one had after its first
// line: clients repeat it.
type requestReader struct {
	lines []byte        // after the first
	last  *http.Request // with these lines
}

// read reads a request, which has the context ctx. It returns nil if data is not one whole request
// without a body and nothing else, in a form that everybody reads in the same way.
func (q *requestReader) read(ctx context.Context, data []byte) *http.Request {
	line, rest, _ := bytes.Cut(data, []byte("\r\n"))
	path, plain := plainPath(line)
	if plain && q.last != nil && bytes.Equal(rest, q.lines) {
		r := q.last.WithContext(ctx)
		r.URL, r.RequestURI = &url.URL{Path: path}, path
		return r
	}
	q.last = nil
	r := parse(data)
	if r == nil {
		return nil
	}
	if plain {
		q.lines, q.last = append(q.lines[:0], rest...), r
	}
	return r.WithContext(ctx)
}

// plainPath is the path of the first line of a GET of HTTP/1.1, if it has only characters that stand
// for themselves, and no query.
func plainPath(line []byte) (path string, ok bool) {
	line, get := bytes.CutPrefix(line, []byte("GET "))
	line, version := bytes.CutSuffix(line, []byte(" HTTP/1.1"))
	if !get || !version || len(line) == 0 || line[0] != '/' || bytes.HasPrefix(line, []byte("//")) {
		return "", false
	}
	for _, b := range line {
		if !('a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '/' || b == '_' || b == '-' || b == '.') {
			return "", false
		}
	}
	return string(line), true
}

// parse reads a request as requestReader.read does.
func parse(data []byte) *http.Request {
	if !bytes.HasSuffix(data, []byte("\r\n\r\n")) || !plainLines(data) {
		return nil
	}
	source := bytes.NewReader(data)
	in := bufio.NewReader(source)
	r, err := http.ReadRequest(in)
	if err != nil || in.Buffered() > 0 || source.Len() > 0 || r.ContentLength != 0 || len(r.TransferEncoding) > 0 || r.Header["Content-Length"] != nil {
		return nil
	}
	return r
}

// plainLines reports whether data are lines of printable ASCII that end with CR and LF, none of them
// the continuation of the one before or without a name, with one Host header that names something.
func plainLines(data []byte) bool {
	hosts := 0
	for first := true; len(data) > 0; first = false {
		line, rest, ok := bytes.Cut(data, []byte("\r\n"))
		if !ok {
			return false
		}
		data = rest
		for _, b := range line {
			if b < ' ' || b > '~' {
				return false
			}
		}
		if first || len(line) == 0 {
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		if len(name) == 0 || bytes.ContainsAny(name, " \t") {
			return false
		}
		if bytes.EqualFold(name, []byte("host")) {
			hosts++
			if !isHost(bytes.TrimSpace(value)) {
				return false
			}
		}
	}
	return hosts == 1
}

// isHost reports whether a Host header is one that net/http accepts. Of what it accepts, this is the
// part that occurs.
func isHost(host []byte) bool {
	for _, b := range host {
		if !('a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || bytes.IndexByte([]byte("-_.:[]"), b) >= 0) {
			return false
		}
	}
	return len(host) > 0
}
