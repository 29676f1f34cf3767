package ncwrite

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// queue does work on several cores. The last steps of the pieces of work are done in the order in
// which the pieces came. It keeps a bounded number of them, and of their bytes.
type queue struct {
	slots   chan struct{} // pieces that are begun and not over
	workers chan struct{} // pieces that are on a core

	limit  int64               // the bytes of pieces that are begun and not over; a single piece may have more
	memory *semaphore.Weighted // counts these bytes

	mu   sync.Mutex
	jobs []*job // not over, in order
	busy bool   // a goroutine is at the last step of the first job
	err  error  // the first
	idle *sync.Cond
}

// job is a piece of work.
type job struct {
	bytes int64
	last  func() error
	ready bool // for the last step
}

// Bounds of the bytes that pieces of work that are not over may take. Each worker can have a chunk
// of 8 MB in hand, as much for its result, and another chunk at hand.
const (
	leastQueued  = 64 << 20
	workerQueued = 32 << 20
)

func newQueue(workers int) *queue {
	workers = max(1, workers)
	limit := max(leastQueued, int64(workers)*workerQueued)
	q := &queue{slots: make(chan struct{}, workers+2), workers: make(chan struct{}, workers), limit: limit, memory: semaphore.NewWeighted(limit)}
	q.idle = sync.NewCond(&q.mu)
	return q
}

// do runs the function first on any core, and the function last in order. The two take about the
// given bytes of memory. The method returns before they have ended, unless there is too much to do,
// and returns the first error of an earlier last.
func (q *queue) do(ctx context.Context, bytes int64, first func(), last func() error) error {
	bytes = min(bytes, q.limit)
	if err := q.memory.Acquire(ctx, bytes); err != nil {
		return err
	}
	select {
	case q.slots <- struct{}{}:
	case <-ctx.Done():
		q.memory.Release(bytes)
		return ctx.Err()
	}
	j := &job{bytes: bytes, last: last}
	q.mu.Lock()
	q.jobs = append(q.jobs, j)
	err := q.err
	q.mu.Unlock()
	go func() {
		q.workers <- struct{}{}
		first()
		<-q.workers
		q.finish(j)
	}()
	return err
}

// now runs the function last at once, if no work is before it, and reports whether it did.
func (q *queue) now(last func() error) (done bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err != nil {
		return true, q.err
	}
	if q.busy || len(q.jobs) > 0 {
		return false, nil
	}
	return true, q.run(last)
}

// run runs the function last, with no work before it. The caller holds the lock.
func (q *queue) run(last func() error) error {
	q.busy = true
	q.mu.Unlock()
	err := last()
	q.mu.Lock()
	q.err = err
	q.drain()
	return err
}

// after runs last when all work before it is over.
func (q *queue) after(last func() error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.busy || len(q.jobs) > 0 {
		q.idle.Wait()
	}
	if q.err != nil {
		return q.err
	}
	return q.run(last)
}

// finish does the last step of a job and of the jobs that waited for it. One goroutine at a time
// does this, also for the jobs of others.
func (q *queue) finish(j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j.ready = true
	if q.busy {
		return
	}
	q.drain()
}

// drain does the last steps that are due. The caller holds the lock.
func (q *queue) drain() {
	q.busy = true
	for len(q.jobs) > 0 && q.jobs[0].ready {
		head := q.jobs[0]
		q.jobs = q.jobs[1:]
		if q.err == nil {
			q.mu.Unlock()
			err := head.last()
			q.mu.Lock()
			q.err = err
		}
		q.memory.Release(head.bytes)
		<-q.slots
	}
	q.busy = false
	q.idle.Broadcast()
}

// wait returns when all work is over, with the first error. Nothing may be added meanwhile.
func (q *queue) wait() error {
	for range cap(q.slots) {
		q.slots <- struct{}{}
	}
	for range cap(q.slots) {
		<-q.slots
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.err
}
