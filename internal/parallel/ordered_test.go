package parallel

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

func upTo(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i++ {
		}
	}
}

// yields gives other goroutines a random number of turns.
func yields() {
	for range rand.IntN(20) {
		runtime.Gosched()
	}
}

// Results come in order, whatever order the work ends in, and no more is begun than the window lets.
func TestOrdered(t *testing.T) {
	for _, w := range []Window[int]{
		{}, {Workers: 1}, {Workers: 4}, {Workers: 3, Ahead: 5},
		{Workers: 4, Memory: 10, Bytes: func(i int) int64 { return int64(i % 14) }},
	} {
		var mu sync.Mutex
		begun, over, held := 0, 0, int64(0)
		work := func(_ context.Context, i int) (int, error) {
			mu.Lock()
			begun++
			held += w.bytes(i)
			if n := begun - over; w.Workers > 0 && n > w.Workers+w.Ahead+2 {
				t.Errorf("%+v: %d items are begun and not over", w, n)
			}
			if held > w.Memory {
				t.Errorf("%+v: items of %d bytes are begun", w, held)
			}
			mu.Unlock()
			yields()
			return 2 * i, nil
		}
		n := 0
		for v, err := range Ordered(context.Background(), upTo(200), w, work) {
			if v != 2*n || err != nil {
				t.Fatalf("%+v: result %d is %d, %v", w, n, v, err)
			}
			yields()
			mu.Lock()
			over++
			held -= w.bytes(n)
			mu.Unlock()
			n++
		}
		if n != 200 {
			t.Errorf("%+v: %d results", w, n)
		}
	}
}

// The error of the first failed item comes first, after the results before it. Nothing is at work
// when the iteration is over.
func TestOrderedError(t *testing.T) {
	for range 100 {
		var busy atomic.Int32
		n, failed := 0, error(nil)
		for v, err := range Ordered(context.Background(), upTo(100), Window[int]{Workers: 4, Ahead: 4}, func(ctx context.Context, i int) (int, error) {
			busy.Add(1)
			defer busy.Add(-1)
			yields()
			if i%7 == 5 {
				return 0, errors.New(string(rune('a' + i)))
			}
			return i, nil
		}) {
			if failed = err; err != nil {
				break
			}
			if v != n {
				t.Fatalf("result %d is %d", n, v)
			}
			n++
		}
		if n != 5 || failed == nil || failed.Error() != "f" {
			t.Fatalf("%d results, error %v", n, failed)
		}
		if b := busy.Load(); b != 0 {
			t.Fatalf("%d items are at work still", b)
		}
	}
}

// The end of the context ends work that waits for it, and is the last that is yielded.
func TestOrderedCancel(t *testing.T) {
	for _, after := range []int{0, 3} {
		ctx, cancel := context.WithCancel(context.Background())
		n, errs := 0, 0
		for _, err := range Ordered(ctx, upTo(100), Window[int]{Workers: 2}, func(ctx context.Context, i int) (int, error) {
			if i == after {
				cancel()
			}
			if i >= after {
				<-ctx.Done()
			}
			return i, ctx.Err()
		}) {
			if err == nil {
				n++
			} else if errs++; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
		if n > after || errs != 1 {
			t.Errorf("cancelled at %d: %d results, %d errors", after, n, errs)
		}
	}
}

func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		seen := make([]atomic.Int32, n)
		Each(n, func(i int) { seen[i].Add(1) })
		for i := range seen {
			if seen[i].Load() != 1 {
				t.Fatalf("item %d of %d: done %d times", i, n, seen[i].Load())
			}
		}
	}
}
