package converting

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/writable"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/exporters/togrib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/mapping"
)

// toGRIB are the flags of to-grib.
type toGRIB struct {
	Conversion
	where   []string
	opts    togrib.Options
	clauses *cli.WhereFlag
	work    *importers.Work
	learned *fromgrib.Learned
	change  dataset.Change
	chosen  func(mapping.Place) bool // fields of the input; nil means all
	notes   []string
}

// NewToGRIB returns the verb to-grib.
func NewToGRIB() *cobra.Command {
	var t toGRIB
	return cli.Verb{
		Use:   "to-grib [flags] FILE... [OUT.grib]",
		Short: "Write the fields of Tensogram, GRIB, netCDF, Zarr or .tet files as GRIB",
		Long: `Write GRIB messages. Objects of Tensogram files that were converted from GRIB become the same messages again:
with the same bytes for simple packing, CCSDS packing and IEEE floats of editions 1 and 2, and for every packing
after convert --keep-data; else with the same values, in CCSDS packing or, in edition 1, simple packing. Fields
that shared a message share a message again. Messages of objects without sections are built from their keys. Messages
of netCDF variables with the standard name of a GRIB parameter are built from attributes and coordinates. Fields of
GRIB files keep their bytes, unless --packing asks for another packing.

Keys of --set, and keys that were changed with tgmconv set, are set in the message; it is an error if a key cannot
be set.

--sel, --bbox, --variable and --drop choose a part of the labelled dataset, as info --dataset shows it. Whole
fields keep their bytes; fields of an area keep the integers of packed values, with their scale factors.

Inputs are files, folders (every Tensogram, GRIB, netCDF, Zarr and .tet file below them), patterns, http(s), s3, gs and az addresses, and - for
standard input.`,
		Example: `  tgmconv to-grib -o forecast.grib2 forecast.tgm
  tgmconv to-grib -o temperature.grib2 temperature.nc
  tgmconv to-grib -o 2t.grib2 -w shortName=2t forecast.tgm
  tgmconv to-grib -o europe.grib2 --sel step=24 --bbox 72/-25/34/45 forecast.grib2
  tgmconv to-grib -o simple.grib2 --packing simple forecast.tgm
  tgmconv to-grib -o test.grib2 --set expver=test,generatingProcessIdentifier=99 forecast.tgm`,
		Options: t.declare, InOrder: true, Run: t.run,
	}.Command()
}

func (t *toGRIB) declare(s *option.Set) {
	cli.DeclareOutput(s, &t.Output, "file to write; - or nothing means standard output")
	cli.DeclareMissing(s)
	cli.DeclareWhere(s, &t.where, "only objects that match KEY=VALUE, KEY!=VALUE, KEY>VALUE, …")
	t.opts.Declare(s)
	t.change.Declare(s)
	t.threads.Declare(s, "fields")
	s.Bool("skip-bad", &t.SkipBad, "name bad inputs, and fields that GRIB cannot hold, and go on instead of stopping; the exit code is 3")
	cli.DeclareQuiet(s, &t.quiet, &t.json)
}

func (t *toGRIB) options(cmd *cobra.Command) (o togrib.Options, err error) {
	o = t.opts
	o.SkipBad = t.SkipBad
	if o.Workers, err = t.threads.Count(cmd); err != nil {
		return o, err
	}
	t.clauses, err = cli.ParseWhere(t.where)
	return o, err
}

func (t *toGRIB) run(cmd *cobra.Command, args []string) error {
	began := time.Now()
	opts, err := t.options(cmd)
	if err != nil {
		return err
	}
	client := cli.ClientOf(cmd)
	inputs, err := t.Inputs(cmd.Context(), client, args)
	if err != nil {
		return err
	}
	part, err := t.labelledPart(cmd, inputs)
	if err != nil {
		return err
	}
	if part != nil {
		defer part.Close()
	}
	out, err := cli.OpenBinary(cmd, t.Output)
	if err != nil {
		return err
	}
	defer out.Abort()
	t.work, t.learned = cli.WorkOf(cmd, inputs), fromgrib.NewLearned()
	show := t.progress(cmd, importers.SizeOf(inputs))
	total := new(togrib.Report)
	for _, err := range t.Skipped {
		total.Skipped = append(total.Skipped, err)
	}
	if part != nil {
		opts.Progress = func(r togrib.Report) { show.Update(importers.Progress{BytesIn: r.BytesIn}) }
		err = t.part(cmd, part, inputs, out, opts, total)
		inputs = nil
	}
	for _, in := range inputs {
		done := *total
		opts.Progress = func(r togrib.Report) { show.Update(importers.Progress{BytesIn: done.BytesIn + r.BytesIn}) }
		if err = t.input(cmd, in, out, opts, total); err != nil {
			break
		}
	}
	show.End()
	if !t.quiet {
		t.clauses.WarnOfKeys(cmd.ErrOrStderr(), "object")
	}
	if err == nil && total.Fields == 0 {
		err = t.clauses.NothingWritten("field")
	}
	if err == nil {
		err = out.Commit()
	}
	done := t.report(total)
	done.Began = began
	if err != nil {
		done.List(cmd.ErrOrStderr())
		return t.Explain(err)
	}
	if err := done.Print(cmd, t.Output); err != nil {
		return err
	}
	return cli.DoneWithout(len(total.Skipped))
}

