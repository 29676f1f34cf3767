package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/exporters/tonetcdf"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// toNetCDF are the flags of to-netcdf, and what it does.
type toNetCDF struct {
	conversion    // output, where temporary files go, how to report
	where         []string
	variables     []string
	format, pack  string
	names, time   string
	deflate, zstd int
	shuffle       bool
	chunks        []string
	threads       threadsFlag
	changes       changeFlags

	started  time.Time
	bytesIn  int64
	bytesOut int64
	written  []string
	vars     int
	notes    []string
	bad      []string // inputs that cannot be read, and why
}

// formats are the values of --format.
var netcdfKinds = map[string]netcdf.Kind{
	"netcdf4": netcdf.NetCDF4, "netcdf4-classic": netcdf.NetCDF4Classic,
	"cdf1": netcdf.CDF1, "cdf2": netcdf.CDF2, "cdf5": netcdf.CDF5,
}

func newToNetCDF() *cobra.Command { return new(toNetCDF).command() }

// command is the verb that has the flags.
func (t *toNetCDF) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "to-netcdf [flags] FILE... [OUT.nc]",
		Short: "Write Tensogram, GRIB or netCDF files as netCDF",
		Long: `Write netCDF files. Variables that were converted from netCDF are written as they were: with the same format,
dimensions, groups, types, order of attributes, packed integers, chunks and filters. Fields of GRIB become a
dataset that follows the CF conventions, with the dimensions that "tgmconv info --dataset" shows; fields on
other grids are in groups, or with -o FOLDER/ in files of their own. netCDF files that follow one another along a
dimension are one file, or with -o FOLDER/ again one each.

With an object that --where chooses go those that it needs: its coordinates, their bounds, its grid mapping, its
ancillary variables.

` + whereHelp,
		Example: `  tgmconv to-netcdf -o forecast.nc forecast.tgm
  tgmconv to-netcdf -o t2m.nc --where shortName=2t forecast.grib2
  tgmconv to-netcdf -o small.nc --zstd 3 --chunks time=1 forecast.tgm
  tgmconv to-netcdf -o files/ archive.tgm`,
		Args: usageArgs(atLeastOneInput),
		RunE: func(cmd *cobra.Command, args []string) error { return t.run(cmd, args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&t.output, "output", "o", "", "file to write, or a folder that ends in / for several; - is standard output")
	missingFlag(cmd)
	f.StringArrayVarP(&t.where, "where", "w", nil, "only objects that fulfil the clause KEY=VALUE, KEY!=VALUE, KEY>VALUE, …, and those that they need")
	f.StringSliceVar(&t.variables, "variable", nil, "only these variables, with their coordinates (joined by commas)")
	f.StringVar(&t.format, "format", "", "netcdf4, netcdf4-classic, cdf1, cdf2 or cdf5; as the source, and netcdf4 for GRIB, if not given")
	f.IntVar(&t.deflate, "deflate", 0, "compress with deflate, level 1 to 9; 0 is no compression; as the source, and 1 for GRIB, if not given")
	f.IntVar(&t.zstd, "zstd", 0, "compress with zstd, level 1 to 22")
	f.BoolVar(&t.shuffle, "shuffle", true, "shuffle bytes before compression")
	f.StringSliceVar(&t.chunks, "chunks", nil, "chunk length along a dimension as DIM=N, 0 for all of it (joined by commas)")
	f.StringVar(&t.pack, "pack", "source", "values of GRIB: source (integers with scale and offset where these are exact), float32 or float64")
	f.StringVar(&t.names, "names", "cfgrib", "names of dimensions and variables of GRIB: cfgrib (t2m, time, step), short, earthkit or cf")
	f.StringVar(&t.time, "time", "forecast", "dimensions of time of GRIB: forecast (reference time and step) or valid")
	t.changes.register(cmd)
	t.changes.registerType(cmd)
	t.threads.register(cmd, "objects and chunks")
	f.StringVar(&t.tempDir, "temp-dir", "", "folder for temporary files; the output's own if not given")
	f.BoolVar(&t.skipBad, "skip-bad", false, "list what cannot be read and go on, instead of stopping; the exit code is 3")
	f.BoolVarP(&t.quiet, "quiet", "q", false, "no progress, summary or warnings")
	f.BoolVarP(&t.json, "json", "j", false, "print the summary as JSON (on standard error when the data go to standard output)")
	completeWords(cmd, "format", []string{"netcdf4", "netcdf4-classic", "cdf1", "cdf2", "cdf5"})
	completeWords(cmd, "pack", []string{"source", "float32", "float64"})
	completeWords(cmd, "names", nameStyles)
	completeWords(cmd, "time", []string{"forecast", "valid"})
	return cmd
}

