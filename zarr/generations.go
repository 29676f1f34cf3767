package zarr

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/tgmconv/tgmconv/dataset"
)

// Generations lets views of files that change follow one another in one store. A client keeps
// the documents and labels that it has read, so that a key must not lead to the values of other
// labels later, or to a chunk of another form. An array whose labels moved, as they do when a file
// is removed from the middle of an axis, takes chunk keys of another encoding; keys of the one
// before are ErrGone from then on. Arrays that only grow at their ends keep their keys.
//
// There are four encodings for arrays of two dimensions and more, three for those of one and two for
// those of none. When an array has had all of them, it takes the one that was in use or asked for
// least recently: a client that asks for nothing while labels move that many times reads wrong
// values then.
//
// The zero value is ready for use, with one view after the other.
type Generations struct {
	mu     sync.Mutex
	clock  uint64 // counts views, and requests by keys of earlier ones
	arrays map[string]*generation
}

// A generation is what an array has been, by its path.
type generation struct {
	forms   [len(keyForms)]formUse
	current int    // the form of its chunk keys
	shown   uint64 // by the clock, the last view that had it
}

// A formUse is the use of a form of chunk keys by an array.
type formUse struct {
	state *arrayState // what clients that use it know of the array; nil if it never had the form
	last  uint64      // by the clock, when it was in use or asked for
}

// keptVanished bounds the arrays that are remembered although the last view does not have them.
const keptVanished = 4096

// Follow gives the arrays of the view, which must not be in use yet, the chunk keys that follow from
// those that the views before it had. It reads labels.
func (v *DatasetView) Follow(ctx context.Context, g *Generations) {
	states := v.states(ctx)
	g.begin()
	for path, s := range states {
		v.nodes[path].keys = g.next(path, s)
	}
	g.forget(len(states) + keptVanished)
	v.generations = g
}

// begin is called for each view, before its arrays are asked for.
func (g *Generations) begin() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.clock++
}

// next are the chunk keys of an array in its present state.
func (g *Generations) next(path string, s *arrayState) ChunkKeys {
	g.mu.Lock()
	defer g.mu.Unlock()
	a := g.arrays[path]
	if a == nil {
		if g.arrays == nil {
			g.arrays = make(map[string]*generation)
		}
		a = new(generation)
		g.arrays[path] = a
	} else {
		a.forms[a.current].last = g.clock
	}
	a.current = a.choose(s)
	a.shown = g.clock
	u := &a.forms[a.current]
	u.last = g.clock
	if u.state != nil && u.state.continues(s) {
		u.state = u.state.merge(s)
	} else {
		u.state = s
	}
	return keyForms[a.current]
}

// choose is the form of keys for a state: one under which clients know nothing else of the array,
// the present one if it is among these. If there is none, it is the one out of use for longest.
func (a *generation) choose(s *arrayState) int {
	forms := formsOf(len(s.shape))
	best := -1
	for i, form := range keyForms {
		if !slices.Contains(forms, form) {
			continue
		}
		u := &a.forms[i]
		if u.state != nil && u.state.continues(s) && (best < 0 || i == a.current) {
			best = i
		}
	}
	if best >= 0 {
		return best
	}
	for i, form := range keyForms {
		if slices.Contains(forms, form) && (best < 0 || a.forms[i].last < a.forms[best].last) {
			best = i
		}
	}
	return best
}

// refused notes that somebody still knows an array of an earlier view.
func (g *Generations) refused(path, chunk string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	a := g.arrays[path]
	if a == nil {
		return
	}
	g.clock++
	for i, form := range keyForms {
		if _, ok := form.numbers(chunk); ok && a.forms[i].state != nil {
			a.forms[i].last = g.clock
		}
	}
}

// forget drops the arrays that vanished first until no more than limit are left.
func (g *Generations) forget(limit int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.arrays) <= limit {
		return
	}
	var vanished []string
	for path, a := range g.arrays {
		if a.shown < g.clock {
			vanished = append(vanished, path)
		}
	}
	slices.SortFunc(vanished, func(a, b string) int { return cmp.Compare(g.arrays[a].shown, g.arrays[b].shown) })
	for _, path := range vanished[:min(len(vanished), len(g.arrays)-limit)] {
		delete(g.arrays, path)
	}
}

// states are what clients will know of the arrays of the view, by their paths.
func (v *DatasetView) states(ctx context.Context) map[string]*arrayState {
	l := newLabeller(v.set, v.fields)
	states := make(map[string]*arrayState)
	for path, n := range v.nodes {
		if n.variable != nil {
			states[path] = v.state(ctx, l, path, n)
		}
	}
	return states
}

func (v *DatasetView) state(ctx context.Context, l *labeller, path string, n *datasetNode) *arrayState {
	s := &arrayState{shape: textDims(n.variable, n.variable.Shape)}
	node, err := v.Node(ctx, path)
	if err == nil {
		err = s.describe(node.Array)
	}
	if err == nil {
		s.labels, err = l.of(ctx, n.parent.group, n.variable)
	}
	s.unknown = err != nil // as the array is to clients, or its labels are
	s.held = newHeld(n.variable)
	s.file = fileOf(v.fields, n.variable)
	return s
}

// fileOf is the only file that holds the values of a variable; "" if there are several, or none.
func fileOf(fields dataset.Fields, variable *dataset.Variable) string {
	source, ok := fields.(dataset.FileSource)
	if !ok {
		return ""
	}
	name := ""
	for _, ref := range variable.Refs() {
		if ref < 0 {
			continue
		}
		file := source.File(int(ref))
		if file == "" || name != "" && file != name {
			return ""
		}
		name = file
	}
	return name
}
