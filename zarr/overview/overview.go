// Package overview makes the HTML page of a served dataset, for browsers: its groups, dimensions,
// variables and attributes, and how to open it in several clients. It has no scripts.
package overview

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/lru"
)

// A Link leads to another view of the data.
type Link struct{ Address, Text string }

// Options configure [New].
type Options struct {
	Title string // what is served
	Links []Link
	// Bad lists what could not be read, and why.
	Bad []string
}

//go:embed page.html
var pageHTML string

// The limits of variables of a group and attributes of a variable that the page shows: a phone
// shows no more.
const (
	maxVariables = 1000
	maxText      = 400
)

// keptPages bounds the bytes of pages that are kept, one for each address that clients use.
const keptPages = 16 << 20

// A Page is the page of a dataset: a handler of GET and HEAD requests.
type Page struct {
	opts  Options
	set   *dataset.Dataset
	page  *template.Template
	pages *lru.Cache[[]byte] // by address
}

// New returns the page of a dataset.
func New(set *dataset.Dataset, opts Options) (*Page, error) {
	page, err := template.New("page").Parse(pageHTML)
	if err != nil {
		return nil, fmt.Errorf("overview: %w", err)
	}
	return &Page{opts: opts, set: set, page: page, pages: lru.New(lru.Options[[]byte]{
		Limit: keptPages, Cost: func(key string, page []byte) int64 { return int64(len(key) + len(page)) },
	})}, nil
}

// Wanted reports whether a request is one of a browser for the page: one for /index.html, or one
// for the root that accepts HTML by name. Programs that list folders accept anything.
func Wanted(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	return r.URL.Path == "/index.html" || r.URL.Path == "/" && r.URL.RawQuery == "" && strings.Contains(r.Header.Get("Accept"), "text/html")
}

// ServeHTTP implements http.Handler.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	base := scheme + "://" + r.Host
	body, err := p.pages.Get(r.Context(), base, func() ([]byte, error) {
		var out bytes.Buffer
		err := p.page.Execute(&out, p.content(base))
		return out.Bytes(), err
	})
	if err != nil {
		http.Error(w, "the page cannot be made", http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-cache")
	header.Set("Vary", "Accept")
	header.Set("Content-Length", fmt.Sprint(len(body)))
	if r.Method != http.MethodHead {
		w.Write(body) // an error is one of the connection
	}
}

// A content is what the template shows.
type content struct {
	Title, Base string
	Objects     int
	Duplicates  int
	Groups      []group
	Snippets    []snippet
	Links       []Link
	Bad         []string
}

type group struct {
	Name, Path  string
	Dims        []string
	Coordinates []variable
	Variables   []variable
	More        int // variables that are not shown
	Attrs       []attribute
}

type variable struct {
	Name, Path, Dims, Type, Summary, LongName string
	Attrs                                     []attribute
}

type attribute struct{ Key, Value string }

type snippet struct{ Client, Code string }

func (p *Page) content(base string) *content {
	c := &content{
		Title: p.opts.Title, Base: base, Objects: p.set.Report.Len(), Duplicates: p.set.Report.Duplicates(), Links: p.opts.Links, Bad: p.opts.Bad,
	}
	first := ""
	for _, g := range p.set.Groups {
		shown := groupOf(g)
		if first == "" && len(shown.Variables) > 0 {
			first = shown.Variables[0].Path
		}
		if len(g.Variables) > 0 {
			c.Groups = append(c.Groups, shown)
		}
	}
	c.Snippets = snippets(base, first, len(p.set.Groups) > 1)
	return c
}

// snippets open the data in several clients.
func snippets(base, array string, groups bool) []snippet {
	xarray := fmt.Sprintf("import xarray\nds = xarray.open_zarr(%q)", base)
	if groups {
		xarray = fmt.Sprintf("import xarray\ntree = xarray.open_datatree(%q, engine=\"zarr\")", base)
	}
	return []snippet{
		{"xarray", xarray},
		{"zarr-python", fmt.Sprintf("import zarr\ngroup = zarr.open_group(%q, mode=\"r\")\nvalues = group[%q][...]", base, array)},
		{"zarrita.js", fmt.Sprintf("import * as zarr from \"zarrita\";\nconst store = new zarr.FetchStore(%q);\nconst array = await zarr.open(store, { kind: \"array\" });\nconst { data, shape } = await zarr.get(array);", base+"/"+array)},
		{"GDAL", fmt.Sprintf("gdalinfo 'ZARR:\"/vsicurl/%s\":/%s'", base, array)},
	}
}

func groupOf(g *dataset.Group) group {
	out := group{Name: "/" + g.Name, Path: g.Name, Attrs: attributes(g.Attrs)}
	seen := make(map[string]bool)
	for _, v := range g.Variables {
		dims, _ := v.Shown()
		for i, dim := range dims {
			if !seen[dim] {
				seen[dim] = true
				out.Dims = append(out.Dims, fmt.Sprintf("%s: %d", dim, v.Shape[i]))
			}
		}
		if len(out.Coordinates)+len(out.Variables) >= maxVariables {
			out.More++
			continue
		}
		shown := variableOf(g, v)
		if v.Coordinate {
			out.Coordinates = append(out.Coordinates, shown)
		} else {
			out.Variables = append(out.Variables, shown)
		}
	}
	return out
}

func variableOf(g *dataset.Group, v *dataset.Variable) variable {
	path := v.Name
	if g.Name != "" {
		path = g.Name + "/" + v.Name
	}
	name, _ := v.Attr(cf.AttrLongName).(string)
	dims, kind := v.Shown()
	return variable{
		Name: v.Name, Path: path, Dims: strings.Join(dims, ", "), Type: kind, Summary: strings.TrimSpace(v.Summary()), LongName: name,
		Attrs: attributes(v.Attrs),
	}
}

func attributes(attrs []dataset.Attribute) []attribute {
	var out []attribute
	for _, a := range attrs {
		text := fmt.Sprint(a.Value)
		if len(text) > maxText {
			text = strings.ToValidUTF8(text[:maxText], "") + "…"
		}
		out = append(out, attribute{a.Key, text})
	}
	return out
}