// options reads the flags.
func (t *toNetCDF) options(cmd *cobra.Command) (o tonetcdf.Options, err error) {
	o = tonetcdf.Options{Variables: t.variables, Selected: len(t.where) > 0, Program: "tgmconv=" + tgm.Version}
	o.Split = t.toFolder()
	var ok bool
	if o.Kind, ok = netcdfKinds[t.format]; t.format != "" && !ok {
		return o, usagef("to-netcdf: --format is %q, expected netcdf4, netcdf4-classic, cdf1, cdf2 or cdf5", t.format)
	}
	if o.Pack, ok = map[string]tonetcdf.Pack{"source": tonetcdf.PackSource, "float32": tonetcdf.PackFloat32, "float64": tonetcdf.PackFloat64}[t.pack]; !ok {
		return o, usagef("to-netcdf: --pack is %q, expected source, float32 or float64", t.pack)
	}
	if o.Dataset.Names, ok = map[string]dataset.Names{"cfgrib": dataset.NamesCFGRIB, "earthkit": dataset.NamesEarthkit, "cf": dataset.NamesCF, "short": dataset.NamesShort}[t.names]; !ok {
		return o, usagef("to-netcdf: --names is %q, expected cfgrib, earthkit, cf or short", t.names)
	}
	if o.Dataset.Time, ok = map[string]dataset.Time{"forecast": dataset.TimeForecast, "valid": dataset.TimeValid}[t.time]; !ok {
		return o, usagef("to-netcdf: --time is %q, expected forecast or valid", t.time)
	}
	if o.Dataset.Change, err = t.changes.change(); err != nil {
		return o, err
	}
	if o.Workers, err = t.threads.count(cmd); err != nil {
		return o, err
	}
	if o.Filters, err = t.filters(cmd); err != nil {
		return o, err
	}
	o.Chunks, err = t.chunkLengths()
	return o, err
}

// filters are those that the flags ask for, nil if they do not say it.
func (t *toNetCDF) filters(cmd *cobra.Command) (*[]netcdf.Filter, error) {
	deflate, zstd := cmd.Flags().Changed("deflate"), cmd.Flags().Changed("zstd")
	switch {
	case deflate && zstd:
		return nil, usagef("to-netcdf: --deflate and --zstd exclude each other")
	case t.deflate < 0 || t.deflate > 9:
		return nil, usagef("to-netcdf: --deflate is %d, expected 0 to 9", t.deflate)
	case zstd && (t.zstd < 1 || t.zstd > 22):
		return nil, usagef("to-netcdf: --zstd is %d, expected 1 to 22", t.zstd)
	case !deflate && !zstd:
		return nil, nil
	}
	list := []netcdf.Filter{}
	if t.shuffle && t.deflate+t.zstd > 0 {
		list = append(list, ncwrite.Shuffle())
	}
	switch {
	case zstd:
		list = append(list, ncwrite.Zstd(t.zstd))
	case t.deflate > 0:
		list = append(list, ncwrite.Deflate(t.deflate))
	}
	return &list, nil
}

