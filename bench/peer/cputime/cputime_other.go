//go:build !unix

package cputime

import "time"

// Used returns the time since the process started.
func Used() time.Duration { return time.Since(started) }
