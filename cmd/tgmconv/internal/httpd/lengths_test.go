package httpd_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/httpd"
)

// TestLengths reads answers of many lengths, written in one piece and in several. Requests follow
// one another at once. Bodies have the bytes that the handler wrote.
func TestLengths(t *testing.T) {
	body := func(n int) []byte { return bytes.Repeat([]byte("0123456789abcdef"), n/16+1)[:n] }
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		length, _ := strconv.Atoi(r.FormValue("n"))
		pieces, _ := strconv.Atoi(r.FormValue("pieces"))
		w.Header().Set("Content-Length", strconv.Itoa(length))
		data := body(length)
		if r.FormValue("half") != "" {
			data = data[:length/2]
		}
		for len(data) > 0 {
			n := min(len(data), max(1, length/max(1, pieces)))
			_, _ = w.Write(data[:n])
			data = data[n:]
			if r.FormValue("flush") != "" {
				_ = http.NewResponseController(w).Flush()
			}
		}
	})
	base := serve(t, h)
	for _, n := range []int{0, 1, 3900, 4000, 4090, 4096, 5000, 8192, 23_000, 300_000} {
		for _, query := range []string{"pieces=1", "pieces=2", "pieces=7&flush=1", "pieces=3&half=1"} {
			connection, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			_ = connection.SetDeadline(time.Now().Add(20 * time.Second))
			const requests = 3
			for range requests {
				fmt.Fprintf(connection, "GET /?n=%d&%s HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n", n, query)
			}
			in := bufio.NewReader(connection)
			for k := range requests {
				want := body(n)
				response, err := http.ReadResponse(in, nil)
				if err != nil {
					if strings.Contains(query, "half") {
						break
					}
					t.Fatalf("%d, %s, answer %d: %v", n, query, k, err)
				}
				got, err := io.ReadAll(response.Body)
				if strings.Contains(query, "half") {
					// The connection is closed with requests unread, so that less may arrive.
					if n > 0 && (err == nil || len(got) > n/2 || !bytes.HasPrefix(want, got)) {
						t.Errorf("%d, %s: %d bytes, %v; expected at most %d and an error", n, query, len(got), err, n/2)
					}
					break
				}
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%d, %s, answer %d: %d bytes, %v", n, query, k, len(got), err)
				}
			}
			connection.Close()
		}
	}
}

// serve serves a handler until the test ends.
func serve(t *testing.T, h http.Handler) (base string) {
	server, err := httpd.Listen(httpd.Options{Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, h) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return server.URL()
}