func (t *toNetCDF) chunkLengths() (map[string]uint64, error) {
	chunks := make(map[string]uint64)
	for _, text := range t.chunks {
		dim, number, _ := strings.Cut(text, "=")
		n, err := strconv.ParseUint(strings.TrimSpace(number), 10, 32)
		if dim = strings.TrimSpace(dim); dim == "" || err != nil {
			return nil, usagef("to-netcdf: --chunks %q, expected DIM=N", text)
		}
		chunks[dim] = n
	}
	return chunks, nil
}

// toFolder reports whether the output is a folder.
func (t *toNetCDF) toFolder() bool {
	if strings.HasSuffix(t.output, "/") {
		return true
	}
	st, err := os.Stat(t.output)
	return err == nil && st.IsDir()
}

func (t *toNetCDF) run(cmd *cobra.Command, args []string) error {
	t.started = time.Now()
	opts, err := t.options(cmd)
	if err != nil {
		return err
	}
	if t.output == "" {
		return usagef("to-netcdf: no output given: -o OUT.nc, or - for standard output")
	}
	clauses, err := parseWhere(t.where)
	if err != nil {
		return err
	}
	client := clientOf(cmd)
	client.TempDir = t.temporary()
	opts.TempDir = client.TempDir
	inputs, err := t.inputs(cmd.Context(), client, args)
	if err != nil {
		return err
	}
	if len(inputs) == 0 && len(t.skipped) > 0 {
		return t.skipped[0]
	}
	for _, err := range t.skipped {
		t.bad = append(t.bad, err.Error())
	}
	source := archive.Options{Inputs: inputs, Select: func(o *dataset.Object) bool { return clauses.match(o.Known) }}
	if source.WithNeeded = len(t.where) > 0; source.WithNeeded {
		source.Excludes = func(known *mapping.Known) bool { return !clauses.match(known) }
	}
	a, err := listObjects(cmd, source, t.skipBad)
	if none := (*archive.NoDataError)(nil); errors.As(err, &none) {
		return &archive.NoDataError{Names: args}
	}
	if err != nil {
		return err
	}
	defer a.Close()
	t.bad, t.notes, t.bytesIn = append(t.bad, a.Bad...), append(t.notes, a.notes()...), packedSize(a.Files())
	if err := checkWork(cmd, a.Archive, a.bytes); err != nil {
		return err
	}
	opts.Bare = a.Bare()
	opts.Check = func(set *dataset.Dataset) error { return checkWork(cmd, a.Archive, bytesOf(set)) }
	plan, err := tonetcdf.NewPlan(cmd.Context(), dataset.ObjectList(a.objects), a, opts)
	clauses.warnOfKeys(cmd.ErrOrStderr(), "object")
	if err != nil {
		return t.explainPlan(err, clauses, a.Archive)
	}
	t.notes = append(t.notes, saidOnce(a.LeftOut(), plan.Notes)...)
	if err := t.write(cmd, plan, &opts, args); err != nil {
		return err
	}
	if err := t.report(cmd); err != nil {
		return err
	}
	return doneWithout(len(t.bad))
}

// saidOnce joins lists of what is left out: the variables of files that cannot be read, as the files are
// read, and the variables that are not written, which the second list has without the names of files.
func saidOnce(unread, unwritten []string) []string {
	unread = slices.DeleteFunc(slices.Clone(unread), func(text string) bool {
		return slices.ContainsFunc(unwritten, func(note string) bool {
			return strings.HasSuffix(text, ": "+strings.Replace(note, " is left out", "", 1))
		})
	})
	return append(unread, unwritten...)
}

// temporary is the folder of temporary files.
func (t *toNetCDF) temporary() string {
	switch {
	case t.tempDir != "":
		return t.tempDir
	case t.toFolder():
		return ""
	}
	return folderOf(t.output)
}

