package editing

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/rewrite"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// NewSplit returns the verb split.
func NewSplit() *cobra.Command {
	var e editing
	return cli.Verb{
		Use:   "split [flags] IN -o TEMPLATE",
		Short: "Write each object to a separate file",
		Long: `Write each object to a separate file, as one message. TEMPLATE may have keys in brackets, and
[index], the number of the object in four digits; without [index] the number is put before the extension. In a
folder (DIR/), which is created if necessary, files are named after the input. The files appear together when all
are complete. More than 500 files, and objects of s3, gs and az, appear in several steps: an error then says which
are there.

` + belongHelp + "\n\n" + editHelp + "\n\n" + cli.WhereHelp,
		Example: `  tgmconv split -o 'field_[index].tgm' forecast.tgm
  tgmconv split -o '[name]_[mars.step]_[index].tgm' forecast.tgm`,
		Words:   cobra.ArbitraryArgs,
		InOrder: true,
		Options: e.declareChoice,
		Run:     e.split,
	}.Command()
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
		return cli.Usagef("split: output is %q, expected the name of files", e.output)
	}
	template = template.WithIndex()
	files := newSplitFiles(cmd, e)
	defer files.Abort()
	if e.only {
		err = e.splitObjects(cmd, inputs, template, files)
	} else {
		err = e.splitWithNeeded(cmd, inputs, template, files)
	}
	if err == nil {
		err = files.appear()
	}
	if err != nil {
		return files.explain(err)
	}
	return e.report(cmd, nil)
}

// splitFiles are the outputs of split. They appear together, or, if they are too many to be open at
// one time, as many together as may be.
type splitFiles struct {
	storage.Outputs
	e *editing
}

func newSplitFiles(cmd *cobra.Command, e *editing) *splitFiles {
	files := &splitFiles{e: e}
	files.Create = func(name string) (storage.Writer, error) { return cli.OpenBinary(cmd, name) }
	if storage.IsRemote(e.output) {
		files.Max = 1 // each has a part of its object in memory
	}
	return files
}

// put lets write write one output.
func (f *splitFiles) put(name string, write func(out storage.Writer) error) error {
	out, err := f.Get(name)
	if errors.As(err, new(*storage.TooManyOutputsError)) {
		if err := f.appear(); err != nil {
			return err
		}
		out, err = f.Get(name)
	}
	if err != nil {
		return err
	}
	return write(out)
}

// appear makes the outputs appear that are complete.
func (f *splitFiles) appear() error {
	names, err := f.Commit()
	f.e.outputs = append(f.e.outputs, names...)
	return err
}

// explain says which outputs were written before an error.
func (f *splitFiles) explain(err error) error {
	switch n := len(f.e.outputs); n {
	case 0:
		return err
	case 1:
		return fmt.Errorf("%w (%s was written before)", err, storage.Display(f.e.outputs[0]))
	default:
		return fmt.Errorf("%w (%d files were written before, %s to %s)", err, n, storage.Display(f.e.outputs[0]), storage.Display(f.e.outputs[n-1]))
	}
}

// splitObjects writes a message for each object.
func (e *editing) splitObjects(cmd *cobra.Command, inputs []string, template edit.Template, files *splitFiles) error {
	index := 0
	return e.eachMessage(cmd, inputs, func(m *catalog.Message) error {
		n, err := m.NumObjects()
		if err != nil {
			return err
		}
		for o, err := range e.selection().Objects(m) {
			if err != nil {
				return err
			}
			name := rewrite.NumberedName(template, o, index)
			index++
			if err := files.put(name, func(out storage.Writer) error { return e.splitOff(out, o, n) }); err != nil {
				return err
			}
		}
		return nil
	})
}

// splitInFolder makes of an output that is a folder, which is made if it is missing, files in it
// that are named after an input.
func (e *editing) splitInFolder(input string) error {
	if !strings.HasSuffix(e.output, "/") && !cli.IsFolder(e.output) {
		return nil
	}
	name := "stdin"
	if input != storage.Stdin {
		name = strings.TrimSuffix(path.Base(filepath.ToSlash(input)), importers.Suffix)
	}
	e.output = strings.TrimSuffix(e.output, "/") + "/" + name + importers.Suffix
	return nil
}

// splitOff writes an object as a message of its own, with the metadata of its message.
func (e *editing) splitOff(out storage.Writer, o catalog.Object, objects int) error {
	if objects == 1 {
		return e.copyWhole(out, o.Message)
	}
	one := func(yield func(edit.Item, error) bool) { yield(edit.Item{Object: o.Object}, nil) }
	source := map[string]bool{mapping.Read(o.Base()).Source(): true}
	return e.write(out, one, mapping.OfSources(o.Message.Shared.Extra, source), e.options(out))
}

// splitWithNeeded writes a message for each object, with the objects that it needs.
func (e *editing) splitWithNeeded(cmd *cobra.Command, inputs []string, template edit.Template, files *splitFiles) error {
	index := 0
	name := func(o catalog.Object) string {
		index++
		return rewrite.NumberedName(template, o, index-1)
	}
	var written *rewrite.Chooser
	return e.eachChosen(cmd, inputs, name, func(c *rewrite.Chooser, _ *catalog.Message) error {
		if c == written {
			return nil
		}
		written = c
		for g := range c.Outputs() {
			if err := files.put(g.Output, func(out storage.Writer) error { return e.writeGroup(out, g) }); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeGroup writes the objects of a group as one message: as it is, if it is one.
func (e *editing) writeGroup(out storage.Writer, g *rewrite.Group) error {
	m, err := g.Message()
	if err != nil {
		return err
	}
	if m != nil {
		n, err := m.NumObjects()
		if err != nil {
			return err
		}
		e.count(1, n)
		return m.CopyChecked(out)
	}
	extra, err := g.JoinedExtra()
	if err != nil {
		return err
	}
	return e.write(out, g.Items(), extra, e.options(out))
}
