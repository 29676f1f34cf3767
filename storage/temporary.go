package storage

import (
	"errors"
	"net"
	"strings"
)

// IsTemporary reports whether a failure may pass, so that the same may be tried again later. Such
// failures are a server that is busy, silent or out of reach, or a lock that another process holds.
func IsTemporary(err error) bool {
	if errors.As(err, new(*LockedError)) || errors.As(err, new(*SilenceError)) {
		return true
	}
	var status *StatusError
	if errors.As(err, &status) {
		return strings.HasPrefix(status.Found, "5") || strings.HasPrefix(status.Found, "429")
	}
	var lookup *net.DNSError
	if errors.As(err, &lookup) {
		return !lookup.IsNotFound
	}
	var network net.Error // errors of files are some, too
	return errors.As(err, new(*net.OpError)) || errors.As(err, &network) && network.Timeout()
}
