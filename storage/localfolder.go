package storage

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/internal/disk"
)

// documentOf returns the name and the state of the document that makes a folder one input; "" if
// there is none.
func documentOf(folder string) (string, fs.FileInfo) {
	for _, name := range documents {
		if st, err := os.Stat(filepath.Join(folder, name)); err == nil && st.Mode().IsRegular() {
			return name, st
		}
	}
	return "", nil
}

// FolderState identifies the state of the document of a folder on this machine that is one input. The
// entity tag of its blob begins with it. It is empty for other folders.
func FolderState(folder string) string {
	document, st := documentOf(folder)
	if document == "" {
		return ""
	}
	return document + "-" + stateOf(st)
}

// openLocalFolder opens a folder with a document; nil if it is something else.
func (c *Client) openLocalFolder(ctx context.Context, name string) (Blob, error) {
	st, err := os.Stat(name)
	if err != nil || !st.IsDir() {
		return nil, nil
	}
	state := FolderState(name)
	if state == "" {
		return nil, nil
	}
	all, err := c.measureFolder(ctx, name)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	document, _, _ := strings.Cut(state, "-")
	return NewFolder(&localFolder{root, document, all.size}, fmt.Sprintf("%s-%x", state, all.hash), root.Close), nil
}

// A measured is the state of all files of a folder when they were last looked at.
type measured struct {
	at   time.Time
	size int64
	hash uint64 // of their names and states
}

// measuredFor is how long a measured state of a folder is used again. A folder is opened several
// times in a row.
const measuredFor = 3 * time.Second

// mostMeasured is how many files of a folder are looked at. The files of a store of 100 000 chunks would
// take seconds each time. A larger folder has the size 0, which is not known, and is as its first files
// are.
const mostMeasured = 10_000

// measureFolder adds up the files of a folder, hidden ones too.
func (c *Client) measureFolder(ctx context.Context, folder string) (*measured, error) {
	if m, ok := c.folders.Load(folder); ok && time.Since(m.(*measured).at) < measuredFor {
		return m.(*measured), nil
	}
	m := new(measured)
	h := xxh3.New()
	var line []byte
	files := 0
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || d.IsDir() {
			return err
		}
		if files++; files > mostMeasured {
			m.size = 0
			return filepath.SkipAll
		}
		st, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // written and renamed meanwhile
		}
		if err != nil {
			return err
		}
		m.size += st.Size()
		line = binary.LittleEndian.AppendUint64(append(line[:0], path...), uint64(st.ModTime().UnixNano()))
		_, err = h.Write(binary.LittleEndian.AppendUint64(line, uint64(st.Size())))
		return err
	})
	if err != nil {
		return nil, err
	}
	m.at, m.hash = time.Now(), h.Sum64()
	c.folders.Store(folder, m)
	return m, nil
}

// A localFolder is a folder of this machine. No name and no link leads out of it.
type localFolder struct {
	root     *os.Root
	document string
	size     int64
}

// Document implements Folder.
func (f *localFolder) Document() string { return f.document }

// Size implements Folder.
func (f *localFolder) Size() int64 { return f.size }

// Refers implements Folder.
func (f *localFolder) Refers() bool { return false }

// Open implements Folder.
func (f *localFolder) Open(_ context.Context, name string) (Blob, error) {
	file, err := f.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, withoutPath(err)
	}
	st, err := file.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = fs.ErrNotExist // of a file
	}
	if err != nil {
		file.Close()
		return nil, withoutPath(err)
	}
	return newLocalBlob(disk.Of(file), st), nil
}

// List implements Folder.
func (f *localFolder) List(_ context.Context, folder string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		at := folder
		if at == "" {
			at = "."
		}
		entries, err := fs.ReadDir(f.root.FS(), at)
		if err != nil {
			yield("", err)
			return
		}
		for _, e := range entries {
			name := e.Name()
			if folder != "" {
				name = folder + "/" + name
			}
			if e.IsDir() {
				name += "/"
			}
			if !yield(name, nil) {
				return
			}
		}
	}
}
