package unpack

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/internal/unpack/references"
	"github.com/tgmconv/tgmconv/storage"
)

// files are the unpacked files and the archives of a client.
type files struct {
	spools   cache[storage.Blob]
	archives cache[*archive]
	listed   sync.Map // *listed: local archives that were opened, by their locations
	small    small
}

func (f *files) close() {
	f.archives.close() // may hold spools
	f.spools.close()
}

// A node is a file, or its unpacked stream.
type node struct {
	client   *Client
	location string       // the name that the user would give it
	key      string       // the location and the layers unpacked of it, with the state of the file
	blob     storage.Blob // nil for a stream
	stream   func(context.Context) (io.ReadCloser, error)
	budget   *budget
	depth    int
	base     int64    // where its bytes begin in the file at the location
	packed   string   // why they are not in that file as they are, else empty
	small    bool     // it claims to be small
	file     *listed  // a local file; nil for members
	list     *archive // the archive that it is, if that is known
	done     []func() // resources to release
}

func (n *node) close() {
	for i := len(n.done) - 1; i >= 0; i-- {
		n.done[i]()
	}
	n.done = nil
}

// node finds the file at a location. It does not unpack the file, unless the location names a
// member.
func (c *Client) node(ctx context.Context, location string) (*node, error) {
	outer, member, ok := Split(location)
	if !ok {
		return c.file(ctx, outer)
	}
	n := c.known(outer)
	if n == nil {
		var err error
		if n, err = c.file(ctx, outer); err != nil {
			return nil, err
		}
	}
	found, err := n.descend(ctx, member)
	if err != nil {
		n.close()
		return nil, located(location, err)
	}
	return found, nil
}

// file opens a file that the client can open by itself.
func (c *Client) file(ctx context.Context, location string) (*node, error) {
	if err, ok := c.failed.LoadAndDelete(location); ok {
		return nil, err.(error)
	}
	file := newListed(location)
	blob, err := c.Client.Open(ctx, location)
	if err != nil {
		return nil, err
	}
	if blob, err = c.referring(ctx, location, blob); err != nil {
		return nil, err
	}
	return &node{
		client: c, location: location, key: location + "\x00" + blob.ETag(), blob: blob, budget: c.budgetOf(location, blob.ETag(), blob.Size()),
		file: file, done: []func(){func() { blob.Close() }},
	}, nil
}

// inside is descend for a node that is closed nowhere else.
func (n *node) inside(ctx context.Context, name string) (*node, error) {
	found, err := n.descend(ctx, name)
	if err != nil {
		n.close()
	}
	return found, err
}

