package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/zarr"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	addr    string
	cacheMB int64
	check   bool
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
	v, err := openView(cmd, name)
	if err != nil {
		return inFile(name, err)
	}
	defer v.Close()
	if err := v.checkWhole(); err != nil {
		return inFile(name, err)
	}
	if err := f.serve(cmd, v); err != nil {
		return inFile(name, err)
	}
	return nil
}

// serve runs the server until the context ends, or the check is done.
func (f *serveFlags) serve(cmd *cobra.Command, v *viewFile) error {
	if !f.check {
		v.disk.uninterrupted() // requests under way are answered to the end
	}
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		return fmt.Errorf("listening on %s: %w", f.addr, err)
	}
	server := &http.Server{
		Handler:           zarr.NewHandler(f.store(v)),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()

	base := "http://" + reachable(listener.Addr())
	var result error
	if f.check {
		result = checkServed(cmd.Context(), cmd.OutOrStdout(), v, base)
	} else {
		announce(cmd, v, base)
		select {
		case <-cmd.Context().Done():
		case result = <-served:
			return result
		}
	}
	return errors.Join(result, shutDown(server, served))
}

// shutDown lets requests under way finish, for a while.
func shutDown(server *http.Server, served <-chan error) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		server.Close()
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (f *serveFlags) store(v *viewFile) zarr.Store {
	cache := f.cacheMB << 20
	if cache == 0 {
		cache = -1
	}
	return zarr.OpenMessages(v.File, zarr.MessageOptions{
		Name:    objectName,
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

// reachable is an address as a client on this machine writes it: a server on all addresses is
// reached on one.
func reachable(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return addr.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
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
