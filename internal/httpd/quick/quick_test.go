package quick

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// here is where the handler of tests runs.
const here = "X-Here"

// handle answers as the path says.
func handle(w http.ResponseWriter, r *http.Request) {
	if _, ok := w.(*answer); ok {
		w.Header().Set(here, "quick")
	}
	header := w.Header()
	body := []byte(fmt.Sprintf("%s %s host=%s range=%s accept=%s uri=%s\n", r.Method, r.URL.Path, r.Host, r.Header.Get("Range"), r.Header["Accept"], r.RequestURI))
	if r.Body != nil {
		data, err := io.ReadAll(r.Body)
		body = fmt.Appendf(body, "%q %v", data, err)
	}
	what, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch what {
	case "length":
		header.Set("Content-Type", "text/x-test")
		header.Set("Content-Length", strconv.Itoa(len(body)))
	case "pieces":
		header.Set("Content-Length", strconv.Itoa(len(body)+200_000))
		_, _ = w.Write(make([]byte, 100_000))
		_, _ = w.Write(make([]byte, 100_000))
	case "large":
		body = bytes.Repeat(body, 10_000)
	case "parts": // of a length that is not said
		for range 50 {
			_, _ = w.Write(body[:20])
			_, _ = w.Write(make([]byte, 3000))
		}
	case "short":
		header.Set("Content-Length", strconv.Itoa(len(body)+1))
	case "long":
		header.Set("Content-Length", "3")
		_, _ = w.Write(body[:3])
	case "none":
		return
	case "late":
		header.Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body)
		_ = http.NewResponseController(w).Flush()
		_ = http.NewResponseController(w).SetWriteDeadline(time.Unix(1, 0))
		return
	case "notmodified":
		header.Set("ETag", `"x"`)
		w.WriteHeader(http.StatusNotModified)
	case "nocontent":
		w.WriteHeader(http.StatusNoContent)
	case "error":
		http.Error(w, "wrong", http.StatusTeapot)
		return
	case "close":
		header.Set("Connection", "close")
	case "injected":
		header.Set("X-Text", "a\r\nX-More: b")
	case "panic":
		panic(http.ErrAbortHandler)
	case "halfpanic":
		header.Set("Content-Length", "20000")
		_, _ = w.Write(make([]byte, 10_000))
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(body)
}

// start serves a handler until the test ends, by net/http alone or with a Server.
func start(t testing.TB, h http.Handler, alone bool) (address string, server *http.Server, s *Server) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server = &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0)}
	s = &Server{Handler: h, Takes: func(path string) bool { return strings.HasSuffix(path, "0") }, HeaderTimeout: server.ReadHeaderTimeout, IdleTimeout: server.IdleTimeout}
	address = l.Addr().String()
	if !alone {
		server.ConnState = s.ConnState
		l = s.Listener(l)
	}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(l) }()
	t.Cleanup(func() {
		s.Shutdown()
		server.Close()
		<-done
	})
	return address, server, s
}

// An exchange is what comes back for bytes on a connection of their own.
type exchange struct {
	answers []string
	quick   int // answers of this package
}

// exchanged sends parts of requests, and then closes its side of the connection.
func exchanged(t testing.TB, address string, parts ...string) (e exchange) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	go func() {
		for i, part := range parts {
			if i > 0 {
				time.Sleep(2 * time.Millisecond) // so that they arrive apart, mostly; what comes back is the same if not
			}
			if _, err := io.WriteString(c, part); err != nil {
				return // the server has closed the connection
			}
		}
		_ = c.(*net.TCPConn).CloseWrite()
	}()
	in := bufio.NewReader(c)
	for {
		method := http.MethodGet
		if strings.HasPrefix(parts[0], "HEAD") {
			method = http.MethodHead
		}
		response, err := http.ReadResponse(in, &http.Request{Method: method})
		if err != nil {
			return e // a server that closes a connection with unread requests resets it
		}
		if response.Header.Get(here) != "" {
			e.quick++
		}
		body, err := io.ReadAll(response.Body)
		for _, key := range []string{"Date", here} {
			response.Header.Del(key)
		}
		text := fmt.Sprintf("%s %v\n%d bytes %s", response.Status, response.Header, len(body), body[:min(len(body), 300)])
		if err != nil {
			text += " and an error"
		}
		e.answers = append(e.answers, text)
	}
}

const (
	host  = "Host: localhost\r\n"
	quick = "GET /length/0 HTTP/1.1\r\n" + host + "\r\n"
	other = "GET /length/x HTTP/1.1\r\n" + host + "\r\n"
)

