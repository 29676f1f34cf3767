package editing

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/rewrite"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// editHelp is the part of the help of every verb that makes messages of others.
const editHelp = `Objects are copied as they are stored, with payload, masks and hash; nothing is decoded. An object that differs from
its hash is an error. Outputs appear when they are complete; -o - is standard output. Input from a pipe is read message
by message. A temporary file holds messages of more than 64 MiB. It also holds all piped input of merge, and of copy and split
that choose objects without --only.`

// belongHelp names the objects that come with chosen objects.
const belongHelp = `An object comes with the objects that it needs: its coordinates, their bounds, its grid mapping, its ancillary
variables, and the latitudes and longitudes of a GRIB grid. --only leaves these out.`

// An editing holds the flags that these verbs share, and counts messages and objects.
type editing struct {
	where   []string
	output  string
	json    bool
	stream  bool
	tempDir string
	only    bool

	clauses *cli.WhereFlag
	done    struct{ messages, objects int }
	outputs []string
}

func (e *editing) declare(s *option.Set) {
	cli.DeclareOutput(s, &e.output, "file to write; - is standard output")
	s.Bool("stream", &e.stream, "write each object as soon as it is read, and the index at the end of the message")
	cli.DeclareTempDir(s, &e.tempDir)
	s.Bool("json/j", &e.json, "print what was done as JSON (on standard error when the data go to standard output)")
}

func (e *editing) declareWhere(s *option.Set) {
	cli.DeclareWhere(s, &e.where, "only objects that match KEY=VALUE, KEY!=VALUE, KEY>VALUE, …")
}

// declareChoice adds the settings of verbs that choose objects.
func (e *editing) declareChoice(s *option.Set) {
	e.declareWhere(s)
	s.Bool("only", &e.only, "leave out the coordinates and other objects that the selected objects need")
	e.declare(s)
}

// begin reads the flags. Verbs of the reference name their output last; -o is the same.
func (e *editing) begin(cmd *cobra.Command, args []string) (inputs []string, err error) {
	if e.output == "" {
		if len(args) < 2 {
			return nil, cli.Usagef("%s: no output given, expected %s IN OUT, or %s -o OUT IN", cmd.Name(), cmd.Name(), cmd.Name())
		}
		e.output, args = args[len(args)-1], args[:len(args)-1]
		if err := cli.RefuseExisting(e.output); err != nil && !cli.IsForced(cmd) {
			return nil, err
		}
	}
	if err := cli.AtLeastOneInput(cmd, args); err != nil {
		return nil, err
	}
	if err := cli.NotAnInput(e.output, args); err != nil {
		return nil, err
	}
	if err := cli.CheckOutputName(cmd, e.output); err != nil {
		return nil, err
	}
	cli.ClientOf(cmd).TempDir = e.tempDir
	e.clauses, err = cli.ParseWhere(e.where)
	return args, err
}

// options say how messages are written to out.
func (e *editing) options(out storage.Writer) edit.Options {
	dir := e.tempDir
	if f, ok := out.(*storage.LocalWriter); ok && dir == "" {
		dir = f.Dir()
	}
	_, streamed := out.(cli.StandardOutput)
	return edit.Options{WriterOptions: tgm.WriterOptions{TempDir: dir}, Stream: e.stream || streamed}
}

// toOutput lets write write the whole output, which appears if that goes well.
func (e *editing) toOutput(cmd *cobra.Command, name string, write func(out storage.Writer) error) error {
	out, err := cli.OpenBinary(cmd, name)
	if err != nil {
		return err
	}
	if err := write(out); err != nil {
		out.Abort()
		return err
	}
	e.outputs = append(e.outputs, name)
	return out.Commit()
}

// eachMessage calls look for every message of every input.
func (e *editing) eachMessage(cmd *cobra.Command, names []string, look func(*catalog.Message) error) error {
	for _, name := range names {
		if err := e.eachMessageOf(cmd, name, look); err != nil {
			return cli.InFile(name, err)
		}
	}
	return nil
}

func (e *editing) eachMessageOf(cmd *cobra.Command, name string, look func(*catalog.Message) error) error {
	v, err := looking.OpenPiped(cmd, name)
	if err != nil {
		return err
	}
	defer v.Close()
	for m, err := range catalog.Messages(cmd.Context(), v.File, name) {
		if err != nil {
			return err
		}
		if err := look(m); err != nil {
			return err
		}
	}
	return v.CheckComplete()
}

