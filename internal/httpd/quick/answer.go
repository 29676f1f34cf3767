package quick

import (
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// mostKept bounds the body of an answer that is kept until its length is known.
const mostKept = 64 << 10

// An answer is the http.ResponseWriter of a request.
type answer struct {
	conn   *net.TCPConn
	header http.Header
	status int       // 0 before it is known
	length int64     // that the handler says the body has; -1 if it does not
	sent   int64     // bytes of the body
	head   []byte    // what comes before the body
	began  bool      // head was sent
	closes bool      // the connection is of no use after it
	kept   []byte    // the body, if the handler does not say how long it is
	pieces [2][]byte // what is written together
	failed bool
	timed  bool // the handler has set a deadline
}

func (a *answer) begin(c *net.TCPConn) {
	header := a.header
	if header == nil {
		header = make(http.Header)
	}
	clear(header)
	*a = answer{conn: c, header: header, head: a.head[:0]}
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// SetWriteDeadline is for http.ResponseController.
func (a *answer) SetWriteDeadline(t time.Time) error {
	a.timed = true
	return a.conn.SetWriteDeadline(t)
}

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if a.status != 0 || status < 200 {
		return // informational answers are left out
	}
	a.status, a.length = status, -1
	if text := a.header.Get("Content-Length"); text != "" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			delete(a.header, "Content-Length")
		} else {
			a.length = n
		}
	}
	a.closes = strings.EqualFold(a.header.Get("Connection"), "close")
}

// bodiless reports whether the answer has no body, whatever the handler writes.
func (a *answer) bodiless() bool {
	return a.status == http.StatusNoContent || a.status == http.StatusNotModified
}

// Write implements http.ResponseWriter.
func (a *answer) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.WriteHeader(http.StatusOK)
	}
	switch {
	case a.bodiless():
		return 0, http.ErrBodyNotAllowed
	case a.length >= 0 && int64(len(p)) > a.length-a.sent:
		a.closes = true // as net/http has it
		return 0, http.ErrContentLength
	case a.length < 0 && !a.began && len(a.kept)+len(p) <= mostKept:
		a.kept = append(a.kept, p...)
		return len(p), nil
	case a.length < 0 && !a.began:
		a.closes = true
		a.header.Set("Connection", "close")
		if len(a.kept) > 0 {
			if _, err := a.send(a.kept); err != nil {
				return 0, err
			}
		}
	}
	return a.send(p)
}

// send writes a part of the body, after the head if it is the first.
func (a *answer) send(p []byte) (n int, err error) {
	if a.began {
		n, err = a.conn.Write(p)
	} else {
		a.began = true
		a.makeHead(p)
		a.pieces = [2][]byte{a.head, p}
		both := net.Buffers(a.pieces[:])
		var all int64
		all, err = both.WriteTo(a.conn)
		n = int(max(0, all-int64(len(a.head))))
	}
	a.sent += int64(n)
	a.failed = a.failed || err != nil
	return n, err
}

// makeHead makes the status line and the headers of an answer that begins with body.
func (a *answer) makeHead(body []byte) {
	if len(body) > 0 && a.header["Content-Type"] == nil && a.header.Get("Content-Encoding") == "" {
		a.header.Set("Content-Type", http.DetectContentType(body))
	}
	b := strconv.AppendInt(append(a.head[:0], "HTTP/1.1 "...), int64(a.status), 10)
	b = append(append(append(b, ' '), http.StatusText(a.status)...), "\r\n"...)
	if a.header["Date"] == nil {
		b = append(time.Now().UTC().AppendFormat(append(b, "Date: "...), http.TimeFormat), "\r\n"...)
	}
	for key, values := range a.header {
		for _, v := range values {
			if strings.ContainsAny(v, "\r\n") {
				v = lineEnds.Replace(v)
			}
			b = append(append(append(append(b, key...), ": "...), v...), "\r\n"...)
		}
	}
	a.head = append(b, "\r\n"...)
}

// finish ends the answer after the handler has returned. It reports whether the connection can be
// used for another one.
func (a *answer) finish() (again bool) {
	if a.status == 0 {
		a.WriteHeader(http.StatusOK)
	}
	if !a.began && !a.failed {
		switch {
		case a.bodiless():
			a.length = 0
		case a.length < 0:
			a.length = int64(len(a.kept))
			a.header.Set("Content-Length", strconv.FormatInt(a.length, 10))
		}
		_, _ = a.send(a.kept) // a.failed says whether it was sent
	}
	if a.timed { // it is for this answer
		_ = a.conn.SetWriteDeadline(time.Time{})
	}
	return !a.failed && !a.closes && a.sent == a.length
}

// lineEnds are no part of a header.
var lineEnds = strings.NewReplacer("\r", " ", "\n", " ")
