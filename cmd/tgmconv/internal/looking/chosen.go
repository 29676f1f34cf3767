package looking

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
)

// chosenFields are the fields of inputs of any format that clauses select.
type chosenFields struct {
	*archive.Archive
	fields []*look.Field
	bad    []string // what could not be read, and why
	over   passedOver
}

// chooseFields opens the inputs and lists their fields. What cannot be read is reported, and fails
// the command at its end.
func chooseFields(cmd *cobra.Command, names, clauses []string, changes *dataset.Change, opts look.Options) (*chosenFields, error) {
	return chooseFieldsOf(cmd, names, clauses, changes, opts, archive.Options{})
}

// chooseFieldsOf is chooseFields with options of the archive: how its objects are read.
func chooseFieldsOf(cmd *cobra.Command, names, clauses []string, changes *dataset.Change, opts look.Options, options archive.Options) (*chosenFields, error) {
	options.Client, options.MaxArray = cli.ClientOf(cmd), cli.MaxArrayOf(cmd)
	where, err := cli.ParseWhere(clauses)
	if err != nil {
		return nil, err
	}
	if !changes.IsZero() {
		options.Index, options.Dataset = archive.IndexNone, dataset.Options{Change: *changes, Unpack: true}
		return chooseOfDataset(cmd, names, where, opts, options)
	}
	opts.Where, opts.Asked = where.Clauses, &where.Asked
	lister := look.NewLister(opts)
	options.Missing, options.Select, options.SelectIndexed = cli.MissingOf(cmd), lister.Add, isIndexed(where.Clauses)
	if len(where.Clauses) > 0 {
		options.Excludes = func(known *mapping.Known) bool { return !where.Match(known) }
	}
	a, err := archive.List(cmd.Context(), names, options)
	if err != nil {
		return nil, err
	}
	c := &chosenFields{Archive: a, bad: a.Bad}
	c.fields, err = lister.Fields(cmd.Context(), a)
	if err == nil && len(c.fields) == 0 {
		err = c.none(where)
	}
	where.WarnOfKeys(cmd.ErrOrStderr(), "field")
	if err == nil {
		err = c.numbers()
	}
	if err != nil {
		a.Close()
		return nil, err
	}
	return c, nil
}

// chooseOfDataset is chooseFields for a part of the labelled dataset of the inputs.
func chooseOfDataset(cmd *cobra.Command, names []string, where *cli.WhereFlag, opts look.Options, options archive.Options) (*chosenFields, error) {
	a, err := OpenWhere(cmd, names, where, options)
	if err != nil {
		return nil, err
	}
	c := &chosenFields{Archive: a, bad: a.Bad}
	c.fields, err = look.DatasetFields(cmd.Context(), a.Set, a, opts)
	if err == nil && len(c.fields) == 0 {
		err = c.none(where)
	}
	if err != nil {
		a.Close()
		return nil, err
	}
	return c, nil
}

// A NoFieldError says that the inputs have no field that a command takes.
type NoFieldError struct{ error }

// Unwrap returns the reason.
func (e *NoFieldError) Unwrap() error { return e.error }

// none is the error when nothing was chosen.
func (c *chosenFields) none(where *cli.WhereFlag) error {
	if len(c.bad) > 0 {
		return errors.New(c.bad[0])
	}
	err := where.None("field")
	if err == nil {
		err = errors.New("the inputs hold no field")
	}
	return &NoFieldError{AndLeftOut(err, c.LeftOut())}
}

// finish reports fields that could not be read. Variables that were left out or passed over are no failure.
func (c *chosenFields) finish(cmd *cobra.Command) error {
	cli.WarnLeftOut(cmd, c.Archive)
	c.over.print(cmd.ErrOrStderr())
	for _, line := range c.bad {
		fmt.Fprintln(cmd.ErrOrStderr(), "tgmconv: "+safetext.Line(line))
	}
	if len(c.bad) > 0 {
		return cli.Reported(errors.New(c.bad[0]))
	}
	return nil
}

// anyInputHelp is the part of the help of the verbs that look at fields of any format.
const anyInputHelp = `Inputs are Tensogram, GRIB, netCDF, Zarr and .tet files, folders, patterns, addresses, and - for standard input. --where
takes the keys of ls: name, level, step, date, units, …, and ecCodes' keys of GRIB fields. For netCDF files it also
takes the names of dimensions.`
