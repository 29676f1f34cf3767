package gribverbs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/list"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/storage"
)

// gribCopy are the flags of grib copy.
type gribCopy struct {
	gribInput
	keys    []string
	order   string
	verbose bool
	outputs storage.Outputs
}

var gribCopyForeign = []cli.ForeignFlag{
	{Short: "f", HasValue: false, Instead: "it goes on after an error in a file, and fails at the end; leave it out"},
	{Short: "r", HasValue: false, Instead: "values are not packed again"},
	{Short: "W", HasValue: true, Instead: "columns are at least 10 wide"},
	{Short: "g", HasValue: false, Instead: "headers of the GTS are always skipped"},
	{Short: "G", HasValue: false, Instead: "the mode of GRIBEX is not provided"},
	{Short: "T", HasValue: true, Instead: "only GRIB is read"},
	{Short: "7", HasValue: false, Instead: "messages with a wrong length are skipped and reported; leave it out"},
	{Short: "V", HasValue: false, Instead: "use tgmconv --version"},
}

func newGRIBCopy() *cobra.Command {
	var f gribCopy
	return cli.Verb{
		Use:   "copy [flags] FILE... OUTPUT",
		Short: "Copy fields of GRIB files as grib_copy does",
		Long: `Copy the fields of GRIB files, octet by octet, as grib_copy of ecCodes does. Names of keys in brackets in the name of
the output stand for their values, so that several files are written: out_[shortName]_[level].grib. Files appear when
they are complete.

` + gribWhereHelp,
		Example: `  tgmconv grib copy -w shortName=2t forecast.grib2 2t.grib2
  tgmconv grib copy forecast.grib2 'out_[shortName]_[level].grib2'`,
		Words: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return errors.New("expected one or more files and an output")
			}
			return nil
		},
		Options: func(s *option.Set) {
			f.gribInput.declare(s, "copy")
			s.List("keys/p", &f.keys, "list the fields that are copied with these keys, joined by commas")
			s.Bool("verbose/v", &f.verbose, "list the files")
			s.Text("order-by/B", &f.order, "order of the fields of all files: KEY[:s|:i|:d] [asc|desc], joined by commas")
		},
		Foreign: gribCopyForeign,
		Run: func(cmd *cobra.Command, args []string) error {
			cli.CollectRarely(cli.MetadataGC)
			output := args[len(args)-1]
			if err := cli.CheckOutputName(cmd, output); err != nil {
				return err
			}
			return f.run(cmd, args[:len(args)-1], output)
		},
	}.Command()
}

func (f *gribCopy) run(cmd *cobra.Command, names []string, output string) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	o := list.Options{Keys: parseGRIBKeys(f.keys), Width: 12, Strict: true, Table: f.verbose || len(f.keys) > 0}
	if o.Order, err = list.ParseOrder(f.order); err != nil {
		return cli.Usagef("--order-by %w", err)
	}
	selected, err := f.selector()
	if err != nil {
		return err
	}
	defer selected.warn(cmd)
	o.Select = selected.selects
	o.Listed = func(field fields.Field) (func() error, error) {
		name, err := field.Expand(output)
		content := f.content(field)
		return func() error { return f.copy(name, content()) }, err
	}
	f.keep = len(o.Order) > 0
	f.outputs = storage.Outputs{Max: math.MaxInt, Create: func(name string) (storage.Writer, error) {
		return f.create(cmd, name, names)
	}}
	defer f.closeAll()
	defer f.outputs.Abort()
	l := list.New(cli.OutputTo(cmd.OutOrStdout()), o)
	err = f.each(cmd, names, func(s fields.Scanner) error { return l.File(cmd.Context(), s) })
	if endErr := l.End(cmd.Context()); endErr != nil {
		return endErr
	}
	if err != nil {
		return err
	}
	_, err = f.outputs.Commit()
	return err
}

// content returns the function that gives the octets of a field. They are read again where fields
// are sorted, so as not to hold all of them.
func (f *gribCopy) content(field fields.Field) func() io.Reader {
	if f.keep && len(field.Field.Message.Fields()) == 1 {
		file, offset, size := field.Reader(), field.Offset(), int64(len(field.Message()))
		return func() io.Reader { return io.NewSectionReader(file, offset, size) }
	}
	return func() io.Reader { return bytes.NewReader(field.Field.Bytes()) }
}

// copy appends a field to its output.
func (f *gribCopy) copy(name string, content io.Reader) error {
	out, err := f.outputs.Get(name)
	if err != nil {
		return &cli.OutputError{Err: err}
	}
	_, err = io.Copy(out, content)
	return cli.Written(err)
}

// create begins an output that is none of the inputs.
func (f *gribCopy) create(cmd *cobra.Command, name string, inputs []string) (storage.Writer, error) {
	for _, input := range inputs {
		if storage.SameFile(input, name) {
			return nil, fmt.Errorf("%s is the input %s as well", name, input)
		}
	}
	return cli.ClientOf(cmd).Create(cmd.Context(), name)
}