// requests are sent to both servers. The package answers those that are one piece with a number.
var requests = map[string]struct {
	parts []string
	quick int
}{
	"one":                    {[]string{quick}, 1},
	"repeated":               {[]string{quick, quick, "GET /length/10 HTTP/1.1\r\n" + host + "\r\n", quick}, 1},
	"between others":         {[]string{other, quick, other, quick, quick, other}, 0},
	"pipelined":              {[]string{quick + quick + quick}, 0},
	"pipelined with others":  {[]string{quick + other + quick, quick + other}, 0},
	"in two pieces":          {[]string{quick[:20], quick[20:], quick}, 0},
	"cut in the headers":     {[]string{quick + quick[:len(quick)-2], quick[len(quick)-2:] + other}, 0},
	"by bytes":               {strings.Split(quick+quick, ""), 0},
	"headers":                {[]string{"GET /length/0 HTTP/1.1\r\nhost:localhost:80\r\nrange: bytes=0-5\r\nAccept: a\r\nAccept: b\r\nConnection: keep-alive\r\n\r\n"}, 1},
	"other headers after":    {[]string{quick, "GET /length/0 HTTP/1.1\r\nHost: other\r\nAccept: c\r\n\r\n", quick}, 1},
	"escaped":                {[]string{"GET /length/%41%20b/0 HTTP/1.1\r\n" + host + "\r\n"}, 1},
	"dots":                   {[]string{"GET /length/../0 HTTP/1.1\r\n" + host + "\r\n", "GET //length//0 HTTP/1.1\r\n" + host + "\r\n"}, 1},
	"query":                  {[]string{"GET /length/0?x=0 HTTP/1.1\r\n" + host + "\r\n", quick}, 0},
	"wrong escape":           {[]string{"GET /length/%4/0 HTTP/1.1\r\n" + host + "\r\n", quick}, 0},
	"no length":              {[]string{"GET /x/0 HTTP/1.1\r\n" + host + "\r\n", quick}, 1},
	"pieces":                 {[]string{"GET /pieces/0 HTTP/1.1\r\n" + host + "\r\n", quick}, 1},
	"short":                  {[]string{"GET /short/0 HTTP/1.1\r\n" + host + "\r\n"}, 1},
	"long":                   {[]string{"GET /long/0 HTTP/1.1\r\n" + host + "\r\n", quick}, 1},
	"nothing":                {[]string{"GET /none/0 HTTP/1.1\r\n" + host + "\r\n", quick}, 1},
	"not modified":           {[]string{"GET /notmodified/0 HTTP/1.1\r\n" + host + "\r\n", quick}, 1},
	"no content":             {[]string{"GET /nocontent/0 HTTP/1.1\r\n" + host + "\r\n", quick}, 1},
	"error":                  {[]string{"GET /error/0 HTTP/1.1\r\n" + host + "\r\n", quick}, 1},
	"deadline":               {[]string{"GET /late/0 HTTP/1.1\r\n" + host + "\r\n", quick, "GET /late/0 HTTP/1.1\r\n" + host + "\r\n", other}, 0},
	"closed by the handler":  {[]string{"GET /close/0 HTTP/1.1\r\n" + host + "\r\n"}, 1},
	"header with line ends":  {[]string{"GET /injected/0 HTTP/1.1\r\n" + host + "\r\n", quick}, 1},
	"panic":                  {[]string{"GET /panic/0 HTTP/1.1\r\n" + host + "\r\n"}, 0},
	"panic in the body":      {[]string{"GET /halfpanic/0 HTTP/1.1\r\n" + host + "\r\n"}, 1},
	"closed by the client":   {[]string{"GET /length/0 HTTP/1.1\r\nConnection: close\r\n" + host + "\r\n"}, 0},
	"HEAD":                   {[]string{"HEAD /length/0 HTTP/1.1\r\n" + host + "\r\n"}, 0},
	"body":                   {[]string{"POST /length/0 HTTP/1.1\r\nContent-Length: 5\r\n" + host + "\r\nhello", quick}, 0},
	"body that is a request": {[]string{"POST /x/0 HTTP/1.1\r\nContent-Length: " + strconv.Itoa(len(quick)) + "\r\n" + host + "\r\n", quick, other}, 0},
	"GET with a body":        {[]string{"GET /length/0 HTTP/1.1\r\nContent-Length: " + strconv.Itoa(len(quick)) + "\r\n" + host + "\r\n", quick, quick}, 0},
	"body of no bytes":       {[]string{"GET /length/0 HTTP/1.1\r\nContent-Length: 0\r\n" + host + "\r\n", quick}, 0},
	"chunked body":           {[]string{"GET /x/0 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + host + "\r\n", "5\r\nhello\r\n0\r\n\r\n", quick}, 0},
	"expects":                {[]string{"GET /x/0 HTTP/1.1\r\nExpect: 200-ok\r\n" + host + "\r\n"}, 0},
	"no host":                {[]string{"GET /length/0 HTTP/1.1\r\n\r\n"}, 0},
	"two hosts":              {[]string{"GET /length/0 HTTP/1.1\r\n" + host + "HOST: evil\r\n\r\n"}, 0},
	"odd host":               {[]string{"GET /length/0 HTTP/1.1\r\nHost: a b\r\n\r\n"}, 0},
	"folded header":          {[]string{"GET /length/0 HTTP/1.1\r\nAccept: a\r\n b\r\n" + host + "\r\n", quick}, 0},
	"space before colon":     {[]string{"GET /length/0 HTTP/1.1\r\nAccept : a\r\n" + host + "\r\n"}, 0},
	"control character":      {[]string{"GET /length/0 HTTP/1.1\r\nAccept: a\x01\r\n" + host + "\r\n"}, 0},
	"line feeds only":        {[]string{"GET /length/0 HTTP/1.1\nHost: localhost\n\n", quick}, 0},
	"HTTP/1.0":               {[]string{"GET /length/0 HTTP/1.0\r\n" + host + "\r\n"}, 0},
	"HTTP/2":                 {[]string{"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"}, 0},
	"absolute":               {[]string{"GET http://other/length/0 HTTP/1.1\r\n" + host + "\r\n", quick}, 0},
	"nonsense":               {[]string{"0\r\n\r\n"}, 0},
	"empty lines":            {[]string{"\r\n\r\n" + quick}, 0},
	"long header":            {[]string{"GET /length/0 HTTP/1.1\r\nX-Long: " + strings.Repeat("x", 9000) + "\r\n" + host + "\r\n", quick}, 0},
	"upgrade":                {[]string{"GET /length/0 HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n" + host + "\r\n", quick}, 0},
	"nothing at all":         {[]string{""}, 0},
}

// TestAnswersOfNetHTTP compares answers with those of net/http without this package.
func TestAnswersOfNetHTTP(t *testing.T) {
	with, _, _ := start(t, http.HandlerFunc(handle), false)
	without, _, _ := start(t, http.HandlerFunc(handle), true)
	for name, test := range requests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, want := exchanged(t, with, test.parts...), exchanged(t, without, test.parts...)
			// Several parts may arrive as one.
			if len(test.parts) == 1 && got.quick != test.quick {
				t.Errorf("%d answers of the package, expected %d", got.quick, test.quick)
			}
			if !slices.Equal(got.answers, want.answers) {
				t.Errorf("answers\n%q\nexpected\n%q", got.answers, want.answers)
			}
		})
	}
}

