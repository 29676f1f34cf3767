package main

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/compare"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
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

var gribCompareForeign = []foreignFlag{
	{"d", false, "copy the fields with tgmconv grib copy -w count=N"},
	{"7", false, "messages with a wrong length are passed over and reported; leave it out"},
	{"V", false, "use tgmconv --version"},
}

// errDifferent makes the command fail after it has said how the files differ.
var errDifferent = errors.New("the files differ")

func newGRIBCompare() *cobra.Command {
	var f gribCompare
	cmd := &cobra.Command{
		Use:   "compare [flags] FILE FILE",
		Short: "Compare the fields of two GRIB files as grib_compare does",
		Long: `Compare the fields of two GRIB files, one after the other, as grib_compare of ecCodes does: all keys that are coded, and
the values. The first pair of fields that differs ends the comparison unless --force is given. Exit code 1 if anything
differs.

` + gribWhereHelp,
		Example: `  tgmconv grib compare a.grib2 b.grib2
  tgmconv grib compare -f -b generatingProcessIdentifier -A 0.01 a.grib2 b.grib2
  tgmconv grib compare -c mars:n,values -P a.grib2 b.grib2`,
		Args: usageArgs(twoFiles),
		RunE: func(cmd *cobra.Command, args []string) error {
			collectRarely(metadataGC)
			return f.run(cmd, args[0], args[1])
		},
	}
	f.addFlags(cmd, "compare")
	flags := cmd.Flags()
	flags.StringSliceVarP(&f.keys, "keys", "c", nil, "compare only these keys, joined by commas: KEY, KEY:s, KEY:d, KEY:i, or NAMESPACE:n")
	flags.BoolVarP(&f.all, "all", "a", false, "compare the keys of --keys after all others")
	flags.StringSliceVarP(&f.ignore, "ignore", "b", nil, "keys that are not compared, joined by commas")
	flags.BoolVarP(&f.editions, "editions", "e", false, "compare what does not depend on the edition: names of namespaces")
	flags.BoolVarP(&f.headers, "headers", "H", false, "leave out the bitmap and the data")
	flags.BoolVarP(&f.both, "two-way", "2", false, "look for keys that only the second file has as well")
	flags.BoolVarP(&f.force, "force", "f", false, "go on after a difference and write a summary")
	flags.BoolVarP(&f.packing, "packing-error", "P", false, "let values differ by the error of their packing")
	flags.Float64VarP(&f.absolute, "absolute", "A", 0, "let reals differ by this much")
	flags.StringSliceVarP(&f.relative, "relative", "R", nil, "let reals differ by this part of the larger one: KEY=ERROR, or all=ERROR, joined by commas")
	flags.Float64VarP(&f.factor, "factor", "T", 1, "multiply all tolerances by this")
	flags.BoolVarP(&f.anyOrder, "any-order", "r", false, "sort the fields of both files by their headers (md5Headers) first")
	flags.IntVarP(&f.first, "start", "S", 0, "first field of the second file to compare, counted from 1")
	flags.IntVarP(&f.last, "end", "E", 0, "last field to compare")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "write the name of each key that is compared, and the number of fields")
	addForeignFlags(cmd, gribCompareForeign)
	return cmd
}

func (f *gribCompare) options(cmd *cobra.Command) (o compare.Options, err error) {
	if err := errors.Join(rejectForeign(cmd, gribCompareForeign), f.check()); err != nil {
		return o, err
	}
	o = compare.Options{All: f.all, Ignore: splitKeys(f.ignore), Headers: f.headers, BothWays: f.both, Absolute: f.absolute,
		PackingError: f.packing, Factor: f.factor, Verbose: f.verbose}
	for _, text := range splitKeys(f.keys) {
		o.Keys = append(o.Keys, compare.ParseKey(text))
	}
	if f.editions {
		o.Keys = append(o.Keys, compare.EditionKeys()...)
	}
	switch {
	case f.first < 0 || f.last < 0 || f.last > 0 && f.last < f.first:
		return o, usagef("--start is %d and --end %d, expected a first field, from 1, and a last one not before it", f.first, f.last)
	case f.headers && len(f.keys) > 0:
		return o, usagef("--headers and --keys are both given, expected one of them")
	case f.all && len(f.keys) == 0:
		return o, usagef("--all without --keys")
	case !(f.absolute >= 0) || !(f.factor >= 0) || math.IsInf(f.absolute, 0):
		return o, usagef("--absolute is %v and --factor %v, expected 0 or more", f.absolute, f.factor)
	}
	if len(f.relative) > 0 {
		if o.Relative, err = compare.ParseRelative(splitKeys(f.relative)); err != nil {
			return o, usagef("--relative %w", err)
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
		disk, err := openDisk(cmd, name)
		if err != nil {
			return inFile(name, err)
		}
		f.open = append(f.open, disk)
		files = append(files, f.scanner(disk, name))
	}
	c := compare.New(outputWriter{cmd.OutOrStdout()}, o)
	if err := f.compare(cmd, c, files, selected); err != nil {
		return err
	}
	same, err := c.End(first, second)
	if err == nil && !same {
		err = &reportedError{errDifferent}
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
			return inFile(files[1].Name, err)
		}
		a, err, more := next()
		if err != nil {
			return inFile(files[0].Name, err)
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
				return &reportedError{fmt.Errorf("field %d: %w", b.Count, errDifferent)}
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
			return inFile(files[0].Name, err)
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
		return usagef("%s: expected two files, found %d", verb(cmd), len(args))
	}
	return nil
}
