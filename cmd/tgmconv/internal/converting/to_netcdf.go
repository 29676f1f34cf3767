package converting

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/exporters/tonetcdf"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// ToNetCDF are the flags of to-netcdf, and its work.
type ToNetCDF struct {
	Conversion // output, where temporary files go, how to report
	Where      []string
	opts       tonetcdf.Options
	threads    cli.ThreadsFlag

	started  time.Time
	bytesIn  int64
	bytesOut int64
	written  []string
	vars     int
	notes    []string
	bad      []string // inputs that cannot be read, and why
}

// NewToNetCDF returns the verb to-netcdf.
func NewToNetCDF() *cobra.Command { return new(ToNetCDF).Verb().Command() }

// Verb is the verb that has the flags.
func (t *ToNetCDF) Verb() cli.Verb {
	return cli.Verb{
		Use:   "to-netcdf [flags] FILE... [OUT.nc]",
		Short: "Write Tensogram, GRIB or netCDF files as netCDF",
		Long: `Write netCDF files. Variables that were converted from netCDF are written unchanged: with the same format,
dimensions, groups, types, order of attributes, packed integers, chunks and filters. Fields of GRIB become a
dataset that follows the CF conventions, with the dimensions that "tgmconv info --dataset" shows; fields on
further grids are in groups, or with -o FOLDER/ in separate files. netCDF files that follow one another along a
dimension become one file; with -o FOLDER/ they stay separate files.

Objects that --where chooses come with the objects that they need: coordinates, bounds, grid mappings, ancillary
variables.

` + cli.WhereHelp,
		Example: `  tgmconv to-netcdf -o forecast.nc forecast.tgm
  tgmconv to-netcdf -o t2m.nc --where shortName=2t forecast.grib2
  tgmconv to-netcdf -o small.nc --zstd 3 --chunks time=1 forecast.tgm
  tgmconv to-netcdf -o files/ archive.tgm`,
		Options: t.declare, InOrder: true, Run: t.run,
	}
}

func (t *ToNetCDF) declare(s *option.Set) {
	cli.DeclareOutput(s, &t.Output, "file to write, or a folder that ends in / for several; - is standard output")
	cli.DeclareMissing(s)
	cli.DeclareWhere(s, &t.Where, "only objects that match KEY=VALUE, KEY!=VALUE, KEY>VALUE, …, and the objects that they need")
	s.List("variable", &t.opts.Variables, "only these variables, with their coordinates (joined by commas)")
	t.opts.Declare(s)
	t.opts.Dataset.DeclareNames(s)
	t.opts.Dataset.Change.Declare(s)
	t.opts.Dataset.Change.DeclareType(s)
	t.threads.Declare(s, "objects and chunks")
	cli.DeclareTempDir(s, &t.tempDir)
	cli.DeclareSkipBad(s, &t.SkipBad)
	cli.DeclareQuiet(s, &t.quiet, &t.json)
}

// Options are the options of the flags.
func (t *ToNetCDF) Options(cmd *cobra.Command) (o tonetcdf.Options, err error) {
	o = t.opts
	o.Selected, o.Split, o.Program = len(t.Where) > 0, t.toFolder(), "tgmconv="+tgm.Version
	o.Workers, err = t.threads.Count(cmd)
	return o, err
}

// toFolder reports whether the output is a folder.
func (t *ToNetCDF) toFolder() bool {
	if strings.HasSuffix(t.Output, "/") {
		return true
	}
	st, err := os.Stat(t.Output)
	return err == nil && st.IsDir()
}

func (t *ToNetCDF) run(cmd *cobra.Command, args []string) error {
	t.started = time.Now()
	opts, err := t.Options(cmd)
	if err != nil {
		return err
	}
	if t.Output == "" {
		return cli.Usagef("to-netcdf: no output given: -o OUT.nc, or - for standard output")
	}
	clauses, err := cli.ParseWhere(t.Where)
	if err != nil {
		return err
	}
	client := cli.ClientOf(cmd)
	client.TempDir = t.temporary()
	opts.TempDir = client.TempDir
	inputs, err := t.Inputs(cmd.Context(), client, args)
	if err != nil {
		return err
	}
	if len(inputs) == 0 && len(t.Skipped) > 0 {
		return t.Skipped[0]
	}
	for _, err := range t.Skipped {
		t.bad = append(t.bad, err.Error())
	}
	source := archive.Options{Inputs: inputs, Select: func(o *dataset.Object) bool { return clauses.Match(o.Known) }}
	if source.WithNeeded = len(t.Where) > 0; source.WithNeeded {
		source.Excludes = func(known *mapping.Known) bool { return !clauses.Match(known) }
	}
	a, err := cli.ListObjects(cmd, source, t.SkipBad)
	if none := (*archive.NoDataError)(nil); errors.As(err, &none) {
		return &archive.NoDataError{Names: args}
	}
	if err != nil {
		return err
	}
	defer a.Close()
	t.bad, t.notes, t.bytesIn = append(t.bad, a.Bad...), append(t.notes, a.Notes()...), cli.PackedSize(a.Files())
	if err := cli.CheckWork(cmd, a.Archive, a.Bytes); err != nil {
		return err
	}
	opts.Bare, opts.Dataset.AlongRows = a.Bare(), a.AlongRows(cmd.Context())
	opts.Check = func(set *dataset.Dataset) error { return cli.CheckWork(cmd, a.Archive, cli.BytesOf(set)) }
	plan, err := tonetcdf.NewPlan(cmd.Context(), dataset.ObjectList(a.Objects), a, opts)
	clauses.WarnOfKeys(cmd.ErrOrStderr(), "object")
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
	return cli.DoneWithout(len(t.bad))
}

