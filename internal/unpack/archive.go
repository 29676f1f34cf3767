package unpack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/storage"
)

// archive is the list of members of an archive.
type archive struct {
	blob    storage.Blob
	members []member
	byName  map[string]int
	sorted  func() []int // the members by name
	done    []func()     // resources to release
}

// A member is a file in an archive.
type member struct {
	name   string
	packed int64 // bytes in the archive
	// claimed is how many bytes it unpacks to, as the archive says.
	claimed int64
	// inPlace says that these bytes are the file, at offset.
	inPlace bool
	offset  func() (int64, error)
	// open reads the file where they are not.
	open func(ctx context.Context, archive storage.Blob) (io.ReadCloser, error)
	// folder is the members that are one input together; then nothing but the name is set beside it.
	folder folderList
}

// blockSize is the size of a block of .tar, whose first block tells the format.
const blockSize = 512

// reading returns the function that reads an archive that begins so, or nil if it is none.
func reading(head []byte) func(context.Context, storage.Blob, listing) (*archive, error) {
	switch {
	case isZip(head):
		return readZip
	case isTar(head):
		return readTar
	}
	return nil
}

// newArchive makes the list of the members. Of several with one name the last one counts, as for
// who unpacks them one after the other.
func newArchive(blob storage.Blob, members []member) *archive {
	members = foldersIn(members)
	a := &archive{blob: blob, byName: make(map[string]int, len(members))}
	for _, m := range members {
		if i, ok := a.byName[m.name]; ok {
			a.members[i] = m
			continue
		}
		a.byName[m.name] = len(a.members)
		a.members = append(a.members, m)
	}
	a.sorted = sync.OnceValue(func() []int {
		order := make([]int, 0, len(a.byName))
		for _, name := range slices.Sorted(maps.Keys(a.byName)) {
			order = append(order, a.byName[name])
		}
		return order
	})
	return a
}

// Close implements io.Closer.
func (a *archive) Close() error {
	for i := len(a.done) - 1; i >= 0; i-- {
		a.done[i]()
	}
	a.done = nil
	return nil
}

func (a *archive) names() []string {
	names := make([]string, len(a.members))
	for i := range a.members {
		names[i] = a.members[i].name
	}
	return names
}

// cleanName is the name of a member without "./" and slashes around it. It is empty for folders, and for
// files that are left out: files that begin with a dot, and resource forks of a Mac.
func cleanName(name string) string {
	if strings.HasSuffix(name, "/") {
		return ""
	}
	name = strings.TrimLeft(path.Clean(strings.ReplaceAll(name, `\`, "/")), "/")
	for part := range strings.SplitSeq(name, "/") {
		if part == "__MACOSX" || isHidden(part) && !(strings.HasSuffix(name, part) && inStores(part)) {
			return ""
		}
	}
	return name
}

// isHidden reports whether files of a name are left out.
func isHidden(name string) bool { return strings.HasPrefix(name, ".") && name != ".." }

// inStores reports whether a hidden file belongs to a folder that is one input.
func inStores(name string) bool { return storage.IsDocument(name) || name == ".zattrs" }

// An ArchiveError reports an archive of several members where one file was expected.
type ArchiveError struct {
	Members []string
}

func (e *ArchiveError) Error() string {
	if len(e.Members) == 0 {
		return "an archive without files"
	}
	return fmt.Sprintf("an archive of %d files: name one, such as %s%s", len(e.Members), Separator, e.Members[0])
}

// section is a part of a blob.
type section struct {
	storage.Blob
	at, size int64
}

func newSection(blob storage.Blob, at, size int64) (storage.Blob, error) {
	if at < 0 || size < 0 || at > blob.Size() || size > blob.Size()-at {
		return nil, fmt.Errorf("%d bytes at byte %d of an archive of %d bytes: %w", size, at, blob.Size(), io.ErrUnexpectedEOF)
	}
	return &section{blob, at, size}, nil
}

// ReadAt implements storage.Blob.
func (s *section) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	if off >= s.size {
		return 0, io.EOF
	}
	if rest := s.size - off; int64(len(p)) > rest {
		n, err := s.Blob.ReadAt(ctx, p[:rest], s.at+off)
		if err == nil {
			err = io.EOF
		}
		return n, err
	}
	return s.Blob.ReadAt(ctx, p, s.at+off)
}

// Size implements storage.Blob.
func (s *section) Size() int64 { return s.size }

// Close implements storage.Blob. The archive is closed by who opened it.
func (s *section) Close() error { return nil }

// layered is a reader on top of another.
type layered struct {
	io.ReadCloser
	below io.Closer
}

// Close implements io.Closer.
func (l *layered) Close() error { return errors.Join(l.ReadCloser.Close(), l.below.Close()) }
