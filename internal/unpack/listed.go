package unpack

import (
	"io/fs"
	"os"

	"github.com/tgmconv/tgmconv/storage"
)

// listed is a regular file that was opened, and the archive that it is.
type listed struct {
	location string
	state    fs.FileInfo // before it was opened
	node     node        // without the resources it held
}

// newListed returns the facts on the file at a location that known needs. It is nil if that is no regular
// file.
func newListed(location string) *listed {
	path := storage.LocalPath(location)
	if path == "" || location == storage.Stdin {
		return nil
	}
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() {
		return nil
	}
	return &listed{location: location, state: st}
}

// remember keeps how n was found to be an archive.
func (f *files) remember(n *node) {
	if n.file == nil {
		return
	}
	l := &listed{n.file.location, n.file.state, *n}
	l.node.blob, l.node.done = nil, nil
	f.listed.Store(l.location, l)
}

// known returns the archive at a location, if it is still open and the file has not changed.
// Otherwise it is nil. So the file is not opened again for each of very many members.
func (c *Client) known(location string) *node {
	l, ok := c.files.listed.Load(location)
	if !ok {
		return nil
	}
	n := l.(*listed).node
	st, err := os.Stat(storage.LocalPath(location))
	if err != nil || !sameState(n.file.state, st) {
		c.files.listed.Delete(location)
		return nil
	}
	a, release := c.files.archives.known(n.key)
	if release == nil {
		return nil
	}
	n.blob, n.list, n.done = a.blob, a, []func(){release}
	return &n
}

func sameState(before, now fs.FileInfo) bool {
	return os.SameFile(before, now) && before.Size() == now.Size() && before.ModTime().Equal(now.ModTime())
}
