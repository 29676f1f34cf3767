package httpd_test

import (
	"context"
	"fmt"
	"log"
	"net/http"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/httpd"
)

func Example() {
	ctx, cancel := context.WithCancel(context.Background())
	server, err := httpd.Listen(httpd.Options{Addr: "127.0.0.1:0"})
	if err != nil {
		log.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, http.NotFoundHandler()) }()
	resp, err := http.Get(server.URL())
	if err != nil {
		log.Fatal(err)
	}
	resp.Body.Close()
	cancel()
	fmt.Println(resp.Status, server.Loopback(), <-ended)
	// Output: 404 Not Found true <nil>
}
