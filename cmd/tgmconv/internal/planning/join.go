package planning

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/parts"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/series"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/storage"
)

// A joining makes the output of a plan of pieces.
type joining struct {
	cmd    *cobra.Command
	client *storage.Client
	store  *parts.Store
	plan   *parts.Plan
	bad    []string // what could not be read
}

// join implements [parts.Joiner].
func (j *joining) join(ctx context.Context, results []*parts.Result) (out parts.Output, err error) {
	var pieces, warnings []string
	said := make(map[string]bool)
	for _, r := range results {
		for _, o := range r.Outputs {
			pieces = append(pieces, j.store.Outputs(j.plan)+"/"+o.Key)
		}
		for _, line := range r.Warnings {
			if !said[line] {
				said[line], warnings = true, append(warnings, line)
			}
		}
	}
	j.say(warnings, "more warning", "")
	if j.plan.Verb == "index" {
		err = j.catalogue(ctx, pieces)
	} else {
		err = j.table(ctx, pieces)
	}
	if err == nil {
		out, err = parts.Measure(ctx, j.client, j.plan.Output)
		out.Key = path.Base(filepath.ToSlash(j.plan.Output))
	}
	return out, err
}

// say prints the first of some lines, and how many there are more.
func (j *joining) say(lines []string, what, rest string) {
	for _, line := range lines[:min(len(lines), cli.PrintedWarnings)] {
		fmt.Fprintln(j.cmd.ErrOrStderr(), "tgmconv: "+safetext.Line(line))
	}
	if more := len(lines) - cli.PrintedWarnings; more > 0 {
		cli.Warn(j.cmd, cli.Count(more, what)+rest)
	}
}

// catalogue joins pieces of a catalogue with that which is extended, and puts it in place of that.
func (j *joining) catalogue(ctx context.Context, pieces []string) error {
	var names []string
	for in, err := range j.store.Inputs(ctx) {
		if err != nil {
			return err
		}
		names = append(names, in.Name)
	}
	switch kept, err := j.client.Open(ctx, j.store.Kept()); {
	case err == nil:
		kept.Close()
		pieces = append(pieces, j.store.Kept())
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	var text bytes.Buffer
	_, bad, err := archive.WriteFiles(ctx, j.client, &text, j.plan.Output, names, pieces)
	if err != nil {
		return err
	}
	err = j.client.Replace(ctx, j.plan.Output, text.Bytes(), j.plan.Before)
	if errors.Is(err, storage.ErrChanged) {
		return fmt.Errorf("%w since it was planned: plan again, with a new folder", err)
	}
	if err != nil {
		return err
	}
	j.say(bad, "more part", " of inputs cannot be read")
	j.bad = bad
	return nil
}

// table joins pieces of a table.
func (j *joining) table(ctx context.Context, pieces []string) error {
	if len(pieces) == 0 {
		return errors.New("no part has a field that matches what was asked for: there is no table")
	}
	out, err := j.client.Create(ctx, j.plan.Output)
	if err != nil {
		return err
	}
	defer out.Abort()
	join := series.JoinText
	if path.Ext(pieces[0]) == "."+looking.FormatParquet {
		join = series.JoinParquet
	}
	err = join(out, func(yield func(series.Piece) error) error {
		for _, name := range pieces {
			blob, err := j.client.Open(ctx, name)
			if err != nil {
				return err
			}
			err = yield(series.Piece{ReaderAt: storage.ReaderAt(ctx, blob), Size: blob.Size(), HasHead: path.Ext(name) == "."+looking.FormatCSV})
			blob.Close()
			if err != nil {
				return cli.InFile(name, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return out.Commit()
}
