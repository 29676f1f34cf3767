package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

func newSplit() *cobra.Command {
	var e editing
	cmd := &cobra.Command{
		Use:   "split [flags] IN -o TEMPLATE",
		Short: "Write each object to a file of its own",
		Long: `Write each object to a file of its own, as a message of one object. TEMPLATE may name keys in brackets, and
[index], the number of the object in four digits; without it the number goes before the extension.

` + editHelp + "\n\n" + whereHelp,
		Example: `  tgmconv split -o 'field_[index].tgm' forecast.tgm
  tgmconv split -o '[name]_[mars.step]_[index].tgm' forecast.tgm`,
		RunE: func(cmd *cobra.Command, args []string) error { return e.split(cmd, args) },
	}
	e.registerWhere(cmd)
	e.register(cmd)
	return cmd
}

func (e *editing) split(cmd *cobra.Command, args []string) error {
	inputs, err := e.begin(cmd, args)
	if err != nil {
		return err
	}
	template, err := edit.ParseTemplate(e.output)
	if err != nil || e.output == storage.Stdin {
		return usagef("split: output is %q, expected the name of files", e.output)
	}
	template = template.WithIndex()
	index := 0
	if err := e.eachMessage(cmd, inputs, func(m *catalog.Message) error {
		n, err := m.NumObjects()
		if err != nil {
			return err
		}
		for o, err := range e.selected(m) {
			if err != nil {
				return err
			}
			name := template.Expand(func(key string) (string, bool) {
				if key == "index" {
					return fmt.Sprintf("%04d", index), true
				}
				text := keyText(o, key)
				return text, text != ""
			})
			index++
			if err := e.toOutput(cmd, name, func(out storage.Writer) error { return e.splitOff(out, o, n) }); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return e.report(cmd, nil)
}

// splitOff writes an object as a message, which is that of a message without others.
func (e *editing) splitOff(out storage.Writer, o catalog.Object, objects int) error {
	if objects == 1 {
		return e.copyWhole(out, o.Message)
	}
	one := func(yield func(edit.Item, error) bool) { yield(edit.Item{Object: o.Object}, nil) }
	return e.write(out, one, o.Message.Shared.Extra, e.options(out))
}
