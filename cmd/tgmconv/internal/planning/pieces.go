package planning

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/parts"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/storage"
)

// A part of index or extract is a piece of the output: it has some inputs, and the commit joins the pieces.

// mostTogether is how many inputs a part has at most.
const mostTogether = 256

// index plans pieces of the catalogue of an archive. If there is a catalogue, only files that are new or have
// changed are parts.
func (p *planning) index(cmd *cobra.Command, x *looking.IndexFlags, args []string) error {
	if cmd.Flags().Changed("index") {
		return cli.Usagef("plan: index --index cannot be planned, expected the catalogue to write, -o OUT.parquet")
	}
	if err := p.beginPieces(cmd, x.Output, args); err != nil {
		return err
	}
	ctx, client := storage.Glance(storage.Sparse(cmd.Context())), cli.ClientOf(cmd)
	opts := archive.Options{Client: client, Catalogue: p.plan.Output, Warn: func(text string) { cli.Warn(cmd, text) }}
	find := func(args []string) ([]importers.Input, error) { return archive.Find(ctx, args, opts) }
	inputs, states, err := p.together(ctx, client, args, find, func(ctx context.Context, in importers.Input) (*parts.Input, error) {
		return stateOf(ctx, client.Client, in.Name)
	})
	if err != nil {
		return err
	}
	kept, err := p.before(ctx, client.Client)
	if err != nil {
		return err
	}
	known, unchanged, err := archive.CatalogueBefore(cmd.Context(), inputs, opts)
	if err != nil {
		return err
	}
	maker, err := p.store.Make(cmd.Context(), &p.plan)
	if err != nil {
		return err
	}
	defer maker.Abort()
	if known != nil && !maker.Again() {
		if err := p.store.PutKept(cmd.Context(), kept); err != nil {
			return err
		}
	}
	all := make([]parts.Input, len(inputs))
	for i, s := range states {
		all[i] = *s
		if unchanged[i] {
			states[i] = nil
		}
	}
	if len(all) == 0 {
		return errors.New("nothing to plan: there are no inputs")
	}
	if err := p.addPieces(maker, inputs, states, &parts.Part{}, ".parquet"); err != nil {
		return err
	}
	p.again, err = maker.Finish(cmd.Context(), all, nil)
	return err
}

// before reads the catalogue that is there, whose entity tag the commit expects; nil if there is none.
func (p *planning) before(ctx context.Context, client *storage.Client) ([]byte, error) {
	blob, err := client.Open(ctx, p.plan.Output)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer blob.Close()
	p.plan.Before = blob.ETag()
	return io.ReadAll(io.NewSectionReader(storage.ReaderAt(ctx, blob), 0, blob.Size()))
}

// extract plans pieces of a table.
func (p *planning) extract(cmd *cobra.Command, x *looking.ExtractFlags, args []string) error {
	if x.Format == "" {
		x.Format = x.FormatOfName()
	}
	switch {
	case len(x.Over) > 0:
		return cli.Usagef("plan: extract --over cannot be planned: its statistics may need fields of several parts")
	case !slices.Contains([]string{looking.FormatCSV, looking.FormatJSON, looking.FormatParquet}, x.Format):
		return cli.Usagef("plan: extract to %s cannot be planned, expected csv, json or parquet", x.Format)
	}
	if _, err := x.Selection(cmd); err != nil {
		return err
	}
	beside, err := p.filesOf(cmd, x)
	if err != nil {
		return err
	}
	if err := cli.NotAnInput(x.Output, args); err != nil {
		return err
	}
	if err := p.beginPieces(cmd, x.Output, args); err != nil {
		return err
	}
	ctx, client := storage.Glance(storage.Sparse(cmd.Context())), cli.ClientOf(cmd)
	find := func(args []string) ([]importers.Input, error) { return client.Find(ctx, args...) }
	inputs, states, err := p.together(ctx, client, args, find, func(ctx context.Context, in importers.Input) (*parts.Input, error) {
		return lookAt(ctx, client, in, "")
	})
	if err != nil {
		return err
	}
	maker, err := p.store.Make(cmd.Context(), &p.plan)
	if err != nil {
		return err
	}
	defer maker.Abort()
	for i, s := range states {
		if s == nil {
			p.pass(inputs[i].Name, cmd.Name())
		}
	}
	if err := p.addPieces(maker, inputs, states, &parts.Part{Beside: beside}, "."+x.Format); err != nil {
		return err
	}
	if p.plan.Parts == 0 {
		return errors.New("nothing to plan: the inputs hold no data that extract reads")
	}
	p.again, err = maker.Finish(cmd.Context(), nil, nil)
	return err
}

// filesOf makes the names of files in flags of extract absolute, and returns the files.
func (p *planning) filesOf(cmd *cobra.Command, x *looking.ExtractFlags) (files []parts.Input, err error) {
	add := func(flag, before, name string) {
		if err != nil || name == "" {
			return
		}
		var state *parts.Input
		if state, err = stateOf(cmd.Context(), cli.ClientOf(cmd).Client, absolute(name)); err == nil {
			files = append(files, *state)
			err = cmd.Flags().Set(flag, before+state.Name)
		}
	}
	if looking.IsPlaceFile(x.At) {
		add("at", "", x.At)
	}
	add("polygon", "", x.Polygon)
	if kind, name, ok := strings.Cut(x.Mask, ":"); ok {
		add("mask", kind+":", name)
	}
	if err == nil {
		err = cmd.Flags().Set("format", x.Format)
	}
	return files, err
}

