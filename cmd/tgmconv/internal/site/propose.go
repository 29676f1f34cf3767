package site

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/history"
)

// A proposal is a dataset of the present files in which clients of an earlier state read no values
// of other labels.
type proposal struct {
	archive *archive.Archive // may be the one that was opened
	views   *Views
	plan    *history.Plan
	waiting int  // files that are left out
	apart   bool // kept positions have torn arrays of the files that are there apart
}

// fits reports whether all arrays can be shown, and keep their keys.
func (p *proposal) fits() bool { return p.loads() && p.plan.Moved == 0 }

// loads reports whether all arrays can be shown.
func (p *proposal) loads() bool { return len(p.plan.Withheld) == 0 && !p.apart }

// hasAll reports whether a dataset has all variables of another dataset. Files with the same label
// twice, such as the label of a replaced file, are not joined to arrays.
func hasAll(set, other *dataset.Dataset) bool {
	type place struct{ group, name string }
	has := make(map[place]bool)
	for _, g := range set.Groups {
		for _, v := range g.Variables {
			has[place{g.Name, v.Name}] = true
		}
	}
	for _, g := range other.Groups {
		for _, v := range g.Variables {
			if !has[place{g.Name, v.Name}] {
				return false
			}
		}
	}
	return true
}

// A proposer makes proposals for files. It closes the archives of proposals that it gives up.
type proposer struct {
	live    *archive.Archive
	opts    ViewsOptions
	history *history.History
	before  *catalog.Catalog // what was shown before
	now     time.Time
	retake  bool // whether keys are taken from clients that used them longest ago
}

// newProposer is the proposer for files after a history.
func newProposer(live *archive.Archive, opts ViewsOptions, h *history.History, now time.Time) *proposer {
	p := &proposer{live: live, opts: opts, history: h, before: new(catalog.Catalog), now: now}
	files, err := catalog.ParseIndexFiles(h.Files)
	if err != nil {
		return p // there is nothing to keep
	}
	if p.before = live.AsGiven(files); live.Holds(p.before) {
		return p
	}
	if c, err := catalog.ParseIndex(h.Files); err == nil {
		p.before = live.AsGiven(c)
	}
	return p
}

// try makes a proposal that keeps a part of the dataset that was shown before.
func (p *proposer) try(ctx context.Context, keep archive.Keep) (*proposal, error) {
	keep.Now = p.now
	a, err := p.live.Keeping(ctx, p.before, keep)
	if err != nil {
		return nil, err
	}
	next := &proposal{archive: a, waiting: len(keep.Without)}
	next.apart = len(keep.Without) == 0 && a != p.live && !hasAll(a.Set, p.live.Set)
	opts := p.opts
	opts.waiting = slices.Clone(opts.waiting)
	for _, name := range slices.Sorted(maps.Keys(keep.Without)) {
		opts.waiting = append(opts.waiting, name+": waits: its labels lie between others that clients may know. It is shown when a form of chunk keys was not used for a day, and in /"+opts.Snapshot+"/ now")
	}
	if next.views, err = NewViews(a, opts); err != nil {
		p.drop(next)
		return nil, err
	}
	plan := p.history.Plan
	if p.retake {
		plan = p.history.Retake
	}
	next.plan = plan(next.views.states(ctx), p.now)
	return next, nil
}

// drop gives a proposal up.
func (p *proposer) drop(other *proposal) {
	if other.archive != p.live {
		other.archive.Close()
	}
}

// best is the proposal to be shown.
//
// Positions keep their labels: those of files that are gone have no values then. After a day, or where
// no fill value says that values are missing, or something new lies between the positions, the arrays
// are shown without those of files that are gone, under other keys, if there are keys that nobody uses.
// If there are none, new files that do not fit wait. If all files would wait, they are shown, under the
// keys that were not used for longest: a file that is made anew every hour is not hidden for a day.
func (p *proposer) best(ctx context.Context) (*proposal, error) {
	compact := func() (*proposal, error) {
		next, err := p.try(ctx, archive.Keep{})
		if err == nil && !next.loads() {
			p.drop(next)
			next = nil
		}
		return next, err
	}
	all, err := p.try(ctx, archive.Keep{Gone: true})
	if err != nil {
		return nil, err
	}
	since, holes := all.archive.Oldest()
	if holes && (p.now.Sub(since) >= history.Rest || all.views.shown[0].Unreadable()) {
		if next, err := compact(); next != nil || err != nil {
			p.drop(all)
			return next, err
		}
	}
	if all.fits() {
		return all, nil
	}
	whole, err := p.try(ctx, archive.Keep{Gone: true, Replaced: true})
	if err != nil || whole.fits() {
		p.drop(all)
		return whole, err
	}
	p.drop(all)
	if next, err := compact(); next != nil || err != nil {
		p.drop(whole)
		return next, err
	}
	if whole.loads() {
		return whole, nil
	}
	fresh := p.fresh()
	next, err := p.withoutSome(ctx, fresh)
	switch {
	case err != nil:
		p.drop(whole)
		return nil, err
	case len(fresh) == len(p.live.Live()) && (next == nil || next.waiting == len(fresh)):
		p.drop(whole)
		if next != nil {
			p.drop(next)
		}
		p.retake = true
		p.opts.waiting = []string{"all files were replaced by others with other labels more often in a day than there are forms of chunk keys: clients that opened earlier ones may read labels of these (they never do in /" + p.opts.Snapshot + "/)"}
		return p.try(ctx, archive.Keep{})
	case next == nil:
		return whole, nil // without the arrays that have no keys
	}
	p.drop(whole)
	return next, nil
}

// fresh lists the files that were not shown before in their present state.
func (p *proposer) fresh() (names []string) {
	known := make(map[string]catalog.FileState)
	for _, f := range p.before.Files() {
		known[f.Name] = f
	}
	for _, f := range p.live.Live() {
		if k, ok := known[f.Name]; !ok || k.Gone != 0 || k.Size != f.Size || k.Version != f.Version {
			names = append(names, f.Name)
		}
	}
	return names
}

// withoutSome is the proposal that leaves out new files that do not fit, or nil.
func (p *proposer) withoutSome(ctx context.Context, fresh []string) (*proposal, error) {
	without := make(map[string]bool)
	for _, name := range fresh {
		without[name] = true
	}
	best, err := p.try(ctx, archive.Keep{Gone: true, Replaced: true, Without: without})
	if err != nil {
		return nil, nil // no files make no dataset
	}
	if !best.fits() {
		p.drop(best)
		return nil, nil
	}
	// admit adds as many of some files as fit.
	var admit func(files []string) error
	admit = func(files []string) error {
		fewer := maps.Clone(without)
		for _, name := range files {
			delete(fewer, name)
		}
		next, err := p.try(ctx, archive.Keep{Gone: true, Replaced: true, Without: fewer})
		if err != nil {
			return err
		}
		if next.fits() && hasAll(next.archive.Set, best.archive.Set) {
			p.drop(best)
			best, without = next, fewer
			return nil
		}
		p.drop(next)
		if len(files) == 1 {
			return nil
		}
		half := len(files) / 2
		if err := admit(files[:half]); err != nil {
			return err
		}
		return admit(files[half:])
	}
	if len(fresh) > 1 {
		half := len(fresh) / 2
		for _, files := range [][]string{fresh[:half], fresh[half:]} {
			if err := admit(files); err != nil {
				p.drop(best)
				return nil, err
			}
		}
	}
	return best, nil
}
