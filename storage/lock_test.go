package storage

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// lockPlaces are locations of locks: one local, and one in each object store.
func lockPlaces(t *testing.T) []string {
	newFakeStore(t)
	return []string{filepath.Join(t.TempDir(), "new", "x.lock"), "s3://bucket/x.lock", "gs://bucket/x/y.lock", "az://bucket/x.lock"}
}

func TestLockOneAtATime(t *testing.T) {
	for _, place := range lockPlaces(t) {
		var held, total atomic.Int32
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				c := &Client{renewEvery: time.Minute}
				defer c.Close()
				for range 3 {
					l, err := c.Lock(t.Context(), place, LockOptions{Wait: time.Minute})
					if err != nil {
						t.Error(place, err)
						return
					}
					if n := held.Add(1); n != 1 {
						t.Errorf("%s: %d hold the lock", place, n)
					}
					total.Add(1)
					time.Sleep(time.Millisecond)
					held.Add(-1)
					if l.Unsure() || l.Left() != "" {
						t.Errorf("%s: unsure %t, left %q", place, l.Unsure(), l.Left())
					}
					if err := l.Unlock(); err != nil {
						t.Error(place, err)
					}
				}
			})
		}
		group.Wait()
		if total.Load() != 12 {
			t.Errorf("%s: held %d times", place, total.Load())
		}
	}
}

func TestLockSaysWhoHoldsIt(t *testing.T) {
	for _, place := range lockPlaces(t) {
		var c Client
		l, err := c.Lock(t.Context(), place, LockOptions{})
		if err != nil {
			t.Fatal(place, err)
		}
		said := 0
		_, err = c.Lock(t.Context(), place, LockOptions{Wait: 100 * time.Millisecond, Waiting: func(*LockedError) { said++ }})
		locked, ok := errors.AsType[*LockedError](err)
		if !ok || !strings.Contains(locked.Error(), fmt.Sprintf("%s: locked by process %d on ", place, os.Getpid())) || said != 1 {
			t.Errorf("%s: a second time: %v, said %d times", place, err, said)
		}
		if err := l.Check(t.Context()); err != nil {
			t.Errorf("%s: %v", place, err)
		}
		if err := l.Unlock(); err != nil {
			t.Errorf("%s: %v", place, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		l, err = c.Lock(ctx, place, LockOptions{})
		if err != nil {
			t.Fatalf("%s: after Unlock: %v", place, err)
		}
		cancel()
		if _, err := c.Lock(ctx, place, LockOptions{Wait: time.Hour}); err == nil {
			t.Errorf("%s: taken twice", place)
		}
		if err := l.Unlock(); err != nil {
			t.Errorf("%s: %v", place, err)
		}
	}
}

// A lease that is not renewed is taken over, and its holder is told.
func TestLeaseTakenOver(t *testing.T) {
	for _, place := range lockPlaces(t)[1:] {
		c := &Client{renewEvery: 50 * time.Millisecond}
		dead, err := c.Lock(t.Context(), place, LockOptions{})
		if err != nil {
			t.Fatal(place, err)
		}
		if err := dead.Note("half done"); err != nil {
			t.Error(place, err)
		}
		if _, err := c.Lock(t.Context(), place, LockOptions{Wait: 500 * time.Millisecond}); err == nil {
			t.Errorf("%s: taken from a holder that renews it", place)
		}
		dead.keeper.(*lease).stop() // as if the process had ended
		<-dead.keeper.(*lease).ended
		next, err := c.Lock(t.Context(), place, LockOptions{Wait: time.Minute})
		if err != nil {
			t.Fatal(place, err)
		}
		if next.Left() != "half done" {
			t.Errorf("%s: left %q", place, next.Left())
		}
		time.Sleep(100 * time.Millisecond)
		if err := dead.Check(t.Context()); err == nil {
			t.Errorf("%s: the former holder is not told", place)
		}
		if err := next.Unlock(); err != nil {
			t.Error(place, err)
		}
	}
}

func TestLockUnsure(t *testing.T) {
	store := newFakeStore(t)
	store.IgnoreConditions()
	var c Client
	for _, place := range []string{"s3://bucket/x", "gs://bucket/x", "az://bucket/x"} {
		l, err := c.Lock(t.Context(), place, LockOptions{})
		if err != nil || !l.Unsure() {
			t.Fatalf("%s: a server without conditions: %v", place, err)
		}
		if err := l.Unlock(); err != nil {
			t.Error(place, err)
		}
	}
}

// A process that is killed leaves its note and no lock.
func TestLockAfterKill(t *testing.T) {
	if place := os.Getenv("TGMCONV_TEST_LOCK"); place != "" {
		l, err := new(Client).Lock(t.Context(), place, LockOptions{})
		if err == nil {
			err = l.Note("half done")
		}
		fmt.Println("held", err)
		time.Sleep(time.Hour)
	}
	place := filepath.Join(t.TempDir(), "x.lock")
	child := exec.Command(os.Args[0], "-test.run=^TestLockAfterKill$")
	child.Env = append(os.Environ(), "TGMCONV_TEST_LOCK="+place)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "held <nil>\n" {
		t.Fatal(line, err)
	}
	var c Client
	_, err = c.Lock(t.Context(), place, LockOptions{})
	if locked, ok := errors.AsType[*LockedError](err); !ok || !strings.Contains(locked.Holder, fmt.Sprint("process ", child.Process.Pid)) {
		t.Errorf("while the process runs: %v", err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	l, err := c.Lock(t.Context(), place, LockOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if l.Left() != "half done" {
		t.Errorf("left %q", l.Left())
	}
	if err := l.Unlock(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(place); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after Unlock: %v", err)
	}
}

// Where the file system has no locks, a file says who has it.
func TestBareLock(t *testing.T) {
	place := filepath.Join(t.TempDir(), "x.lock")
	bare := func() *localLock { return &localLock{path: place + "-holder", bare: true} }
	first, second := newLockText(), newLockText()
	holder := bare()
	if _, err := holder.take(t.Context(), &first); err != nil {
		t.Fatal(err)
	}
	if _, err := bare().take(t.Context(), &second); err == nil {
		t.Error("taken twice")
	}
	if err := holder.release(); err != nil {
		t.Error(err)
	}
	ended := exec.Command(os.Args[0], "-test.run=^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	first.PID, first.Note = ended.Process.Pid, "half done"
	if _, err := holder.take(t.Context(), &first); err != nil {
		t.Fatal(err)
	}
	if left, err := bare().take(t.Context(), &second); err != nil || left != "half done" {
		t.Errorf("after a process that has ended: %q, %v", left, err)
	}
}

func TestLockName(t *testing.T) {
	for location, want := range map[string]string{
		"a.tgm":                   ".a.tgm.tgmconv-lock",
		"s3://bucket/day/all.tgm": "s3://bucket/day/.all.tgm.tgmconv-lock",
	} {
		if got := LockName(location); got != want {
			t.Errorf("%s: %s", location, got)
		}
	}
}
