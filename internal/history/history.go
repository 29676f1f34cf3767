package history

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Rest is the time for which clients must not have used a form before it takes other labels.
const Rest = 24 * time.Hour

// A History holds the knowledge that clients may have of the arrays of a server. It does not change
// once it is in use; [History.After] makes the next one. The zero value is for a server without
// requests so far.
type History struct {
	// Revision counts the changes.
	Revision uint64
	// Files is a catalogue of the files that are shown. It also has missing files whose positions are kept.
	Files []byte
	// Snapshots lists states of the files that were announced, the newest last.
	Snapshots []Snapshot

	arrays map[string]*array
}

// An array holds the knowledge that clients may have of an array, by the forms of its keys.
type array struct{ forms []form }

// A form is the state on which clients of a form of chunk keys rely, nil without clients.
type form struct {
	state *State
	used  int64 // when it was asked for last, in seconds since 1970
}

// rests reports whether nobody knows the form, or has used it for long.
func (f *form) rests(now time.Time) bool { return f.unused(now, Rest+noted) }

// unused reports whether nobody knows the form, or has used it for a time.
func (f *form) unused(now time.Time, rest time.Duration) bool {
	return f.state == nil || now.Sub(time.Unix(f.used, 0)) >= rest
}

// A Snapshot is a state of the files.
type Snapshot struct {
	Hash  string
	Files []SnapshotFile
}

// A SnapshotFile is a file in a state.
type SnapshotFile struct {
	Name    string
	Size    int64
	Version string
}

// keptSnapshots bounds the snapshots, and keptFiles the files of all of them.
const (
	keptSnapshots = 64
	keptFiles     = 1 << 18
)

// A Plan gives arrays their forms of chunk keys.
type Plan struct {
	// Forms are the numbers of the forms by the paths of the arrays, from 0. It is -1 for an array that must not
	// be shown, because clients know all its forms.
	Forms map[string]int
	// Moved counts the arrays that take another form than before.
	Moved int
	// Withheld lists the arrays that must not be shown, in order.
	Withheld []string

	states map[string]*State
}

// Plan chooses the forms of arrays. The present time is now.
func (h *History) Plan(states map[string]*State, now time.Time) *Plan {
	return h.plan(states, now, Rest+noted)
}

// Retake chooses the forms of arrays as [History.Plan] does, but takes forms that clients know. It then
// takes the form that was not used for longest: clients of it that come again read other labels.
func (h *History) Retake(states map[string]*State, now time.Time) *Plan {
	return h.plan(states, now, 0)
}

func (h *History) plan(states map[string]*State, now time.Time, rest time.Duration) *Plan {
	p := &Plan{Forms: make(map[string]int, len(states)), states: states}
	for _, path := range slices.Sorted(maps.Keys(states)) {
		a := h.arrays[path]
		if a == nil {
			a = new(array)
		}
		chosen, moved := a.choose(states[path], now, rest)
		p.Forms[path] = chosen
		if moved {
			p.Moved++
		}
		if chosen < 0 {
			p.Withheld = append(p.Withheld, path)
		}
	}
	return p
}

// choose is the form for a state: a form under which clients know nothing else of the array. If there
// are several, it is the last used. If there is none, it is the form that was unused for longest, and
// at least for the time rest; else it is -1. moved reports whether there are clients that know the
// array by other forms alone.
func (a *array) choose(s *State, now time.Time, rest time.Duration) (chosen int, moved bool) {
	chosen = -1
	for i := range a.forms[:min(len(a.forms), s.Forms)] {
		f := &a.forms[i]
		if f.state != nil && f.state.Continues(s) && (chosen < 0 || f.used > a.forms[chosen].used) {
			chosen = i
		}
	}
	if chosen >= 0 {
		return chosen, false
	}
	oldest := int64(0)
	for i := range s.Forms {
		f := new(form)
		if i < len(a.forms) {
			f = &a.forms[i]
		}
		if f.unused(now, rest) && (chosen < 0 || f.used < oldest) {
			chosen, oldest = i, f.used
		}
	}
	known := slices.ContainsFunc(a.forms, func(f form) bool { return !f.rests(now) })
	return chosen, known
}

