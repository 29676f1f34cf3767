package converting

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/exporters/tozarr"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/storage"
)

// ToZarr are the flags of to-zarr.
type ToZarr struct {
	Output      string
	Opts        tozarr.Options
	Written     looking.WrittenFlags
	threads     cli.ThreadsFlag
	SkipBad     bool
	Quiet, json bool
}

// NewToZarr returns the verb to-zarr.
func NewToZarr() *cobra.Command { return new(ToZarr).Verb().Command() }

// Verb is the verb that has the flags.
func (t *ToZarr) Verb() cli.Verb {
	return cli.Verb{
		Use:   "to-zarr [flags] FILE|FOLDER... [OUT.zarr]",
		Short: "Write the labelled dataset of Tensogram, GRIB, netCDF, Zarr and .tet files as a Zarr v3 store",
		Long: `Write the dataset that serve shows, and info --dataset prints, as a Zarr v3 store with consolidated metadata: a
folder, a zip file if the name of OUT ends in .zip, or a prefix of an object store (s3://bucket/name.zarr). Combinations
that do not occur are absent chunks, which read as NaN. --names, --time, --duplicates, --min-fill and --view have the
same effect as for serve.

Unless --chunks gives other lengths, each chunk is a chunk of the source, or a field, up to 32 MiB. --shards puts several
chunks into one file. --max-memory bounds the memory for chunks. If it is too small for the fields of a chunk, each field
is decoded once, its parts are kept in a temporary file, and a warning says so. In addition, one Tensogram object that cannot be decoded in
parts (zstd, lz4 and others) may be in memory. An input that cannot be read stops the command, unless --skip-bad
is given.

The documents are written last: an interrupted run leaves a store that cannot be opened, with a folder
.tgmconv-unfinished, and the same command completes it. It compares existing chunks with their hashes
and keeps them. Zip files are written again from the start.

With --append time, the dataset is added to the end of an existing store, whose other dimensions, coordinates, types and
units must agree; a missing store is made. Readers see the old store until all is written. One process at
a time writes to a store: other processes wait, for up to ten minutes.`,
		Example: `  tgmconv to-zarr -o gfs.zarr gfs.grib2
  tgmconv to-zarr -o t.zarr.zip --variable t --codec zstd --compression-level 5 forecast.tgm
  tgmconv to-zarr -o valid.zarr --names cf --time valid forecast.grib2
  tgmconv to-zarr -o series.zarr --chunks step=all,latitude=90,longitude=90 archive/
  tgmconv to-zarr -o s3://bucket/ens.zarr --chunks latitude=100,longitude=100 --shards latitude=all,longitude=all ens/
  tgmconv to-zarr -o analysis.zarr --append time 2026-11-22.grib2`,
		Options: t.declare, Run: t.run,
	}
}

func (t *ToZarr) declare(s *option.Set) {
	cli.DeclareOutput(s, &t.Output, "folder, .zip file or address to write")
	t.Opts.Declare(s)
	t.Written.Declare(s)
	t.threads.Declare(s, "chunks")
	cli.DeclareSkipBad(s, &t.SkipBad)
	s.Bool("quiet/q", &t.Quiet, "no progress, warnings or summary")
	s.Bool("json/j", &t.json, "print the summary as JSON on standard output")
}

// Options returns the options of the flags.
func (t *ToZarr) Options(cmd *cobra.Command) (o tozarr.Options, err error) {
	o = t.Opts
	switch {
	case t.Output == "" || t.Output == storage.Stdin:
		return o, cli.Usagef("to-zarr: expected a folder, a .zip file or an address to write with -o")
	case t.Zip() && o.Append != "":
		return o, cli.Usagef("to-zarr: --append cannot add to a .zip file")
	}
	o.Workers, err = t.threads.Count(cmd)
	return o, err
}

// Zip reports whether the output is a zip file.
func (t *ToZarr) Zip() bool { return strings.EqualFold(filepath.Ext(t.Output), ".zip") }

func (t *ToZarr) run(cmd *cobra.Command, names []string) error {
	opts, err := t.Options(cmd)
	if err != nil {
		return err
	}
	if err := cli.NotAnInput(t.Output, names); err != nil {
		return err
	}
	done := &cli.Summary{Quiet: t.Quiet, JSON: t.json, Began: time.Now()}
	names, bad, err := t.found(cmd, names)
	if err != nil {
		return err
	}
	a, where, err := t.Written.Open(cmd, names, t.Opts.Append != "" || archive.Grows(names))
	if err != nil {
		return err
	}
	defer a.Close()
	if len(a.Bad) > 0 && !t.SkipBad {
		return errors.New(a.Bad[0])
	}
	done.Skip(append(bad, a.Bad...)...)
	if err := cli.CheckWork(cmd, a, cli.BytesOf(a.Set)); err != nil {
		return err
	}
	opts.Source = t.Source(a)
	if !t.Quiet && !t.json {
		where.Warn(cmd.ErrOrStderr(), "object")
	}
	report, err := t.write(cmd, a, opts)
	if err != nil {
		done.List(cmd.ErrOrStderr())
		return t.Explain(err)
	}
	if err := t.summary(cmd, a, report, done); err != nil {
		return err
	}
	return cli.DoneWithout(done.SkippedCount)
}

