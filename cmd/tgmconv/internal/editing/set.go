package editing

import (
	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/rewrite"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// NewSet returns the verb set.
func NewSet() *cobra.Command {
	var e editing
	var set, remove []string
	return cli.Verb{
		Use:   "set -s KEY=VALUE,... [flags] IN OUT",
		Short: "Change metadata",
		Long: `Change the metadata of objects. extra.KEY is a key of the message, and objects.N.KEY is a key of
the descriptor of object N in each message, from 0; it is an error if objects.N.KEY changes nothing. A key with dots is
in a map, which is created if necessary. Values are text; KEY:i=5 is an integer, KEY:f=0.5 a float, KEY:b=true a truth
value. The keys that say how an object is stored cannot be set. Messages without a selected object are copied unchanged.

` + editHelp + "\n\n" + cli.WhereHelp,
		Example: `  tgmconv set -s mars.expver=0002 forecast.tgm new.tgm
  tgmconv set -s level:i=850,extra.source=test -w name=t -o new.tgm forecast.tgm`,
		Words:   cobra.ArbitraryArgs,
		InOrder: true,
		Options: func(s *option.Set) {
			s.List("set/s", &set, "keys and their values, joined by commas")
			s.List("delete/d", &remove, "keys to remove, joined by commas")
			e.declareWhere(s)
			e.declare(s)
		},
		Run: func(cmd *cobra.Command, args []string) error {
			changes, err := parseChanges(set, remove)
			if err != nil {
				return err
			}
			return e.set(cmd, args, changes)
		},
	}.Command()
}

func parseChanges(set, remove []string) ([]edit.Change, error) {
	var changes []edit.Change
	for _, text := range set {
		c, err := edit.ParseChange(text)
		if err != nil {
			return nil, cli.Usagef("--set %w", err)
		}
		changes = append(changes, c)
	}
	for _, key := range remove {
		c, err := edit.ParseRemoval(key)
		if err != nil {
			return nil, cli.Usagef("--delete %w", err)
		}
		changes = append(changes, c)
	}
	if len(changes) == 0 {
		return nil, cli.Usagef("set: nothing to change: -s KEY=VALUE,... or -d KEY,...")
	}
	return changes, nil
}

func (e *editing) set(cmd *cobra.Command, args []string, changes []edit.Change) error {
	inputs, err := e.begin(cmd, args)
	if err != nil {
		return err
	}
	all := &rewrite.Changes{List: changes}
	if err := e.toOutput(cmd, e.output, func(out storage.Writer) error {
		if err := e.eachMessage(cmd, inputs, func(m *catalog.Message) error { return e.setMessage(out, m, all) }); err != nil {
			return err
		}
		return all.Idle()
	}); err != nil {
		return err
	}
	return e.report(cmd, nil)
}

// setMessage writes a message with the changes to the objects that are selected.
func (e *editing) setMessage(out storage.Writer, m *catalog.Message, changes *rewrite.Changes) error {
	changed, err := e.selection().Change(m, changes)
	if err != nil {
		return err
	}
	if changed == nil {
		return e.copyWhole(out, m)
	}
	return e.write(out, changed.Items, changed.Extra, e.options(out))
}
