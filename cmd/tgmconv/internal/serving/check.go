package serving

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/httpd"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/site"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/zarrcheck"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/zarr"
)

// runCheck serves inputs to its own client, which compares the arrays with the content of the
// inputs: a single Tensogram file message by message, other inputs as a dataset.
func (f *serveFlags) runCheck(cmd *cobra.Command, names []string, server *httpd.Server) error {
	messages, err := f.checksMessages(cmd, names)
	if err != nil {
		return err
	}
	if messages {
		return f.checkMessages(cmd, names[0], server)
	}
	return f.checkDataset(cmd, names, server)
}

// checksMessages reports whether the inputs are one file that is not of another format than
// Tensogram.
func (f *serveFlags) checksMessages(cmd *cobra.Command, names []string) (bool, error) {
	inputs, err := cli.ClientOf(cmd).Find(cmd.Context(), names...)
	if err != nil || len(inputs) != 1 || inputs[0].FromFolder || archive.IsCatalogue(inputs[0].Name) {
		return false, err
	}
	if f.view == looking.ViewMessages {
		return true, nil
	}
	disk, err := cli.OpenDisk(cmd, inputs[0].Name)
	if err != nil {
		return false, cli.InFile(names[0], err)
	}
	defer disk.Close()
	found, err := importers.DetectFormat(disk, disk.Size)
	if err != nil {
		return false, cli.InFile(names[0], err)
	}
	return !found.IsSource(), nil
}

// checkMessages serves a Tensogram file message by message.
func (f *serveFlags) checkMessages(cmd *cobra.Command, name string, server *httpd.Server) error {
	v, err := openWholeView(cmd, name)
	if err != nil {
		return err
	}
	defer v.Close()
	if err := looking.CheckObjects(cmd, name, v); err != nil {
		return err
	}
	handler := serve.NewHandler(f.store(v), f.handlerOptions(server))
	err = whileServed(cmd.Context(), server, handler, func(ctx context.Context) error {
		c := servedCheck{cmd.OutOrStdout(), cli.ProgressOf(cmd), server.URL(), "their objects", zarrcheck.Count}
		return c.run(ctx, func(store zarr.Store, report func(zarrcheck.Array) error) (zarrcheck.Result, error) {
			return zarrcheck.Messages(ctx, store, v.File, report)
		})
	})
	if err != nil {
		return cli.InFile(name, err)
	}
	return nil
}

// checkDataset serves inputs as one dataset, and compares its arrays with their sources.
func (f *serveFlags) checkDataset(cmd *cobra.Command, names []string, server *httpd.Server) error {
	a, err := f.openDataset(cmd, names)
	if err != nil {
		return err
	}
	if err := cli.CheckWork(cmd, a, cli.BytesOf(a.Set)); err != nil {
		a.Close()
		return err
	}
	f.view = looking.ViewDataset // which includes all arrays of other views
	shown := site.New(site.Options{Views: f.viewOptions(names, server), Handler: f.handlerOptions(server)})
	defer shown.Close()
	if err := shown.Show(cmd.Context(), a); err != nil {
		a.Close()
		return err
	}
	count := func(context.Context, zarr.Store) (n int, err error) {
		for _, g := range a.Set.Groups {
			n += len(g.Variables)
		}
		return n, nil
	}
	err = whileServed(cmd.Context(), server, shown, func(ctx context.Context) error {
		c := servedCheck{cmd.OutOrStdout(), cli.ProgressOf(cmd), server.URL(), "what they are decoded from", count}
		return c.run(ctx, func(store zarr.Store, report func(zarrcheck.Array) error) (zarrcheck.Result, error) {
			return zarrcheck.Dataset(ctx, store, a.Set, a, report)
		})
	})
	if err != nil {
		return err
	}
	return cli.DoneWithout(len(a.Bad))
}

// whileServed calls compare while a server answers with a handler.
func whileServed(ctx context.Context, server *httpd.Server, handler http.Handler, compare func(context.Context) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, handler) }()
	err := compare(ctx)
	stop()
	return errors.Join(err, <-served)
}

// A servedCheck prints the findings of a client that reads every array over HTTP, a line for each
// array.
type servedCheck struct {
	out      io.Writer
	progress *terminal.Progress
	base     string // address of the server
	with     string // the arrays to compare with
	count    func(context.Context, zarr.Store) (int, error)
}

func (c *servedCheck) run(ctx context.Context, compare func(zarr.Store, func(zarrcheck.Array) error) (zarrcheck.Result, error)) error {
	client := &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}
	defer client.CloseIdleConnections()
	store, err := zarr.NewHTTP(c.base, client)
	if err != nil {
		return err
	}
	total, err := c.count(ctx, store)
	if err != nil {
		return err
	}
	c.progress.Begin(int64(total), false)
	defer c.progress.End()
	arrays := 0
	result, err := compare(store, func(a zarrcheck.Array) error {
		arrays++
		c.progress.Set(int64(arrays), 0)
		_, err := io.WriteString(c.out, lineOf(&a))
		return cli.Written(err)
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "%d of %d arrays read over HTTP equal %s\n", result.Equal, result.Arrays, c.with)
	if err != nil {
		return cli.Written(err)
	}
	return result.Err()
}

func lineOf(a *zarrcheck.Array) string {
	switch {
	case errors.Is(a.Err, zarrcheck.ErrNotCompared):
		return fmt.Sprintf("passed %s %v\n", a.Path, a.Err)
	case a.Err != nil:
		return fmt.Sprintf("DIFFERS %s %s\n", a.Path, fault.Detail(a.Err))
	}
	return fmt.Sprintf("equal  %s %s %s %d bytes\n", a.Path, a.DType, show.Shape(a.Shape), a.Bytes)
}
