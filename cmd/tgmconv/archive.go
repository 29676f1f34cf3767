package main

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/mapping"
)

// writtenFlags are the flags of commands that write the labelled dataset of inputs of any format:
// the dataset that serve shows with the same flags.
type writtenFlags struct {
	dataset datasetFlags
	view    string
	where   []string
}

// declare adds the settings. No index is used.
func (f *writtenFlags) declare(s *option.Set) {
	f.dataset.declareLabels(s)
	f.view = viewDataset
	s.Word("view", &f.view, []string{viewDataset, viewTree}, "dataset, or tree: the same variables in a group for each type of level")
	declareWhere(s, &f.where, "take only the objects that match, such as shortName=t/q,level=500, and those that they need (repeatable)")
}

// open opens inputs as one dataset of the objects that --where selects. With alwaysTime, time and
// step are dimensions even if they have one value. What cannot be read is left out, unless it is all there is.
func (f *writtenFlags) open(cmd *cobra.Command, names []string, alwaysTime bool) (*archive.Archive, *whereFlag, error) {
	opts, err := f.dataset.archiveOptions(cmd, names)
	if err != nil {
		return nil, nil, err
	}
	where, err := parseWhere(f.where)
	if err != nil {
		return nil, nil, err
	}
	opts.Dataset.AlwaysTime = alwaysTime
	a, err := openWhere(cmd, names, where, opts)
	return a, where, err
}

// openWhere opens inputs as one dataset of the objects that clauses select.
func openWhere(cmd *cobra.Command, names []string, where *whereFlag, opts archive.Options) (*archive.Archive, error) {
	var objects atomic.Int64
	if len(where.clauses) > 0 {
		opts.WithNeeded = true
		opts.Select = func(object *dataset.Object) bool {
			objects.Add(1)
			return where.match(object.Known)
		}
		opts.Excludes = func(known *mapping.Known) bool {
			excluded := !where.match(known)
			if excluded {
				objects.Add(1)
			}
			return excluded
		}
	}
	a, err := archive.Open(cmd.Context(), names, opts)
	if none, ok := errors.AsType[*archive.NoDataError](err); ok && objects.Load() > 0 {
		err = fmt.Errorf("%s: found %s, none of which matches %s", none.Inputs(), count(int(objects.Load()), "object"), where)
		if keys := where.asked.Unknown(); len(keys) > 0 {
			err = fmt.Errorf("%w, and none has the key %s", err, strings.Join(keys, ", "))
		}
		err = andLeftOut(err, none.LeftOut)
	}
	return a, err
}

// andLeftOut adds what was left out to the error that nothing was found.
func andLeftOut(err error, lines []string) error {
	if len(lines) == 0 {
		return err
	}
	return fmt.Errorf("%w; left out: %s", err, strings.Join(lines, "; "))
}

// shownAs is the dataset of an archive as a value of --view arranges it.
func shownAs(a *archive.Archive, view string) *dataset.Dataset {
	if view == viewTree {
		return a.Set.Tree()
	}
	return a.Set
}

// String tells flags apart that make other datasets of the same inputs.
func (f *writtenFlags) String() string {
	return fmt.Sprintf("%q %v %s%v", f.where, &f.dataset, f.view, &f.dataset.Change)
}

// The values of --view.
const (
	viewDataset  = "dataset"
	viewTree     = "tree"
	viewMessages = "messages"
)
