package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/rewrite"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

func newMerge() *cobra.Command {
	var e editing
	var order rewrite.Order
	var strategy string
	cmd := &cobra.Command{
		Use:   "merge [flags] IN... -o OUT",
		Short: "Join all messages into one",
		Long: `Write one message with the objects of all messages of all inputs. --strategy says which value is kept if the
messages have different values of a key of their own metadata.

` + editHelp + "\n\n" + whereHelp,
		Example: `  tgmconv merge -o day.tgm step*.tgm
  tgmconv merge --sort mars.step,name --unique -o day.tgm *.tgm`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("strategy", strategy, conflicts); err != nil {
				return err
			}
			return e.merge(cmd, args, &order, edit.Conflict(strategy))
		},
	}
	cmd.Flags().StringVarP(&strategy, "strategy", "s", string(edit.First), orList(conflicts))
	registerOrder(cmd, &order)
	e.registerWhere(cmd)
	e.register(cmd)
	completeWords(cmd, "strategy", conflicts)
	return cmd
}

var conflicts = []string{string(edit.First), string(edit.Last), string(edit.Error)}

func (e *editing) merge(cmd *cobra.Command, args []string, order *rewrite.Order, strategy edit.Conflict) error {
	inputs, err := e.begin(cmd, args)
	if err != nil {
		return err
	}
	if !order.Needed() && slices.Contains(inputs, storage.Stdin) {
		return e.mergePiped(cmd, inputs, strategy)
	}
	var files []*viewFile
	defer func() {
		for _, v := range files {
			v.Close()
		}
	}()
	extra := map[string]any{}
	for _, name := range inputs {
		v, err := openView(cmd, name)
		if err != nil {
			return inFile(name, err)
		}
		files = append(files, v)
		for m, err := range catalog.Messages(cmd.Context(), v.File, name) {
			if err == nil {
				err = edit.JoinExtra(extra, m.Shared.Extra, strategy)
			}
			if err != nil {
				return inFile(name, err)
			}
		}
		if err := v.checkWhole(); err != nil {
			return inFile(name, err)
		}
	}
	merged, err := order.Arrange(func(yield func(catalog.Object, error) bool) { e.everyObject(cmd, files, yield) })
	if err != nil {
		return err
	}
	if err := e.toOutput(cmd, e.output, func(out storage.Writer) error {
		return e.write(out, merged, extra, e.options(out))
	}); err != nil {
		return err
	}
	return e.report(cmd, nil)
}

// everyObject yields the objects of all files that are selected.
func (e *editing) everyObject(cmd *cobra.Command, files []*viewFile, yield func(catalog.Object, error) bool) {
	for _, v := range files {
		for m, err := range catalog.Messages(cmd.Context(), v.File, v.name) {
			if err != nil {
				yield(catalog.Object{}, inFile(v.name, err))
				return
			}
			for o, err := range e.selection().Objects(m) {
				if !yield(o, err) || err != nil {
					return
				}
			}
		}
	}
}
