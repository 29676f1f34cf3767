package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// openedInputs are the inputs of a verb that writes objects in another format: Tensogram files, and
// those of other formats.
type openedInputs struct {
	tensogram []storage.Input
	files     []*tgm.File // one for each of tensogram
	others    []storage.Input
	data      bool     // whether one is of a format that is read
	bytes     int64    // of all of them
	bad       []string // what cannot be read, and why
	passed    []string // files of folders that are of no format that is read
	close     []io.Closer
}

// Close closes the files.
func (o *openedInputs) Close() error {
	var errs []error
	for _, c := range o.close {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// openInputs opens the inputs that args name. One that cannot be read is an error, unless bad ones
// are to be skipped. It is always an error if there is none of a known format.
func openInputs(ctx context.Context, client *unpack.Client, args []string, inputs []storage.Input, skipBad bool) (*openedInputs, error) {
	o := new(openedInputs)
	for _, in := range inputs {
		err := o.open(ctx, client, in)
		if err == nil {
			continue
		}
		err = inFile(in.Name, err)
		if !skipBad || ctx.Err() != nil {
			o.Close()
			return nil, err
		}
		o.bad = append(o.bad, err.Error())
	}
	if !o.data {
		o.Close()
		if len(o.bad) > 0 {
			return nil, errors.New(o.bad[0])
		}
		return nil, &archive.NoDataError{Names: args}
	}
	return o, nil
}

func (o *openedInputs) open(ctx context.Context, client *unpack.Client, in storage.Input) error {
	blob, err := client.Open(ctx, in.Name)
	if err != nil {
		return err
	}
	o.close = append(o.close, blob)
	o.bytes += blob.Size()
	r := storage.ReaderAt(ctx, blob)
	found, err := importers.DetectFormat(r, blob.Size())
	if err != nil {
		return err
	}
	o.data = o.data || found == importers.FormatTensogram || found.IsSource()
	switch {
	case found == importers.FormatTensogram:
	case found.IsSource():
		o.others = append(o.others, in)
		return nil
	default:
		other := &importers.FormatError{Found: found, Expected: "Tensogram, GRIB, netCDF, Zarr or .tet"}
		if !importers.Ignored(in, other) {
			return other
		}
		o.passed = append(o.passed, storage.Display(in.Name)+": passed over: neither Tensogram nor GRIB nor netCDF nor Zarr nor .tet")
		return nil
	}
	file, err := fromgrib.NewFile(r, blob.Size())
	if err != nil {
		return err
	}
	o.tensogram, o.files = append(o.tensogram, in), append(o.files, file)
	return nil
}

// convertToTemp converts inputs as tgmconv convert does, to a temporary file. It returns what of them
// is bad and was left out, and the warnings.
func convertToTemp(cmd *cobra.Command, inputs []storage.Input, client *unpack.Client, skipBad, quiet bool) (converted storage.Blob, skipped, warnings []string, err error) {
	// The flags of convert, as if none were given.
	var c conversion
	var g gribFlags
	var n netcdfFlags
	defaults := &cobra.Command{}
	c.register(defaults)
	g.register(defaults, &c)
	n.register(defaults)
	c.skipBad, c.quiet = skipBad, quiet
	g.limits.array = func() int64 { return maxArrayOf(cmd) }
	n.missing = func() []float64 { return missingOf(cmd) }

	out, err := storage.NewTempFile(client.TempDir)
	if err != nil {
		return nil, nil, nil, err
	}
	report, err := c.convertInto(cmd, out, inputs, client, &g, &n)
	if err != nil {
		out.Close()
		return nil, nil, nil, err
	}
	for _, b := range report.SkippedList {
		skipped = append(skipped, errorText(b))
	}
	for _, w := range report.WarningList {
		warnings = append(warnings, w.String())
	}
	if more := report.Warnings - len(report.WarningList); more > 0 {
		warnings = append(warnings, fmt.Sprintf("and %d more", more))
	}
	converted, err = out.Blob()
	return converted, skipped, warnings, err
}

// convertInto converts inputs to w. Of an error it prints the warnings, and what was left out.
func (c *conversion) convertInto(cmd *cobra.Command, w io.Writer, inputs []storage.Input, client *unpack.Client, g *gribFlags, n *netcdfFlags) (*importers.Report, error) {
	opts, err := c.options(cmd)
	if err != nil {
		return nil, err
	}
	opts.TempDir, opts.Work = client.TempDir, workOf(cmd, inputs)
	src, err := sourceByContent(cmd.Context(), new(pflag.FlagSet), inputs, client, c, g, n, &c.findings)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	report, err := importers.Convert(cmd.Context(), src, w, opts)
	c.addTo(report)
	if err != nil {
		c.reportOf(report).list(cmd.ErrOrStderr())
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		err = c.explain(err)
	}
	return report, err
}