// saidOnce joins two lists of left-out variables: unreadable variables, found while files are read,
// and variables that are not written. The second list has no names of files.
func saidOnce(unread, unwritten []string) []string {
	unread = slices.DeleteFunc(slices.Clone(unread), func(text string) bool {
		return slices.ContainsFunc(unwritten, func(note string) bool {
			return strings.HasSuffix(text, ": "+strings.Replace(note, " is left out", "", 1))
		})
	})
	return append(unread, unwritten...)
}

// temporary is the folder of temporary files.
func (t *ToNetCDF) temporary() string {
	switch {
	case t.tempDir != "":
		return t.tempDir
	case t.toFolder():
		return ""
	}
	return cli.FolderOf(t.Output)
}

// explainPlan says why there is nothing to write of an archive.
func (t *ToNetCDF) explainPlan(err error, clauses *cli.WhereFlag, a *archive.Archive) error {
	if errors.Is(err, tonetcdf.ErrNothing) {
		if len(a.Bad) > 0 {
			return errors.New(a.Bad[0])
		}
		return looking.AndLeftOut(clauses.NothingWritten("variable"), a.LeftOut())
	}
	return err
}

// write writes the files of a plan.
func (t *ToNetCDF) write(cmd *cobra.Command, plan *tonetcdf.Plan, opts *tonetcdf.Options, args []string) error {
	if len(plan.Files) > 1 && !t.toFolder() {
		why := ""
		switch {
		case plan.Unjoined != "":
			why = ", which cannot be joined to one (" + plan.Unjoined + ")"
		case plan.Apart != "":
			why = ", which are not one dataset (" + plan.Apart + ")"
		}
		return fmt.Errorf("the inputs hold %d netCDF files%s: name a folder to write them to, -o %s/", len(plan.Files), why, strings.TrimSuffix(t.Output, path.Ext(t.Output)))
	}
	total := int64(0)
	for _, f := range plan.Files {
		total += f.Bytes()
	}
	show, done := t.progress(cmd, total), int64(0)
	defer show.End()
	opts.Progress = func(n int64) { done += n; show.Update(importers.Progress{BytesIn: done}) }
	for _, f := range plan.Files {
		if err := t.writeFile(cmd, f, t.nameOf(f, args)); err != nil {
			return err
		}
		t.vars += f.Variables()
	}
	return nil
}

// nameOf is the location of a file.
func (t *ToNetCDF) nameOf(f *tonetcdf.File, args []string) string {
	if !t.toFolder() {
		return t.Output
	}
	stem := "stdin"
	if base := path.Base(filepath.ToSlash(args[0])); base != storage.Stdin && base != "." && base != "/" {
		stem = strings.TrimSuffix(base, path.Ext(base))
	}
	if f.Name != "" {
		stem += "_" + f.Name
	}
	return strings.TrimSuffix(t.Output, "/") + "/" + edit.ShortName(stem+".nc")
}

func (t *ToNetCDF) writeFile(cmd *cobra.Command, f *tonetcdf.File, name string) error {
	out, err := cli.OpenBinary(cmd, name)
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
		return cli.InFile(name, err)
	}
	if err := out.Commit(); err != nil {
		return err
	}
	t.bytesOut += counted.end
	t.written = append(t.written, name)
	return nil
}

// countedOutput counts the bytes that are written.
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

// report prints the summary.
func (t *ToNetCDF) report(cmd *cobra.Command) error {
	r := &cli.Summary{Quiet: t.quiet, JSON: t.json, Began: t.started, Outputs: t.written, BytesIn: t.bytesIn, BytesOut: t.bytesOut,
		Figures: []cli.Figure{{Key: "variables", Value: t.vars}}, Did: cli.Count(t.vars, "variable") + " in " + cli.Count(len(t.written), "file")}
	r.Warn(t.notes...)
	r.Skip(t.bad...)
	return r.Print(cmd, t.Output)
}