// explainPlan says why there is nothing to write of an archive.
func (t *toNetCDF) explainPlan(err error, clauses *whereFlag, a *archive.Archive) error {
	if errors.Is(err, tonetcdf.ErrNothing) {
		if len(a.Bad) > 0 {
			return errors.New(a.Bad[0])
		}
		return andLeftOut(clauses.nothingWritten("variable"), a.LeftOut())
	}
	return err
}

// write writes the files of a plan.
func (t *toNetCDF) write(cmd *cobra.Command, plan *tonetcdf.Plan, opts *tonetcdf.Options, args []string) error {
	if len(plan.Files) > 1 && !t.toFolder() {
		why := ""
		switch {
		case plan.Unjoined != "":
			why = ", which cannot be joined to one (" + plan.Unjoined + ")"
		case plan.Apart != "":
			why = ", which are not one dataset (" + plan.Apart + ")"
		}
		return fmt.Errorf("the inputs hold %d netCDF files%s: name a folder to write them to, -o %s/", len(plan.Files), why, strings.TrimSuffix(t.output, path.Ext(t.output)))
	}
	total := int64(0)
	for _, f := range plan.Files {
		total += f.Bytes()
	}
	show, done := t.progress(cmd, total), int64(0)
	defer show.end()
	opts.Progress = func(n int64) { done += n; show.update(importers.Progress{BytesIn: done}) }
	for _, f := range plan.Files {
		if err := t.writeFile(cmd, f, t.nameOf(f, args)); err != nil {
			return err
		}
		t.vars += f.Variables()
	}
	return nil
}

// nameOf is the location of a file.
func (t *toNetCDF) nameOf(f *tonetcdf.File, args []string) string {
	if !t.toFolder() {
		return t.output
	}
	stem := "stdin"
	if base := path.Base(filepath.ToSlash(args[0])); base != storage.Stdin && base != "." && base != "/" {
		stem = strings.TrimSuffix(base, path.Ext(base))
	}
	if f.Name != "" {
		stem += "_" + f.Name
	}
	return strings.TrimSuffix(t.output, "/") + "/" + edit.ShortName(stem+".nc")
}

func (t *toNetCDF) writeFile(cmd *cobra.Command, f *tonetcdf.File, name string) error {
	out, err := openBinary(cmd, name)
	if err != nil {
		return err
	}
	defer out.Abort()
	counted := &countedOutput{Writer: out}
	var sink io.Writer = counted
	if at, ok := out.(io.WriterAt); ok {
		sink = &placedOutput{counted, at}
	}
	if err := f.Write(cmd.Context(), sink); err != nil {
		if fault.NamesFile(err) { // of an input
			return err
		}
		return inFile(name, err)
	}
	if err := out.Commit(); err != nil {
		return err
	}
	t.bytesOut += counted.end
	t.written = append(t.written, name)
	return nil
}

// countedOutput counts what is written.
type countedOutput struct {
	storage.Writer
	end int64
}

func (c *countedOutput) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.end += int64(n)
	return n, err
}

// placedOutput is an output that is written at any place.
type placedOutput struct {
	*countedOutput
	at io.WriterAt
}

// WriteAt implements io.WriterAt. It is called from one goroutine at a time.
func (p *placedOutput) WriteAt(b []byte, off int64) (int, error) {
	n, err := p.at.WriteAt(b, off)
	p.end = max(p.end, off+int64(n))
	return n, err
}

// report prints what was done.
func (t *toNetCDF) report(cmd *cobra.Command) error {
	r := &summary{quiet: t.quiet, json: t.json, began: t.started, outputs: t.written, bytesIn: t.bytesIn, bytesOut: t.bytesOut,
		figures: []figure{{"variables", t.vars}}, did: count(t.vars, "variable") + " in " + count(len(t.written), "file")}
	r.warn(t.notes...)
	r.skip(t.bad...)
	return r.print(cmd, t.output)
}
