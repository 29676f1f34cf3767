// Package overview makes the HTML page of a served dataset, for browsers: its groups, dimensions,
// variables and attributes, and how to open it in several clients. It has no scripts of its own; the
// viewer makes it a tab beside its map.
package overview

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/lru"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/zarr"
)

// A Link leads to another view of the data.
type Link struct{ Address, Text string }

// Options configure [New].
type Options struct {
	Title string // what is served
	// Prefix is the same as in [serve.HandlerOptions].
	Prefix string
	Links  []Link
	// Bad lists unreadable files and parts, with the reasons.
	Bad []string
	// Codecs, which may be nil, returns the codecs of the array at a path.
	Codecs func(ctx context.Context, path string) []zarr.Codec
	// Maps is the folder whose maps the viewer draws; "" leaves out the viewer.
	Maps string
}

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
	pages *lru.Cache[[]byte] // by address
	rules string             // the Content-Security-Policy
}

// New returns the page of a dataset.
func New(set *dataset.Dataset, opts Options) *Page {
	rules := "default-src 'none'; base-uri 'none'; form-action 'none'; style-src '" + hashOf(style) + "'"
	if opts.Maps != "" {
		rules += " 'self'; script-src 'self'; connect-src 'self'; img-src 'self' blob: data:"
	}
	return &Page{opts: opts, set: set, rules: rules, pages: lru.New(lru.Options[[]byte]{
		Limit: keptPages, Cost: func(key string, page []byte) int64 { return int64(len(key) + len(page)) },
	})}
}

// hashOf is the hash of a style by which a Content-Security-Policy permits it.
func hashOf(style string) string {
	sum := sha256.Sum256([]byte(style))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
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
	base := scheme + "://" + r.Host + p.opts.Prefix
	body, err := p.pages.Get(r.Context(), base, func() ([]byte, error) {
		return p.content(r.Context(), base).html(), nil
	})
	if err != nil {
		http.Error(w, "the page cannot be made", http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", p.rules)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-cache")
	header.Set("Vary", "Accept")
	header.Set("Content-Length", fmt.Sprint(len(body)))
	if r.Method != http.MethodHead {
		w.Write(body) // an error is one of the connection
	}
}

// A content is the content of the page.
type content struct {
	Title, Base string
	Maps        string
	Objects     int
	Duplicates  int
	Groups      []group
	Snippets    []snippet
	Links       []Link
	Bad         []string
}

type group struct {
	Name        string
	Dims        []string
	Coordinates []variable
	Variables   []variable
	More        int // variables that are not shown
	Attrs       []attribute
}

type variable struct {
	Name, Path, Dims, Type, Summary, LongName string
	Document                                  string // path of its address
	Attrs                                     []attribute
}

type attribute struct{ Key, Value string }

func (p *Page) content(ctx context.Context, base string) *content {
	c := &content{
		Title: p.opts.Title, Base: base, Maps: p.opts.Maps, Objects: p.set.Report.Len(), Duplicates: p.set.Report.Duplicates(), Links: p.opts.Links, Bad: p.opts.Bad,
	}
	paths := serve.NewDatasetPaths(p.set)
	for _, g := range p.set.Groups {
		if len(g.Variables) > 0 {
			of := groupOf(paths, g)
			for _, list := range [][]variable{of.Variables, of.Coordinates} {
				for i := range list {
					list[i].Document = p.opts.Prefix + "/" + list[i].Path + "/zarr.json"
				}
			}
			c.Groups = append(c.Groups, of)
		}
	}
	c.Snippets = p.snippets(ctx, base, paths)
	return c
}

func groupOf(paths *serve.DatasetPaths, g *dataset.Group) group {
	out := group{Name: "/" + g.Name, Attrs: attributes(g.Attrs)}
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
		shown := variableOf(v, paths.Variable(g, v))
		if v.Coordinate {
			out.Coordinates = append(out.Coordinates, shown)
		} else {
			out.Variables = append(out.Variables, shown)
		}
	}
	return out
}

func variableOf(v *dataset.Variable, path string) variable {
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
