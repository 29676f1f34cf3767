package archive

import (
	"context"
	"os"
	"strings"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/storage"
)

// Changed reports whether the names stand for other files now, or whether one of the files has
// changed.
func (a *Archive) Changed(ctx context.Context) (bool, error) {
	inputs, _, err := a.inputs(ctx)
	if err != nil {
		return false, err
	}
	states := a.look(ctx, inputs)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	files := a.live.Files()
	if len(files) != len(inputs) {
		return true, nil
	}
	for i, in := range inputs {
		f, s := &files[i], &states[i]
		if f.Name != in.Name || f.Size != s.size || f.Version != s.version {
			return true, nil
		}
	}
	return a.external.changed(), nil
}

// Again opens the files that the names stand for now, as a new archive. Files that have not changed
// are not read again. The present archive stays valid.
func (a *Archive) Again(ctx context.Context) (*Archive, error) {
	return open(ctx, a.names, a.opts, a.reusable())
}

// Shown opens the files that the names stand for now, as a new archive, and shows another part of
// them. Unchanged files are not read again.
func (a *Archive) Shown(ctx context.Context, change dataset.Change) (*Archive, error) {
	opts := a.opts
	opts.Dataset.Change = change
	return open(ctx, a.names, opts, a.reusable())
}

// inputs finds the files of the names, unless the inputs are given, and the files that are left out.
func (a *Archive) inputs(ctx context.Context) (kept, left []storage.Input, err error) {
	if len(a.opts.Inputs) > 0 {
		return a.opts.Inputs, nil, nil
	}
	return find(ctx, a.names, &a.opts)
}

// Find returns the files that names stand for, without indexes in folders and the catalogue of the options.
func Find(ctx context.Context, names []string, opts Options) ([]storage.Input, error) {
	found, _, err := find(ctx, names, &opts)
	return found, err
}

func find(ctx context.Context, names []string, opts *Options) (kept, left []storage.Input, err error) {
	found, err := opts.Client.Find(ctx, names...)
	kept = found[:0]
	for _, in := range found {
		switch {
		case in.FromFolder && (isIndex(in.Name) || opts.Catalogue != "" && storage.SameFile(in.Name, opts.Catalogue)):
		case in.Leaves && opts.NoLinks:
			left = append(left, in)
		default:
			kept = append(kept, in)
		}
	}
	return kept, left, err
}

// Grows reports whether names may stand for more files later: whether they are several, a folder,
// or a pattern.
func Grows(names []string) bool {
	if len(names) > 1 {
		return true
	}
	for _, name := range names {
		if strings.HasSuffix(name, "/") {
			return true
		}
		if storage.IsRemote(name) {
			return strings.ContainsAny(name, "*{")
		}
		if st, err := os.Stat(storage.LocalPath(name)); err != nil || st.IsDir() {
			return true
		}
	}
	return false
}
