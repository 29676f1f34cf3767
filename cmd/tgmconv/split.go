package main

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/rewrite"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

func newSplit() *cobra.Command {
	var e editing
	cmd := &cobra.Command{
		Use:   "split [flags] IN -o TEMPLATE",
		Short: "Write each object to a file of its own",
		Long: `Write each object to a file of its own, as a message of one object. TEMPLATE may have keys in brackets, and
[index], the number of the object in four digits; without [index] the number is put before the extension. In a
folder (DIR/), which is created if necessary, files are named after the input.

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
	if err := e.splitInFolder(inputs[0]); err != nil {
		return err
	}
	template, err := edit.ParseTemplate(e.output)
	if err != nil || e.output == storage.Stdin {
		return usagef("split: output is %q, expected the name of files", e.output)
	}
	template = template.WithIndex()
	e.judged = true // every output has the metadata of the message
	index := 0
	if err := e.eachMessage(cmd, inputs, func(m *catalog.Message) error {
		n := 0 // not known while objects pass
		if !m.Passing() {
			var err error
			if n, err = m.NumObjects(); err != nil {
				return err
			}
		}
		for o, err := range e.selection().Objects(m) {
			if err != nil {
				return err
			}
			name := rewrite.NumberedName(template, o, index)
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

// splitInFolder makes of an output that is a folder, which is made if it is missing, files in it
// that are named after an input.
func (e *editing) splitInFolder(input string) error {
	if !strings.HasSuffix(e.output, "/") && !isFolder(e.output) {
		return nil
	}
	if !storage.IsRemote(e.output) {
		if err := os.MkdirAll(storage.LocalPath(e.output), 0o777); err != nil {
			return err
		}
	}
	name := "stdin"
	if input != storage.Stdin {
		name = strings.TrimSuffix(path.Base(filepath.ToSlash(input)), importers.Suffix)
	}
	e.output = strings.TrimSuffix(e.output, "/") + "/" + name + importers.Suffix
	return nil
}

// splitOff writes an object as a message, which is that of a message without others.
func (e *editing) splitOff(out storage.Writer, o catalog.Object, objects int) error {
	if objects == 1 {
		return e.copyWhole(out, o.Message)
	}
	one := func(yield func(edit.Item, error) bool) { yield(edit.Item{Object: o.Object}, nil) }
	return e.write(out, one, o.Message.Shared.Extra, e.options(out))
}
