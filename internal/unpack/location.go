package unpack

import (
	"os"
	"strings"

	"github.com/tgmconv/tgmconv/storage"
)

// Separator stands between an archive and the name of a member.
const Separator = "::"

// Split divides a location into an archive and the name of a member. ok is false if no member is named.
func Split(location string) (archive, member string, ok bool) {
	from := 0
	if storage.IsRemote(location) { // [::1] may be the host
		scheme := strings.Index(location, "://") + len("://")
		slash := strings.IndexByte(location[scheme:], '/')
		if slash < 0 {
			return location, "", false
		}
		from = scheme + slash
	}
	at := strings.Index(location[from:], Separator)
	if at < 0 {
		return location, "", false
	}
	if path := storage.LocalPath(location); path != "" {
		if _, err := os.Lstat(path); err == nil { // a strange name for a file, but one
			return location, "", false
		}
	}
	return location[:from+at], location[from+at+len(Separator):], true
}
