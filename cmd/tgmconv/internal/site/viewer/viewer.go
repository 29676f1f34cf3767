// Package viewer holds the viewer of served datasets, a page that draws maps in browsers: its script
// and style, and what these read beside the maps.
//
// The script is made of the TypeScript in src, by go generate: esbuild bundles it to dist/viewer.js,
// which is committed so that builds need nothing else. It has no code of others.
//
// # What it reads
//
//	@viewer/viewer.js, viewer.css
//	@viewer/tables.json        colour tables: the name of each with 256 colours, as base64 of red, green, blue
//	@viewer/coast-110m.bin     coastlines and borders, also -50m and -10m: int32, little-endian, see [coastFile]
//	@HASH/@fields.json         the fields that can be drawn, and the labels along their dimensions
//	@HASH/@map/…               their maps, see cmd/tgmconv/internal/site/pyramid
//	@HASH/@series.json?…       values at one place
//
// Addresses are relative to that of the page, so that it works below any prefix of a proxy.
package viewer

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/tgmconv/tgmconv/internal/plot/coast"
	"github.com/tgmconv/tgmconv/internal/plot/colour"
)

//go:generate go run github.com/evanw/esbuild/cmd/esbuild@v0.28.2 src/main.ts --bundle --minify --format=esm --target=es2022 --charset=utf8 --legal-comments=none --outfile=dist/viewer.js
//go:generate go run github.com/evanw/esbuild/cmd/esbuild@v0.28.2 src/viewer.css --minify --target=es2022 --outfile=dist/viewer.css

// Folder is the folder of the files below the root of a served dataset.
const Folder = "@viewer"

//go:embed dist/viewer.js
var script []byte

//go:embed dist/viewer.css
var style []byte

// A file is one that the viewer reads.
type file struct {
	contentType string
	data, zip   []byte
	etag        string
}

func newFile(contentType string, data []byte) (*file, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w.Write(data) // to memory
	if err := w.Close(); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	return &file{contentType, data, out.Bytes(), `"` + hex.EncodeToString(sum[:8]) + `"`}, nil
}

// files are made when the first is asked for.
var files = sync.OnceValues(func() (map[string]*file, error) {
	tables, err := tablesFile()
	if err != nil {
		return nil, err
	}
	all := make(map[string]*file)
	for name, f := range map[string]struct {
		contentType string
		data        []byte
	}{
		"viewer.js": {"text/javascript; charset=utf-8", script}, "viewer.css": {"text/css; charset=utf-8", style},
		"tables.json": {"application/json", tables},
	} {
		if all[name], err = newFile(f.contentType, f.data); err != nil {
			return nil, err
		}
	}
	return all, nil
})

// coasts are made each when it is asked for.
var coasts = map[string]func() (*file, error){
	"coast-110m.bin": sync.OnceValues(func() (*file, error) { return coastFile(coast.Scale110m) }),
	"coast-50m.bin":  sync.OnceValues(func() (*file, error) { return coastFile(coast.Scale50m) }),
	"coast-10m.bin":  sync.OnceValues(func() (*file, error) { return coastFile(coast.Scale10m) }),
}

func find(name string) (*file, error) {
	if make := coasts[name]; make != nil {
		return make()
	}
	all, err := files()
	return all[name], err
}

// File returns the handler of GET and HEAD requests for one of the files of the viewer.
func File(name string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, err := find(name)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		if f == nil {
			http.Error(w, fmt.Sprintf("the viewer has no file %q", name), http.StatusNotFound)
			return
		}
		f.serve(w, r)
	})
}

func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", f.contentType)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-cache")
	header.Set("Vary", "Accept-Encoding")
	data, etag := f.data, f.etag
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		header.Set("Content-Encoding", "gzip")
		data, etag = f.zip, strings.TrimSuffix(f.etag, `"`)+`-gzip"`
	}
	header.Set("ETag", etag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// tablesFile has the colour tables, in the order of package colour.
func tablesFile() ([]byte, error) {
	type table struct {
		Name      string `json:"name"`
		Diverging bool   `json:"diverging,omitempty"`
		Colours   []byte `json:"colours"`
	}
	var all []table
	for _, name := range colour.Names() {
		t := colour.Named(name)
		one := table{Name: name, Diverging: t.Diverging}
		for i := range 256 {
			c := t.At((float64(i) + 0.5) / 256)
			one.Colours = append(one.Colours, c.R, c.G, c.B)
		}
		all = append(all, one)
	}
	return json.Marshal(all)
}

// coastFile has the lines of package coast: for each 1 for a border and 0 for a coast, the number of
// points, and the longitudes and latitudes of the points in thousandths of a degree, each but the first as
// the difference to the point before it.
func coastFile(d coast.Detail) (*file, error) {
	lines, err := coast.Lines(d)
	if err != nil {
		return nil, err
	}
	var out []byte
	put := func(v int) { out = binary.LittleEndian.AppendUint32(out, uint32(int32(v))) }
	for _, l := range lines {
		border := 0
		if l.Border {
			border = 1
		}
		put(border)
		put(len(l.Points))
		lon, lat := 0, 0
		for _, p := range l.Points {
			x, y := int(math.Round(p.Lon*coast.Unit)), int(math.Round(p.Lat*coast.Unit))
			put(x - lon)
			put(y - lat)
			lon, lat = x, y
		}
	}
	return newFile("application/octet-stream", out)
}
