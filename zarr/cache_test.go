package zarr

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestCacheMakesEachValueOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCache(1<<20, 2)
		var made, running, most atomic.Int32
		fill := func() ([]byte, error) {
			made.Add(1)
			most.Store(max(most.Load(), running.Add(1)))
			time.Sleep(time.Second)
			running.Add(-1)
			return []byte("x"), nil
		}
		var wait sync.WaitGroup
		for i := range 100 {
			wait.Go(func() {
				if data, err := c.get(t.Context(), fmt.Sprint(i%10), fill); err != nil || string(data) != "x" {
					t.Errorf("%q, %v", data, err)
				}
			})
		}
		wait.Wait()
		if made.Load() != 10 || most.Load() != 2 {
			t.Errorf("%d values made, %d at a time; expected 10 and 2", made.Load(), most.Load())
		}
	})
}

func TestCacheForgetsTheOldest(t *testing.T) {
	c := newCache(3*(entryOverhead+101), 1)
	made := 0
	get := func(key string, size int) {
		t.Helper()
		if _, err := c.get(t.Context(), key, func() ([]byte, error) { made++; return make([]byte, size), nil }); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		key  string
		size int
		made int
	}{{"a", 100, 1}, {"b", 100, 2}, {"c", 100, 3}, {"a", 100, 3}, {"d", 100, 4}, {"a", 100, 4}, {"b", 100, 5}, {"e", 10_000, 6}, {"e", 10_000, 7}, {"b", 100, 7}} {
		if get(step.key, step.size); made != step.made {
			t.Errorf("after %s: %d made, expected %d", step.key, made, step.made)
		}
	}
	if c.size > c.limit || len(c.entries) != c.order.Len() {
		t.Errorf("%d bytes of %d, %d entries, %d in order", c.size, c.limit, len(c.entries), c.order.Len())
	}
}

func TestCacheKeepsNoErrors(t *testing.T) {
	c := newCache(1<<20, 1)
	trouble := errors.New("trouble")
	if _, err := c.get(t.Context(), "k", func() ([]byte, error) { return nil, trouble }); !errors.Is(err, trouble) {
		t.Error(err)
	}
	if data, err := c.get(t.Context(), "k", func() ([]byte, error) { return []byte("x"), nil }); err != nil || string(data) != "x" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestCacheWaitersLeaveWithTheirContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCache(1<<20, 1)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		fill := func() ([]byte, error) { time.Sleep(time.Minute); return []byte("x"), nil }
		if _, err := c.get(ctx, "k", fill); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, expected the end of the context", err)
		}
		start := time.Now()
		if data, err := c.get(t.Context(), "k", fill); err != nil || string(data) != "x" || time.Since(start) != 59*time.Second {
			t.Errorf("%q, %v after %v; expected to join what was under way", data, err, time.Since(start))
		}
	})
}
