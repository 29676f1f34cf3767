package editing

import (
	"iter"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/rewrite"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// NewMerge returns the verb merge.
func NewMerge() *cobra.Command {
	var e editing
	var order rewrite.Order
	var strategy string
	return cli.Verb{
		Use:   "merge [flags] IN... [OUT.tgm]",
		Short: "Join all messages into one",
		Long: `Write one message with the objects of all messages of all inputs. --strategy says which value is kept if the
messages have different values of a key of their own metadata.

` + belongHelp + "\n\n" + editHelp + "\n\n" + cli.WhereHelp,
		Example: `  tgmconv merge -o day.tgm step*.tgm
  tgmconv merge --sort mars.step,name --unique -o day.tgm *.tgm`,
		Words:   cobra.ArbitraryArgs,
		InOrder: true,
		Options: func(s *option.Set) {
			strategy = string(edit.First)
			s.Word("strategy/s", &strategy, conflicts, cli.OrList(conflicts))
			declareOrder(s, &order)
			e.declareChoice(s)
		},
		Run: func(cmd *cobra.Command, args []string) error {
			return e.merge(cmd, args, &order, edit.Conflict(strategy))
		},
	}.Command()
}

var conflicts = []string{string(edit.First), string(edit.Last), string(edit.Error)}

func (e *editing) merge(cmd *cobra.Command, args []string, order *rewrite.Order, strategy edit.Conflict) error {
	inputs, err := e.begin(cmd, args)
	if err != nil {
		return err
	}
	var chooser *rewrite.Chooser
	if len(e.where) > 0 && !e.only {
		chooser = &rewrite.Chooser{Selection: e.selection()}
	}
	var files []*looking.ViewFile
	defer func() {
		for _, v := range files {
			v.Close()
		}
	}()
	extra := map[string]any{}
	for _, name := range inputs {
		v, err := looking.OpenView(cmd, name)
		if err != nil {
			return cli.InFile(name, err)
		}
		files = append(files, v)
		for m, err := range catalog.Messages(cmd.Context(), v.File, name) {
			if err == nil {
				err = edit.JoinExtra(extra, m.Shared.Extra, strategy)
			}
			if err == nil && chooser != nil {
				err = chooser.Add(m)
			}
			if err != nil {
				return cli.InFile(name, err)
			}
		}
		if err := v.CheckComplete(); err != nil {
			return cli.InFile(name, err)
		}
	}
	objects := func(m *catalog.Message) iter.Seq2[catalog.Object, error] { return e.selection().Objects(m) }
	if chooser != nil {
		objects, extra = chooser.Objects, mapping.OfSources(extra, chooser.Sources())
	}
	merged, err := order.Arrange(func(yield func(catalog.Object, error) bool) {
		everyObject(cmd, files, objects, yield)
	})
	if err != nil {
		return err
	}
	reading := "" // the input of the object that is written
	items := func(yield func(edit.Item, error) bool) {
		for item, err := range merged {
			if reading = item.File; !yield(item, err) {
				return
			}
		}
		reading = ""
	}
	if err := e.toOutput(cmd, e.output, func(out storage.Writer) error {
		err := e.write(out, items, extra, e.options(out))
		if err != nil && reading != "" {
			err = cli.InFile(reading, err)
		}
		return err
	}); err != nil {
		return err
	}
	return e.report(cmd, nil)
}

// everyObject yields the objects of all files, message by message, as objects yields them.
func everyObject(cmd *cobra.Command, files []*looking.ViewFile, objects func(*catalog.Message) iter.Seq2[catalog.Object, error], yield func(catalog.Object, error) bool) {
	for _, v := range files {
		for m, err := range catalog.Messages(cmd.Context(), v.File, v.Name) {
			if err != nil {
				yield(catalog.Object{}, cli.InFile(v.Name, err))
				return
			}
			for o, err := range objects(m) {
				if err != nil {
					err = cli.InFile(v.Name, err)
				}
				if !yield(o, err) || err != nil {
					return
				}
			}
		}
	}
}
