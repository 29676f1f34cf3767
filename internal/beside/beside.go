// Package beside opens files that another file refers to by name.
package beside

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Reasons not to open a file.
var (
	ErrOutside = errors.New("it is outside the folder of the input")
	ErrHidden  = errors.New("it is a hidden file, or below a hidden folder")
)

// Open opens a regular file in a folder or below it. The name is a slash-separated path, relative to
// the folder or absolute. Hidden files are not opened, nor files in hidden folders below the folder;
// a symbolic link counts as the name of its target. rel is the path from the folder, also where the
// error is that there is no such file.
func Open(folder, name string) (f *os.File, rel string, err error) {
	if rel, err = relative(folder, filepath.FromSlash(name)); err != nil {
		return nil, "", err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, "", err
	}
	defer root.Close()
	target, err := follow(folder, rel)
	if err != nil {
		return nil, rel, err
	}
	st, err := root.Stat(target) // before opening: to open a pipe is to wait for its writer
	if err != nil {
		return nil, rel, err
	}
	if !st.Mode().IsRegular() {
		return nil, rel, errors.New("it is not a regular file")
	}
	f, err = root.Open(target)
	return f, rel, err
}

// relative is the path from the folder to a file by its name alone.
func relative(folder, name string) (string, error) {
	if filepath.IsAbs(name) {
		abs, err := filepath.Abs(folder)
		if err != nil {
			return "", err
		}
		if name, err = filepath.Rel(abs, name); err != nil {
			return "", ErrOutside
		}
	}
	if name = filepath.Clean(name); !filepath.IsLocal(name) {
		return "", ErrOutside
	}
	if hidden(name) {
		return "", ErrHidden
	}
	return name, nil
}

// follow is the path from the folder to the target of a path in it, which may have symbolic links.
func follow(folder, rel string) (string, error) {
	from, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return "", err
	}
	to, err := filepath.EvalSymlinks(filepath.Join(folder, rel))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = fs.ErrNotExist // the error would name a place that a link leads to
		}
		return "", err
	}
	if from, err = filepath.Abs(from); err != nil {
		return "", err
	}
	if to, err = filepath.Abs(to); err != nil {
		return "", err
	}
	target, err := filepath.Rel(from, to)
	if err != nil || !filepath.IsLocal(target) {
		return "", ErrOutside
	}
	if hidden(target) {
		return "", ErrHidden
	}
	return target, nil
}

// Leaves reports whether a path in a folder leads elsewhere. A symbolic link on the way leads out of the
// folder, or to a hidden file. A link without a target does not count.
func Leaves(folder, rel string) bool {
	_, err := follow(folder, rel)
	return errors.Is(err, ErrOutside) || errors.Is(err, ErrHidden)
}

func hidden(path string) bool {
	for part := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if strings.HasPrefix(part, ".") && part != "." {
			return true
		}
	}
	return false
}
