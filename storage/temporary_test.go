package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"syscall"
	"testing"
)

func TestIsTemporary(t *testing.T) {
	for _, test := range []struct {
		err  error
		want bool
	}{
		{nil, false}, {errors.New("x"), false}, {fs.ErrNotExist, false},
		{&LockedError{Location: "a"}, true}, {fmt.Errorf("a: %w", &SilenceError{1}), true},
		{&StatusError{Found: "503 Service Unavailable"}, true}, {&StatusError{Found: "429 Too Many Requests"}, true}, {&StatusError{Found: "404 Not Found"}, false},
		{&net.OpError{Op: "dial", Err: errors.New("connection refused")}, true},
		{&net.DNSError{Name: "nowhere", IsNotFound: true}, false}, {&net.DNSError{Name: "here", IsTemporary: true}, true},
		{errChanged, false}, {&fs.PathError{Op: "open", Path: "a", Err: syscall.ENOENT}, false},
	} {
		if got := IsTemporary(test.err); got != test.want {
			t.Errorf("%v: %v, expected %v", test.err, got, test.want)
		}
	}
}
