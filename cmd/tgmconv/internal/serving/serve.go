package serving

import (
	"fmt"
	"log/slog"
	"math"
	"net"
	"path"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/edr"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/httpd"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/site"
	"github.com/tgmconv/tgmconv/extract"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/zarr"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	addr    string
	port    int
	view    string
	cacheMB int
	check   bool
	cors    []string
	hosts   []string
	cert    string
	key     string
	log     bool
	metrics bool
	several string
	noView  bool
	opened  func(address string) // called when the server answers; may be nil
	places  string               // file of --locations
	edr     edr.Options

	dataset    cli.DatasetFlags
	watch      time.Duration
	chunks     string
	cut        map[string]uint64 // as chunks says
	dtype      string
	codec      string
	skipHashes bool
}

// NewServe returns the verb serve.
func NewServe() *cobra.Command {
	f := newServeFlags()
	return cli.Verb{
		Use:   "serve [flags] FILE|FOLDER...",
		Short: "Serve Tensogram, GRIB, netCDF, Zarr and .tet files to Zarr v3 clients over HTTP, as labelled arrays",
		Long: `Serve files over HTTP as a read-only Zarr v3 store, for xarray, zarr-python, zarrita, GDAL and others, until
Ctrl-C is pressed. The files may be Tensogram, GRIB, netCDF, Zarr or .tet files; nothing is converted. All fields become one
dataset of labelled arrays: t(step, isobaricInhPa, latitude, longitude). Fields on further grids are in
groups. Browsers show a map of the fields at the same address, and how to read them.

With --view messages, one Tensogram file is shown message by message: a file of one message has its arrays at
the root, a file of several messages has a group for each message: 0, 1, ...

Values at places are at /edr (OGC API - Environmental Data Retrieval 1.1), as CoverageJSON, GeoJSON and CSV:
/edr/collections lists the collections, /edr/collections/ID/position?coords=POINT(8.7 50.1) gives series, and area and
cube give the values within; /edr/api is the OpenAPI document. --max-fields, --max-points and --max-values bound the
size of a request, --max-answer the bytes of its answer.

With --check the command serves the files on a free port, reads every array back over HTTP with a Zarr client,
compares it with its source, prints a line for each array, and ends. For this, one Tensogram file is served
message by message, everything else as a dataset.`,
		Example: `  tgmconv serve forecast.tgm
  tgmconv serve gfs.grib2
  tgmconv serve --watch archive/
  tgmconv serve --chunks latitude=180,longitude=360 --dtype float32 gfs.grib2
  tgmconv serve --addr :8080 forecast.tgm
  tgmconv serve --check forecast.tgm
  python -c 'import xarray; print(xarray.open_zarr("http://127.0.0.1:8000"))'`,
		Words:   f.inputArgs,
		Options: f.declare,
		OneOf:   []string{"addr", "port"},
		Run:     f.run,
	}.Command()
}

// newServeFlags returns the flags with their defaults.
func newServeFlags() serveFlags {
	return serveFlags{
		addr: "127.0.0.1:8000", port: 8000, view: looking.ViewDataset, dtype: "source", codec: codecAuto, cacheMB: 256,
		edr: edr.Options{MaxFields: 10_000, MaxPoints: 100_000, MaxValues: 1_000_000, MaxBytes: 256 << 20},
	}
}

func (f *serveFlags) declare(s *option.Set) {
	s.Text("addr", &f.addr, "address and port to listen on; port 0 takes a free one")
	s.Int("port", &f.port, 0, 65535, "port to listen on, on this machine only; --addr names other interfaces")
	s.Word("view", &f.view, []string{looking.ViewDataset, looking.ViewTree, looking.ViewMessages}, "the view at the root: dataset (labelled arrays), tree (the same in a group for each type of level), or messages (a group for each message of one Tensogram file)")
	s.Each("cors", &f.cors, "origin whose web pages may read, such as https://example.org; * permits all (repeatable)")
	s.Each("host", &f.hosts, "name that the Host header may have when listening on the loopback interface (repeatable)")
	s.Text("tls-cert", &f.cert, "PEM file of a TLS certificate; needs --tls-key")
	s.Text("tls-key", &f.key, "PEM file of the key of --tls-cert")
	s.Bool("access-log", &f.log, "write a line for each request to standard error")
	s.Text("datasets", &f.several, "JSON file of several datasets to serve: {\"gfs\": [\"/data/gfs/\"], ...} puts a dataset at /gfs/ for each name")
	s.Text("locations", &f.places, "table (.csv) or GeoJSON of named places, for which /edr gives values")
	s.Int("max-fields", &f.edr.MaxFields, 1, math.MaxInt32, "most fields of a request to /edr")
	s.Int("max-points", &f.edr.MaxPoints, 1, math.MaxInt32, "most points of each field of a request to /edr")
	s.Int("max-values", &f.edr.MaxValues, 1, math.MaxInt32, "most values of a request to /edr")
	s.Add(option.Option{Name: "max-answer", Value: &f.edr.MaxBytes, Help: "most bytes of an answer of /edr", From: 1}, func() error {
		if f.edr.MaxBytes < 1 {
			return fmt.Errorf("is %d, expected at least 1", f.edr.MaxBytes)
		}
		return nil
	})
	s.Bool("metrics", &f.metrics, "serve counts of requests at /metrics, for Prometheus")
	f.declareShown(s)
	s.Text("chunks", &f.chunks, "show fields in chunks of at most this many points along a dimension: latitude=180,longitude=360")
	s.Word("dtype", &f.dtype, []string{"source", "float32"}, "type of float64 fields: source, or float32")
	s.Word("codec", &f.codec, []string{codecAuto, "none", "zstd", "blosc"}, "compression of chunks that are decoded: none, zstd, blosc, or auto (none on the loopback interface, else blosc); other words than auto also decode chunks with shuffle or deflate, for GDAL and tensorstore")
	s.Bool("no-viewer", &f.noView, "show a page of metadata at /, without maps")
	s.Bool("check", &f.check, "read every array back over HTTP, compare, and stop")
}

