package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

func newCopy() *cobra.Command {
	var e editing
	cmd := &cobra.Command{
		Use:   "copy [flags] IN... OUT",
		Short: "Copy messages, all or some of their objects, to one or several files",
		Long: `Copy messages. Where --where selects only some objects of a message, a message of these is written; others are
copied byte for byte. OUT may name keys in brackets, such as forecast_[name]_[mars.step].tgm: each object then
goes to the file that its values name, those of one message that go to the same file in one message. A value
that is missing is "unknown". Without --where and keys, what comes through a pipe goes on as it comes.

` + editHelp + "\n\n" + whereHelp,
		Example: `  tgmconv copy -w name=2t/10u forecast.tgm surface.tgm
  tgmconv copy -o 'forecast_[name].tgm' forecast.tgm`,
		RunE: func(cmd *cobra.Command, args []string) error { return e.copy(cmd, args) },
	}
	e.registerWhere(cmd)
	e.register(cmd)
	return cmd
}

func (e *editing) copy(cmd *cobra.Command, args []string) error {
	inputs, err := e.begin(cmd, args)
	if err != nil {
		return err
	}
	template, err := edit.ParseTemplate(e.output)
	if err != nil {
		return usagef("%v", err)
	}
	outputs := outputSet{open: func(name string) (storage.Writer, error) { return e.create(cmd, name) }}
	defer outputs.abort()
	var only storage.Writer
	if len(template.Keys()) == 0 { // also when nothing is selected, there is an output
		if only, err = outputs.get(e.output); err != nil {
			return err
		}
	}
	if only != nil && len(e.where) == 0 {
		err = e.copyInputs(cmd, inputs, only)
	} else {
		err = e.eachMessage(cmd, inputs, func(m *catalog.Message) error { return e.copyMessage(m, template, &outputs) })
	}
	if err != nil {
		return err
	}
	if e.outputs, err = outputs.commit(); err != nil {
		return err
	}
	return e.report(cmd, nil)
}

// copyMessage writes the objects that are selected to the outputs that they name.
func (e *editing) copyMessage(m *catalog.Message, template edit.Template, outputs *outputSet) error {
	n, err := m.NumObjects()
	if err != nil {
		return err
	}
	groups := map[string][]reference{}
	var names []string
	for o, err := range e.selected(m) {
		if err != nil {
			return err
		}
		name := template.Expand(func(key string) (string, bool) { text := keyText(o, key); return text, text != "" })
		if groups[name] == nil {
			names = append(names, name)
		}
		groups[name] = append(groups[name], reference{file: e.file, message: m.Index(), object: o.Index()})
	}
	if n == 0 && len(e.where) == 0 && len(template.Keys()) == 0 {
		names = append(names, e.output)
	}
	for _, name := range names {
		out, err := outputs.get(name)
		if err != nil {
			return err
		}
		if len(groups[name]) == n {
			err = e.copyWhole(out, m)
		} else {
			err = e.write(out, items(groups[name]), m.Shared.Extra, e.options(out))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// An outputSet is the outputs of a command, each begun when it is first needed.
type outputSet struct {
	open  func(name string) (storage.Writer, error)
	files map[string]storage.Writer
}

// maxOutputs bounds the files that are open at one time.
const maxOutputs = 500

func (s *outputSet) get(name string) (storage.Writer, error) {
	if out, ok := s.files[name]; ok {
		return out, nil
	}
	if len(s.files) == maxOutputs {
		return nil, fmt.Errorf("more than %d outputs at one time: select objects with --where, or use split", maxOutputs)
	}
	out, err := s.open(name)
	if err != nil {
		return nil, err
	}
	if s.files == nil {
		s.files = map[string]storage.Writer{}
	}
	s.files[name] = out
	return out, nil
}

// commit makes all outputs appear.
func (s *outputSet) commit() (names []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		if err := s.files[name].Commit(); err != nil {
			return names, err
		}
		delete(s.files, name)
		names = append(names, name)
	}
	return names, nil
}

// abort drops the outputs that did not appear.
func (s *outputSet) abort() {
	for _, out := range s.files {
		out.Abort()
	}
	clear(s.files)
}