// eachChosen calls look for every message of every input with a chooser, which was given all
// messages of the input. output names the outputs of chosen objects.
func (e *editing) eachChosen(cmd *cobra.Command, names []string, output func(catalog.Object) string, look func(*rewrite.Chooser, *catalog.Message) error) error {
	for _, name := range names {
		if err := e.eachChosenOf(cmd, name, output, look); err != nil {
			return cli.InFile(name, err)
		}
	}
	return nil
}

func (e *editing) eachChosenOf(cmd *cobra.Command, name string, output func(catalog.Object) string, look func(*rewrite.Chooser, *catalog.Message) error) error {
	v, err := looking.OpenView(cmd, name)
	if err != nil {
		return err
	}
	defer v.Close()
	chooser := &rewrite.Chooser{Selection: e.selection(), Output: output}
	for m, err := range catalog.Messages(cmd.Context(), v.File, name) {
		if err == nil {
			err = chooser.Add(m)
		}
		if err != nil {
			return err
		}
	}
	for m, err := range catalog.Messages(cmd.Context(), v.File, name) {
		if err == nil {
			err = look(chooser, m)
		}
		if err != nil {
			return err
		}
	}
	return v.CheckComplete()
}

// selection is the selection of --where.
func (e *editing) selection() rewrite.Selection {
	return rewrite.Selection{Clauses: e.clauses.Clauses, Asked: &e.clauses.Asked}
}

// write writes a message and counts it.
func (e *editing) write(out io.Writer, items iter.Seq2[edit.Item, error], extra map[string]any, opts edit.Options) error {
	n, err := edit.Write(out, items, extra, opts)
	e.count(1, n)
	return err
}

// copyWhole writes a message as it is and counts it.
func (e *editing) copyWhole(out io.Writer, m *catalog.Message) error {
	n, err := m.NumObjects()
	if err != nil {
		return err
	}
	e.count(1, n)
	return m.CopyChecked(out)
}

func (e *editing) count(messages, objects int) {
	e.done.messages += messages
	e.done.objects += objects
}

// report prints the summary.
func (e *editing) report(cmd *cobra.Command, more map[string]any) error {
	e.clauses.Warn(cmd.ErrOrStderr(), "object")
	if !e.json {
		return nil
	}
	out := cmd.OutOrStdout()
	if slices.Contains(e.outputs, storage.Stdin) {
		out = cmd.ErrOrStderr()
	}
	summary := map[string]any{"messages": e.done.messages, "objects": e.done.objects, "outputs": e.outputs}
	for key, v := range more {
		summary[key] = v
	}
	return cli.Written(cli.WriteIndented(out, summary))
}

// declareOrder adds the settings of verbs that put objects in order.
func declareOrder(s *option.Set, o *rewrite.Order) {
	s.List("sort", &o.Keys, "put objects in the order of these keys, joined by commas")
	s.Bool("unique", &o.Unique, "leave out objects that equal an earlier object in bytes and metadata")
}

// copyInputs copies all messages of the inputs as they are. A pipe is copied as it comes.
func (e *editing) copyInputs(cmd *cobra.Command, names []string, out io.Writer) error {
	for _, name := range names {
		in, err := looking.PipedInput(cmd, name)
		switch {
		case err != nil:
		case in != nil:
			err = e.copyStream(cmd.Context(), out, in)
		default:
			err = e.eachMessageOf(cmd, name, func(m *catalog.Message) error { return e.copyWhole(out, m) })
		}
		if err != nil {
			return cli.InFile(name, err)
		}
	}
	return nil
}

// copyStream copies the messages of a stream as they are and counts them.
func (e *editing) copyStream(ctx context.Context, out io.Writer, in io.Reader) error {
	s := tgm.NewStreamReader(io.TeeReader(in, out))
	objects := 0
	for o, err := range s.Objects() {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = o.CheckHash()
		}
		if err != nil {
			return err
		}
		objects++
		if s.Skipped() > 0 {
			break
		}
	}
	if n := s.Skipped(); n > 0 {
		return fmt.Errorf("after message %d, %d bytes belong to no message", s.Messages(), n)
	}
	e.count(s.Messages(), objects)
	return nil
}
