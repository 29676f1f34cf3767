package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/exporters/totet"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromtet"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/mars"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tet"
)

// toTet are the flags of to-tet.
type toTet struct {
	output, chunks, codec string
	level                 int
	threads               threadsFlag
	skipBad, quiet, json  bool
	bad                   []string // inputs that cannot be read, and why
	objects               bool
	changes               changeFlags
	done                  summary
}

func newToTet() *cobra.Command {
	var t toTet
	cmd := &cobra.Command{
		Use:   "to-tet [flags] FILE... [OUT.tet]",
		Short: "Write the arrays of Tensogram, GRIB, netCDF, Zarr or .tet files as a .tet file",
		Long: `Write arrays as the datasets of one .tet file. Objects that were converted from a .tet file get back their
chunks, labels, attributes and history. Other inputs are written as the labelled dataset that info --dataset
shows: one dataset a variable, coordinates of up to 64 values as labels, longer ones as datasets, attributes as
texts; with --objects each object is a dataset instead. Missing points hold the value of the attribute
_FillValue if there is one, else NaN. Inputs are files, Zarr stores, folders, patterns, addresses, and - for
standard input.`,
		Example: `  tgmconv to-tet -o weather.tet weather.tgm
  tgmconv to-tet -o forecast.tet --codec raw forecast.grib2
  tgmconv to-tet -o t2m.tet --chunks 1,180,360 t2m.nc
  tgmconv to-tet -o t2m.tet t2m.zarr`,
		Args: usageArgs(atLeastOneInput),
		RunE: func(cmd *cobra.Command, args []string) error { return t.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVarP(&t.output, "output", "o", "", "file to write")
	missingFlag(cmd)
	f.StringVar(&t.chunks, "chunks", "", "chunk shape of arrays of that rank, such as 1,180,360; as in the source, or rows of about 16 MiB, if not given")
	f.StringVar(&t.codec, "codec", "", "raw or zstd; as in the source if not given")
	f.IntVar(&t.level, "compression-level", 0, "of zstd, 1 to 22; 0 means 3")
	t.threads.register(cmd, "chunks")
	t.changes.register(cmd)
	t.changes.registerType(cmd)
	f.BoolVar(&t.objects, "objects", false, "write each object as a dataset of its own instead of labelled arrays")
	f.BoolVar(&t.skipBad, "skip-bad", false, "list what cannot be read, or has no form in .tet, and go on, instead of stopping; the exit code is 3")
	f.BoolVarP(&t.quiet, "quiet", "q", false, "no summary or warnings")
	f.BoolVarP(&t.json, "json", "j", false, "print the summary as JSON (on standard error when the data go to standard output)")
	completeWords(cmd, "codec", []string{"raw", "zstd"})
	return cmd
}

func (t *toTet) options(cmd *cobra.Command) (o totet.Options, err error) {
	o = totet.Options{Codec: t.codec, Level: t.level, SkipBad: t.skipBad, ShortName: mars.ShortName}
	if t.codec != "" {
		if _, err := tet.ParseCodec(t.codec); err != nil {
			return o, &usageError{err}
		}
	}
	if t.output == "" {
		return o, usagef("to-tet: expected a file to write with -o")
	}
	if t.level < 0 || t.level > 22 {
		return o, usagef("to-tet: --compression-level is %d, expected 1 to 22", t.level)
	}
	if o.Workers, err = t.threads.count(cmd); err != nil {
		return o, err
	}
	if t.chunks == "" {
		return o, nil
	}
	for part := range strings.SplitSeq(t.chunks, ",") {
		n, err := strconv.ParseInt(strings.TrimSpace(part), 10, 64)
		if err != nil || n < 1 {
			return o, usagef("to-tet: --chunks %q, expected numbers of at least 1 separated by commas", t.chunks)
		}
		o.Chunks = append(o.Chunks, n)
	}
	return o, nil
}

func (t *toTet) run(cmd *cobra.Command, args []string) error {
	t.done.began = time.Now()
	opts, err := t.options(cmd)
	if err != nil {
		return err
	}
	change, err := t.changes.change()
	if err != nil {
		return err
	}
	if t.objects && !change.IsZero() {
		return refuseFlags(cmd, changeFlagNames(), "chooses of labelled arrays, which --objects does not write")
	}
	client := clientOf(cmd)
	client.TempDir = folderOf(t.output)
	found := &conversion{output: t.output, skipBad: t.skipBad}
	inputs, err := found.inputs(cmd.Context(), client, args)
	if err != nil {
		return err
	}
	for _, err := range found.skipped {
		t.bad = append(t.bad, errorText(err))
	}
	if len(inputs) == 0 && len(t.bad) > 0 {
		return found.skipped[0]
	}
	opts.Source = filepath.Base(args[0])
	if opts.Source == storage.Stdin {
		opts.Source = "stdin"
	}
	objects := t.objects
	if !objects && change.IsZero() {
		if objects, err = t.fromTet(cmd.Context(), inputs, client); err != nil {
			return err
		}
	}
	var report *totet.Report
	if objects {
		report, err = t.exportObjects(cmd, inputs, opts)
	} else {
		report, err = t.exportDataset(cmd, inputs, dataset.Options{Change: change}, opts)
	}
	var none *archive.NoDataError
	if errors.As(err, &none) {
		return &archive.NoDataError{Names: args}
	}
	if err != nil {
		return err
	}
	return t.finish(cmd, report)
}

// finish says what was done and what was left out.
func (t *toTet) finish(cmd *cobra.Command, report *totet.Report) error {
	t.done.skip(append(t.bad, report.Skipped...)...)
	t.done.warn(report.Notes...)
	t.done.outputs, t.done.quiet, t.done.json = []string{t.output}, t.quiet, t.json
	t.done.figures = []figure{{"datasets", report.Datasets}, {"chunks", report.Chunks}}
	t.done.did = count(report.Datasets, "dataset") + " in " + count(int(report.Chunks), "chunk")
	if err := t.done.print(cmd, t.output); err != nil {
		return err
	}
	return doneWithout(t.done.skippedCount)
}

// export creates the output and lets write write it. Errors begin with name.
func (t *toTet) export(cmd *cobra.Command, name string, write func(storage.RandomWriter) (*totet.Report, error)) (*totet.Report, error) {
	out, err := createRandom(cmd, t.output, folderOf(t.output))
	if err != nil {
		return nil, err
	}
	defer out.Abort()
	counted := &placedOutput{&countedOutput{Writer: out}, out}
	report, err := write(counted)
	t.done.bytesOut = counted.end
	if errors.Is(err, totet.ErrNothing) && report != nil {
		if reasons := slices.Concat(t.bad, report.Skipped, report.Notes); len(reasons) > 0 {
			return nil, errors.New(reasons[0])
		}
	}
	if err != nil {
		return nil, inFile(name, err)
	}
	return report, nil
}

// fromTet reports whether all inputs are .tet files, or Tensogram files that were made of them. Bad
// ones are left to those who read them, with --skip-bad.
func (t *toTet) fromTet(ctx context.Context, inputs []importers.Input, client *unpack.Client) (bool, error) {
	some := false
	for _, in := range inputs {
		opened, err := client.Open(ctx, in.Name)
		if err != nil && t.skipBad && ctx.Err() == nil {
			continue
		}
		if err != nil {
			return false, err
		}
		is, err := fromtet.Holds(storage.ReaderAt(ctx, opened), opened.Size())
		opened.Close()
		if err != nil && t.skipBad && ctx.Err() == nil {
			continue
		}
		if err != nil {
			return false, inFile(in.Name, err)
		}
		if !is {
			return false, nil
		}
		some = true
	}
	return some, nil
}

// exportDataset writes the labelled dataset of the inputs.
func (t *toTet) exportDataset(cmd *cobra.Command, inputs []storage.Input, labels dataset.Options, opts totet.Options) (*totet.Report, error) {
	a, err := archive.Open(cmd.Context(), nil, archive.Options{Client: clientOf(cmd), MaxArray: maxArrayOf(cmd), Missing: missingOf(cmd), Inputs: inputs, Dataset: labels, Index: archive.IndexNone})
	if err != nil {
		return nil, err
	}
	defer a.Close()
	if len(a.Bad) > 0 && !t.skipBad {
		return nil, errors.New(a.Bad[0])
	}
	t.bad = append(t.bad, a.Bad...)
	t.done.bytesIn = packedSize(a.Files())
	if err := checkWork(cmd, a, bytesOf(a.Set)); err != nil {
		return nil, err
	}
	report, err := t.export(cmd, t.output, func(out storage.RandomWriter) (*totet.Report, error) {
		return totet.ExportDataset(cmd.Context(), a.Set, a, out, opts)
	})
	if err != nil {
		return nil, err
	}
	report.Notes = append(notesOf(a), report.Notes...)
	return report, nil
}

// exportObjects writes each object of the inputs.
func (t *toTet) exportObjects(cmd *cobra.Command, inputs []storage.Input, opts totet.Options) (*totet.Report, error) {
	l, err := listObjects(cmd, archive.Options{Inputs: inputs, Axes: true}, t.skipBad)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	t.bad = append(t.bad, l.Bad...)
	t.done.bytesIn = packedSize(l.Files())
	if err := checkWork(cmd, l.Archive, l.bytes); err != nil {
		return nil, err
	}
	report, err := t.export(cmd, t.output, func(out storage.RandomWriter) (*totet.Report, error) {
		return totet.Export(cmd.Context(), dataset.ObjectList(l.objects), l, out, opts)
	})
	if err != nil {
		return nil, err
	}
	report.Notes = slices.Concat(l.notes(), leftOutNotes(l.Archive), report.Notes)
	return report, nil
}
