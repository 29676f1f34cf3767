package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/zarr"
	"github.com/tgmconv/tgmconv/zarr/httpd"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	addr    string
	cacheMB int64
	check   bool
	cors    []string
	hosts   []string
	cert    string
	key     string
	log     bool
	metrics bool
}

func newServe() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve [flags] FILE",
		Short: "Serve a Tensogram file to Zarr v3 clients over HTTP",
		Long: `Serve a Tensogram file over HTTP as a read-only Zarr v3 store, for xarray, zarr-python, zarrita and others,
until it is interrupted. A file of one message has its arrays at the root; of several, each is a group 0, 1, ...

With --check nothing stays running: the file is served on a free port, every array is read back over HTTP by a
Zarr client and compared with the decoded object, a line an array.`,
		Example: `  tgmconv serve forecast.tgm
  tgmconv serve --addr :8080 forecast.tgm
  tgmconv serve --check forecast.tgm
  python -c 'import xarray; print(xarray.open_zarr("http://127.0.0.1:8000"))'`,
		Args: usageArgs(exactlyOneInput),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.addr, "addr", "127.0.0.1:8000", "address and port to listen on; port 0 takes a free one")
	flags.Int64Var(&f.cacheMB, "cache", 256, "megabytes of decoded chunks and documents to keep")
	flags.StringArrayVar(&f.cors, "cors", nil, "origin whose web pages may read, such as https://example.org; * permits all (repeatable)")
	flags.StringArrayVar(&f.hosts, "host", nil, "name that the Host header may have when listening on the loopback interface (repeatable)")
	flags.StringVar(&f.cert, "tls-cert", "", "PEM file of a TLS certificate; needs --tls-key")
	flags.StringVar(&f.key, "tls-key", "", "PEM file of the key of --tls-cert")
	flags.BoolVar(&f.log, "access-log", false, "write a line for each request to standard error")
	flags.BoolVar(&f.metrics, "metrics", false, "serve counts of requests at /metrics, for Prometheus")
	flags.BoolVar(&f.check, "check", false, "read every array back over HTTP, compare, and stop")
	return cmd
}

// exactlyOneInput asks for one file.
func exactlyOneInput(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usagef("%s: expected one file, found %d", cmd.Name(), len(args))
	}
	return atLeastOneInput(cmd, args)
}

func (f *serveFlags) run(cmd *cobra.Command, name string) error {
	if f.cacheMB < 0 || f.cacheMB > 1<<20 {
		return usagef("serve: --cache is %d, expected 0 to %d megabytes", f.cacheMB, 1<<20)
	}
	if f.check && !cmd.Flags().Changed("addr") {
		f.addr = "127.0.0.1:0"
	}
	server, err := httpd.Listen(f.serverOptions(cmd))
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	defer server.Close()
	v, err := openView(cmd, name)
	if err != nil {
		return inFile(name, err)
	}
	defer v.Close()
	if err := v.checkWhole(); err != nil {
		return inFile(name, err)
	}
	if err := f.serve(cmd, v, server); err != nil {
		return inFile(name, err)
	}
	return nil
}

// serve runs the server until the context ends, or the check is done.
func (f *serveFlags) serve(cmd *cobra.Command, v *viewFile, server *httpd.Server) error {
	if !f.check {
		v.disk.uninterrupted() // requests under way are answered to the end
	}
	opts := zarr.HandlerOptions{Origins: f.cors}
	if server.Loopback() {
		opts.Hosts = append(httpd.LoopbackHosts(), f.hosts...)
	}
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, zarr.NewHandler(f.store(v), opts)) }()
	if !f.check {
		announce(cmd, v, server.URL())
		return <-served
	}
	err := checkServed(ctx, cmd.OutOrStdout(), v, server.URL())
	stop()
	return errors.Join(err, <-served)
}

func (f *serveFlags) serverOptions(cmd *cobra.Command) httpd.Options {
	opts := httpd.Options{Addr: f.addr, CertFile: f.cert, KeyFile: f.key, Metrics: f.metrics}
	if f.log {
		opts.Log = slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
	}
	return opts
}

func (f *serveFlags) store(v *viewFile) zarr.Store {
	cache := f.cacheMB << 20
	if cache == 0 {
		cache = -1
	}
	return zarr.OpenMessages(v.File, zarr.MessageOptions{
		Version: fileState(v.disk),
		Store:   zarr.StoreOptions{CacheBytes: cache},
	})
}

// fileState identifies the state of a file. What has none has another state whenever it is served.
func fileState(disk *diskFile) string {
	if etag := disk.blob.ETag(); etag != "" {
		return etag
	}
	return fmt.Sprintf("%x-%x", time.Now().UnixNano(), disk.size)
}

// announce prints where the server is and how to read from it.
func announce(cmd *cobra.Command, v *viewFile, base string) {
	messages, err := v.Len()
	group := ""
	if err == nil && messages > 1 {
		group = `, group="0"`
	}
	fmt.Fprintf(cmd.OutOrStdout(), `serving %s at %s
  xarray       xarray.open_zarr("%s"%s)
  zarr-python  zarr.open_group("%s", mode="r")
  browser      %s/
`, v.name, base, base, group, base, base)
	if messages > 1 {
		fmt.Fprintf(cmd.OutOrStdout(), "its %d messages are the groups 0 to %d; interrupt to stop\n", messages, messages-1)
	} else {
		fmt.Fprintln(cmd.OutOrStdout(), "interrupt to stop")
	}
}
