package main

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

// toNetCDF are the flags of to-netcdf, and what it does.
type toNetCDF struct {
	conversion // output, where temporary files go, how to report
	where      []string
	opts       tonetcdf.Options
	threads    threadsFlag

	started  time.Time
	bytesIn  int64
	bytesOut int64
	written  []string
	vars     int
	notes    []string
	bad      []string // inputs that cannot be read, and why
}

func newToNetCDF() *cobra.Command { return new(toNetCDF).verb().command() }

// verb is the verb that has the flags.
func (t *toNetCDF) verb() verb {
	return verb{
		use:   "to-netcdf [flags] FILE... [OUT.nc]",
		short: "Write Tensogram, GRIB or netCDF files as netCDF",
		long: `Write netCDF files. Variables that were converted from netCDF are written as they were: with the same format,
dimensions, groups, types, order of attributes, packed integers, chunks and filters. Fields of GRIB become a
dataset that follows the CF conventions, with the dimensions that "tgmconv info --dataset" shows; fields on
other grids are in groups, or with -o FOLDER/ in files of their own. netCDF files that follow one another along a
dimension are one file, or with -o FOLDER/ again one each.

With an object that --where chooses go the objects that it needs: its coordinates, their bounds, its grid mapping, its
ancillary variables.

` + whereHelp,
		example: `  tgmconv to-netcdf -o forecast.nc forecast.tgm
  tgmconv to-netcdf -o t2m.nc --where shortName=2t forecast.grib2
  tgmconv to-netcdf -o small.nc --zstd 3 --chunks time=1 forecast.tgm
  tgmconv to-netcdf -o files/ archive.tgm`,
		options: t.declare, inOrder: true, run: t.run,
	}
}

func (t *toNetCDF) declare(s *option.Set) {
	declareOutput(s, &t.output, "file to write, or a folder that ends in / for several; - is standard output")
	declareMissing(s)
	declareWhere(s, &t.where, "only objects that match KEY=VALUE, KEY!=VALUE, KEY>VALUE, …, and those that they need")
	s.List("variable", &t.opts.Variables, "only these variables, with their coordinates (joined by commas)")
	t.opts.Declare(s)
	t.opts.Dataset.DeclareNames(s)
	t.opts.Dataset.Change.Declare(s)
	t.opts.Dataset.Change.DeclareType(s)
	t.threads.declare(s, "objects and chunks")
	declareTempDir(s, &t.tempDir)
	declareSkipBad(s, &t.skipBad)
	declareQuiet(s, &t.quiet, &t.json)
}

// options are those of the flags.
func (t *toNetCDF) options(cmd *cobra.Command) (o tonetcdf.Options, err error) {
	o = t.opts
	o.Selected, o.Split, o.Program = len(t.where) > 0, t.toFolder(), "tgmconv="+tgm.Version
	o.Workers, err = t.threads.count(cmd)
	return o, err
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
