//go:build unix

package process

import (
	"syscall"
	"time"
)

// Time returns the processor time of the process, of all its threads and in the system.
func Time() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
