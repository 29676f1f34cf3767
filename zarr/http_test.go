package zarr_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"testing"

	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/zarr"
)

func TestHTTPStore(t *testing.T) {
	store := zarr.MapStore{"zarr.json": []byte("root"), "a/zarr.json": []byte("x"), "a/c/0": []byte("0123456789"), "ä b%20c/zarr.json": []byte("x")}
	server := httptest.NewServer(serve.NewHandler(store, serve.HandlerOptions{}))
	defer server.Close()
	client, err := zarr.NewHTTP(server.URL+"/", server.Client())
	if err != nil {
		t.Fatal(err)
	}
	zarr.CheckStore(t, client)
	if got, err := zarr.ReadAll(context.Background(), client, "ä b%20c/zarr.json", 10); err != nil || string(got) != "x" {
		t.Errorf("%q, %v", got, err)
	}
	// Fill values would be read for a chunk that is not found.
	if _, err := zarr.Stat(context.Background(), client, "vanished/c/0"); !errors.Is(err, zarr.ErrGone) || errors.Is(err, zarr.ErrNotFound) {
		t.Errorf("a chunk of an array that is not there gives %v", err)
	}
	for _, err := range client.List(context.Background(), "") {
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("listing gives %v", err)
		}
	}
	for _, base := range []string{"ftp://x", "x", "http://", ":", ""} {
		if _, err := zarr.NewHTTP(base, nil); err == nil {
			t.Errorf("%q was accepted", base)
		}
	}
}
