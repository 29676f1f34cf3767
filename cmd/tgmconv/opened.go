package main

import (
	"context"
	"errors"
	"io"

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
	data      bool  // whether one is of a format that is read
	bytes     int64 // of all of them
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

// openInputs opens the inputs that args name. One of no known format is an error, unless bad ones are
// to be skipped or it lies in a folder that was given. It is always an error if all of them are.
func openInputs(ctx context.Context, client *unpack.Client, args []string, inputs []storage.Input, skipBad bool) (*openedInputs, error) {
	o := new(openedInputs)
	for _, in := range inputs {
		if err := o.open(ctx, client, in, skipBad || in.FromFolder); err != nil {
			o.Close()
			return nil, inFile(in.Name, err)
		}
	}
	if !o.data {
		o.Close()
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
	if found != importers.FormatTensogram {
		o.others = append(o.others, in)
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
