package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/look"
)

// chosenFields are the fields of inputs of any format that clauses select.
type chosenFields struct {
	*archive
	fields []*look.Field
}

// chooseFields opens the inputs and lists their fields. What cannot be read is reported, and fails
// the command at its end.
func chooseFields(cmd *cobra.Command, names, clauses []string, opts look.Options) (*chosenFields, error) {
	where, err := parseWhere(clauses)
	if err != nil {
		return nil, err
	}
	a := &archive{Collection: dataset.NewCollection()}
	c := &chosenFields{archive: a}
	if err := a.open(cmd, names); err != nil {
		a.Close()
		return nil, err
	}
	opts.Where, opts.Asked, opts.Bad = where.clauses, &where.asked, a.note
	c.fields, err = look.List(cmd.Context(), a.Collection, opts)
	if err == nil && len(c.fields) == 0 {
		where.warn(cmd.ErrOrStderr(), "field")
		err = c.none(len(clauses) > 0)
	}
	if err != nil {
		a.Close()
		return nil, err
	}
	where.warn(cmd.ErrOrStderr(), "field")
	return c, nil
}

// none is the error when nothing was chosen.
func (c *chosenFields) none(asked bool) error {
	switch {
	case len(c.bad) > 0:
		return fmt.Errorf("%s", c.bad[0])
	case asked:
		return fmt.Errorf("no field fulfils --where")
	}
	return fmt.Errorf("the inputs hold no field")
}

// finish reports what could not be read.
func (c *chosenFields) finish(cmd *cobra.Command) error {
	for _, line := range c.bad {
		fmt.Fprintln(cmd.ErrOrStderr(), "tgmconv: "+safetext.Line(line))
	}
	if len(c.bad) > 0 {
		return &reportedError{fmt.Errorf("%s", c.bad[0])}
	}
	return nil
}

// anyInputHelp is the part of the help of the verbs that look at fields of any format.
const anyInputHelp = `Inputs are Tensogram, GRIB, netCDF and .tet files, folders, patterns, addresses, and - for standard input. Keys of
--where are those of ls: name, level, step, date, units, … and of netCDF files also the names of dimensions.`