// declareShown adds the settings of the dataset that is shown, which the verb view has too.
func (f *serveFlags) declareShown(s *option.Set) {
	s.Int("cache", &f.cacheMB, 0, 1<<20, "megabytes of decoded chunks and documents to keep")
	f.dataset.DeclareLabels(s)
	f.dataset.DeclareIndex(s)
	s.Add(option.Option{Name: "watch", Value: &f.watch, Bare: "5s", Help: "look for files that were added, replaced, appended to or removed, every 5s or as given"}, nil)
	s.Bool("skip-hashes", &f.skipHashes, "do not compare objects of Tensogram files with their hashes")
}

// serverGrace is how long requests under way may take when the command is told to end, see
// [signalGrace].
const serverGrace = 700 * time.Millisecond

// limitServed sets the memory that may be in use while a dataset is served: the bounds of its caches and of the
// chunks that are being sent, beside the dataset itself. Below that the
// collector has nothing to gain by running more often.
func (f *serveFlags) limitServed() {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	cli.LimitMemory(cli.SoftMemory + int64(f.cacheMB)<<20 + serve.KeptBytes + int64(stats.HeapAlloc))
}

// codecAuto is the value of --codec that chooses by the interface.
const codecAuto = "auto"

// parse checks the flags, and that they fit the inputs.
func (f *serveFlags) parse(cmd *cobra.Command, names []string) error {
	if f.places != "" {
		read := extract.ReadGeoJSON
		if strings.EqualFold(path.Ext(f.places), ".csv") {
			read = extract.ReadCSV
		}
		var err error
		if f.edr.Locations, err = looking.ReadPlaces(cmd, f.places, read); err != nil {
			return err
		}
	}
	if len(names) > 1 && f.view == looking.ViewMessages {
		return cli.Usagef("serve: --view messages shows one file, found %d", len(names))
	}
	if f.view == looking.ViewMessages {
		flags := append(cli.LabelFlags(), "watch", "chunks", "dtype", "codec")
		if err := cli.RefuseFlags(cmd, flags, "is for the labelled dataset; --view messages shows the objects of one file as they are"); err != nil {
			return err
		}
	}
	if f.watch < 0 || cmd.Flags().Changed("watch") && f.watch < 10*time.Millisecond {
		return cli.Usagef("serve: --watch is %v, expected at least 10ms", f.watch)
	}
	var err error
	if f.cut, err = serve.ParseChunks(f.chunks); err != nil {
		return cli.Usagef("--chunks is %w", err)
	}
	if cmd.Flags().Changed("port") {
		f.addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(f.port))
	} else if f.check && !cmd.Flags().Changed("addr") {
		f.addr = "127.0.0.1:0"
	}
	if _, _, err := net.SplitHostPort(f.addr); err != nil {
		return cli.Usagef("serve: --addr is %q, expected HOST:PORT, such as 127.0.0.1:8000, or :8000 for all interfaces", f.addr)
	}
	return nil
}

func (f *serveFlags) run(cmd *cobra.Command, names []string) error {
	if err := f.parse(cmd, names); err != nil {
		return err
	}
	sets, err := f.sets(names)
	if err != nil {
		return err
	}
	if !f.check {
		cli.ClientOf(cmd).Sources = nil // files may change: each answer is checked
	}
	cli.CollectServing()
	server, err := httpd.Listen(f.serverOptions(cmd))
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	defer server.Close()
	if f.check {
		return f.runCheck(cmd, names, server)
	}
	if f.view != looking.ViewMessages {
		return f.runDatasets(cmd, sets, server)
	}
	v, err := openWholeView(cmd, names[0])
	if err != nil {
		return err
	}
	defer v.Close()
	store, err := f.keptMessages(cmd, names[0], v)
	if err != nil {
		return err
	}
	announce(cmd, v, server.URL())
	f.limitServed()
	return server.Serve(cmd.Context(), serve.NewHandler(store, f.handlerOptions(server)))
}

// openWholeView opens a Tensogram file to serve it, which must be nothing but messages.
func openWholeView(cmd *cobra.Command, name string) (*looking.ViewFile, error) {
	v, err := looking.OpenView(cmd, name)
	if err != nil {
		return nil, cli.InFile(name, err)
	}
	v.Disk.Serve()
	if err := v.CheckComplete(); err != nil {
		v.Close()
		return nil, cli.InFile(name, err)
	}
	return v, nil
}

