package planning

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/converting"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/parts"
	"github.com/tgmconv/tgmconv/exporters/tozarr"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/storage"
)

// worker does the parts of the plan.
func (w *working) worker(cmd *cobra.Command) partWorker {
	switch {
	case w.plan.Store != "":
		return &slabWorker{store: w.store, plan: w.plan, cmd: cmd}
	case w.plan.Joined:
		return &pieceWorker{w.store, w.plan, cmd}
	}
	return &fileWorker{w.plan, cmd}
}

// ofWorker are flags of work that its parts are given as well, if the user gave them.
var ofWorker = []string{"header", "threads"}

// flagsOfWorker are those flags as words.
func flagsOfWorker(cmd *cobra.Command) (words []string) {
	for _, name := range ofWorker {
		f := cmd.Flags().Lookup(name)
		if f == nil || !f.Changed {
			continue
		}
		values := []string{f.Value.String()}
		if list, err := cmd.Flags().GetStringArray(name); err == nil {
			values = list
		}
		for _, v := range values {
			words = append(words, "--"+name+"="+v)
		}
	}
	return words
}

// A fileWorker does parts that are files: it runs the verb with the input and the output of one.
type fileWorker struct {
	plan *parts.Plan
	cmd  *cobra.Command
}

func (*fileWorker) close() {}

// do implements partWorker.
func (f *fileWorker) do(ctx context.Context, part *parts.Part) (*parts.Result, error) {
	root := cli.RootOf(converting.NewConvert(), converting.NewToNetCDF())
	words := append([]string{f.plan.Verb}, f.plan.Arguments...)
	words = append(words, flagsOfWorker(f.cmd)...)
	if f.plan.Verb == "convert" {
		words = append(words, "--reproducible")
	}
	words = append(words, "--json", "--output="+f.plan.Output+"/"+part.Output, "--")
	for _, in := range part.Inputs {
		words = append(words, in.Name)
	}
	text, err := cli.RunWithin(ctx, root, words, io.Discard)
	result := &parts.Result{ID: part.ID, State: parts.Done, Outputs: []parts.Output{}}
	if nothing := (*converting.NothingError)(nil); part.Optional && errors.As(err, &nothing) {
		result.State = parts.Empty
		for _, bad := range nothing.Skipped {
			result.Skipped = append(result.Skipped, cli.ErrorText(bad))
		}
		return result, nil
	}
	if err != nil && !errors.Is(err, cli.ErrSkipped) {
		return nil, err
	}
	var said struct {
		Fields, Variables int
		Warnings, Skipped []struct{ Where, Text string }
	}
	if err := json.Unmarshal(text, &said); err != nil {
		return nil, fmt.Errorf("summary of %s: %w", f.plan.Verb, err)
	}
	result.Fields = said.Fields + said.Variables
	for _, w := range said.Warnings {
		result.Warnings = append(result.Warnings, (&importers.Warning{Where: w.Where, Text: w.Text}).String())
	}
	for _, s := range said.Skipped {
		result.Skipped = append(result.Skipped, cli.ErrorText(&importers.BadInput{Where: s.Where, Err: errors.New(s.Text)}))
	}
	result.Outputs = append(result.Outputs, parts.Output{Key: part.Output})
	return result, nil
}

// A slabWorker does parts that are slabs of the arrays of a store. It opens the dataset once.
type slabWorker struct {
	store *parts.Store
	plan  *parts.Plan
	cmd   *cobra.Command

	client   *unpack.Client
	archive  *archive.Archive
	division *tozarr.Division
	target   tozarr.Target
	inputs   []parts.Input
}

func (s *slabWorker) close() {
	if s.archive != nil {
		s.archive.Close()
	}
	if s.client != nil {
		s.client.Close()
	}
}

// open opens the dataset in the state in which it was planned.
func (s *slabWorker) open(ctx context.Context) error {
	s.inputs = nil
	var names []string
	for in, err := range s.store.Inputs(ctx) {
		if err != nil {
			return err
		}
		s.inputs, names = append(s.inputs, *in), append(names, in.Name)
	}
	if err := checkInputs(ctx, s.inputs); err != nil {
		return err
	}
	client := unpack.NewClient(&storage.Client{Sources: new(storage.Sources)})
	t := new(converting.ToZarr)
	verb := t.Verb()
	verb.Run = func(cmd *cobra.Command, names []string) error {
		opts, err := t.Options(cmd)
		if err != nil {
			return err
		}
		t.Quiet = true
		s.division, s.archive, err = t.Divide(cmd, names, s.plan.Grows, opts)
		return err
	}
	root := cli.RootOf(verb.Command())
	root.SetArgs(slices.Concat([]string{s.plan.Verb}, s.plan.Arguments, flagsOfWorker(s.cmd), []string{"--output=" + s.plan.Output, "--"}, names))
	root.SetErr(s.cmd.ErrOrStderr())
	within := cli.SessionOf(ctx)
	within.Client, within.Spending = client, nil
	err := root.ExecuteContext(within.In(ctx))
	if err == nil {
		s.target, err = tozarr.NewFolder(client.Client, s.plan.Output)
	}
	if err == nil && s.division.Fingerprint() != s.plan.Store {
		err = &plannedError{s.inputs[0].Name, "or another one of the dataset has changed"}
	}
	if err != nil {
		if s.archive != nil {
			s.archive.Close()
		}
		client.Close()
		s.archive, s.division = nil, nil
		return err
	}
	s.client = client
	return nil
}

// do implements partWorker.
func (s *slabWorker) do(ctx context.Context, part *parts.Part) (*parts.Result, error) {
	if s.division == nil {
		if err := s.open(ctx); err != nil {
			return nil, err
		}
	}
	keys, err := s.division.Write(ctx, s.target, tozarr.Part{Array: part.Array, First: part.First, Slabs: part.Slabs})
	if changed := s.client.Sources.Check(); changed != nil {
		err = changed
	}
	if err != nil {
		return nil, err
	}
	result := &parts.Result{ID: part.ID, State: parts.Done, Outputs: []parts.Output{}}
	for _, key := range keys {
		result.Outputs = append(result.Outputs, parts.Output{Key: key})
	}
	return result, nil
}