// TestInTurn sends requests for net/http and others in turn, each when the one before was answered.
func TestInTurn(t *testing.T) {
	address, _, _ := start(t, http.HandlerFunc(handle), false)
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	in := bufio.NewReader(c)
	for i := range 2000 {
		path, want := "/length/0", "quick"
		if i%3 == 0 {
			path, want = "/length/x", ""
		}
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\n%s\r\n", path, host)
		response, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(response.Body); !strings.HasPrefix(string(body), "GET "+path) || err != nil {
			t.Fatalf("%q, %v", body, err)
		}
		if got := response.Header.Get(here); got != want {
			t.Fatalf("answer %d is by %q, expected %q", i, got, want)
		}
	}
}

// TestBodiesWithoutLength reads bodies whose length the handler does not say, which are the same but
// for how their end is told.
func TestBodiesWithoutLength(t *testing.T) {
	with, _, _ := start(t, http.HandlerFunc(handle), false)
	without, _, _ := start(t, http.HandlerFunc(handle), true)
	for _, path := range []string{"/x/0", "/large/0", "/parts/0"} {
		var bodies [2][]byte
		for i, address := range []string{with, without} {
			response, err := http.Get("http://" + address + path)
			if err != nil {
				t.Fatal(err)
			}
			bodies[i], err = io.ReadAll(response.Body)
			response.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
		}
		bodies[0] = bytes.ReplaceAll(bodies[0], []byte(with), []byte(without))
		if !bytes.Equal(bodies[0], bodies[1]) {
			t.Errorf("%s: %d bytes, expected %d", path, len(bodies[0]), len(bodies[1]))
		}
	}
}

// TestClientGone sees a handler that waits end when its client goes away, and not before.
func TestClientGone(t *testing.T) {
	waits, gone := make(chan struct{}), make(chan error, 1)
	address, _, _ := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
		defer cancel()
		if r.URL.Path == "/first/0" {
			_, _ = io.WriteString(w, "first")
			return
		}
		close(waits)
		<-ctx.Done()
		gone <- r.Context().Err()
	}), false)
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(c)
	for range 3 {
		fmt.Fprintf(c, "GET /first/0 HTTP/1.1\r\n%s\r\n", host)
		response, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(response.Body); string(body) != "first" || err != nil {
			t.Fatalf("%q, %v", body, err)
		}
	}
	fmt.Fprintf(c, "GET /second/0 HTTP/1.1\r\n%s\r\n", host)
	<-waits
	select {
	case <-gone:
		t.Error("the context was done before the client had gone")
	default:
	}
	c.Close()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("%v, expected %v", err, context.Canceled)
	}
}

