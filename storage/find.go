package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/tgmconv/tgmconv/internal/beside"
)

// An Input is something to read that the user named, or that was found in a folder the user named.
type Input struct {
	Name string // its location
	// FromFolder says that the user did not name it, only a folder that holds it.
	FromFolder bool
	// Size is its length in bytes if that was found with it, else 0.
	Size int64
	// Leaves says that the input is a symbolic link out of its folder, or to a hidden file.
	Leaves bool
}

// Find lists the inputs that locations name, in order. Files and addresses are listed as they are.
// Folders, and prefixes of object stores that end in a slash, give the inputs below them in the
// order of names, hidden files left out. Patterns of files and objects (*, ?, [a-z], {a,b}, ** for
// any folders) give their matches. Nothing is opened.
func (c *Client) Find(ctx context.Context, locations ...string) ([]Input, error) {
	var inputs []Input
	for _, l := range locations {
		found, err := c.find(ctx, l)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, found...)
	}
	return inputs, nil
}

func (c *Client) find(ctx context.Context, location string) ([]Input, error) {
	b, name, err := c.Resolve(location)
	if err != nil {
		return nil, err
	}
	switch b := b.(type) {
	case localBucket:
		return findLocal(ctx, name)
	case stdinBucket, webBucket:
		return []Input{{Name: location}}, nil
	default:
		return findObjects(ctx, b, location, name)
	}
}

func findLocal(ctx context.Context, name string) ([]Input, error) {
	st, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && hasPattern(name):
		return findPattern(name)
	case err != nil:
		return nil, located(name, err)
	case !st.IsDir() || isOneInput(name):
		return []Input{{Name: name}}, nil
	}
	var found []Input
	err = walkFolder(ctx, name, isOneInput, func(path string, st fs.FileInfo, link bool) error {
		in := Input{Name: path, FromFolder: true}
		if !st.IsDir() {
			in.Size = st.Size()
		}
		if link {
			rel, err := filepath.Rel(name, path)
			in.Leaves = err != nil || beside.Leaves(name, rel)
		}
		found = append(found, in)
		return nil
	})
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("%s: the folder holds no files", name)
	}
	return found, err
}

func hasPattern(name string) bool { return strings.ContainsAny(name, "*?[{") }

// findPattern lists the files, and the folders that are one input, that a pattern matches.
func findPattern(pattern string) ([]Input, error) {
	all, err := doublestar.FilepathGlob(pattern, doublestar.WithNoHidden())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pattern, err)
	}
	var names []string
	var within []string // folders that are one input
	for _, name := range all {
		below := func(folder string) bool { return strings.HasPrefix(name, folder+string(filepath.Separator)) }
		if slices.ContainsFunc(within, below) {
			continue
		}
		if st, err := os.Stat(name); err == nil && st.IsDir() {
			if !isOneInput(name) {
				continue
			}
			within = append(within, name)
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: %w", pattern, errNoMatch)
	}
	found := make([]Input, len(names))
	for i, name := range names {
		found[i].Name = name
	}
	return found, nil
}

// errNoMatch is the error of a pattern without a match, which may have been meant as a name.
var errNoMatch = &noMatchError{}

type noMatchError struct{}

func (*noMatchError) Error() string { return "no file matches, and none has that name" }
func (*noMatchError) Unwrap() error { return fs.ErrNotExist }

// findObjects lists the objects that a name, a prefix or a pattern stands for.
func findObjects(ctx context.Context, b Bucket, location, name string) ([]Input, error) {
	folder := name == "" || strings.HasSuffix(name, "/")
	pattern := !folder && hasPattern(name)
	if !folder && !pattern {
		return []Input{{Name: location}}, nil
	}
	prefix := name
	if pattern {
		prefix = name[:strings.IndexAny(name, "*?[{")]
	}
	if folder {
		blob, err := openRemoteFolder(ctx, b, name)
		if blob != nil || err != nil {
			return []Input{{Name: location}}, nil // opening it gives the error
		}
	}
	before := strings.TrimSuffix(location, name)
	var all []Entry
	for e, err := range b.List(ctx, prefix) {
		if err != nil {
			return nil, err
		}
		if IsDocument(path.Base(e.Name)) || !strings.HasSuffix(e.Name, "/") && !hidden(strings.TrimPrefix(e.Name, prefix)) {
			all = append(all, e)
		}
	}
	var found []Input
	for _, e := range withFolders(all) {
		if pattern {
			if ok, err := doublestar.Match(name, e.Name); err != nil {
				return nil, fmt.Errorf("%s: %w", location, err)
			} else if !ok {
				continue
			}
		}
		found = append(found, Input{Name: before + e.Name, FromFolder: folder, Size: e.Size})
	}
	if len(found) == 0 && folder {
		return nil, fmt.Errorf("%s: the folder holds no files", Display(location))
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: %w", Display(location), errNoMatch)
	}
	return found, nil
}

// isOneInput reports whether a folder of this machine is one input.
func isOneInput(folder string) bool {
	document, _ := documentOf(folder)
	return document != ""
}

// withFolders replaces the objects below each folder that is one input by the folder.
func withFolders(all []Entry) []Entry {
	one := make(map[string]bool)
	for _, e := range all {
		if IsDocument(path.Base(e.Name)) {
			one[path.Dir(e.Name)] = true
		}
	}
	if len(one) == 0 {
		return all
	}
	var found []Entry
	listed := make(map[string]bool)
	for _, e := range all {
		outer := ""
		for dir := path.Dir(e.Name); dir != "." && dir != "/"; dir = path.Dir(dir) {
			if one[dir] {
				outer = dir
			}
		}
		switch {
		case outer == "":
			found = append(found, e)
		case !listed[outer]:
			listed[outer] = true
			found = append(found, Entry{Name: outer})
		}
	}
	return found
}

// hidden reports whether a name, or a folder in it, begins with a dot.
func hidden(name string) bool {
	for name != "." && name != "/" && name != "" {
		if strings.HasPrefix(path.Base(name), ".") {
			return true
		}
		name = path.Dir(name)
	}
	return false
}