// found are the names that stand for something. With --skip-bad it lists the others.
func (t *ToZarr) found(cmd *cobra.Command, names []string) (found, bad []string, err error) {
	if !t.SkipBad {
		return names, nil, nil
	}
	for _, name := range names {
		if _, err = cli.ClientOf(cmd).Find(cmd.Context(), name); err == nil {
			found = append(found, name)
		} else if ctxErr := cmd.Context().Err(); ctxErr != nil {
			return nil, nil, ctxErr
		} else {
			bad = append(bad, cli.ErrorText(err))
		}
	}
	if len(found) == 0 {
		return nil, nil, err
	}
	return found, bad, nil
}

// Source identifies the source of the store: the files, the chosen objects, and their arrangement.
// Documents cannot identify it, as two levels may have the same documents.
func (t *ToZarr) Source(a *archive.Archive) string { return a.State() + t.Written.String() }

// write writes the store.
func (t *ToZarr) write(cmd *cobra.Command, a *archive.Archive, opts tozarr.Options) (*tozarr.Report, error) {
	client := cli.ClientOf(cmd)
	bar := (&Conversion{quiet: t.Quiet, json: t.json}).progress(cmd, 1)
	defer bar.End()
	opts.Progress = bar.Set
	opts.Lock = cli.WaitForOthers(cmd)
	if err := a.KeepSections(cmd.Context()); err != nil {
		return nil, err
	}
	view := serve.NewDatasetView(looking.ShownAs(a, t.Written.View), a, serve.DatasetOptions{})
	if !t.Zip() {
		target, err := tozarr.NewFolder(client.Client, t.Output)
		if err != nil {
			return nil, err
		}
		return tozarr.Write(cmd.Context(), view, target, opts)
	}
	out, err := client.Create(cmd.Context(), t.Output)
	if err != nil {
		return nil, err
	}
	defer out.Abort()
	target := tozarr.NewZip(out)
	report, err := tozarr.Write(cmd.Context(), view, target, opts)
	if err == nil {
		err = target.Close()
	}
	return report, err
}

// Explain adds advice to an error.
func (t *ToZarr) Explain(err error) error {
	if errors.Is(err, tozarr.ErrExists) {
		err = fmt.Errorf("%w; remove it first, or add to it with --append", err)
	}
	var ae *tozarr.AppendError
	if errors.As(err, &ae) && ae.Layout {
		err = fmt.Errorf("%w; the store may have been written with other flags (--names, --time, --view, --min-fill)", err)
	}
	if errors.As(err, new(*fs.PathError)) || errors.As(err, new(*storage.WriteError)) || errors.As(err, new(*storage.LockedError)) {
		return err
	}
	return cli.InFile(t.Output, err)
}

// summary summarises the store.
func (t *ToZarr) summary(cmd *cobra.Command, a *archive.Archive, r *tozarr.Report, done *cli.Summary) error {
	done.Warn(cli.NotesOf(a)...)
	done.Warn(r.Notes...)
	done.Outputs, done.BytesIn, done.BytesOut = []string{t.Output}, cli.PackedSize(a.Files()), r.BytesOut
	done.Figures = []cli.Figure{{Key: "groups", Value: r.Groups}, {Key: "arrays", Value: r.Arrays}, {Key: "exact", Value: r.Exact}, {Key: "chunks", Value: r.Chunks}, {Key: "kept", Value: r.Kept}}
	done.Did = cli.Count(r.Arrays, "array")
	if r.Groups > 1 {
		done.Did += fmt.Sprintf(" in %d groups", r.Groups)
	}
	done.Did += ", " + cli.Count(r.Chunks, "chunk")
	if r.Kept > 0 {
		done.Did += fmt.Sprintf(", %d more kept", r.Kept)
	}
	if r.Exact > 0 {
		done.Did += fmt.Sprintf(", %s kept exact", cli.Count(r.Exact, "array"))
	}
	return done.Print(cmd, t.Output)
}

// Divide opens the dataset of files and plans its store. The archive must be closed.
func (t *ToZarr) Divide(cmd *cobra.Command, names []string, grows bool, opts tozarr.Options) (*tozarr.Division, *archive.Archive, error) {
	a, where, err := t.Written.Open(cmd, names, grows)
	if err != nil {
		return nil, nil, err
	}
	if !t.Quiet {
		where.Warn(cmd.ErrOrStderr(), "object")
	}
	opts.Source = t.Source(a)
	var d *tozarr.Division
	if len(a.Bad) > 0 {
		err = errors.New(a.Bad[0])
	} else if err = a.KeepSections(cmd.Context()); err == nil {
		d, err = tozarr.Divide(cmd.Context(), serve.NewDatasetView(looking.ShownAs(a, t.Written.View), a, serve.DatasetOptions{}), opts)
	}
	if err != nil {
		a.Close()
		return nil, nil, cli.InFile(strings.TrimRight(t.Output, "/"), err)
	}
	return d, a, nil
}
