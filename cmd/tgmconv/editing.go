package main

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/show"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/tgm/edit"
	"github.com/tgmconv/tgmconv/zarr"
)

// editHelp is the part of the help of every verb that makes messages of others.
const editHelp = `Objects move as they are stored: payload, masks and hash stay what they are, and nothing is decoded. Outputs
appear when they are complete; -o - is standard output. cat, and copy without --where, pass on standard input
as it comes; the others keep it in a temporary file first.`

// An editing holds the flags that these verbs share, and counts what they do.
type editing struct {
	where   []string
	output  string
	json    bool
	stream  bool
	tempDir string

	clauses *whereFlag
	file    *tgm.File // the input that is being read
	done    struct{ messages, objects int }
	outputs []string
}

func (e *editing) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&e.output, "output", "o", "", "file to write; - is standard output")
	f.BoolVar(&e.stream, "stream", false, "write each object as it comes, with the index at the end of the message")
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
			return nil, usagef("%s: no output given: IN OUT, or -o OUT IN", cmd.Name())
		}
		e.output, args = args[len(args)-1], args[:len(args)-1]
	}
	if err := atLeastOneInput(cmd, args); err != nil {
		return nil, err
	}
	for _, name := range args {
		if name == e.output && name != storage.Stdin {
			return nil, usagef("%s: %s is an input and the output", cmd.Name(), name)
		}
	}
	e.clauses, err = parseWhere(e.where)
	return args, err
}

// create begins an output.
func (e *editing) create(cmd *cobra.Command, name string) (storage.Writer, error) {
	if name != storage.Stdin {
		return clientOf(cmd).Create(cmd.Context(), name)
	}
	stdout := cmd.OutOrStdout()
	if isTerminal(stdout) {
		return nil, usagef("the output would go to the terminal: name a file with -o, or redirect it")
	}
	return standardOutput{stdout}, nil
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
	out, err := e.create(cmd, name)
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
			return inFile(name, err)
		}
	}
	return nil
}

func (e *editing) eachMessageOf(cmd *cobra.Command, name string, look func(*catalog.Message) error) error {
	v, err := openView(cmd, name)
	if err != nil {
		return err
	}
	defer v.Close()
	e.file = v.File
	for m, err := range catalog.Messages(cmd.Context(), v.File, name) {
		if err != nil {
			return err
		}
		if err := look(m); err != nil {
			return err
		}
	}
	return v.checkWhole()
}

// selected yields the objects of a message that --where selects.
func (e *editing) selected(m *catalog.Message) iter.Seq2[catalog.Object, error] {
	return m.Select(e.clauses.clauses, &e.clauses.asked)
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

// An ordering is the flags of verbs that put objects in order.
type ordering struct {
	sort   []string
	unique bool
}

func (o *ordering) register(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&o.sort, "sort", nil, "put objects in the order of these keys, joined by commas")
	cmd.Flags().BoolVar(&o.unique, "unique", false, "leave out objects that are there already: the same bytes and the same metadata")
}

// A reference is an object to be read again, with what it is sorted by.
type reference struct {
	file            *tgm.File
	message, object int
	keys            []string
}

// needed reports whether objects have to be put in order at all.
func (o *ordering) needed() bool { return o.unique || len(o.sort) > 0 }

// arrange returns the objects in order; references take little memory, however many there are.
func (o *ordering) arrange(objects iter.Seq2[catalog.Object, error], fileOf func(*catalog.Message) *tgm.File) ([]reference, error) {
	var list []reference
	seen := map[string]bool{}
	for object, err := range objects {
		if err != nil {
			return nil, err
		}
		if o.unique {
			identity, err := identityOf(object)
			if err != nil {
				return nil, err
			}
			if seen[identity] {
				continue
			}
			seen[identity] = true
		}
		r := reference{file: fileOf(object.Message), message: object.Message.Index(), object: object.Index()}
		for _, key := range o.sort {
			r.keys = append(r.keys, keyText(object, key))
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b reference) int {
		for i := range a.keys {
			if c := compareTexts(a.keys[i], b.keys[i]); c != 0 {
				return c
			}
		}
		return 0
	})
	return list, nil
}

// identityOf is the same for objects that are the same.
func identityOf(o catalog.Object) (string, error) {
	hash, ok := o.Hash()
	if !ok {
		return fmt.Sprintf("%p %d", o.Object.Message(), o.Index()), nil
	}
	data, err := zarr.AppendJSON(strconv.AppendUint(nil, hash, 16), o.Base())
	return string(data), err
}

// keyText is the value of a key, "" if there is none.
func keyText(o catalog.Object, key string) string {
	v, ok := o.Value(key)
	if !ok {
		return ""
	}
	text, err := show.Text(v)
	if err != nil {
		return ""
	}
	return text
}

// compareTexts compares as numbers where both are numbers.
func compareTexts(a, b string) int {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX == nil && errY == nil {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a, b)
}

// items reads the objects again, one at a time.
func items(list []reference) iter.Seq2[edit.Item, error] {
	return func(yield func(edit.Item, error) bool) {
		for _, r := range list {
			o, err := r.read()
			if !yield(edit.Item{Object: o}, err) || err != nil {
				return
			}
		}
	}
}

func (r *reference) read() (*tgm.Object, error) {
	m, err := r.file.Message(r.message)
	if err != nil {
		return nil, err
	}
	return m.Object(r.object)
}

// itemsOf are objects as items.
func itemsOf(objects iter.Seq2[catalog.Object, error]) iter.Seq2[edit.Item, error] {
	return func(yield func(edit.Item, error) bool) {
		for o, err := range objects {
			if !yield(edit.Item{Object: o.Object}, err) || err != nil {
				return
			}
		}
	}
}
