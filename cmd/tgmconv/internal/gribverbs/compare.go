package gribverbs

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/compare"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
	"github.com/tgmconv/tgmconv/internal/option"
)

// gribCompare are the flags of grib compare.
type gribCompare struct {
	gribInput
	keys, ignore, relative []string
	all, editions, headers bool
	both, force, packing   bool
	anyOrder, verbose      bool
	first, last            int
	absolute, factor       float64
}

var gribCompareForeign = []cli.ForeignFlag{
	{Short: "d", HasValue: false, Instead: "copy the fields with tgmconv grib copy -w count=N"},
	{Short: "7", HasValue: false, Instead: "messages with a wrong length are skipped and reported; leave it out"},
	{Short: "V", HasValue: false, Instead: "use tgmconv --version"},
}

// errDifferent makes the command fail after it has said how the files differ.
var errDifferent = errors.New("the files differ")

func newGRIBCompare() *cobra.Command {
	var f gribCompare
	return cli.Verb{
		Use:   "compare [flags] FILE FILE",
		Short: "Compare the fields of two GRIB files as grib_compare does",
		Long: `Compare the fields of two GRIB files, one after the other, as grib_compare of ecCodes does: all keys that are coded, and
the values. The first pair of fields that differs ends the comparison unless --force is given. Exit code 1 if anything
differs.

` + gribWhereHelp,
		Example: `  tgmconv grib compare a.grib2 b.grib2
  tgmconv grib compare -f -b generatingProcessIdentifier -A 0.01 a.grib2 b.grib2
  tgmconv grib compare -c mars:n,values -P a.grib2 b.grib2`,
		Words: twoFiles,
		Options: func(s *option.Set) {
			f.gribInput.declare(s, "compare")
			s.List("keys/c", &f.keys, "compare only these keys, joined by commas: KEY, KEY:s, KEY:d, KEY:i, or NAMESPACE:n")
			s.Bool("all/a", &f.all, "compare the keys of --keys after all others")
			s.List("ignore/b", &f.ignore, "keys that are not compared, joined by commas")
			s.Bool("editions/e", &f.editions, "compare only keys that do not depend on the edition: the keys of namespaces")
			s.Bool("headers/H", &f.headers, "leave out the bitmap and the data")
			s.Bool("two-way/2", &f.both, "also look for keys that only the second file has")
			s.Bool("force/f", &f.force, "go on after a difference and write a summary")
			s.Bool("packing-error/P", &f.packing, "tolerate differences of values up to the error of their packing")
			s.Number("absolute/A", &f.absolute, "tolerate this difference of real numbers")
			s.List("relative/R", &f.relative, "tolerate this difference of real numbers, as a part of the larger: KEY=ERROR, or all=ERROR, joined by commas")
			f.factor = 1
			s.Number("factor/T", &f.factor, "multiply all tolerances by this")
			s.Bool("any-order/r", &f.anyOrder, "sort the fields of both files by their headers (md5Headers) first")
			s.Number("start/S", &f.first, "first field of the second file to compare, counted from 1")
			s.Number("end/E", &f.last, "last field to compare")
			s.Bool("verbose/v", &f.verbose, "write the name of each compared key, and the number of fields")
		},
		Foreign: gribCompareForeign,
		Run: func(cmd *cobra.Command, args []string) error {
			cli.CollectRarely(cli.MetadataGC)
			return f.run(cmd, args[0], args[1])
		},
	}.Command()
}

