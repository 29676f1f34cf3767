//go:build !unix

package process

import "time"

var started = time.Now()

// Time returns how long the process has run, where the system has no count of its processor time.
func Time() time.Duration { return time.Since(started) }
