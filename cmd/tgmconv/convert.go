package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/importers"
)

// newConvert is the verb that finds the format of its inputs by their content.
func newConvert() *cobra.Command {
	var c conversion
	var g gribFlags
	var n netcdfFlags
	cmd := &cobra.Command{
		Use:   "convert [flags] FILE...",
		Short: "Convert GRIB or netCDF files, whichever they are, to Tensogram",
		Long: `Converts files to Tensogram, finding the format of each by its content. Inputs are files,
folders (every file below them), http(s) URLs, and - for standard input.

By default values are stored as precisely and about as small as in the source: quantised
integers are kept, missing points become a mask, metadata is kept in full.`,
		Example: `  tgmconv convert -o forecast.tgm forecast.grib2
  tgmconv convert -o all.tgm archive/
  curl -s https://example.org/t2m.nc | tgmconv convert -o t2m.tgm -
  tgmconv convert -o t2m.tgm --where shortName=2t https://example.org/forecast.grib2`,
		Args: usageArgs(atLeastOneInput),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.run(cmd, args, func(ctx context.Context, inputs []importers.Input, opener *importers.Opener) (importers.Source, error) {
				return sourceByContent(ctx, inputs, opener, &c, &g, &n)
			})
		},
	}
	c.register(cmd)
	g.register(cmd)
	n.register(cmd)
	return cmd
}

// sourceByContent makes a source of inputs of any format, in their order.
func sourceByContent(ctx context.Context, inputs []importers.Input, opener *importers.Opener, c *conversion, g *gribFlags, n *netcdfFlags) (importers.Source, error) {
	var sources []importers.Source
	var alike []importers.Input // consecutive inputs of one format
	var format importers.Format
	flush := func() error {
		if len(alike) == 0 {
			return nil
		}
		var s importers.Source
		var err error
		if format == importers.FormatNetCDF {
			s, err = n.source(alike, opener)
		} else {
			s, err = g.source(alike, opener, c)
		}
		sources, alike = append(sources, s), nil
		return err
	}
	for _, in := range inputs {
		found, err := detect(ctx, in, opener)
		if err != nil {
			return nil, err
		}
		if found == "" {
			c.note(in.Name, "passed over: neither GRIB nor netCDF")
			continue
		}
		if found != format {
			if err := flush(); err != nil {
				return nil, err
			}
			format = found
		}
		alike = append(alike, in)
	}
	if err := flush(); err != nil {
		return nil, err
	}
	return importers.Chain(sources...), nil
}

// detect tells the format of in; empty means that it is nothing to convert but the user did not name it.
func detect(ctx context.Context, in importers.Input, opener *importers.Opener) (importers.Format, error) {
	f, done, err := opener.Peek(ctx, in)
	if err != nil {
		return "", err
	}
	defer done()
	found, err := importers.DetectFormat(f, f.Size)
	if err != nil {
		return "", fmt.Errorf("%s: %w", f.Name, err)
	}
	switch {
	case found == importers.FormatGRIB || found == importers.FormatNetCDF:
		return found, nil
	case in.FromFolder:
		return "", nil
	case found == importers.FormatTensogram:
		return "", fmt.Errorf("%s: the file is Tensogram already, expected GRIB or netCDF", f.Name)
	case found == importers.FormatEmpty:
		return "", fmt.Errorf("%s: the file is empty, expected GRIB or netCDF", f.Name)
	}
	return "", fmt.Errorf("%s: neither GRIB nor netCDF is found at its beginning", f.Name)
}

// makeSource makes the source of a conversion.
type makeSource func(ctx context.Context, inputs []importers.Input, opener *importers.Opener) (importers.Source, error)

// run is what the converting verbs have in common: inputs, output, summary.
func (c *conversion) run(cmd *cobra.Command, args []string, source makeSource) error {
	opts, err := c.options()
	if err != nil {
		return err
	}
	inputs, err := importers.FindInputs(args)
	if err != nil {
		return err
	}
	out, err := c.open(cmd.OutOrStdout())
	if err != nil {
		return err
	}
	defer out.Abort()
	opts.TempDir = c.spoolDir(out)
	src, err := source(cmd.Context(), inputs, &importers.Opener{Stdin: cmd.InOrStdin(), TempDir: opts.TempDir})
	if err != nil {
		return err
	}
	defer src.Close()
	show := c.progress(cmd, src.Size())
	opts.Progress = show.update
	report, err := importers.Convert(cmd.Context(), src, out, opts)
	show.end()
	c.printWarnings(cmd.ErrOrStderr(), report)
	if err != nil {
		return explain(err)
	}
	if err := out.Commit(); err != nil {
		return err
	}
	return c.summary(cmd, report)
}

// explain says in the words of the command line what a library says in its own.
func explain(err error) error {
	var format *importers.FormatError
	switch {
	case errors.Is(err, importers.ErrNoFields):
		return errors.New("nothing was converted: the inputs hold no field, or none that was asked for")
	case errors.As(err, &format) && (format.Found == importers.FormatGRIB || format.Found == importers.FormatNetCDF):
		return fmt.Errorf("%w (tgmconv convert takes both GRIB and netCDF)", err)
	}
	return err
}

// output is where a conversion goes: a file that appears when complete, or standard output.
type output interface {
	io.Writer
	Commit() error
	Abort()
}

// open begins the output.
func (c *conversion) open(stdout io.Writer) (output, error) {
	if c.output != "" && c.output != importers.Stdin {
		return importers.CreateOutput(c.output)
	}
	if f, ok := stdout.(*os.File); ok && isTerminal(f) {
		return nil, usagef("the output would go to the terminal: name a file with -o, or redirect it")
	}
	return standardOutput{stdout}, nil
}

// standardOutput is written to as the messages are complete.
type standardOutput struct{ io.Writer }

func (standardOutput) Commit() error { return nil }
func (standardOutput) Abort()        {}

// ReadFrom lets the operating system copy from file to file.
func (s standardOutput) ReadFrom(r io.Reader) (int64, error) { return io.Copy(s.Writer, r) }

// spoolDir is where temporary files go: beside the output, where there is room for it, unless the user says otherwise.
func (c *conversion) spoolDir(out output) string {
	if c.tempDir != "" {
		return c.tempDir
	}
	if f, ok := out.(*importers.Output); ok {
		return f.Dir()
	}
	return ""
}