func (f *gribCompare) options(cmd *cobra.Command) (o compare.Options, err error) {
	if err := f.check(); err != nil {
		return o, err
	}
	o = compare.Options{All: f.all, Ignore: cli.SplitKeys(f.ignore), Headers: f.headers, BothWays: f.both, Absolute: f.absolute,
		PackingError: f.packing, Factor: f.factor, Verbose: f.verbose}
	for _, text := range cli.SplitKeys(f.keys) {
		o.Keys = append(o.Keys, compare.ParseKey(text))
	}
	if f.editions {
		o.Keys = append(o.Keys, compare.EditionKeys()...)
	}
	switch {
	case f.first < 0 || f.last < 0 || f.last > 0 && f.last < f.first:
		return o, cli.Usagef("--start is %d and --end %d, expected a first field, from 1, and a last one not before it", f.first, f.last)
	case f.headers && len(f.keys) > 0:
		return o, cli.Usagef("--headers and --keys are both given, expected one of them")
	case f.all && len(f.keys) == 0:
		return o, cli.Usagef("--all without --keys")
	case !(f.absolute >= 0) || !(f.factor >= 0) || math.IsInf(f.absolute, 0):
		return o, cli.Usagef("--absolute is %v and --factor %v, expected 0 or more", f.absolute, f.factor)
	}
	if len(f.relative) > 0 {
		if o.Relative, err = compare.ParseRelative(cli.SplitKeys(f.relative)); err != nil {
			return o, cli.Usagef("--relative %w", err)
		}
	}
	return o, nil
}

func (f *gribCompare) run(cmd *cobra.Command, first, second string) error {
	o, err := f.options(cmd)
	if err != nil {
		return err
	}
	selected, err := f.selector()
	if err != nil {
		return err
	}
	defer selected.warn(cmd)
	f.keep = true
	defer f.closeAll()
	var files []fields.Scanner
	for _, name := range []string{first, second} {
		disk, err := cli.OpenDisk(cmd, name)
		if err != nil {
			return cli.InFile(name, err)
		}
		f.open = append(f.open, disk)
		files = append(files, f.scanner(disk, name))
	}
	c := compare.New(cli.OutputTo(cmd.OutOrStdout()), o)
	if err := f.compare(cmd, c, files, selected); err != nil {
		return err
	}
	same, err := c.End(first, second)
	if err == nil && !same {
		err = cli.Reported(errDifferent)
	}
	return err
}

// compare compares the fields of the files one after the other.
func (f *gribCompare) compare(cmd *cobra.Command, c *compare.Comparer, files []fields.Scanner, selected *fieldSelector) error {
	next, stop := iter.Pull2(f.fields(cmd, files[0]))
	defer stop()
	compared, all := 0, 0
	if f.verbose {
		fmt.Fprintln(cmd.OutOrStdout(), files[1].Name)
	}
	for b, err := range f.fields(cmd, files[1]) {
		if err != nil {
			return cli.InFile(files[1].Name, err)
		}
		a, err, more := next()
		if err != nil {
			return cli.InFile(files[0].Name, err)
		}
		all++
		ok, _ := selected.selects(b)
		switch {
		case !more:
			c.Only(1)
		case !ok || b.Count < f.first || f.last > 0 && b.Count > f.last:
			c.Skip()
		default:
			compared++
			same, err := c.Fields(a, b)
			if err != nil {
				return err
			}
			if !same && !f.force {
				return cli.Reported(fmt.Errorf("field %d: %w", b.Count, errDifferent))
			}
		}
	}
	if f.verbose {
		if err := c.Totals(compared, all, files[1].Name); err != nil {
			return err
		}
	}
	for {
		_, err, more := next()
		if err != nil {
			return cli.InFile(files[0].Name, err)
		}
		if !more {
			return nil
		}
		c.Only(0)
	}
}

// fields are the fields of a file, sorted by their headers if that was asked for.
func (f *gribCompare) fields(cmd *cobra.Command, s fields.Scanner) iter.Seq2[fields.Field, error] {
	if f.anyOrder {
		return s.Sorted(cmd.Context(), "md5Headers")
	}
	return s.All(cmd.Context())
}

func twoFiles(cmd *cobra.Command, args []string) error {
	if len(args) != 2 {
		return cli.Usagef("%s: expected two files, found %d", cli.VerbName(cmd), len(args))
	}
	return nil
}
