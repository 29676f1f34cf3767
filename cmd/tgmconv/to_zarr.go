package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/exporters/tozarr"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/storage"
)

// toZarr are the flags of to-zarr.
type toZarr struct {
	output      string
	opts        tozarr.Options
	written     writtenFlags
	threads     threadsFlag
	skipBad     bool
	quiet, json bool
}

func newToZarr() *cobra.Command { return new(toZarr).verb().command() }

// verb is the verb that has the flags.
func (t *toZarr) verb() verb {
	return verb{
		use:   "to-zarr [flags] FILE|FOLDER... [OUT.zarr]",
		short: "Write the labelled dataset of Tensogram, GRIB, netCDF, Zarr and .tet files as a Zarr v3 store",
		long: `Write the dataset that serve shows, and info --dataset prints, as a Zarr v3 store with consolidated metadata: a
folder, a zip file if the name of OUT ends in .zip, or a prefix of an object store (s3://bucket/name.zarr). Combinations
that do not occur are absent chunks, which read as NaN. With --names, --time, --duplicates, --min-fill and --view, it is
what serve shows with the same flags.

Chunks are those of the source, one field each, up to 32 MiB, unless --chunks gives their lengths. With --shards several
chunks are one file. Memory for chunks is bounded by --max-memory; if it is too small for the fields of a chunk, each is
decoded once and its parts are kept in a temporary file, and a warning says so. In addition, one Tensogram object that cannot be decoded in
parts (zstd, lz4 and others) may be in memory. An input that cannot be read stops the command, unless --skip-bad
is given.

The documents are written last: an interrupted run leaves a store that cannot be opened, with a folder
.tgmconv-unfinished, and the same command completes it. It compares the chunks that are there with their hashes
and keeps them. Zip files are written again from the start.

With --append time, the dataset is added to the end of an existing store, whose other dimensions, coordinates, types and
units must agree; the store is made if there is none. Readers see the old store until all is written. One process at
a time writes to a store: others wait, for up to ten minutes.`,
		example: `  tgmconv to-zarr -o gfs.zarr gfs.grib2
  tgmconv to-zarr -o t.zarr.zip --variable t --codec zstd --compression-level 5 forecast.tgm
  tgmconv to-zarr -o valid.zarr --names cf --time valid forecast.grib2
  tgmconv to-zarr -o series.zarr --chunks step=all,latitude=90,longitude=90 archive/
  tgmconv to-zarr -o s3://bucket/ens.zarr --chunks latitude=100,longitude=100 --shards latitude=all,longitude=all ens/
  tgmconv to-zarr -o analysis.zarr --append time 2026-11-22.grib2`,
		options: t.declare, run: t.run,
	}
}

func (t *toZarr) declare(s *option.Set) {
	declareOutput(s, &t.output, "folder, .zip file or address to write")
	t.opts.Declare(s)
	t.written.declare(s)
	t.threads.declare(s, "chunks")
	declareSkipBad(s, &t.skipBad)
	s.Bool("quiet/q", &t.quiet, "no progress, warnings or summary")
	s.Bool("json/j", &t.json, "print the summary as JSON on standard output")
}

func (t *toZarr) options(cmd *cobra.Command) (o tozarr.Options, err error) {
	o = t.opts
	switch {
	case t.output == "" || t.output == storage.Stdin:
		return o, usagef("to-zarr: expected a folder, a .zip file or an address to write with -o")
	case t.zip() && o.Append != "":
		return o, usagef("to-zarr: --append cannot add to a .zip file")
	}
	o.Workers, err = t.threads.count(cmd)
	return o, err
}

func (t *toZarr) zip() bool { return strings.EqualFold(filepath.Ext(t.output), ".zip") }

func (t *toZarr) run(cmd *cobra.Command, names []string) error {
	opts, err := t.options(cmd)
	if err != nil {
		return err
	}
	if err := notAnInput(t.output, names); err != nil {
		return err
	}
	done := &summary{quiet: t.quiet, json: t.json, began: time.Now()}
	names, bad, err := t.found(cmd, names)
	if err != nil {
		return err
	}
	a, where, err := t.written.open(cmd, names, t.opts.Append != "" || archive.Grows(names))
	if err != nil {
		return err
	}
	defer a.Close()
	if len(a.Bad) > 0 && !t.skipBad {
		return errors.New(a.Bad[0])
	}
	done.skip(append(bad, a.Bad...)...)
	if err := checkWork(cmd, a, bytesOf(a.Set)); err != nil {
		return err
	}
	opts.Source = t.source(a)
	if !t.quiet && !t.json {
		where.warn(cmd.ErrOrStderr(), "object")
	}
	report, err := t.write(cmd, a, opts)
	if err != nil {
		done.list(cmd.ErrOrStderr())
		return t.explain(err)
	}
	if err := t.summary(cmd, a, report, done); err != nil {
		return err
	}
	return doneWithout(done.skippedCount)
}