// bad is the result of input for an unreadable input: the error, or nil with --skip-bad, which
// counts the input.
func (t *toGRIB) bad(name string, err error, total *togrib.Report) error {
	err = cli.InFile(name, err)
	if !t.SkipBad || errors.Is(err, context.Canceled) {
		return err
	}
	total.Skipped = append(total.Skipped, err)
	return nil
}

// input writes the fields of one file.
func (t *toGRIB) input(cmd *cobra.Command, in importers.Input, out io.Writer, opts togrib.Options, total *togrib.Report) error {
	v, err := looking.OpenView(cmd, in.Name)
	if err != nil {
		return t.bad(in.Name, err, total)
	}
	defer v.Close()
	found, err := importers.DetectFormat(v.Disk, v.Disk.Size)
	if err != nil {
		return t.bad(in.Name, err, total)
	}
	var open []io.Closer
	defer func() {
		for _, c := range open {
			c.Close()
		}
	}()
	chosen := writable.Options{
		Keep:  func(c io.Closer) { open = append(open, c) },
		Where: t.clauses.Clauses, Asked: &t.clauses.Asked, Chosen: t.chosen, Set: t.opts.Set, Name: v.Name, Location: v.Disk.Name, Client: cli.ClientOf(cmd),
		Missing: cli.MissingOf(cmd), Take: t.work.Take, LeftOut: func(why string) { t.notes = append(t.notes, "left out: "+why) },
	}
	var fields writable.Fields
	switch {
	case found == importers.FormatGRIB:
		if opts.Packing == togrib.PackSource {
			chosen.Take = nil // nothing is decoded
		}
		source := fromgrib.New([]importers.Input{in}, fromgrib.Options{
			SkipBad: t.SkipBad, MaxArray: cli.MaxArrayOf(cmd), Opener: cli.ClientOf(cmd), Learned: t.learned,
		})
		defer source.Close()
		fields = writable.OfGRIB(cmd.Context(), source, chosen)
	case found.IsSource():
		fields = writable.OfArrays(cmd.Context(), chosen)
	default:
		if importers.Ignored(in, importers.ExpectFormat(v.Disk, v.Disk.Size, in, importers.FormatTensogram), cli.AnyFormat...) {
			return nil // a folder may hold other files
		}
		fields = writable.OfTensogram(cmd.Context(), v.File, chosen)
	}
	report, err := togrib.Export(cmd.Context(), out, fields, opts)
	total.Add(report)
	if err != nil && !errors.Is(err, togrib.ErrNothing) {
		var object *togrib.ObjectError
		if errors.As(err, &object) {
			return err // it names the file
		}
		return cli.InFile(in.Name, err)
	}
	if found.IsSource() {
		return nil
	}
	if err := v.CheckComplete(); err != nil {
		return t.bad(in.Name, err, total)
	}
	return nil
}

// report is the summary, with the fields that were left out.
func (t *toGRIB) report(r *togrib.Report) *cli.Summary {
	done := &cli.Summary{Quiet: t.quiet, JSON: t.json, BytesIn: r.BytesIn, BytesOut: r.BytesOut}
	done.Warn(t.notes...)
	for _, err := range r.Skipped {
		done.Skip(err.Error())
	}
	if t.Output != "" {
		done.Outputs = []string{t.Output}
	}
	done.Figures = []cli.Figure{{Key: "fields", Value: r.Fields}, {Key: "messages", Value: r.Messages}, {Key: "identical", Value: r.Identical}, {Key: "repacked", Value: r.Repacked}, {Key: "built", Value: r.Built},
		{Key: "edited", Value: r.Edited}, {Key: "coordinates", Value: r.Coordinates}, {Key: "empty", Value: r.Empty}}
	done.Did = fmt.Sprintf("%s in %s, %d with the bytes of the source", cli.Count(r.Fields, "field"), cli.Count(r.Messages, "message"), r.Identical)
	for _, n := range []struct {
		count int
		what  string
	}{{r.Repacked, "repacked"}, {r.Built, "built of keys"}, {r.Edited, "with keys set"}, {r.Empty, "that no field was left out"}} {
		if n.count > 0 {
			done.Did += fmt.Sprintf(", %d %s", n.count, n.what)
		}
	}
	return done
}
