package converting

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/torefs"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/exporters/tozarr"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/serve"
)

// refsFlags are the flags of refs.
type refsFlags struct {
	output, format, base string
	written              looking.WrittenFlags
	quiet, json          bool
}

// The values of --format.
const (
	refsJSON     = "json"
	refsParquet  = "parquet"
	refsManifest = "manifest"
)

// NewRefs returns the verb refs.
func NewRefs() *cobra.Command {
	var f refsFlags
	return cli.Verb{
		Use:   "refs [flags] FILE|FOLDER... [OUT.json]",
		Short: "Write references to chunks in files, for kerchunk and VirtualiZarr",
		Long: `Write references to the chunks of the labelled dataset in the files, with which xarray, kerchunk and
VirtualiZarr read the files without a conversion or a server. Only chunks that these programs can decode are referenced:
plain arrays, zstd, shuffle and zstd, and chunks of netCDF files with deflate, shuffle, zstd or Blosc.
Coordinates are copied. Variables that cannot be referenced, such as packed GRIB fields, are left out and listed with
the reason; to-zarr writes everything.

Formats are json (one file of kerchunk's references), parquet (a folder of kerchunk's Parquet files), and manifest (a
folder of Zarr v3 documents with VirtualiZarr's chunk manifests). Local files are named by file:// addresses, or relative
to --base.`,
		Example: `  tgmconv refs -o t2m.json t2m.nc
  tgmconv refs -o archive.parq archive/
  tgmconv refs -o archive.json --base https://data.example.org/archive/ archive/
  python -c 'import xarray; print(xarray.open_dataset("t2m.json", engine="kerchunk"))'`,
		Options: f.declare, Run: f.run,
	}.Command()
}

func (f *refsFlags) declare(s *option.Set) {
	cli.DeclareOutput(s, &f.output, "file or folder to write")
	s.Word("format", &f.format, []string{refsJSON, refsParquet, refsManifest}, "json, parquet or manifest; default: by the name of OUT, .json, .parq or .parquet, else manifest")
	s.Text("base", &f.base, "address that stands for the folder of the first input")
	f.written.Declare(s)
	s.Bool("quiet/q", &f.quiet, "do not list variables that are left out, and print no summary")
	s.Bool("json/j", &f.json, "print the summary as JSON on standard output")
}

func (f *refsFlags) check() error {
	if f.output == "" {
		return cli.Usagef("refs: expected a file or folder to write with -o")
	}
	switch strings.ToLower(filepath.Ext(f.output)) {
	case ".json":
		f.defaultFormat(refsJSON)
	case ".parq", ".parquet":
		f.defaultFormat(refsParquet)
	default:
		f.defaultFormat(refsManifest)
	}
	return nil
}

func (f *refsFlags) defaultFormat(format string) {
	if f.format == "" {
		f.format = format
	}
}

func (f *refsFlags) run(cmd *cobra.Command, names []string) error {
	if err := f.check(); err != nil {
		return err
	}
	if err := cli.NotAnInput(f.output, names); err != nil {
		return err
	}
	done := &cli.Summary{Quiet: f.quiet, JSON: f.json, Began: time.Now(), Unsized: true}
	a, where, err := f.written.Open(cmd, names, archive.Grows(names))
	if err != nil {
		return err
	}
	defer a.Close()
	if err := a.Refused(); err != nil {
		return err
	}
	takenAlong := func(v *dataset.Variable) bool { // else it is referred to, or left out
		return v.Computed() && nd.Estimate(v.Shape, v.DType.Size()) <= torefs.MostInline
	}
	if err := cli.CheckWork(cmd, a, cli.BytesDecoded(a.Set, takenAlong)); err != nil {
		return err
	}
	address, err := torefs.Addresses(names[0], f.base)
	if err != nil {
		return err
	}
	shown := looking.ShownAs(a, f.written.View)
	set, err := torefs.Collect(cmd.Context(), shown, serve.NewDatasetView(shown, a, serve.DatasetOptions{}), torefs.Options{Place: placesOf(cmd, address)})
	if err != nil {
		return err
	}
	if err := f.write(cmd, set); err != nil {
		return cli.InFile(f.output, err)
	}
	if err := f.summary(cmd, a, where, set, done); err != nil {
		return err
	}
	return cli.DoneWithout(len(a.Bad))
}

// placesOf finds the addresses of files, and where in them the bytes at a location are.
func placesOf(cmd *cobra.Command, address func(string) string) func(string, bool) (string, int64, error) {
	type place struct {
		address string
		offset  int64
	}
	known := make(map[string]place)
	return func(location string, asItIs bool) (string, int64, error) {
		if asItIs {
			return address(location), 0, nil
		}
		p, ok := known[location]
		if !ok {
			file, offset, err := cli.ClientOf(cmd).Place(cmd.Context(), location)
			if err != nil {
				return "", 0, err
			}
			p = place{address(file), offset}
			known[location] = p
		}
		return p.address, p.offset, nil
	}
}

func (f *refsFlags) write(cmd *cobra.Command, set *torefs.Set) error {
	client := cli.ClientOf(cmd)
	if f.format == refsJSON {
		out, err := client.Create(cmd.Context(), f.output)
		if err != nil {
			return err
		}
		defer out.Abort()
		if err := set.WriteJSON(out); err != nil {
			return err
		}
		return out.Commit()
	}
	target, err := tozarr.NewFolder(client.Client, f.output)
	if err != nil {
		return err
	}
	hold, err := target.Lock(cmd.Context(), cli.WaitForOthers(cmd))
	if err != nil {
		return err
	}
	err = hold.Check(cmd.Context())
	switch empty, emptyErr := target.Empty(cmd.Context()); {
	case err != nil:
	case emptyErr != nil || !empty:
		err = errors.Join(emptyErr, errors.New("there is something already; remove it first"))
	case f.format == refsParquet:
		err = set.WriteParquet(cmd.Context(), target)
	default:
		err = set.WriteManifests(cmd.Context(), target)
	}
	if releaseErr := hold.Release(); err == nil {
		err = releaseErr
	}
	return err
}

func (f *refsFlags) summary(cmd *cobra.Command, a *archive.Archive, where *cli.WhereFlag, set *torefs.Set, done *cli.Summary) error {
	referenced, inline := 0, 0
	for _, array := range set.Arrays {
		referenced += array.Referenced
		for _, c := range array.Chunks {
			if c.Data != nil {
				inline++
			}
		}
	}
	type omission struct {
		Variable string `json:"variable"`
		Why      string `json:"why"`
	}
	left := []omission{}
	for _, o := range set.LeftOut {
		left = append(left, omission{o.Path, o.Why})
	}
	done.Warn(cli.NotesOf(a)...)
	for _, o := range left {
		done.Warn("left out: " + o.Variable + ": " + o.Why)
	}
	done.Skip(a.Bad...)
	done.Outputs = []string{f.output}
	done.Figures = []cli.Figure{{Key: "arrays", Value: len(set.Arrays)}, {Key: "referenced", Value: referenced}, {Key: "inline", Value: inline}, {Key: "left_out", Value: left}}
	done.Did = fmt.Sprintf("%s, %s, %d copied, %s left out", cli.Count(len(set.Arrays), "array"), cli.Count(referenced, "reference"), inline, cli.Count(len(left), "variable"))
	if !f.quiet && !f.json {
		where.Warn(cmd.ErrOrStderr(), "object")
	}
	return done.Print(cmd, f.output)
}
