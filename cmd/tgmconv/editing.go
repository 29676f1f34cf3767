package main

import (
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/rewrite"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// editHelp is the part of the help of every verb that makes messages of others.
const editHelp = `Objects are copied as they are stored, with payload, masks and hash; nothing is decoded. Outputs appear when
they are complete; -o - is standard output. Input from a pipe is read message by message, and messages of more
than 64 MiB object by object, without a temporary file; only --sort and --unique need one.`

// An editing holds the flags that these verbs share, and counts what they do.
type editing struct {
	where   []string
	output  string
	json    bool
	stream  bool
	tempDir string

	clauses *whereFlag
	whole   bool // inputs are needed as a whole, also those that come through a pipe
	judged  bool // objects are chosen or named by metadata, which may be those of the message
	done    struct{ messages, objects int }
	outputs []string
}

func (e *editing) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&e.output, "output", "o", "", "file to write; - is standard output")
	f.BoolVar(&e.stream, "stream", false, "write each object when it is read, with the index at the end of the message")
	f.StringVar(&e.tempDir, "temp-dir", "", "folder for temporary files; the output's own if not given")
	f.BoolVarP(&e.json, "json", "j", false, "print what was done as JSON (on standard error when the data go to standard output)")
}

func (e *editing) registerWhere(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&e.where, "where", "w", nil, "only objects that fulfil the clause KEY=VALUE, KEY!=VALUE, KEY>VALUE, …")
}

// begin reads the flags. Verbs of the reference name their output last; -o is the same.
func (e *editing) begin(cmd *cobra.Command, args []string) (inputs []string, err error) {
	if e.output == "" {
		if len(args) < 2 {
			return nil, usagef("%s: no output given, expected %s IN OUT, or %s -o OUT IN", cmd.Name(), cmd.Name(), cmd.Name())
		}
		e.output, args = args[len(args)-1], args[:len(args)-1]
	}
	if err := atLeastOneInput(cmd, args); err != nil {
		return nil, err
	}
	if err := notAnInput(e.output, args); err != nil {
		return nil, err
	}
	e.judged = len(e.where) > 0
	e.clauses, err = parseWhere(e.where)
	return args, err
}

// options say how messages are written to out.
func (e *editing) options(out storage.Writer) edit.Options {
	dir := e.tempDir
	if f, ok := out.(*storage.LocalWriter); ok && dir == "" {
		dir = f.Dir()
	}
	_, streamed := out.(standardOutput)
	return edit.Options{WriterOptions: tgm.WriterOptions{TempDir: dir, Share: mapping.SharedKeys()}, Stream: e.stream || streamed}
}

// toOutput lets write write the whole output, which appears if that goes well.
func (e *editing) toOutput(cmd *cobra.Command, name string, write func(out storage.Writer) error) error {
	out, err := openBinary(cmd, name)
	if err != nil {
		return &createError{err}
	}
	if err := write(out); err != nil {
		out.Abort()
		return err
	}
	e.outputs = append(e.outputs, name)
	return out.Commit()
}

// createError marks an output that cannot be created: no input is to blame.
type createError struct{ err error }

func (e *createError) Error() string { return e.err.Error() }
func (e *createError) Unwrap() error { return e.err }

// eachMessage calls look for every message of every input.
func (e *editing) eachMessage(cmd *cobra.Command, names []string, look func(*catalog.Message) error) error {
	for _, name := range names {
		err := e.eachMessageOf(cmd, name, look)
		if output := (*createError)(nil); errors.As(err, &output) {
			return output.err
		}
		if err != nil {
			return inFile(name, err)
		}
	}
	return nil
}

func (e *editing) eachMessageOf(cmd *cobra.Command, name string, look func(*catalog.Message) error) error {
	v, err := e.open(cmd, name)
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
		if m.Passing() && e.judged {
			if err := checkLate(m); err != nil {
				return err
			}
		}
	}
	return v.checkWhole()
}

// open opens an input, a pipe so that it is read as it comes if that is enough.
func (e *editing) open(cmd *cobra.Command, name string) (*viewFile, error) {
	if e.whole {
		return openView(cmd, name)
	}
	return openPiped(cmd, name, tgm.WithPayloads(), tgm.WithTempDir(e.tempDir))
}

// selection is what --where selects.
func (e *editing) selection() rewrite.Selection {
	return rewrite.Selection{Clauses: e.clauses.clauses, Asked: &e.clauses.asked}
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
	return m.CopyTo(out)
}

func (e *editing) count(messages, objects int) {
	e.done.messages += messages
	e.done.objects += objects
}

// report says what was done.
func (e *editing) report(cmd *cobra.Command, more map[string]any) error {
	e.clauses.warn(cmd.ErrOrStderr(), "object")
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
	return written(writeIndented(out, summary))
}

// registerOrder adds the flags of verbs that put objects in order.
func registerOrder(cmd *cobra.Command, o *rewrite.Order) {
	cmd.Flags().StringSliceVar(&o.Keys, "sort", nil, "put objects in the order of these keys, joined by commas")
	cmd.Flags().BoolVar(&o.Unique, "unique", false, "leave out objects whose bytes and metadata equal those of an earlier one")
}