// descend finds a member of the archive n, or of an archive in it. It takes over the resources of n, unless
// it fails.
func (n *node) descend(ctx context.Context, name string) (*node, error) {
	a, err := n.archive(ctx)
	if err != nil {
		return nil, err
	}
	if a == nil {
		return nil, fmt.Errorf("neither a .zip nor a .tar archive, so it has no member %s", name)
	}
	if i, ok := a.byName[name]; ok {
		return n.take(a, &a.members[i])
	}
	if m := a.inFolder(name); m != nil {
		return n.take(a, m)
	}
	for at := strings.Index(name, Separator); at >= 0; {
		if i, ok := a.byName[name[:at]]; ok {
			inner, err := n.take(a, &a.members[i])
			if err != nil {
				return nil, err
			}
			return inner.inside(ctx, name[at+len(Separator):])
		}
		next := strings.Index(name[at+1:], Separator)
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return nil, fmt.Errorf("the archive has no member %s", name)
}

// take is member, and takes over the resources of n, unless it fails.
func (n *node) take(a *archive, m *member) (*node, error) {
	out, err := n.memberNode(a, m)
	if err == nil {
		out.done, n.done = n.done, nil
	}
	return out, err
}

// memberNode makes a node of a member of the archive n, which is to be closed later.
func (n *node) memberNode(a *archive, m *member) (*node, error) {
	out := &node{client: n.client, location: n.location + Separator + m.name, key: n.key + "\x00" + m.name, budget: n.budget, depth: n.depth + 1, packed: n.packed}
	if m.folder != nil {
		n.folderNode(out, a, m.folder)
		return out, nil
	}
	if m.inPlace {
		at, err := m.offset()
		if err != nil {
			return nil, fmt.Errorf("member %s: %w", m.name, err)
		}
		if out.blob, err = newSection(a.blob, at, m.packed); err != nil {
			return nil, fmt.Errorf("member %s: %w", m.name, err)
		}
		out.base = n.base + at
	} else {
		out.packed = "the member " + m.name + " is compressed"
		out.small = m.claimed <= smallBytes
		out.stream = func(ctx context.Context) (io.ReadCloser, error) {
			if err := out.budget.allows(m.claimed); err != nil {
				return nil, err // before anything is unpacked
			}
			r, err := m.open(ctx, a.blob)
			if err != nil {
				return nil, err
			}
			return out.budget.reader(out.key, r), nil
		}
	}
	return out, nil
}

// reader reads the node from its beginning.
func (n *node) reader(ctx context.Context) (io.ReadCloser, error) {
	if n.blob != nil {
		return io.NopCloser(io.NewSectionReader(storage.ReaderAt(ctx, n.blob), 0, n.blob.Size())), nil
	}
	return n.stream(ctx)
}

// head reads the first bytes.
func (n *node) head(ctx context.Context, limit int) ([]byte, error) {
	n.keepSmall(ctx)
	r, err := n.reader(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return readHead(r, limit)
}

// decompress changes n to its decompressed stream, if it is compressed, and returns its first block.
func (n *node) decompress(ctx context.Context) (head []byte, err error) {
	for {
		if head, err = n.head(ctx, blockSize); err != nil {
			return nil, err
		}
		m := methodOf(head)
		if m == nil {
			return head, nil
		}
		if n.depth++; n.depth > maxDepth {
			return nil, errDepth
		}
		packed := *n
		n.packed = "the file is compressed"
		n.blob, n.key, n.small = nil, n.key+"\x00", false
		n.stream = func(ctx context.Context) (io.ReadCloser, error) { return packed.openWith(ctx, m) }
	}
}

// openWith reads n decompressed.
func (n *node) openWith(ctx context.Context, m *method) (io.ReadCloser, error) {
	source, err := n.reader(ctx)
	if err != nil {
		return nil, err
	}
	r, err := m.open(bufio.NewReaderSize(source, readSize))
	if err != nil {
		source.Close()
		return nil, err
	}
	return n.budget.reader(n.key+"\x00", &layered{r, source}), nil
}

// random makes the node readable at any offset: a stream is unpacked to a file, once for all
// readers.
func (n *node) random(ctx context.Context) (storage.Blob, error) {
	n.keepSmall(ctx)
	if n.blob != nil {
		return n.blob, nil
	}
	blob, release, err := n.client.files.spools.get(ctx, n.key, func() (storage.Blob, error) {
		r, err := n.stream(ctx)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return n.client.Spool(ctx, r)
	})
	if err != nil {
		return nil, err
	}
	n.blob, n.stream = blob, nil
	n.done = append(n.done, release)
	return blob, nil
}

// archive returns n as an archive, decompressed where it is compressed; nil if it is none.
func (n *node) archive(ctx context.Context) (*archive, error) {
	if n.list != nil {
		return n.list, nil
	}
	head, err := n.decompress(ctx)
	if err != nil {
		return nil, err
	}
	read := reading(head)
	if read == nil && references.IsJSON(head) {
		read = n.readReferences
	}
	if read == nil {
		return nil, nil
	}
	if n.depth >= maxDepth {
		return nil, errDepth
	}
	blob, err := n.random(ctx)
	if err != nil {
		return nil, err
	}
	a, release, err := n.client.files.archives.get(ctx, n.key, func() (*archive, error) {
		a, err := read(ctx, blob, listing{n.budget, n.key})
		if err == nil { // which may be needed longer than n
			a.done, n.done = append(n.done, a.done...), nil
		}
		return a, err
	})
	if err != nil {
		return nil, err
	}
	n.done = append(n.done, release)
	n.client.files.remember(n)
	return a, nil
}

// only changes n to the only member, as long as it is an archive with one. An archive with several
// stays as it is, and which members it has is returned.
func (n *node) only(ctx context.Context) (names []string, err error) {
	for {
		a, err := n.archive(ctx)
		if err != nil || a == nil {
			return nil, err
		}
		if len(a.members) != 1 {
			return a.names(), nil
		}
		m, err := n.take(a, &a.members[0])
		if err != nil {
			return nil, err
		}
		*n = *m
	}
}

// unpacked returns the contents of n for the user, who closes them.
func (n *node) unpacked(ctx context.Context) (storage.Blob, error) {
	names, err := n.only(ctx)
	if err != nil {
		return nil, err
	}
	if names != nil {
		return nil, &ArchiveError{names}
	}
	blob, err := n.random(ctx)
	if err != nil {
		return nil, err
	}
	held := *n
	n.done = nil
	return &lent{blob, held.close}, nil
}

// peek returns the first bytes of the result of unpacked.
func (n *node) peek(ctx context.Context, limit int) ([]byte, error) {
	if _, err := n.only(ctx); err != nil {
		return nil, err
	}
	return n.head(ctx, limit)
}

// lent is a blob that a user has, with the resources below it.
type lent struct {
	storage.Blob
	done func()
}

// Unwrap returns the blob itself.
func (l *lent) Unwrap() storage.Blob { return l.Blob }

// Lent is Unwrap for those who read without the wrapper, and close it.
func (l *lent) Lent() storage.Blob { return l.Blob }

// Close implements storage.Blob.
func (l *lent) Close() error {
	l.done()
	return nil
}