// Agrees reports whether nobody knows other labels by the forms of a plan, which was made for an
// earlier history.
func (h *History) Agrees(p *Plan) bool {
	for path, chosen := range p.Forms {
		a := h.arrays[path]
		if a == nil || chosen < 0 || chosen >= len(a.forms) {
			continue
		}
		if s := a.forms[chosen].state; s != nil && !s.Continues(p.states[path]) {
			return false
		}
	}
	return true
}

// After returns the history in which clients have seen the arrays of a plan.
func (h *History) After(p *Plan, now time.Time) *History {
	next := &History{Revision: h.Revision + 1, Files: h.Files, Snapshots: h.Snapshots, arrays: make(map[string]*array, len(h.arrays))}
	for path, a := range h.arrays {
		// Forms that rest are forgotten with the array, as nobody uses them.
		if p.states[path] != nil || slices.ContainsFunc(a.forms, func(f form) bool { return !f.rests(now) }) {
			next.arrays[path] = &array{slices.Clone(a.forms)}
		}
	}
	for path, chosen := range p.Forms {
		if chosen < 0 {
			continue
		}
		a := next.arrays[path]
		if a == nil {
			a = new(array)
			next.arrays[path] = a
		}
		for len(a.forms) <= chosen {
			a.forms = append(a.forms, form{})
		}
		f, s := &a.forms[chosen], p.states[path]
		if f.state != nil && f.state.Continues(s) {
			s = f.state.with(s)
		}
		*f = form{s, now.Unix()}
	}
	return next
}

// Add makes a snapshot the last, of no more than are kept. It is for a history that is not in use yet.
func (h *History) Add(s Snapshot) {
	list := slices.DeleteFunc(slices.Clone(h.Snapshots), func(o Snapshot) bool { return o.Hash == s.Hash })
	list = append(list, s)
	first, files := len(list)-1, len(s.Files)
	for first > 0 && len(list)-first < keptSnapshots && files+len(list[first-1].Files) <= keptFiles {
		first--
		files += len(list[first].Files)
	}
	h.Snapshots = list[first:]
}

// Snapshot returns the snapshot of a hash.
func (h *History) Snapshot(hash string) (Snapshot, bool) {
	for _, s := range h.Snapshots {
		if s.Hash == hash {
			return s, true
		}
	}
	return Snapshot{}, false
}

// maxForms bounds the forms of chunk keys of an array.
const maxForms = 4

// Uses notes when forms of chunk keys are asked for. It may be used by several goroutines.
type Uses struct {
	now    func() time.Time
	arrays sync.Map // by path, pointers to the times of forms
}

type formTimes [maxForms]atomic.Int64 // in seconds since 1970

// NewUses returns uses of no arrays yet.
func NewUses(now func() time.Time) *Uses { return &Uses{now: now} }

// Follow adds the arrays of a history and of a plan after it.
func (u *Uses) Follow(h *History, p *Plan) {
	for path := range h.arrays {
		u.arrays.LoadOrStore(path, new(formTimes))
	}
	for path := range p.Forms {
		u.arrays.LoadOrStore(path, new(formTimes))
	}
}

// Note notes that a form of the array at path was asked for now. Paths of other arrays are left alone.
func (u *Uses) Note(path string, form int) {
	if times, ok := u.arrays.Load(path); ok && form >= 0 && form < maxForms {
		times.(*formTimes)[form].Store(u.now().Unix())
	}
}

// noted is how much later than in the history a form may have been used.
const noted = 10 * time.Minute

// Used returns the history with the uses, and reports whether it has changed. Uses shortly after
// known uses do not count.
func (h *History) Used(u *Uses) (*History, bool) {
	next := *h
	changed := false
	for path, a := range h.arrays {
		times, ok := u.arrays.Load(path)
		if !ok {
			continue
		}
		for i := range a.forms {
			used := times.(*formTimes)[i].Load()
			if a.forms[i].state == nil || used-a.forms[i].used < int64(noted/time.Second/2) {
				continue
			}
			if !changed {
				next.arrays, changed = maps.Clone(h.arrays), true
				next.Revision++
			}
			if next.arrays[path] == a {
				next.arrays[path] = &array{slices.Clone(a.forms)}
			}
			next.arrays[path].forms[i].used = used
		}
	}
	return &next, changed
}