// TestRequestsWhileWaiting sends further requests while an answer is waited for.
func TestRequestsWhileWaiting(t *testing.T) {
	release := make(chan struct{})
	var contexts []context.Context
	address, _, _ := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/wait") {
			contexts = append(contexts, r.Context())
			select {
			case <-r.Context().Done():
			case <-release:
			}
		}
		_, _ = io.WriteString(w, r.URL.Path)
	}), false)
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	in := bufio.NewReader(c)
	for _, ahead := range []string{"", "/b/0", "/b/x"} {
		fmt.Fprintf(c, "GET /wait/0 HTTP/1.1\r\n%s\r\n", host)
		expected := []string{"/wait/0"}
		if ahead != "" {
			time.Sleep(2 * time.Millisecond)
			fmt.Fprintf(c, "GET %s HTTP/1.1\r\n%s\r\n", ahead, host)
			expected = append(expected, ahead)
		}
		release <- struct{}{}
		for _, want := range expected {
			response, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatal(err)
			}
			if body, err := io.ReadAll(response.Body); string(body) != want || err != nil {
				t.Fatalf("%q, %v; expected %q", body, err, want)
			}
		}
	}
	for _, ctx := range contexts {
		<-ctx.Done() // they end with their requests
		if ctx.Err() == nil {
			t.Error("a context that is done has no error")
		}
	}
}

// TestShutdown ends a server with connections in all states: what is under way is answered.
func TestShutdown(t *testing.T) {
	entered, release := make(chan struct{}, 2), make(chan struct{})
	address, server, s := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/wait") {
			entered <- struct{}{}
			<-release
		}
		_, _ = io.WriteString(w, "whole")
	}), false)
	dial := func(path string) (net.Conn, *bufio.Reader) {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		if path != "" {
			fmt.Fprintf(c, "GET %s HTTP/1.1\r\n%s\r\n", path, host)
		}
		return c, bufio.NewReader(c)
	}
	read := func(in *bufio.Reader) {
		t.Helper()
		response, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Error(err)
			return
		}
		if body, err := io.ReadAll(response.Body); string(body) != "whole" || err != nil {
			t.Errorf("%q, %v", body, err)
		}
	}
	dial("")
	for _, path := range []string{"/a/0", "/a/x"} {
		_, in := dial(path)
		read(in)
	}
	_, quickOne := dial("/wait/0")
	_, otherOne := dial("/wait/x")
	<-entered
	<-entered
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Shutdown()
		if err := server.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		s.Wait(context.Background())
	}()
	select {
	case <-ended:
		t.Error("ended before the requests under way")
	case <-time.After(20 * time.Millisecond):
	}
	close(release)
	read(quickOne)
	read(otherOne)
	<-ended
	for _, in := range []*bufio.Reader{quickOne, otherOne} {
		if _, err := in.ReadByte(); err == nil {
			t.Error("the connection is open")
		}
	}
}

// FuzzRead reads a request after another, whose headers are remembered, and alone.
func FuzzRead(f *testing.F) {
	for _, test := range requests {
		whole := strings.Join(test.parts, "")
		f.Add([]byte(quick), []byte(whole))
		f.Add([]byte(whole), []byte(quick))
	}
	f.Fuzz(func(t *testing.T, before, data []byte) {
		var q requestReader
		ctx := context.Background()
		q.read(ctx, before)
		got, want := q.read(ctx, data), parse(data)
		if (got == nil) != (want == nil) {
			t.Fatalf("%v, alone %v", got, want)
		}
		if got == nil {
			return
		}
		if fmt.Sprint(got.Method, got.URL, got.RequestURI, got.Proto, got.Host, got.Header, got.Close, got.ContentLength) !=
			fmt.Sprint(want.Method, want.URL, want.RequestURI, want.Proto, want.Host, want.Header, want.Close, want.ContentLength) {
			t.Fatalf("%v, alone %v", got, want)
		}
		// net/http finds one request, and nothing after it.
		in := bufio.NewReader(bytes.NewReader(data))
		if _, err := http.ReadRequest(in); err != nil {
			t.Fatal(err)
		}
		if _, err := in.ReadByte(); err != io.EOF {
			t.Fatalf("bytes after the request: %v", err)
		}
	})
}

// TestWait waits for connections that close at that moment.
func TestWait(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for range 1000 {
		s, c := new(Server), new(conn)
		s.add(c)
		go s.remove(c)
		s.Wait(ctx)
	}
	if ctx.Err() != nil {
		t.Error("Wait goes on although the connections are closed")
	}
}
