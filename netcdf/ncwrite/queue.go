package ncwrite

import (
	"context"
	"sync"
)

// queue does work on several cores, the last step of each piece of work in the order in which the
// pieces came. It keeps a bounded number of them.
type queue struct {
	slots   chan struct{} // pieces that are begun and not over
	workers chan struct{} // pieces that are on a core

	mu   sync.Mutex
	jobs []*job // not over, in order
	busy bool   // a goroutine is at the last step of the first one
	err  error  // the first
	idle *sync.Cond
}

// job is a piece of work.
type job struct {
	last  func() error
	ready bool // for the last step
}

func newQueue(workers int) *queue {
	workers = max(1, workers)
	q := &queue{slots: make(chan struct{}, workers+2), workers: make(chan struct{}, workers)}
	q.idle = sync.NewCond(&q.mu)
	return q
}

// do runs first on any core and last in order. It returns before they are over, unless there is too
// much to do, and with the first error of an earlier last.
func (q *queue) do(ctx context.Context, first func(), last func() error) error {
	select {
	case q.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	j := &job{last: last}
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

// now runs last at once, if no work is before it, and reports whether it did.
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

// run runs last, with nothing before it. The caller holds the lock.
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

// finish does the last step of a job and of those that waited for it. One goroutine at a time does,
// for itself and the others.
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
