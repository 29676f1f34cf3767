// Package site arranges what a server shows of an archive: its labelled dataset, and the same files
// in other ways, all in one store.
//
//	/             the labelled dataset, or what ViewsOptions.Root asks for
//	/@dataset/    the labelled dataset
//	/@tree/       the same in a group for each type of level
//	/@messages/   the messages of the Tensogram file; of several files, those of each at /@messages/NAME/
//
// and to people, beside the store, a page about the dataset and the report on its objects.
//
//	shown, err := site.NewViews(a, site.ViewsOptions{})
//	…
//	handler := serve.NewHandler(shown.Store(), serve.HandlerOptions{Page: shown.Page})
package site

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/edr"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/site/overview"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/site/viewer"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/history"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/zarr"
)

// A Root is the view at the root of the store.
type Root int

// The roots there are.
const (
	Dataset Root = iota // the labelled dataset
	Tree                // the same in a group for each type of level
)

// The folders of the views.
const (
	datasetFolder  = "@dataset"
	treeFolder     = "@tree"
	messagesFolder = "@messages"
)

// ViewsOptions configure [NewViews].
type ViewsOptions struct {
	Root  Root
	Title string // what is shown, for the page
	// Prefix is the same as in [serve.HandlerOptions].
	Prefix string
	// Dataset is for the labelled dataset in all its forms; SkipHashes is for messages as well.
	Dataset serve.DatasetOptions
	// EDR is for values at places; its title and prefix are those above.
	EDR edr.Options
	// Store is for each view on its own.
	Store serve.StoreOptions
	// Snapshot is the folder of the snapshot of the shown dataset, for the page; "" if there is
	// none.
	Snapshot string
	// NoViewer leaves out the viewer, and the maps that it draws.
	NoViewer bool

	waiting []string // what is left out, and why
}

// Views are the views of an archive. They may be used by several goroutines, as long as the archive
// is open.
type Views struct {
	shown    []*serve.DatasetView          // the labelled dataset, and the same as a tree
	messages map[string]*serve.MessageView // by their folders
	store    zarr.Store
	page     http.Handler
	viewer   bool
	edr      http.Handler // values at places
	leftOut  []string     // what is left out beside what the archive says, and why
	// report is made for each request: it reads the dataset as it is written.
	report func() http.Handler
}

// NewViews arranges the views of an archive that has a dataset.
func NewViews(a *archive.Archive, opts ViewsOptions) (*Views, error) {
	v := &Views{leftOut: opts.waiting}
	opts.EDR.Title, opts.EDR.Prefix = opts.Title, opts.Prefix
	v.edr = edr.New(a.Set, a, opts.EDR)
	bad := func() (texts []string) {
		for _, text := range slices.Concat(a.Bad, a.LeftOut(), v.leftOut) {
			texts = append(texts, a.Relative(text))
		}
		return texts
	}
	v.report = func() http.Handler { return overview.NewReport(a.Set, bad(), a.Relative) }
	opts.Dataset.Growing = true
	newStore := func(set *dataset.Dataset) zarr.Store {
		view := serve.NewDatasetView(set, a, opts.Dataset)
		v.shown = append(v.shown, view)
		return serve.NewStore(view, opts.Store)
	}
	treeSet := a.Set.Tree()
	flat, tree := newStore(a.Set), newStore(treeSet)
	v.messages = messages(a.Tensogram(), opts)
	folders := make(map[string]zarr.Store)
	for folder, view := range v.messages {
		folders[folder] = serve.NewStore(view, opts.Store)
	}
	links := links(a, opts.Prefix, folders[messagesFolder] != nil)
	if opts.Snapshot != "" {
		links = append(links, overview.Link{Address: opts.Prefix + "/" + opts.Snapshot + "/", Text: "this state of the files, for as long as they are there: its address never shows another one"})
	}
	folders[datasetFolder], folders[treeFolder] = flat, tree
	root, set, view := flat, a.Set, v.shown[0]
	if opts.Root == Tree {
		root, set, view = tree, treeSet, v.shown[1]
	}
	maps := opts.Snapshot
	if opts.NoViewer {
		maps = ""
	}
	page := overview.New(set, overview.Options{Title: opts.Title, Prefix: opts.Prefix, Links: links, Bad: bad(), Codecs: codecsOf(view), Maps: maps})
	v.store, v.page, v.viewer = serve.Mount(root, folders), page, maps != ""
	return v, nil
}