// found are the names that stand for something. With --skip-bad it lists the others.
func (t *toZarr) found(cmd *cobra.Command, names []string) (found, bad []string, err error) {
	if !t.skipBad {
		return names, nil, nil
	}
	for _, name := range names {
		if _, err = clientOf(cmd).Find(cmd.Context(), name); err == nil {
			found = append(found, name)
		} else if ctxErr := cmd.Context().Err(); ctxErr != nil {
			return nil, nil, ctxErr
		} else {
			bad = append(bad, errorText(err))
		}
	}
	if len(found) == 0 {
		return nil, nil, err
	}
	return found, bad, nil
}

// source identifies what the store is made of: the files, which of their objects, and how these are
// arranged. Documents do not say that: those of two levels may be the same.
func (t *toZarr) source(a *archive.Archive) string { return a.State() + t.written.String() }

// write writes the store.
func (t *toZarr) write(cmd *cobra.Command, a *archive.Archive, opts tozarr.Options) (*tozarr.Report, error) {
	client := clientOf(cmd)
	bar := (&conversion{quiet: t.quiet, json: t.json}).progress(cmd, 1)
	defer bar.End()
	opts.Progress = bar.Set
	opts.Lock = waitForOthers(cmd)
	if err := a.KeepSections(cmd.Context()); err != nil {
		return nil, err
	}
	view := serve.NewDatasetView(shownAs(a, t.written.view), a, serve.DatasetOptions{})
	if !t.zip() {
		target, err := tozarr.NewFolder(client.Client, t.output)
		if err != nil {
			return nil, err
		}
		return tozarr.Write(cmd.Context(), view, target, opts)
	}
	out, err := client.Create(cmd.Context(), t.output)
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

// explain adds what the user can do about an error.
func (t *toZarr) explain(err error) error {
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
	return inFile(t.output, err)
}

// summary says what was written.
func (t *toZarr) summary(cmd *cobra.Command, a *archive.Archive, r *tozarr.Report, done *summary) error {
	done.warn(notesOf(a)...)
	done.warn(r.Notes...)
	done.outputs, done.bytesIn, done.bytesOut = []string{t.output}, packedSize(a.Files()), r.BytesOut
	done.figures = []figure{{"groups", r.Groups}, {"arrays", r.Arrays}, {"exact", r.Exact}, {"chunks", r.Chunks}, {"kept", r.Kept}}
	done.did = count(r.Arrays, "array")
	if r.Groups > 1 {
		done.did += fmt.Sprintf(" in %d groups", r.Groups)
	}
	done.did += ", " + count(r.Chunks, "chunk")
	if r.Kept > 0 {
		done.did += fmt.Sprintf(", %d more kept", r.Kept)
	}
	if r.Exact > 0 {
		done.did += fmt.Sprintf(", %s kept exact", count(r.Exact, "array"))
	}
	return done.print(cmd, t.output)
}

// divide opens the dataset of files and plans its store. The archive must be closed.
func (t *toZarr) divide(cmd *cobra.Command, names []string, grows bool, opts tozarr.Options) (*tozarr.Division, *archive.Archive, error) {
	a, where, err := t.written.open(cmd, names, grows)
	if err != nil {
		return nil, nil, err
	}
	if !t.quiet {
		where.warn(cmd.ErrOrStderr(), "object")
	}
	opts.Source = t.source(a)
	var d *tozarr.Division
	if len(a.Bad) > 0 {
		err = errors.New(a.Bad[0])
	} else if err = a.KeepSections(cmd.Context()); err == nil {
		d, err = tozarr.Divide(cmd.Context(), serve.NewDatasetView(shownAs(a, t.written.view), a, serve.DatasetOptions{}), opts)
	}
	if err != nil {
		a.Close()
		return nil, nil, inFile(strings.TrimRight(t.output, "/"), err)
	}
	return d, a, nil
}
