package planning

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/converting"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/parts"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/exporters/tozarr"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/storage"
)

// plannedBytes says how much input a plan has.
func plannedBytes(p *parts.Plan) string { return show.Bytes(p.Bytes) }

// toZarr plans slabs of the arrays of a store as parts.
func (p *planning) toZarr(cmd *cobra.Command, t *converting.ToZarr, args []string) error {
	bytes, err := option.ParseBytes(p.partSize)
	if err != nil {
		return cli.Usagef("plan: --part-size: %w", err)
	}
	opts, err := t.Options(cmd)
	switch {
	case err != nil:
		return err
	case t.Opts.Append != "" || t.Zip():
		return cli.Usagef("plan: to-zarr --append, and .zip files, cannot be planned: the output is to be a new store")
	case slices.Contains(args, storage.Stdin):
		return cli.Usagef("plan: standard input cannot be an input: it can be read once")
	case t.SkipBad:
		return cli.Usagef("plan: to-zarr --skip-bad cannot be planned: what can be read is to be the same for all")
	}
	if err := cli.NotAnInput(t.Output, args); err != nil {
		return err
	}
	if err := p.begin(cmd, t.Output, args); err != nil {
		return err
	}
	p.plan.Grows = archive.Grows(args)
	names, inputs, err := p.files(cmd, args)
	if err != nil {
		return err
	}
	d, a, err := t.Divide(cmd, names, p.plan.Grows, opts)
	if err != nil {
		return err
	}
	defer a.Close()
	if err := cli.CheckWork(cmd, a, cli.BytesOf(a.Set)); err != nil {
		return err
	}
	p.passed = append(p.passed, append(cli.NotesOf(a), d.Notes()...)...)
	p.plan.Store = d.Fingerprint()
	maker, err := p.store.Make(cmd.Context(), &p.plan)
	if err != nil {
		return err
	}
	defer maker.Abort()
	for part := range d.Parts(bytes) {
		if err := maker.Add(&parts.Part{Array: part.Array, First: part.First, Slabs: part.Slabs}); err != nil {
			return err
		}
	}
	var documents []parts.Document
	for _, doc := range d.Documents() {
		documents = append(documents, parts.Document{Key: doc.Key, Text: string(doc.Data)})
	}
	if !maker.Again() {
		target, err := tozarr.NewFolder(cli.ClientOf(cmd).Client, p.plan.Output)
		if err == nil {
			err = tozarr.CheckFresh(cmd.Context(), target)
		}
		if err != nil {
			return t.Explain(err)
		}
	}
	p.again, err = maker.Finish(cmd.Context(), inputs, documents)
	return err
}

// files are the files with data that args name, with their states.
func (p *planning) files(cmd *cobra.Command, args []string) (names []string, states []parts.Input, err error) {
	ctx, client := storage.Glance(storage.Sparse(cmd.Context())), cli.ClientOf(cmd)
	for i, name := range args {
		args[i] = absolute(name)
	}
	args, err = cli.WithCatalogues(ctx, client, args)
	if err != nil {
		return nil, nil, err
	}
	inputs, err := client.Find(ctx, args...)
	if err != nil {
		return nil, nil, err
	}
	for _, in := range p.outside(inputs) {
		state, err := lookAt(ctx, client, in, "")
		switch {
		case err != nil:
			return nil, nil, err
		case state == nil:
			p.plan.Passed++
		default:
			names, states = append(names, in.Name), append(states, *state)
		}
	}
	if len(names) == 0 {
		return nil, nil, fmt.Errorf("nothing to plan: the inputs hold no data that to-zarr reads")
	}
	return names, states, nil
}
