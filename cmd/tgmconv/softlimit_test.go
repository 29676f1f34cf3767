package main

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// TestRaiseLimit: the limit is above what is in use, which is also of other tests, and falls again.
func TestRaiseLimit(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "")
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	limitMemory(32 << 20)
	raiseLimit()
	becomes := func(what string, ok func(limit int64) bool) {
		t.Helper()
		for deadline := time.Now().Add(10 * time.Second); ; {
			runtime.GC()
			limit := debug.SetMemoryLimit(-1)
			if ok(limit) {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("the limit is %d, expected %s", limit, what)
			}
			time.Sleep(time.Millisecond)
		}
	}
	held := make([]byte, 200<<20)
	becomes("above 200 MB", func(limit int64) bool { return limit > int64(len(held)) })
	high := debug.SetMemoryLimit(-1)
	runtime.KeepAlive(held)
	held = nil
	becomes("100 MB less", func(limit int64) bool { return limit < high-100<<20 })
}
