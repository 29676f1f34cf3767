package serving

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/httpd"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/site"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/storage"
)

// openDataset opens the inputs as one dataset.
func (f *serveFlags) openDataset(cmd *cobra.Command, names []string) (*archive.Archive, error) {
	opts, err := f.dataset.ArchiveOptions(cmd, names)
	if err != nil {
		return nil, err
	}
	opts.Dataset.Growing = true
	if f.watch > 0 {
		opts.Dataset.AlwaysTime = true
	}
	// A person who can write a file in a served folder must not be able to show other files.
	opts.OnlyInputs, opts.NoLinks = true, !cli.ClientOf(cmd).External
	opts.SkipHashes = f.skipHashes
	a, err := archive.Open(cmd.Context(), names, opts)
	if err != nil {
		return nil, err
	}
	cli.WarnBad(cmd, a)
	return a, nil
}

// openSet opens the inputs of a dataset.
func (f *serveFlags) openSet(cmd *cobra.Command, set *servedSet, server *httpd.Server) error {
	a, err := f.openDataset(cmd, set.names)
	if err != nil {
		return err
	}
	set.first, set.shown = a, f.newSite(cmd, a, set, server)
	if err := set.shown.Show(cmd.Context(), a); err != nil {
		a.Close()
		return err
	}
	return nil
}

// newSite makes the site of an archive.
func (f *serveFlags) newSite(cmd *cobra.Command, a *archive.Archive, set *servedSet, server *httpd.Server) *site.Site {
	key := f.shownBy(set.names, server)
	views, handler := f.viewOptions(set.names, server), f.handlerOptions(server)
	views.Prefix, handler.Prefix = set.prefix, set.prefix
	if set.prefix != "" {
		views.Title = strings.TrimPrefix(set.prefix, "/")
	}
	return site.New(site.Options{
		Views: views, Handler: handler, Key: key,
		History: &site.History{Path: a.HistoryPath(key), Warn: func(text string) { cli.Warn(cmd, text) }},
	})
}

// shownBy identifies the flags that change the view of the same files.
func (f *serveFlags) shownBy(names []string, server *httpd.Server) string {
	return fmt.Sprintln(f.view, &f.dataset, f.watch > 0 || archive.Grows(names), f.cut, f.dtype, f.wireCodec(server), f.codec != codecAuto) + f.dataset.Change.String()
}

// viewOptions say how an archive is shown.
func (f *serveFlags) viewOptions(names []string, server *httpd.Server) site.ViewsOptions {
	opts := site.ViewsOptions{Title: titleOf(names), NoViewer: f.noView, EDR: f.edr, Store: f.storeOptions(), Dataset: serve.DatasetOptions{
		Chunks: f.cut, Single: f.dtype == "float32", Codec: f.wireCodec(server), NoNumcodecs: f.codec != codecAuto, SkipHashes: f.skipHashes, JoinSmall: true}}
	if f.view == looking.ViewTree {
		opts.Root = site.Tree
	}
	return opts
}

// namedUncut is how many variables warnUncut names.
const namedUncut = 10

// warnUncut says which variables are not in chunks as --chunks asks for.
func (f *serveFlags) warnUncut(cmd *cobra.Command, a *archive.Archive, names []string, server *httpd.Server) {
	uncut := serve.NewDatasetView(a.Set, a, f.viewOptions(names, server).Dataset).Uncut(cmd.Context())
	if more := len(uncut) - namedUncut; more > 0 {
		uncut = append(uncut[:namedUncut], fmt.Sprintf("and %d more", more))
	}
	if len(uncut) > 0 {
		cli.Warn(cmd, "chunks are longer than --chunks asks for: "+strings.Join(uncut, ", "))
	}
}

func titleOf(names []string) string {
	if len(names) == 1 { // without the path on the server, and what may be secret in an address
		name := names[0]
		if storage.IsRemote(name) {
			name, _, _ = strings.Cut(name, "?")
		}
		return safetext.Line(path.Base(filepath.ToSlash(name)))
	}
	return fmt.Sprintf("%d inputs", len(names))
}

// reviewEvery is the time between looks at the history of the dataset.
const reviewEvery = time.Minute

// follow looks at the inputs when it is told to reload and, with --watch, from time to time. It
// shows the new state if they have changed.
func (f *serveFlags) follow(cmd *cobra.Command, set *servedSet) {
	ctx, shown, a := set.ctx, set.shown, set.first
	every := reviewEvery
	if f.watch > 0 {
		every = min(every, f.watch)
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	last, reviewed := "", time.Now()
	for generation := 2; ; {
		told := false
		select {
		case <-ctx.Done():
			_ = shown.Review(context.WithoutCancel(ctx)) // it warns itself
			return
		case <-set.reload:
			told = true
		case <-ticker.C:
		}
		var next *archive.Archive
		var err error
		if f.watch > 0 || told {
			next, err = changedArchive(ctx, shown, a)
		}
		if err == nil && time.Since(reviewed) >= reviewEvery {
			err = shown.Review(ctx)
			reviewed = time.Now()
		}
		switch {
		case ctx.Err() != nil:
		case err != nil && (told || err.Error() != last):
			cli.Warn(cmd, set.label()+"the inputs changed and cannot be opened again: "+err.Error())
			last = err.Error()
		case err == nil && next != nil:
			a, last = next, ""
			f.limitServed()
			fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: "+set.label()+"generation %d: %d objects\n", generation, shown.Objects())
			cli.WarnBad(cmd, a)
			warnWaiting(cmd, shown)
			generation++
		case told && err == nil:
			fmt.Fprintln(cmd.ErrOrStderr(), "tgmconv: "+set.label()+"nothing has changed")
		}
	}
}

// changedArchive shows the inputs of an archive as they are now if they have changed, else it returns
// nil.
func changedArchive(ctx context.Context, shown *site.Site, a *archive.Archive) (*archive.Archive, error) {
	changed, err := a.Changed(ctx)
	if err != nil || !changed {
		return nil, err
	}
	next, err := a.Again(ctx)
	if err != nil {
		return nil, err
	}
	if err := shown.Show(ctx, next); err != nil {
		next.Close()
		return nil, err
	}
	return next, nil
}

// warnWaiting warns of files that are not shown yet, or not any more.
func warnWaiting(cmd *cobra.Command, shown *site.Site) {
	for _, line := range shown.LeftOut() {
		fmt.Fprintln(cmd.ErrOrStderr(), "tgmconv: skipped: "+safetext.Line(line))
	}
}
