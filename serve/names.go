package serve

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tgmconv/tgmconv/internal/catalog"
)

// objectName is the name of object j.
func objectName(base map[string]any, j int, rename func(map[string]any) string) string {
	if rename != nil {
		if name := rename(base); name != "" {
			return name
		}
	}
	return catalog.ObjectName(base, j)
}

// maxName bounds names in bytes, because file systems and URLs do.
const maxName = 200

// nodeName makes a valid node name of any text (section "Node names"). Clients can put it in a URL as it is:
// "/" and "\" become "_" as in the reference's store, and so do "?", "#", "%" and characters that do not
// print.
func nodeName(text string) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\?#%`, r) || r == utf8.RuneError || !unicode.IsPrint(r) {
			return '_'
		}
		return r
	}, text)
	for len(name) > maxName {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	// Names of periods alone, and names that begin with two underscores, are not allowed; zarr.json is a
	// document.
	switch {
	case strings.Trim(name, ".") == "":
		return "_" + name
	case strings.HasPrefix(name, "__"):
		return "_" + strings.TrimLeft(name, "_")
	case name == "zarr.json":
		return "_" + name
	}
	return name
}
