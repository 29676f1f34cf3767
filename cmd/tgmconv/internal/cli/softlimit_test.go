package cli

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// TestOwnCollector: the limit is above the memory in use, and falls again. It runs in a separate
// process, as other tests hold memory.
func TestOwnCollector(t *testing.T) {
	const child = "TGMCONV_OWN_COLLECTOR"
	if os.Getenv(child) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestOwnCollector$")
		cmd.Env = append(os.Environ(), child+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	t.Setenv("GOMEMLIMIT", "")
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	OwnCollector()
	LimitMemory(32 << 20)
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
	runtime.KeepAlive(held)
	held = nil
	becomes("below 100 MB", func(limit int64) bool { return limit < 100<<20 })
}
