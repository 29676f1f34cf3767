package storage

import (
	"regexp"
	"strings"
	"sync"
)

// Stdin is the location of standard input.
const Stdin = "-"

// scheme is the scheme of a location in lower case, empty for a local path.
func scheme(location string) string {
	s, _, ok := strings.Cut(location, "://")
	if !ok || strings.ContainsAny(s, `/\.`) {
		return ""
	}
	s = strings.ToLower(s)
	if name := otherSchemes[s]; name != "" {
		return name
	}
	return s
}

// otherSchemes are schemes by which other programs name object stores.
var otherSchemes = map[string]string{"s3a": "s3", "azure": "az", "abfs": "az", "abfss": "az"}

// IsRemote reports whether a location is an address and not a local path.
func IsRemote(location string) bool { return scheme(location) != "" && scheme(location) != "file" }

// LocalPath returns the path of a location on this machine, empty for others.
func LocalPath(location string) string {
	switch {
	case location == Stdin || IsRemote(location):
		return ""
	case scheme(location) == "file":
		return strings.TrimPrefix(location[len("file://"):], "localhost")
	}
	return location
}

// secretParameters are query parameters that give access to anyone who knows them.
var secretParameters = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)([?&](?:[^=&#]*(?:signature|token|credential|password|secret|api_?key)|sig|se|sp|key)=)[^&#]*`)
})

// Display returns a location for messages to users, without passwords and without the signatures of
// signed addresses.
func Display(location string) string {
	if location == Stdin {
		return "standard input"
	}
	if scheme(location) == "" {
		return location
	}
	before, rest, _ := strings.Cut(location, "://")
	authority := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority = rest[:i]
	}
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		if user, _, secret := strings.Cut(authority[:at], ":"); secret {
			location = before + "://" + user + ":***" + rest[at:]
		}
	}
	return secretParameters().ReplaceAllString(location, "${1}***")
}

// splitBucket divides the part of an object's location after the scheme: "bucket/key".
func splitBucket(location string) (bucket, key string) {
	_, rest, _ := strings.Cut(location, "://")
	bucket, key, _ = strings.Cut(rest, "/")
	return bucket, key
}
