//go:build unix && !aix

package storage

import (
	"os"

	"golang.org/x/sys/unix"
)

// change is the system's record of changes of a file beside its size and its time of modification.
// These two can be set to earlier values.
type change struct {
	time           int64 // of the last change of any property, in nanoseconds
	links          uint64
	mode, uid, gid uint32
}

func changeOf(f *os.File) (change, error) {
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return change{}, os.NewSyscallError("fstat", err)
	}
	return change{st.Ctim.Nano(), uint64(st.Nlink), uint32(st.Mode), st.Uid, st.Gid}, nil
}

// content reports whether the change to now may be a change of the content: it has no other
// explanation.
func (c change) content(now change) bool {
	return c.time != now.time && c.links == now.links && c.mode == now.mode && c.uid == now.uid && c.gid == now.gid
}
