package converting

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/exporters/totet"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromtet"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/mars"
	"github.com/tgmconv/tgmconv/storage"
)

// toTet are the flags of to-tet.
type toTet struct {
	output               string
	opts                 totet.Options
	threads              cli.ThreadsFlag
	skipBad, quiet, json bool
	bad                  []string // inputs that cannot be read, and why
	objects              bool
	change               dataset.Change
	done                 cli.Summary
}

// NewToTet returns the verb to-tet.
func NewToTet() *cobra.Command {
	var t toTet
	return cli.Verb{
		Use:   "to-tet [flags] FILE... [OUT.tet]",
		Short: "Write the arrays of Tensogram, GRIB, netCDF, Zarr or .tet files as a .tet file",
		Long: `Write arrays as the datasets of one .tet file. Objects that were converted from a .tet file get back their
chunks, labels, attributes and history. Other inputs are written as the labelled dataset that info --dataset
shows: a dataset for each variable, coordinates of up to 64 values as labels, longer coordinates as datasets,
attributes as texts. With --objects each object is a dataset instead. Missing points hold the value of the attribute
_FillValue if there is one, else NaN. Inputs are files, Zarr stores, folders, patterns, addresses, and - for
standard input.`,
		Example: `  tgmconv to-tet -o weather.tet weather.tgm
  tgmconv to-tet -o forecast.tet --codec raw forecast.grib2
  tgmconv to-tet -o t2m.tet --chunks 1,180,360 t2m.nc
  tgmconv to-tet -o t2m.tet t2m.zarr`,
		Options: t.declare, Run: t.run,
	}.Command()
}

func (t *toTet) declare(s *option.Set) {
	cli.DeclareOutput(s, &t.output, "file to write")
	cli.DeclareMissing(s)
	t.opts.Declare(s)
	t.threads.Declare(s, "chunks")
	t.change.Declare(s)
	t.change.DeclareType(s)
	s.Bool("objects", &t.objects, "write each object as a separate dataset instead of labelled arrays")
	s.Bool("skip-bad", &t.skipBad, "name bad inputs, and arrays that .tet cannot hold, and go on instead of stopping; the exit code is 3")
	s.Bool("quiet/q", &t.quiet, "no summary or warnings")
	cli.DeclareSummary(s, &t.json)
}

func (t *toTet) options(cmd *cobra.Command) (o totet.Options, err error) {
	if t.output == "" {
		return o, cli.Usagef("to-tet: expected a file to write with -o")
	}
	o = t.opts
	o.SkipBad, o.ShortName = t.skipBad, mars.ShortName
	o.Workers, err = t.threads.Count(cmd)
	return o, err
}

func (t *toTet) run(cmd *cobra.Command, args []string) error {
	t.done.Began = time.Now()
	opts, err := t.options(cmd)
	if err != nil {
		return err
	}
	change := t.change
	if t.objects && !change.IsZero() {
		return cli.RefuseFlags(cmd, cli.ChangeNames(), "chooses of labelled arrays, which --objects does not write")
	}
	client := cli.ClientOf(cmd)
	client.TempDir = cli.FolderOf(t.output)
	found := &Conversion{Output: t.output, SkipBad: t.skipBad}
	inputs, err := found.Inputs(cmd.Context(), client, args)
	if err != nil {
		return err
	}
	for _, err := range found.Skipped {
		t.bad = append(t.bad, cli.ErrorText(err))
	}
	if len(inputs) == 0 && len(t.bad) > 0 {
		return found.Skipped[0]
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

// finish prints the summary, with the arrays that were left out.
func (t *toTet) finish(cmd *cobra.Command, report *totet.Report) error {
	t.done.Skip(append(t.bad, report.Skipped...)...)
	t.done.Warn(report.Notes...)
	t.done.Outputs, t.done.Quiet, t.done.JSON = []string{t.output}, t.quiet, t.json
	t.done.Figures = []cli.Figure{{Key: "datasets", Value: report.Datasets}, {Key: "chunks", Value: report.Chunks}}
	t.done.Did = cli.Count(report.Datasets, "dataset") + " in " + cli.Count(int(report.Chunks), "chunk")
	if err := t.done.Print(cmd, t.output); err != nil {
		return err
	}
	return cli.DoneWithout(t.done.SkippedCount)
}

// export creates the output and lets write write it. Errors begin with name.
func (t *toTet) export(cmd *cobra.Command, name string, write func(storage.RandomWriter) (*totet.Report, error)) (*totet.Report, error) {
	out, err := cli.CreateRandom(cmd, t.output, cli.FolderOf(t.output))
	if err != nil {
		return nil, err
	}
	defer out.Abort()
	counted := &placedOutput{&countedOutput{Writer: out}, out}
	report, err := write(counted)
	t.done.BytesOut = counted.end
	if errors.Is(err, totet.ErrNothing) && report != nil {
		if reasons := slices.Concat(t.bad, report.Skipped, report.Notes); len(reasons) > 0 {
			return nil, errors.New(reasons[0])
		}
	}
	if err != nil {
		return nil, cli.InFile(name, err)
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
			return false, cli.InFile(in.Name, err)
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
	a, err := archive.Open(cmd.Context(), nil, archive.Options{Client: cli.ClientOf(cmd), MaxArray: cli.MaxArrayOf(cmd), Missing: cli.MissingOf(cmd), Inputs: inputs, Dataset: labels, Index: archive.IndexNone})
	if err != nil {
		return nil, err
	}
	defer a.Close()
	if len(a.Bad) > 0 && !t.skipBad {
		return nil, errors.New(a.Bad[0])
	}
	t.bad = append(t.bad, a.Bad...)
	t.done.BytesIn = cli.PackedSize(a.Files())
	if err := cli.CheckWork(cmd, a, cli.BytesOf(a.Set)); err != nil {
		return nil, err
	}
	report, err := t.export(cmd, t.output, func(out storage.RandomWriter) (*totet.Report, error) {
		return totet.ExportDataset(cmd.Context(), a.Set, a, out, opts)
	})
	if err != nil {
		return nil, err
	}
	report.Notes = append(cli.NotesOf(a), report.Notes...)
	return report, nil
}

// exportObjects writes each object of the inputs.
func (t *toTet) exportObjects(cmd *cobra.Command, inputs []storage.Input, opts totet.Options) (*totet.Report, error) {
	l, err := cli.ListObjects(cmd, archive.Options{Inputs: inputs, Axes: true}, t.skipBad)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	t.bad = append(t.bad, l.Bad...)
	t.done.BytesIn = cli.PackedSize(l.Files())
	if err := cli.CheckWork(cmd, l.Archive, l.Bytes); err != nil {
		return nil, err
	}
	report, err := t.export(cmd, t.output, func(out storage.RandomWriter) (*totet.Report, error) {
		return totet.Export(cmd.Context(), dataset.ObjectList(l.Objects), l, out, opts)
	})
	if err != nil {
		return nil, err
	}
	report.Notes = slices.Concat(l.Notes(), cli.LeftOutNotes(l.Archive), report.Notes)
	return report, nil
}
