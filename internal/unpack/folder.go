package unpack

import (
	"context"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/storage"
)

// A folderList is a folder in an archive that is one input.
type folderList interface {
	// name is the document that makes it one input.
	name() string
	// bytes is how many bytes its files take, 0 if that is not known.
	bytes() int64
	// state identifies the files that it refers to, beside the archive.
	state() string
	refers() bool
	// within is the folder below a folder in it, nil if that is not one input.
	within(name string) folderList
	// open opens a file. If it does not exist, the error wraps fs.ErrNotExist.
	open(ctx context.Context, in *openFolder, name string) (storage.Blob, error)
	// list yields the names directly below a folder in it, as storage.Folder does.
	list(folder string) iter.Seq[string]
}

// A folderMember is the members below a folder of an archive that is one input, by their names in it.
type folderMember struct {
	document string
	files    map[string]member
	size     int64
	below    map[string][]string // names directly below each folder in it, folders with a slash at the end
}

// foldersIn takes out the members below folders that are one input, and adds a member for each folder.
// Its name is "" if the archive itself is one.
func foldersIn(members []member) []member {
	roots := make(map[string]bool)
	for i := range members {
		if storage.IsDocument(path.Base(members[i].name)) {
			roots[dirOf(members[i].name)] = true
		}
	}
	var kept []member
	at := make(map[string]*folderMember)
	for i := range members {
		m := members[i]
		root, found := outermost(m.name, roots)
		switch {
		case found && at[root] == nil:
			at[root] = &folderMember{files: make(map[string]member)}
			kept = append(kept, member{name: root, folder: at[root]})
			fallthrough
		case found:
			at[root].files[strings.TrimPrefix(m.name, prefixOf(root))] = m
			at[root].size += m.packed
		case !isHidden(path.Base(m.name)):
			kept = append(kept, m)
		}
	}
	for _, f := range at {
		f.sort()
	}
	return kept
}

// dirOf is the folder that a name is in, "" for the root of the archive.
func dirOf(name string) string {
	if dir := path.Dir(name); dir != "." {
		return dir
	}
	return ""
}

// prefixOf is the beginning of names below a folder.
func prefixOf(folder string) string {
	if folder == "" {
		return ""
	}
	return folder + "/"
}

// outermost is the outermost of the folders around a name that is among some.
func outermost(name string, roots map[string]bool) (root string, found bool) {
	if roots[""] {
		return "", true
	}
	for dir := dirOf(name); dir != ""; dir = dirOf(dir) {
		if roots[dir] {
			root, found = dir, true
		}
	}
	return root, found
}

// sort finds the document, and the names below each folder.
func (f *folderMember) sort() {
	f.below = make(map[string][]string)
	known := make(map[string]bool)
	for name := range f.files {
		for entry := name; ; entry = dirOf(strings.TrimSuffix(entry, "/")) + "/" {
			dir := dirOf(strings.TrimSuffix(entry, "/"))
			if known[entry] {
				break
			}
			known[entry] = true
			f.below[dir] = append(f.below[dir], entry)
			if dir == "" {
				break
			}
		}
	}
	for _, list := range f.below {
		slices.Sort(list)
	}
	for _, name := range storage.Documents() {
		if _, ok := f.files[name]; ok {
			f.document = name
			return
		}
	}
}

// within implements folderList.
func (f *folderMember) within(name string) folderList {
	inner := &folderMember{files: make(map[string]member)}
	for at, m := range f.files {
		if rest, ok := strings.CutPrefix(at, name+"/"); ok {
			inner.files[rest] = m
			inner.size += m.packed
		}
	}
	if inner.sort(); inner.document == "" {
		return nil
	}
	return inner
}

// inFolder finds the member that is a folder of a name, or contains a file of it. It is nil if there is none.
func (a *archive) inFolder(name string) *member {
	name = strings.TrimSuffix(name, "/")
	for root := name; ; root = dirOf(root) {
		if i, ok := a.byName[root]; ok && a.members[i].folder != nil {
			m := a.members[i]
			if root != name {
				m.name, m.folder = name, m.folder.within(strings.TrimPrefix(name, prefixOf(root)))
			}
			if m.folder == nil {
				return nil
			}
			return &m
		}
		if root == "" {
			return nil
		}
	}
}

// whole is the archive itself as a folder, nil if it is none.
func (a *archive) whole() folderList {
	if i, ok := a.byName[""]; ok {
		return a.members[i].folder
	}
	return nil
}

// folderNode changes out to a folder of the archive n.
func (n *node) folderNode(out *node, a *archive, f folderList) {
	out.packed = "it is a folder in an archive"
	tag := ""
	if _, state, ok := strings.Cut(n.key, "\x00"); ok {
		tag = state
	}
	outer := *n // which becomes the folder itself where that is the only member
	outer.done = nil
	out.blob = storage.NewFolder(&openFolder{&outer, a, f}, f.name()+"-"+tag+f.state(), func() error { return nil })
}

// An openFolder is a folder of an archive that is open as long as it is used.
type openFolder struct {
	outer   *node
	archive *archive
	folder  folderList
}

// Document implements storage.Folder.
func (f *openFolder) Document() string { return f.folder.name() }

// Size implements storage.Folder.
func (f *openFolder) Size() int64 { return f.folder.bytes() }

// Refers implements storage.Folder.
func (f *openFolder) Refers() bool { return f.folder.refers() }

// Open implements storage.Folder.
func (f *openFolder) Open(ctx context.Context, name string) (storage.Blob, error) {
	return f.folder.open(ctx, f, name)
}

// List implements storage.Folder.
func (f *openFolder) List(_ context.Context, within string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for name := range f.folder.list(within) {
			if !yield(name, nil) {
				return
			}
		}
	}
}

// name implements folderList.
func (f *folderMember) name() string { return f.document }

// bytes implements folderList.
func (f *folderMember) bytes() int64 { return f.size }

// state implements folderList.
func (f *folderMember) state() string { return "" }

// refers implements folderList.
func (f *folderMember) refers() bool { return false }

// open implements folderList.
func (f *folderMember) open(ctx context.Context, in *openFolder, name string) (storage.Blob, error) {
	m, ok := f.files[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	n, err := in.outer.memberNode(in.archive, &m)
	if err != nil {
		return nil, err
	}
	blob, err := n.random(ctx)
	if err != nil {
		n.close()
		return nil, err
	}
	file, _, _ := Split(in.outer.location)
	return &placed{&lent{blob, n.close}, file, n.base, n.packed}, nil
}

// list implements folderList.
func (f *folderMember) list(folder string) iter.Seq[string] { return slices.Values(f.below[folder]) }
