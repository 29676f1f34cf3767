package looking

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/mapping"
)

// WrittenFlags are the flags of commands that write the labelled dataset of inputs of any format:
// the dataset that serve shows with the same flags.
type WrittenFlags struct {
	Dataset cli.DatasetFlags
	View    string
	Where   []string
}

// Declare adds the settings. No index is used.
func (f *WrittenFlags) Declare(s *option.Set) {
	f.Dataset.DeclareLabels(s)
	f.View = ViewDataset
	s.Word("view", &f.View, []string{ViewDataset, ViewTree}, "dataset, or tree: the same variables in a group for each type of level")
	cli.DeclareWhere(s, &f.Where, "take only the objects that match, such as shortName=t/q,level=500, and the objects that they need (repeatable)")
}

// Open opens inputs as one dataset of the objects that --where selects. With alwaysTime, time and
// step are dimensions even if they have one value. What cannot be read is left out, unless it is all there is.
func (f *WrittenFlags) Open(cmd *cobra.Command, names []string, alwaysTime bool) (*archive.Archive, *cli.WhereFlag, error) {
	opts, err := f.Dataset.ArchiveOptions(cmd, names)
	if err != nil {
		return nil, nil, err
	}
	where, err := cli.ParseWhere(f.Where)
	if err != nil {
		return nil, nil, err
	}
	opts.Dataset.AlwaysTime = alwaysTime
	a, err := OpenWhere(cmd, names, where, opts)
	return a, where, err
}

// OpenWhere opens inputs as one dataset of the objects that clauses select.
func OpenWhere(cmd *cobra.Command, names []string, where *cli.WhereFlag, opts archive.Options) (*archive.Archive, error) {
	var objects atomic.Int64
	if len(where.Clauses) > 0 {
		opts.WithNeeded = true
		opts.Select = func(object *dataset.Object) bool {
			objects.Add(1)
			return where.Match(object.Known)
		}
		opts.Excludes = func(known *mapping.Known) bool {
			excluded := !where.Match(known)
			if excluded {
				objects.Add(1)
			}
			return excluded
		}
	}
	a, err := archive.Open(cmd.Context(), names, opts)
	if none, ok := errors.AsType[*archive.NoDataError](err); ok && objects.Load() > 0 {
		err = fmt.Errorf("%s: found %s, none of which matches %s", none.Inputs(), cli.Count(int(objects.Load()), "object"), where)
		if keys := where.Asked.Unknown(); len(keys) > 0 {
			err = fmt.Errorf("%w, and none has the key %s", err, strings.Join(keys, ", "))
		}
		err = AndLeftOut(err, none.LeftOut)
	}
	return a, err
}

// AndLeftOut adds the variables that were left out to the error that nothing was found.
func AndLeftOut(err error, lines []string) error {
	if len(lines) == 0 {
		return err
	}
	return fmt.Errorf("%w; left out: %s", err, strings.Join(lines, "; "))
}

// ShownAs is the dataset of an archive as a value of --view arranges it.
func ShownAs(a *archive.Archive, view string) *dataset.Dataset {
	if view == ViewTree {
		return a.Set.Tree()
	}
	return a.Set
}

// String tells flags apart that make other datasets of the same inputs.
func (f *WrittenFlags) String() string {
	return fmt.Sprintf("%q %v %s%v", f.Where, &f.Dataset, f.View, &f.Dataset.Change)
}

// The values of --view.
const (
	ViewDataset  = "dataset"
	ViewTree     = "tree"
	ViewMessages = "messages"
)
