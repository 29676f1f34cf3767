package archive

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/tgmconv/tgmconv/storage"
)

// Relative returns a text about the files, such as the place of an object, with shorter names. They are
// relative to the single folder of the archive, or beside the inputs if these are several, or files. Readers
// of a server's files need not know where they lie on it.
func (a *Archive) Relative(text string) string {
	for _, folder := range a.folders() {
		text = cutFolder(text, folder)
	}
	return text
}

// folders are the paths of folders that are cut off names, each with a separator at its end.
func (a *Archive) folders() []string {
	a.foldersOnce.Do(func() {
		seen := make(map[string]bool)
		add := func(folder string) {
			if folder = strings.TrimSuffix(folder, string(filepath.Separator)); folder != "" && folder != "." && !seen[folder] {
				seen[folder] = true
				a.cutFolders = append(a.cutFolders, folder+string(filepath.Separator))
			}
		}
		for _, name := range a.names {
			path := storage.LocalPath(holderOf(name))
			if path == "" {
				continue
			}
			folder := filepath.Dir(path)
			if st, err := os.Stat(path); err == nil && st.IsDir() && len(a.names) == 1 {
				folder = filepath.Clean(path)
			}
			if full := absolute(folder); full != folder {
				add(full)
			}
			add(folder)
		}
	})
	return a.cutFolders
}

// cutFolder is a text without the path of a folder before names.
func cutFolder(text, folder string) string {
	var out strings.Builder
	for {
		i := strings.Index(text, folder)
		if i < 0 {
			break
		}
		out.WriteString(text[:i])
		if i > 0 && strings.IndexByte(" \t\n\"'(=[,;", text[i-1]) < 0 || i == 0 && out.Len() > 0 {
			out.WriteString(folder) // the end of another name
		}
		text = text[i+len(folder):]
	}
	out.WriteString(text)
	return out.String()
}
