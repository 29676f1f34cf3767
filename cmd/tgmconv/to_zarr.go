package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/archive"
	"github.com/tgmconv/tgmconv/exporters/tozarr"
	"github.com/tgmconv/tgmconv/show"
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

func newToZarr() *cobra.Command {
	var t toZarr
	cmd := &cobra.Command{
		Use:   "to-zarr -o OUT [flags] FILE|FOLDER...",
		Short: "Write the labelled dataset of Tensogram, GRIB, netCDF and .tet files as a Zarr v3 store",
		Long: `Write the dataset that serve shows, and info --dataset prints, as a Zarr v3 store with consolidated metadata: a
folder, a zip file if the name of OUT ends in .zip, or a prefix of an object store (s3://bucket/name.zarr). Combinations
that do not occur are absent chunks, which read as NaN. With --names, --time, --duplicates, --min-fill and --view, it is
what serve shows with the same flags.

Chunks are those of the source, one field each, up to 32 MiB, unless --chunks gives their lengths. With --shards several
chunks are one file. Memory for chunks is bounded by --max-memory; if it is too small to decode each field once, fields
are decoded several times, and a warning says so. In addition, one Tensogram object that cannot be decoded in
parts (zstd, lz4 and others) may be in memory. An input that cannot be read stops the command, unless --skip-bad
is given.

The documents are written last: an interrupted run leaves a store that cannot be opened, with a folder
.tgmconv-unfinished, and the same command completes it. It compares the chunks that are there with their hashes
and keeps them. Zip files are written again from the start.

With --append time, the dataset is added to the end of an existing store, whose other dimensions, coordinates, types and
units must agree; the store is made if there is none. Readers see the old store until all is written.`,
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
	f.BoolVar(&t.skipBad, "skip-bad", false, "list what cannot be read and go on, instead of stopping")
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
	if err := noStores("to-zarr", names); err != nil {
		return err
	}
	start := time.Now()
	a, where, err := t.written.open(cmd, names, t.append != "")
	if err != nil {
		return err
	}
	defer a.Close()
	if len(a.Bad) > 0 && !t.skipBad {
		return errors.New(a.Bad[0])
	}
	opts.Source = t.source(a)
	if !t.quiet && !t.json {
		warnBad(cmd, a)
		where.warn(cmd.ErrOrStderr(), "object")
	}
	report, err := t.write(cmd, a, opts)
	if err != nil {
		return t.explain(err)
	}
	return t.summary(cmd, a, report, time.Since(start))
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
	view := zarr.NewDatasetView(shownAs(a, t.written.view), a, zarr.DatasetOptions{})
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
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return err
	}
	return inFile(t.output, err)
}

// hiddenNote is the warning for objects that are not in a labelled dataset.
func hiddenNote(n int) string {
	return count(n, "object") + " not written: a later one is at the same place"
}

// summary says what was written.
func (t *toZarr) summary(cmd *cobra.Command, a *archive.Archive, r *tozarr.Report, took time.Duration) error {
	notes := slices.Clone(r.Notes)
	if n := a.Set.Report.Duplicates(); n > 0 {
		notes = append(notes, hiddenNote(n))
	}
	if t.json {
		return printJSON(cmd.OutOrStdout(), struct {
			Output   string   `json:"output"`
			Groups   int      `json:"groups"`
			Arrays   int      `json:"arrays"`
			Chunks   int      `json:"chunks"`
			Kept     int      `json:"kept"`
			BytesIn  int64    `json:"bytes_in"`
			BytesOut int64    `json:"bytes_out"`
			Seconds  float64  `json:"seconds"`
			Warnings []string `json:"warnings"`
			LeftOut  []string `json:"left_out"`
		}{t.output, r.Groups, r.Arrays, r.Chunks, r.Kept, r.BytesIn, r.BytesOut, took.Seconds(), append([]string{}, notes...), append([]string{}, a.Bad...)})
	}
	if t.quiet {
		return nil
	}
	for _, note := range notes {
		fmt.Fprintln(cmd.ErrOrStderr(), "tgmconv: warning: "+note)
	}
	kept := ""
	if r.Kept > 0 {
		kept = fmt.Sprintf(", %d more kept", r.Kept)
	}
	groups := ""
	if r.Groups > 1 {
		groups = fmt.Sprintf(" in %d groups", r.Groups)
	}
	_, err := fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %s%s, %s%s, %s -> %s, %s s\n", count(r.Arrays, "array"), groups,
		count(r.Chunks, "chunk"), kept, show.Bytes(r.BytesIn), show.Bytes(r.BytesOut), secondsText(took))
	return err
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
