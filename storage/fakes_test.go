package storage

import (
	"net/http/httptest"
	"testing"

	"github.com/tgmconv/tgmconv/internal/fakestore"
)

// newFakeStore starts a server of object stores, and has clients find it.
func newFakeStore(t *testing.T) *fakestore.Store {
	s := fakestore.New()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	for name, value := range fakestore.Environment(server.URL) {
		t.Setenv(name, value)
	}
	return s
}