func (f *serveFlags) handlerOptions(server *httpd.Server) serve.HandlerOptions {
	opts := serve.HandlerOptions{Origins: f.cors}
	if server.Loopback() {
		opts.Hosts = append(httpd.LoopbackHosts(), f.hosts...)
	}
	return opts
}

// wireCodec is how decoded chunks are compressed.
func (f *serveFlags) wireCodec(server *httpd.Server) serve.WireCodec {
	switch {
	case f.codec == "none", f.codec == codecAuto && server.Loopback():
		return serve.WireNone
	case f.codec == "zstd":
		return serve.WireZstd
	}
	return serve.WireBlosc
}

func (f *serveFlags) serverOptions(cmd *cobra.Command) httpd.Options {
	opts := httpd.Options{Addr: f.addr, CertFile: f.cert, KeyFile: f.key, Metrics: f.metrics, Grace: serverGrace}
	if f.log {
		opts.Log = slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
	}
	return opts
}

func (f *serveFlags) storeOptions() serve.StoreOptions {
	opts := serve.StoreOptions{CacheBytes: int64(f.cacheMB) << 20}
	if f.cacheMB == 0 {
		opts.CacheBytes = -1
	}
	return opts
}

func (f *serveFlags) store(v *looking.ViewFile) zarr.Store {
	return serve.OpenMessages(v.File, serve.MessageOptions{Version: fileState(v.Disk), Store: f.storeOptions(), SkipHashes: f.skipHashes})
}

// keptMessages is the store of the messages of a file, by keys that nobody knows of others who has
// opened another state of the file before.
func (f *serveFlags) keptMessages(cmd *cobra.Command, name string, v *looking.ViewFile) (zarr.Store, error) {
	opts, err := f.dataset.ArchiveOptions(cmd, []string{name})
	if err != nil {
		return nil, err
	}
	kept := &site.History{Path: archive.HistoryPath([]string{name}, opts, looking.ViewMessages), Warn: func(text string) { cli.Warn(cmd, text) }}
	view := serve.NewMessageView(v.File, serve.MessageOptions{Version: fileState(v.Disk), SkipHashes: f.skipHashes})
	if err := site.KeepMessages(cmd.Context(), view, kept); err != nil {
		return nil, cli.InFile(name, err)
	}
	return serve.NewStore(view, f.storeOptions()), nil
}

// fileState identifies the state of a file. What has none has another state whenever it is served.
func fileState(disk *cli.DiskFile) string {
	if etag := disk.Blob.ETag(); etag != "" {
		return etag
	}
	return fmt.Sprintf("%x-%x", time.Now().UnixNano(), disk.Size)
}

// announce prints where the server is and how to read from it.
func announce(cmd *cobra.Command, v *looking.ViewFile, base string) {
	messages, err := v.Len()
	group := ""
	if err == nil && messages > 1 {
		group = `, group="0"`
	}
	fmt.Fprintf(cmd.OutOrStdout(), `serving %s at %s
  xarray       xarray.open_zarr("%s"%s)
  zarr-python  zarr.open_group("%s", mode="r")
  browser      %s/
`, v.Name, base, base, group, base, base)
	if messages > 1 {
		fmt.Fprintf(cmd.OutOrStdout(), "its %d messages are the groups 0 to %d; press Ctrl-C to stop\n", messages, messages-1)
	} else {
		fmt.Fprintln(cmd.OutOrStdout(), "press Ctrl-C to stop")
	}
}

// announceDataset prints where the dataset is and how to read from it.
func announceDataset(cmd *cobra.Command, shown *site.Site, view string, names []string, base string) {
	set := shown.Dataset()
	if view == looking.ViewTree {
		set = set.Tree()
	}
	groups, variables := 0, 0
	for _, g := range set.Groups {
		for _, v := range g.Variables {
			if !v.Coordinate {
				variables++
			}
		}
		if g.Name != "" {
			groups++
		}
	}
	what := names[0]
	if len(names) > 1 {
		what = fmt.Sprintf("%d inputs", len(names))
	}
	fmt.Fprintf(cmd.OutOrStdout(), "serving %s at %s\n", what, base)
	fmt.Fprintf(cmd.OutOrStdout(), "  xarray       %s\n", site.OpenInXarray(set, base))
	fmt.Fprintf(cmd.OutOrStdout(), "  zarr-python  zarr.open_group(\"%s\", mode=\"r\")\n  browser      %s/\n", base, base)
	fmt.Fprintf(cmd.OutOrStdout(), "  snapshot     %s/%s (as the files are now, whatever becomes of them)\n", base, shown.Snapshot())
	fmt.Fprintf(cmd.OutOrStdout(), "%d objects in %d variables", shown.Objects(), variables)
	if groups > 0 {
		fmt.Fprintf(cmd.OutOrStdout(), ", %d groups beside the root", groups)
	}
	fmt.Fprintln(cmd.OutOrStdout(), "; press Ctrl-C to stop")
}