// beginPieces is beginFiles for a plan of pieces.
func (p *planning) beginPieces(cmd *cobra.Command, output string, args []string) error {
	if output == "" || output == storage.Stdin || strings.HasSuffix(output, "/") || cli.IsFolder(output) {
		return cli.Usagef("plan: %s goes to %q, expected a file, -o OUT", cmd.Name(), output)
	}
	if err := p.beginFiles(cmd, output, args); err != nil {
		return err
	}
	p.plan.Joined = true
	return nil
}

// together finds the inputs that names and the catalogues among them stand for, and looks at many of them together.
func (p *planning) together(ctx context.Context, client *unpack.Client, names []string, find func(names []string) ([]importers.Input, error),
	look func(context.Context, importers.Input) (*parts.Input, error)) (inputs []importers.Input, states []*parts.Input, err error) {
	if names, err = cli.WithCatalogues(ctx, client, names); err != nil {
		return nil, nil, err
	}
	if inputs, err = find(names); err != nil {
		return nil, nil, err
	}
	inputs = p.outside(inputs)
	for state, err := range inOrder(ctx, inputs, look) {
		if err != nil {
			return nil, nil, err
		}
		states = append(states, state)
	}
	return inputs, states, nil
}

// addPieces adds parts like one, of inputs that have a state, in their order.
func (p *planning) addPieces(maker *parts.Maker, inputs []importers.Input, states []*parts.Input, like *parts.Part, suffix string) error {
	most, err := option.ParseBytes(p.partSize)
	if err != nil {
		return cli.Usagef("plan: --part-size: %w", err)
	}
	part, size := *like, int64(0)
	flush := func() error {
		if len(part.Inputs) == 0 {
			return nil
		}
		part.Output = fmt.Sprintf("%08d%s", p.plan.Parts, suffix)
		err := maker.Add(&part)
		part, size = *like, 0
		return err
	}
	for i, s := range states {
		if s == nil {
			continue
		}
		if len(part.Inputs) == mostTogether || len(part.Inputs) > 0 && (size+s.Size > most || part.Optional != inputs[i].FromFolder) {
			if err := flush(); err != nil {
				return err
			}
		}
		part.Inputs, part.Optional = append(part.Inputs, *s), inputs[i].FromFolder
		size += s.Size
	}
	return flush()
}

// A pieceWorker does parts of index and extract.
type pieceWorker struct {
	store *parts.Store
	plan  *parts.Plan
	cmd   *cobra.Command
}

func (*pieceWorker) close() {}

// do implements partWorker.
func (w *pieceWorker) do(ctx context.Context, part *parts.Part) (*parts.Result, error) {
	result := &parts.Result{ID: part.ID, State: parts.Done, Outputs: []parts.Output{{Key: part.Output}}}
	piece := w.store.Outputs(w.plan) + "/" + part.Output
	index := new(looking.IndexFlags).Verb()
	index.Run = func(cmd *cobra.Command, _ []string) error { return w.index(cmd, part, result, piece) }
	root := cli.RootOf(index.Command(), looking.NewExtract())
	words := slices.Concat([]string{w.plan.Verb}, w.plan.Arguments, flagsOfWorker(w.cmd), []string{"--output=" + piece, "--"})
	for _, in := range part.Inputs {
		words = append(words, in.Name)
	}
	var said bytes.Buffer
	_, err := cli.RunWithin(ctx, root, words, &said)
	if errors.As(err, new(*looking.NoFieldError)) {
		result.State, result.Outputs = parts.Empty, []parts.Output{}
	} else if err != nil {
		return nil, err
	}
	for line := range strings.Lines(said.String()) {
		result.Warnings = append(result.Warnings, strings.TrimPrefix(strings.TrimSpace(line), "tgmconv: "))
	}
	return result, nil
}

// index writes the catalogue of the inputs of a part. What cannot be read now, but perhaps later, fails the part.
func (w *pieceWorker) index(cmd *cobra.Command, part *parts.Part, result *parts.Result, piece string) error {
	var names []string
	var inputs []storage.Input
	for _, in := range part.Inputs {
		names = append(names, in.Name)
		inputs = append(inputs, storage.Input{Name: in.Name, Size: in.Size, FromFolder: part.Optional})
	}
	a, err := archive.List(cmd.Context(), names, archive.Options{
		Client: cli.ClientOf(cmd), MaxArray: cli.MaxArrayOf(cmd), Index: archive.IndexNone, Inputs: inputs, Part: true,
		Warn: func(text string) { cli.Warn(cmd, text) },
		Bad: func(err error) error {
			if partFailure(err) == cli.ExitFailed {
				return nil
			}
			return err
		},
	})
	if err != nil {
		return err
	}
	defer a.Close()
	if _, err := looking.WriteCatalogue(cmd, a, piece, w.plan.Output); err != nil {
		return err
	}
	result.Fields, result.Skipped = a.Catalog.Len(), a.Bad
	return nil
}
