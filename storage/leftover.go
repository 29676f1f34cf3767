package storage

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// How long a temporary file must go without writes until its writer is taken for dead. Where new
// files have no name at first, they have a temporary name only for the moment in which they
// replace another file.
const (
	deadAfter        = 10 * time.Minute
	deadAfterUnnamed = time.Second
)

// RemoveLeftovers removes the temporary files in a local folder of writers that were killed. It is no
// error if there is no such folder.
func RemoveLeftovers(folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if name := e.Name(); !strings.HasPrefix(name, tempPrefix) || !strings.HasSuffix(name, tempSuffix) {
			continue
		}
		info, infoErr := e.Info()
		if infoErr != nil || !info.Mode().IsRegular() {
			continue // the file has got its name meanwhile
		}
		dead := deadAfter
		if f := createUnnamed(folder); f != nil {
			f.Close()
			dead = deadAfterUnnamed
		}
		if time.Since(info.ModTime()) > dead {
			err = errors.Join(err, os.Remove(filepath.Join(folder, e.Name())))
		}
	}
	return err
}
