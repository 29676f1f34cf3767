package editing

import (
	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/rewrite"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// NewCopy returns the verb copy.
func NewCopy() *cobra.Command {
	var e editing
	return cli.Verb{
		Use:   "copy [flags] IN... OUT",
		Short: "Copy messages, or some of their objects, to one or several files",
		Long: `Copy messages, byte for byte. If --where selects only some objects of a message, a message of these objects is written.
OUT may have keys in brackets, such as forecast_[name]_[mars.step].tgm: the values of its keys then name the file
of each object. Objects of one message that go to the same file stay in one message. A missing value
becomes "unknown". Without --where and keys, messages from a pipe are written as they arrive.

` + belongHelp + "\n\n" + editHelp + "\n\n" + cli.WhereHelp,
		Example: `  tgmconv copy -w name=2t/10u forecast.tgm surface.tgm
  tgmconv copy -o 'forecast_[name].tgm' forecast.tgm`,
		Words:   cobra.ArbitraryArgs,
		InOrder: true,
		Options: e.declareChoice,
		Run:     e.copy,
	}.Command()
}

func (e *editing) copy(cmd *cobra.Command, args []string) error {
	inputs, err := e.begin(cmd, args)
	if err != nil {
		return err
	}
	template, err := edit.ParseTemplate(e.output)
	if err != nil {
		return cli.Usagef("%v", err)
	}
	outputs := storage.Outputs{Create: func(name string) (storage.Writer, error) { return cli.OpenBinary(cmd, name) }}
	defer outputs.Abort()
	var only storage.Writer
	if len(template.Keys()) == 0 { // also when nothing is selected, there is an output
		if only, err = outputs.Get(e.output); err != nil {
			return err
		}
	}
	switch {
	case only != nil && len(e.where) == 0:
		err = e.copyInputs(cmd, inputs, only)
	case !e.only:
		name := func(o catalog.Object) string {
			known := o.Known()
			return template.Expand(func(key string) (string, bool) { return show.Known(known, key) })
		}
		err = e.eachChosen(cmd, inputs, name, func(c *rewrite.Chooser, m *catalog.Message) error {
			groups := c.Groups()
			if n, err := m.NumObjects(); n == 0 && err == nil && len(e.where) == 0 && len(template.Keys()) == 0 {
				groups = []*rewrite.Group{{Output: template.Expand(nil), Whole: true}}
			}
			return e.copyGroups(groups, m, &outputs)
		})
	default:
		err = e.eachMessage(cmd, inputs, func(m *catalog.Message) error { return e.copyMessage(m, template, &outputs) })
	}
	if err != nil {
		return err
	}
	if e.outputs, err = outputs.Commit(); err != nil {
		return err
	}
	return e.report(cmd, nil)
}

// copyMessage writes the objects that are selected to the outputs that they name.
func (e *editing) copyMessage(m *catalog.Message, template edit.Template, outputs *storage.Outputs) error {
	groups, err := e.selection().Groups(m, template)
	if err != nil {
		return err
	}
	return e.copyGroups(groups, m, outputs)
}

// copyGroups writes groups of the objects of a message.
func (e *editing) copyGroups(groups []*rewrite.Group, m *catalog.Message, outputs *storage.Outputs) error {
	for _, g := range groups {
		out, err := cli.OutputOf(outputs, g.Output)
		if err != nil {
			return err
		}
		if g.Whole {
			err = e.copyWhole(out, m)
		} else {
			err = e.write(out, g.Items(), g.Extra(m.Shared.Extra), e.options(out))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
