//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// usage is how much of the machine a command took.
type usage struct {
	Memory int64         // bytes, at most
	Time   time.Duration // of the processor
	Signal syscall.Signal
}

// limits end a command that takes more. Zero is no limit.
type limits struct {
	time     time.Duration
	fileSize int64
}

// measured is a command that runs another one and writes its usage to a file:
//
//	measured FILE SECONDS BYTES COMMAND [ARGUMENT ...]
//
// The system counts for a child what its parent had when it was started. This command is small;
// the test that asks for it is not.
func measured() {
	seconds, err1 := strconv.ParseUint(os.Args[2], 10, 64)
	size, err2 := strconv.ParseUint(os.Args[3], 10, 64)
	limit := func(resource int, most uint64) error {
		return syscall.Setrlimit(resource, &syscall.Rlimit{Cur: most, Max: most})
	}
	err := errors.Join(err1, err2, limit(syscall.RLIMIT_CPU, seconds), limit(syscall.RLIMIT_FSIZE, size))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	cmd := exec.Command(os.Args[4], os.Args[5:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	if cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	u := usage{Time: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if rusage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.Memory = int64(rusage.Maxrss) << 10 // 32 bits on some machines
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		u.Signal = status.Signal()
	}
	text, err := json.Marshal(u)
	if err == nil {
		err = os.WriteFile(os.Args[1], text, 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if u.Signal != 0 {
		os.Exit(1)
	}
	os.Exit(cmd.ProcessState.ExitCode())
}

// measure runs a command under limits. How it ends is not looked at.
func measure(t *testing.T, cmd *exec.Cmd, l limits) (u usage) {
	t.Helper()
	helper, err := exec.LookPath("measured")
	if err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(t.TempDir(), "usage.json")
	seconds, size := uint64(math.MaxUint64), uint64(math.MaxUint64)
	if l.time != 0 {
		seconds = uint64(l.time / time.Second)
	}
	if l.fileSize != 0 {
		size = uint64(l.fileSize)
	}
	cmd.Args = append([]string{helper, report, fmt.Sprint(seconds), fmt.Sprint(size)}, cmd.Args...)
	cmd.Path = helper
	ended := cmd.Run()
	text, err := os.ReadFile(report)
	if err == nil {
		err = json.Unmarshal(text, &u)
	}
	if err != nil || u.Memory == 0 {
		t.Fatalf("%v: not measured: %v, %v", cmd.Args, err, ended)
	}
	return u
}

// peakMemory runs a command, which must succeed, and returns how many bytes of memory it had at most.
func peakMemory(t *testing.T, cmd *exec.Cmd) int64 {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	u := measure(t, cmd, limits{})
	if !cmd.ProcessState.Success() {
		t.Errorf("%v: %v, signal %d: %s", cmd.Args, cmd.ProcessState, u.Signal, &stderr)
	}
	return u.Memory
}
