package serve_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/tgmconv/tgmconv"
	"github.com/tgmconv/tgmconv/serve"
)

// Labelled GRIB in a server of one's own, below a prefix.
func ExampleNewHandler() {
	ds, err := tgmconv.Open(context.Background(), "../fixtures/grib/sanity.grib2")
	if err != nil {
		log.Fatal(err)
	}
	defer ds.Close()
	set, fields := ds.Labelled()
	store := serve.NewStore(serve.NewDatasetView(set, fields, serve.DatasetOptions{}), serve.StoreOptions{})
	mux := http.NewServeMux()
	mux.Handle("/forecast/", http.StripPrefix("/forecast", serve.NewHandler(store, serve.HandlerOptions{})))

	// Any Zarr v3 client opens it: xarray.open_zarr("http://localhost:8080/forecast").
	server := httptest.NewServer(mux)
	defer server.Close()
	response, err := http.Get(server.URL + "/forecast/latitude/zarr.json")
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	document, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.Status, strings.Contains(string(document), `"zarr_format":3`))
	// Output: 200 OK true
}
