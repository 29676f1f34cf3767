package serve

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/history"
	"github.com/tgmconv/tgmconv/zarr"
)

// States returns the layout that clients of the view's arrays will rely on, by the paths of the arrays.
// It reads labels.
func (v *DatasetView) States(ctx context.Context) map[string]*history.State {
	l := newLabeller(v.set, v.fields)
	states := make(map[string]*history.State)
	for path, n := range v.nodes {
		if n.variable != nil {
			states[path] = v.state(ctx, l, path, n)
		}
	}
	return states
}

func (v *DatasetView) state(ctx context.Context, l *labeller, path string, n *datasetNode) *history.State {
	s := &history.State{Shape: textDims(n.variable, n.variable.Shape)}
	node, err := v.Node(ctx, path)
	if err == nil {
		err = describe(s, node.Array)
	}
	if err == nil {
		s.Labels, err = l.of(ctx, n.parent.group, n.variable)
	}
	s.Unknown = err != nil // as the array is to clients, or its labels are
	s.Forms = len(zarr.KeyForms(len(s.Shape)))
	if !n.variable.Shared() {
		s.File = fileOf(v.fields, n.variable)
	}
	return s
}

// describe takes the description of an array from its document.
func describe(s *history.State, a *zarr.ArrayMetadata) error {
	s.Shape, s.Chunk = a.Shape, a.ChunkShape
	rest := *a
	rest.Shape, rest.ChunkKeys = nil, zarr.DefaultKeys
	text, err := rest.MarshalJSON()
	s.Document = sha256.Sum256(text)
	return err
}

// Follow sets forms of chunk keys by the paths of arrays. The view must not be in use yet. An array of
// the form -1 is not shown. Uses, under the paths below folder, learns of requests.
func (v *DatasetView) Follow(forms map[string]int, folder string, uses *history.Uses) {
	v.follower = follower{uses: uses, folder: folder}
	for path, form := range forms {
		n := v.nodes[path]
		if n == nil || n.variable == nil {
			continue
		}
		if form < 0 {
			delete(v.nodes, path)
			name := path[strings.LastIndexByte(path, '/')+1:]
			n.parent.children = slices.DeleteFunc(n.parent.children, func(child string) bool { return child == name })
			continue
		}
		n.keys = zarr.KeyForms(n.dims())[form]
	}
}

// A follower tells the arrays that were asked for, by the form of their chunk keys.
type follower struct {
	uses   *history.Uses
	folder string
}

// joined returns the path of the array at path among the paths of all views.
func (f *follower) joined(path string) string {
	if path == "" {
		return f.folder
	}
	return zarr.JoinKey(f.folder, path)
}

// use notes that somebody asked for a chunk of the array at path by a key.
func (f *follower) use(path, chunk string) {
	if f.uses == nil {
		return
	}
	for i, form := range zarr.KeyForms(2) {
		if _, ok := form.Index(chunk); ok {
			f.uses.Note(f.joined(path), i)
		}
	}
}

// fileOf is the only file that holds the values of a variable; "" if there are several, or none.
func fileOf(fields dataset.Fields, variable *dataset.Variable) string {
	name := ""
	for _, ref := range variable.Refs() {
		if ref < 0 {
			continue
		}
		file := fields.File(int(ref))
		if file == "" || name != "" && file != name {
			return ""
		}
		name = file
	}
	return name
}
