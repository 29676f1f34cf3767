package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/archive"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/zarr"
	"github.com/tgmconv/tgmconv/zarr/httpd"
	"github.com/tgmconv/tgmconv/zarr/views"
)

func warn(cmd *cobra.Command, text string) {
	fmt.Fprintln(cmd.ErrOrStderr(), "tgmconv: warning: "+safetext.Line(text))
}

// warnBad says what was left out.
func warnBad(cmd *cobra.Command, a *archive.Archive) {
	for _, line := range a.Bad {
		fmt.Fprintln(cmd.ErrOrStderr(), "tgmconv: left out: "+safetext.Line(line))
	}
}

// openDataset opens what is served as one dataset.
func (f *serveFlags) openDataset(cmd *cobra.Command, names []string) (*archive.Archive, error) {
	opts, err := f.dataset.options(cmd, names)
	if err != nil {
		return nil, err
	}
	if f.watch > 0 {
		opts.Dataset.AlwaysTime = true
	}
	a, err := archive.Open(cmd.Context(), names, opts)
	if err != nil {
		return nil, err
	}
	warnBad(cmd, a)
	return a, nil
}

// runDataset serves inputs as one dataset until the command is interrupted.
func (f *serveFlags) runDataset(cmd *cobra.Command, names []string, server *httpd.Server) error {
	a, err := f.openDataset(cmd, names)
	if err != nil {
		return err
	}
	shown := &shownDataset{names: names, server: server}
	defer shown.handler.Close()
	if err := f.show(cmd.Context(), shown, a); err != nil {
		a.Close()
		return err
	}
	f.warnUncut(cmd, a, names, server)
	announceDataset(cmd, a, shownAs(a, f.view), names, server.URL())
	if f.watch > 0 {
		go f.follow(cmd, shown, a)
	}
	return server.Serve(cmd.Context(), &shown.handler)
}

// A shownDataset is what is served of inputs that may change.
type shownDataset struct {
	names   []string
	server  *httpd.Server
	handler httpd.Switch
	history views.History
}

// show serves an archive in place of the one before, which is closed when nobody uses it.
func (f *serveFlags) show(ctx context.Context, shown *shownDataset, a *archive.Archive) error {
	v, err := views.New(a, f.viewOptions(shown.names, shown.server))
	if err != nil {
		return err
	}
	if f.watch > 0 {
		v.Follow(ctx, &shown.history)
	}
	opts := f.handlerOptions(shown.server)
	opts.Page = v.Page
	shown.handler.Set(zarr.NewHandler(v.Store(), opts), func() { a.Close() })
	f.limitServed()
	return nil
}

// viewOptions say how an archive is shown.
func (f *serveFlags) viewOptions(names []string, server *httpd.Server) views.Options {
	opts := views.Options{Title: titleOf(names), Store: f.storeOptions(), Dataset: zarr.DatasetOptions{
		Chunks: f.cut, Single: f.dtype == "float32", Codec: f.wireCodec(server), NoNumcodecs: f.codec != codecAuto, SkipHashes: f.skipHashes, JoinSmall: true}}
	if f.view == viewTree {
		opts.Root = views.Tree
	}
	return opts
}

// namedUncut is how many variables warnUncut names.
const namedUncut = 10

// warnUncut says which variables are not in chunks as --chunks asks for.
func (f *serveFlags) warnUncut(cmd *cobra.Command, a *archive.Archive, names []string, server *httpd.Server) {
	uncut := zarr.NewDatasetView(a.Set, a, f.viewOptions(names, server).Dataset).Uncut(cmd.Context())
	if more := len(uncut) - namedUncut; more > 0 {
		uncut = append(uncut[:namedUncut], fmt.Sprintf("and %d more", more))
	}
	if len(uncut) > 0 {
		warn(cmd, "chunks are longer than --chunks asks for: "+strings.Join(uncut, ", "))
	}
}

func titleOf(names []string) string {
	if len(names) == 1 {
		return safetext.Line(names[0])
	}
	return fmt.Sprintf("%d inputs", len(names))
}

// follow looks at the inputs from time to time, and serves what is there when it has changed.
func (f *serveFlags) follow(cmd *cobra.Command, shown *shownDataset, a *archive.Archive) {
	ctx := cmd.Context()
	ticker := time.NewTicker(f.watch)
	defer ticker.Stop()
	last := ""
	for generation := 2; ; {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		changed, err := a.Changed(ctx)
		var next *archive.Archive
		if err == nil && changed {
			if next, err = a.Again(ctx); err == nil {
				if err = f.show(ctx, shown, next); err != nil {
					next.Close()
				}
			}
		}
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && err.Error() != last:
			warn(cmd, "the inputs changed and cannot be opened again: "+err.Error())
			last = err.Error()
		case err == nil && next != nil:
			a, last = next, ""
			fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: generation %d: %d objects\n", generation, a.Set.Report.Len())
			warnBad(cmd, a)
			generation++
		}
	}
}