// codecsOf returns the codecs of the arrays of a view.
func codecsOf(view serve.View) func(ctx context.Context, path string) []zarr.Codec {
	return func(ctx context.Context, path string) []zarr.Codec {
		node, err := view.Node(ctx, path)
		if err != nil || node.Array == nil {
			return nil
		}
		return node.Array.Codecs
	}
}

// states are the states that clients of the labelled datasets rely on, by the paths of the arrays
// in the store of all views.
func (v *Views) states(ctx context.Context) map[string]*history.State {
	all := make(map[string]*history.State)
	for i, view := range v.shown {
		for path, s := range view.States(ctx) {
			all[prefixes[i]+path] = s
		}
	}
	return all
}

// prefixes begin the paths of the arrays of each view in the store of all views.
var prefixes = [...]string{"", treeFolder + "/"}

// follow gives the arrays of the labelled datasets the forms of chunk keys of a plan, before they are
// used.
func (v *Views) follow(forms map[string]int, withheld []string, uses *history.Uses) {
	for i, view := range v.shown {
		own := make(map[string]int)
		for path, form := range forms {
			if inTree := strings.HasPrefix(path, prefixes[1]); inTree == (i == 1) {
				own[strings.TrimPrefix(path, prefixes[i])] = form
			}
		}
		view.Follow(own, strings.TrimSuffix(prefixes[i], "/"), uses)
	}
	for _, path := range withheld {
		v.leftOut = append(v.leftOut, "array "+path+": waits: clients may know it with other labels by all forms of its chunk keys. It is shown when one of them was not used for a day, and in the snapshot now")
	}
}

// Store has all the views.
func (v *Views) Store() zarr.Store { return v.store }

// Page is the handler of a request for a page, or nil for a request of a client of the store. It is
// for [serve.HandlerOptions].
func (v *Views) Page(r *http.Request) http.Handler {
	switch {
	case overview.Wanted(r):
		return v.page
	case edr.Answers(r):
		return v.edr
	case r.URL.Path == "/"+overview.ReportName:
		return v.report()
	}
	if name, ok := strings.CutPrefix(r.URL.Path, "/"+viewer.Folder+"/"); ok && v.viewer {
		return viewer.File(name)
	}
	return nil
}

// messages are the views of Tensogram files message by message, by their folders. Files of one name
// get numbers.
func messages(files []archive.TensogramFile, opts ViewsOptions) map[string]*serve.MessageView {
	views := make(map[string]*serve.MessageView)
	for _, file := range files {
		folder := messagesFolder
		if len(files) > 1 {
			base := messagesFolder + "/" + filepath.Base(filepath.ToSlash(file.Name))
			folder = base
			for n := 1; views[folder] != nil; n++ {
				folder = base + "_" + strconv.Itoa(n)
			}
		}
		views[folder] = serve.NewMessageView(file.File, serve.MessageOptions{Version: file.Version, SkipHashes: opts.Dataset.SkipHashes})
	}
	return views
}

// links lead from the page to the other views.
func links(a *archive.Archive, prefix string, messages bool) []overview.Link {
	links := []overview.Link{
		{Address: prefix + "/zarr.json", Text: "metadata"},
		{Address: prefix + "/" + overview.ReportName, Text: fmt.Sprintf("where each of the %d objects is shown", a.Set.Report.Len())},
		{Address: prefix + "/" + treeFolder + "/", Text: "a group for each type of level"},
	}
	if messages {
		links = append(links, overview.Link{Address: prefix + "/" + messagesFolder + "/", Text: "the messages as they are"})
	}
	return links
}

// OpenInXarray is the call of xarray that opens a dataset served at an address.
func OpenInXarray(set *dataset.Dataset, address string) string {
	return overview.OpenInXarray(set, address)
}
