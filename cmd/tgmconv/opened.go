package main

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tgmconv/tgmconv/archive"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/storage/unpack"
	"github.com/tgmconv/tgmconv/tgm"
)

// openedInputs are the inputs of a verb that writes objects in another format: Tensogram files, and
// others, which have to be converted first.
type openedInputs struct {
	tensogram []storage.Input
	files     []*tgm.File // one for each of tensogram
	others    []storage.Input
	data      bool     // whether one is of a format that is read
	bytes     int64    // of all of them
	bad       []string // what could not be opened, and why
	passed    []string // what is of no format that is read
	close     []io.Closer
}

// notes say what is left out.
func (o *openedInputs) notes() []string { return append(slices.Clone(o.passed), o.bad...) }

// Close closes the files.
func (o *openedInputs) Close() error {
	var errs []error
	for _, c := range o.close {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// openInputs opens the inputs that args name. One that cannot be opened is an error, unless bad ones
// are to be skipped, and so is one of no known format, unless it lies in a folder. It is always an
// error if there is none of a known format.
func openInputs(ctx context.Context, client *unpack.Client, args []string, inputs []storage.Input, skipBad bool) (*openedInputs, error) {
	o := new(openedInputs)
	for _, in := range inputs {
		err := o.open(ctx, client, in, skipBad || in.FromFolder)
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

func (o *openedInputs) open(ctx context.Context, client *unpack.Client, in storage.Input, anything bool) error {
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
	if !anything && (found == importers.FormatUnknown || found == importers.FormatEmpty) {
		return &importers.FormatError{Found: found, Expected: "Tensogram, GRIB, netCDF or .tet"}
	}
	switch {
	case found == importers.FormatTensogram:
	case found.IsSource():
		o.others = append(o.others, in)
		return nil
	default:
		o.passed = append(o.passed, storage.Display(in.Name)+": passed over: neither Tensogram nor GRIB nor netCDF nor .tet")
		return nil
	}
	file, err := tgm.NewFile(r, blob.Size())
	if err != nil {
		return err
	}
	o.tensogram, o.files = append(o.tensogram, in), append(o.files, file)
	return nil
}

// convertToTemp converts inputs as tgmconv convert does, to a temporary file.
func convertToTemp(cmd *cobra.Command, inputs []storage.Input, client *unpack.Client, skipBad bool) (storage.Blob, error) {
	// The flags of convert, as if none were given.
	var c conversion
	var g gribFlags
	var n netcdfFlags
	defaults := &cobra.Command{}
	c.register(defaults)
	g.register(defaults, &c)
	n.register(defaults)
	c.skipBad = skipBad

	out, err := storage.NewTempFile(client.TempDir)
	if err != nil {
		return nil, err
	}
	if err := c.convertInto(cmd, out, inputs, client, &g, &n); err != nil {
		out.Close()
		return nil, err
	}
	return out.Blob()
}

// convertInto converts inputs to w, and prints the warnings.
func (c *conversion) convertInto(cmd *cobra.Command, w io.Writer, inputs []storage.Input, client *unpack.Client, g *gribFlags, n *netcdfFlags) error {
	opts, err := c.options(cmd)
	if err != nil {
		return err
	}
	opts.TempDir = client.TempDir
	src, err := sourceByContent(cmd.Context(), new(pflag.FlagSet), inputs, client, c, g, n)
	if err != nil {
		return err
	}
	defer src.Close()
	report, err := importers.Convert(cmd.Context(), src, w, opts)
	c.addTo(report)
	c.printWarnings(cmd.ErrOrStderr(), report)
	if err != nil && !errors.Is(err, context.Canceled) {
		return c.explain(err)
	}
	return err
}
