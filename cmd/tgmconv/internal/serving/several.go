package serving

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/httpd"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/storage"
)

// inputArgs asks for inputs, which the file of --datasets may have instead.
func (f *serveFlags) inputArgs(cmd *cobra.Command, args []string) error {
	if f.several == "" {
		return cli.AtLeastOneInput(cmd, args)
	}
	if len(args) > 0 {
		return cli.Usagef("serve: --datasets and inputs exclude each other")
	}
	return nil
}

// setName matches the name of a dataset: a folder of addresses, which no view has.
var setName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`) })

// largestConfig is how many bytes the file of --datasets may have.
const largestConfig = 1 << 20

// sets are the datasets to serve: one at the root, or the datasets of the file of --datasets.
func (f *serveFlags) sets(names []string) ([]*servedSet, error) {
	if f.several == "" {
		return []*servedSet{{names: names}}, nil
	}
	if f.check || f.view == looking.ViewMessages {
		return nil, cli.Usagef("serve: --datasets does not go with --check or --view messages")
	}
	sets, err := f.configured()
	if err == nil && f.cacheMB > 0 {
		f.cacheMB = max(1, f.cacheMB/len(sets))
	}
	return sets, err
}

// configured are the datasets of the file of --datasets.
func (f *serveFlags) configured() ([]*servedSet, error) {
	st, err := os.Stat(f.several)
	if err != nil {
		return nil, fmt.Errorf("--datasets %w", err)
	}
	if st.Size() > largestConfig {
		return nil, fmt.Errorf("--datasets %s: the file has %d bytes, expected at most %d", f.several, st.Size(), largestConfig)
	}
	text, err := os.ReadFile(f.several)
	if err != nil {
		return nil, fmt.Errorf("--datasets %w", err)
	}
	var files map[string][]string
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&files); err != nil {
		return nil, fmt.Errorf(`--datasets %s: %w (expected {"NAME": ["FILE", ...], ...})`, f.several, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("--datasets %s: the file has no dataset", f.several)
	}
	var sets []*servedSet
	for _, name := range slices.Sorted(maps.Keys(files)) {
		switch {
		case !setName().MatchString(name) || name == "healthz" || name == "readyz" || name == "metrics":
			return nil, fmt.Errorf("--datasets %s: a dataset is called %q, expected letters, digits, dots and dashes", f.several, name)
		case len(files[name]) == 0:
			return nil, fmt.Errorf("--datasets %s: %s has no files", f.several, name)
		}
		set := &servedSet{prefix: "/" + name}
		for _, file := range files[name] {
			if !storage.IsRemote(file) && !filepath.IsAbs(file) { // relative to the file that names it
				slash := strings.HasSuffix(file, "/")
				if file = filepath.Join(filepath.Dir(f.several), file); slash {
					file += "/"
				}
			}
			set.names = append(set.names, file)
		}
		sets = append(sets, set)
	}
	return sets, nil
}

// label begins messages about one of several datasets.
func (s *servedSet) label() string {
	if s.prefix == "" {
		return ""
	}
	return strings.TrimPrefix(s.prefix, "/") + ": "
}

// handlerOf is the handler of datasets: of the one at the root, or of all below their names, with a page
// that lists them.
func (f *serveFlags) handlerOf(sets []*servedSet, server *httpd.Server) http.Handler {
	if len(sets) == 1 && sets[0].prefix == "" {
		return sets[0].shown
	}
	mux := http.NewServeMux()
	var page strings.Builder
	page.WriteString("<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>Index of /</title>\n<h1>Index of /</h1>\n<ul>\n")
	for _, set := range sets {
		mux.Handle(set.prefix+"/", http.StripPrefix(set.prefix, set.shown))
		name := html.EscapeString(set.prefix + "/")
		fmt.Fprintf(&page, "<li><a href=\"%s\">%s</a>\n", name, strings.TrimPrefix(name, "/"))
	}
	page.WriteString("</ul>\n")
	hosts := f.handlerOptions(server).Hosts
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := strings.Cut(strings.TrimPrefix(r.Host, "["), "]")
		if host == r.Host {
			host, _, _ = strings.Cut(host, ":")
		}
		if len(hosts) > 0 && !slices.Contains(hosts, host) {
			http.Error(w, "the Host header names another server than this one", http.StatusMisdirectedRequest)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write([]byte(page.String())) // an error is one of the connection
	})
	return mux
}
