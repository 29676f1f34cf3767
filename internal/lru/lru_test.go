package lru

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
)

func newTestCache(limit int64, secondUse bool) *Cache[string] {
	return New(Options[string]{
		Limit: limit, SecondUse: secondUse,
		Cost: func(_, value string) int64 { return int64(len(value)) },
	})
}

func TestCacheDropsWhatWasUsedLongestAgo(t *testing.T) {
	c := newTestCache(3, false)
	put := func(key, value string) {
		if got, err := c.Get(context.Background(), key, func() (string, error) { return value, nil }); err != nil || got != value {
			t.Fatalf("%q, %v", got, err)
		}
	}
	put("a", "1")
	put("b", "2")
	put("c", "3")
	c.Lookup("a")
	put("d", "4")
	for key, want := range map[string]bool{"a": true, "b": false, "c": true, "d": true} {
		if _, ok := c.Lookup(key); ok != want {
			t.Errorf("%s is kept: %v, expected %v", key, ok, want)
		}
	}
	put("large", "12345")
	if _, ok := c.Lookup("large"); ok || c.Size() != 3 {
		t.Errorf("a value larger than the cache is kept: %v; size %d, expected 3", ok, c.Size())
	}
	put("e", "456")
	if c.Size() != 3 {
		t.Errorf("size %d, expected 3", c.Size())
	}
}

// Repeated walks over more than the cache holds keep a part of it, until nobody asks for it any
// more.
func TestCacheKeepsPartOfAWalk(t *testing.T) {
	c := newTestCache(3, true)
	made := 0
	ask := func(keys string) {
		for _, key := range keys {
			c.Get(context.Background(), string(key), func() (string, error) { made++; return "v", nil })
		}
	}
	ask("abcdefabcdef")
	made = 0
	ask("abcdef")
	if made != 3 {
		t.Errorf("a walk over six values made %d of them, expected 3", made)
	}
	for range 200 {
		ask("xyz")
	}
	made = 0
	ask("xyz")
	if made != 0 {
		t.Errorf("%d of three values are made again however often they are asked for", made)
	}
}

// Take says who else has a value.
func TestCacheTake(t *testing.T) {
	c := newTestCache(10, true)
	for use, wantOwn := range []bool{true, false, false} {
		_, own, err := c.Take(context.Background(), "k", func() (string, error) { return "v", nil })
		if err != nil || own != wantOwn {
			t.Errorf("use %d: own %v, %v, expected %v", use, own, err, wantOwn)
		}
	}
}

func TestCacheAdmitsOnSecondUse(t *testing.T) {
	c := newTestCache(10, true)
	var made int
	for use, wantMade := range []int{1, 2, 2} {
		if _, err := c.Get(context.Background(), "k", func() (string, error) { made++; return "v", nil }); err != nil {
			t.Fatal(err)
		}
		if made != wantMade {
			t.Errorf("use %d: made %d times, expected %d", use, made, wantMade)
		}
	}
	// The keys known are bounded too.
	for i := range 2 * askedKeys {
		c.Get(context.Background(), strconv.Itoa(i), func() (string, error) { return "v", nil })
	}
	if n := c.asked.Len(); n != askedKeys {
		t.Errorf("%d keys are known, expected %d", n, askedKeys)
	}
}

func TestCacheMakesAValueOnce(t *testing.T) {
	c := newTestCache(10, false)
	var made atomic.Int32
	release := make(chan struct{})
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			c.Get(context.Background(), "k", func() (string, error) {
				made.Add(1)
				<-release
				return "v", nil
			})
		})
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Get(canceled, "k", func() (string, error) { made.Add(1); <-release; return "v", nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled Get gives %v", err)
	}
	close(release)
	all.Wait()
	if made.Load() != 1 {
		t.Errorf("made %d times, expected once", made.Load())
	}
}

func TestCacheKeepsNoErrors(t *testing.T) {
	c := newTestCache(10, false)
	broken := errors.New("broken")
	if _, err := c.Get(context.Background(), "k", func() (string, error) { return "", broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if got, err := c.Get(context.Background(), "k", func() (string, error) { return "v", nil }); err != nil || got != "v" {
		t.Errorf("%q, %v after an error", got, err)
	}
}
