package torefs

import (
	"net/url"
	"path/filepath"
	"strings"

	"github.com/tgmconv/tgmconv/storage"
)

// Addresses returns the function that makes addresses of locations, for [Options].Place. Addresses
// stay as they are, and files of this machine become file:// addresses. With base, which is not
// empty, files in and below the folder first, and the file first itself, lie below that address.
func Addresses(first, base string) (func(location string) string, error) {
	folder, err := filepath.Abs(storage.LocalPath(first))
	if err != nil {
		return nil, err
	}
	return func(location string) string {
		path := storage.LocalPath(location)
		if path == "" {
			return location
		}
		absolute, err := filepath.Abs(path)
		if err != nil {
			return location
		}
		if base != "" {
			relative, err := filepath.Rel(folder, absolute)
			if relative == "." {
				relative = filepath.Base(absolute)
			}
			if err == nil && !strings.HasPrefix(relative, "..") {
				return strings.TrimRight(base, "/") + "/" + filepath.ToSlash(relative)
			}
		}
		return (&url.URL{Scheme: "file", Path: filepath.ToSlash(absolute)}).String()
	}, nil
}
