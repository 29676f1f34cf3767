package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/exporters/tozarr"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/zarr"
)

// toZarr are the flags of to-zarr.
type toZarr struct {
	output         string
	chunks, shards string
	codec          tozarr.Codec
	dtype          string
	variables      []string
	written        writtenFlags
	append         string
	maxMemory      string
	threads        threadsFlag
	skipBad        bool
	quiet, json    bool
}

func newToZarr() *cobra.Command { return new(toZarr).command() }

// command is the verb that has the flags.
func (t *toZarr) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "to-zarr [flags] FILE|FOLDER... [OUT.zarr]",
		Short: "Write the labelled dataset of Tensogram, GRIB, netCDF, Zarr and .tet files as a Zarr v3 store",
		Long: `Write the dataset that serve shows, and info --dataset prints, as a Zarr v3 store with consolidated metadata: a
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
		Example: `  tgmconv to-zarr -o gfs.zarr gfs.grib2
  tgmconv to-zarr -o t.zarr.zip --variable t --codec zstd --compression-level 5 forecast.tgm
  tgmconv to-zarr -o valid.zarr --names cf --time valid forecast.grib2
  tgmconv to-zarr -o series.zarr --chunks step=all,latitude=90,longitude=90 archive/
  tgmconv to-zarr -o s3://bucket/ens.zarr --chunks latitude=100,longitude=100 --shards latitude=all,longitude=all ens/
  tgmconv to-zarr -o analysis.zarr --append time 2026-11-22.grib2`,
		Args: usageArgs(atLeastOneInput),
		RunE: func(cmd *cobra.Command, args []string) error { return t.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVarP(&t.output, "output", "o", "", "folder, .zip file or address to write")
	f.StringVar(&t.chunks, "chunks", "", "lengths of chunks by dimension, such as step=all,latitude=90")
	f.StringVar(&t.shards, "shards", "", "lengths of shards by dimension; multiples of the chunks")
	f.StringVar(&t.codec.Name, "codec", "blosc", "blosc (zstd and bit shuffle), zstd, gzip, none, or source: chunks as the files have them where they are compressed portably, else blosc")
	f.IntVar(&t.codec.Level, "compression-level", 0, "of the codec; 0 means 1 for blosc, 3 for zstd, 5 for gzip")
	f.StringVar(&t.codec.Shuffle, "shuffle", "", "byte, bit (blosc) or none, before compression; bit for blosc and none for others if not given")
	f.StringVar(&t.dtype, "dtype", "source", "type of floating-point variables: source, float32 or float64")
	f.StringArrayVar(&t.variables, "variable", nil, "variable to write, with its coordinates; GROUP/NAME in a group (repeatable)")
	t.written.register(cmd)
	f.StringVar(&t.append, "append", "", "dimension along which an existing store grows, such as time")
	f.StringVar(&t.maxMemory, "max-memory", "1GiB", "bound on the memory for elements, such as 500MB or 4GiB")
	t.threads.register(cmd, "chunks")
	f.BoolVar(&t.skipBad, "skip-bad", false, "list what cannot be read and go on, instead of stopping; the exit code is 3")
	f.BoolVarP(&t.quiet, "quiet", "q", false, "no progress, warnings or summary")
	f.BoolVarP(&t.json, "json", "j", false, "print the summary as JSON on standard output")
	completeWords(cmd, "codec", tozarr.CodecNames())
	completeWords(cmd, "shuffle", []string{"byte", "bit", "none"})
	completeWords(cmd, "dtype", []string{"source", "float32", "float64"})
	return cmd
}

func (t *toZarr) options(cmd *cobra.Command) (tozarr.Options, error) {
	o := tozarr.Options{Codec: t.codec, Variables: t.variables, Append: t.append}
	var err error
	if o.Chunks, err = tozarr.ParseLengths(t.chunks); err != nil {
		return o, usagef("to-zarr: --chunks: %w", err)
	}
	if o.Shards, err = tozarr.ParseLengths(t.shards); err != nil {
		return o, usagef("to-zarr: --shards: %w", err)
	}
	if o.MaxMemory, err = parseBytes(t.maxMemory); err != nil {
		return o, usagef("to-zarr: --max-memory: %w", err)
	}
	if err := t.codec.Check(); err != nil {
		return o, usagef("to-zarr: --codec: %w", err)
	}
	switch t.dtype {
	case "source":
	case "float32", "float64":
		o.DType = zarr.DataType(t.dtype)
	default:
		return o, usagef("to-zarr: --dtype is %q, expected source, float32 or float64", t.dtype)
	}
	switch {
	case t.output == "" || t.output == storage.Stdin:
		return o, usagef("to-zarr: expected a folder, a .zip file or an address to write with -o")
	case t.zip() && t.append != "":
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
	a, where, err := t.written.open(cmd, names, t.append != "")
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
	defer bar.end()
	opts.Progress = bar.set
	opts.Lock = waitForOthers(cmd)
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

// notesOf are what users should know of the labelled dataset of an archive.
func notesOf(a *archive.Archive) []string {
	notes := append(leftOutNotes(a), a.Set.Report.Notes()...)
	if n := a.Set.Report.Duplicates(); n > 0 {
		notes = append(notes, count(n, "object")+" not written: a later one is at the same place")
	}
	return notes
}

// leftOutNotes name the variables of an archive that cannot be read, and say why.
func leftOutNotes(a *archive.Archive) (notes []string) {
	for _, line := range a.LeftOut() {
		notes = append(notes, "left out: "+line)
	}
	return notes
}

// parseBytes reads a number of bytes such as 500MB or 4GiB.
func parseBytes(text string) (int64, error) {
	digits := strings.TrimRight(text, "BKMGTikmgt ")
	n, err := strconv.ParseFloat(digits, 64)
	factor, ok := map[string]float64{
		"": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
	}[strings.ToLower(strings.TrimSpace(text[len(digits):]))]
	if bytes := n * factor; err == nil && ok && bytes >= 1<<20 && bytes < 1<<50 {
		return int64(bytes), nil
	}
	return 0, fmt.Errorf("found %q, expected a size of at least 1MiB, such as 500MB or 4GiB", text)
}
