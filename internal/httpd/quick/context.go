package quick

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"
)

// A requestContext is the context of a request, which is done when the client has gone away, or the
// request was answered. The connection is watched only if somebody waits for that.
type requestContext struct {
	context.Context // its values, and no deadline
	conn            *conn

	mu      sync.Mutex
	done    chan struct{} // nil until somebody asks for it
	err     error
	watched chan error // gets what watching ended with; nil if the connection is not watched
}

// Done implements context.Context.
func (x *requestContext) Done() <-chan struct{} {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.done == nil {
		x.done = make(chan struct{})
		if x.err != nil {
			close(x.done)
		} else {
			x.watched = make(chan error, 1)
			go x.watch(x.watched)
		}
	}
	return x.done
}

// Err implements context.Context.
func (x *requestContext) Err() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.err
}

// cancel ends the context.
func (x *requestContext) cancel() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.err == nil {
		x.err = context.Canceled
		if x.done != nil {
			close(x.done)
		}
	}
}

// watch reads until something comes, which is kept for the next request, or the client has gone away.
func (x *requestContext) watch(watched chan<- error) {
	n, err := x.conn.TCPConn.Read(x.conn.in[:])
	if n > 0 {
		x.conn.ahead, err = n, nil
	} else {
		x.cancel()
	}
	watched <- err
}

// end ends the context after the request was answered. It reports whether the connection is still
// there.
func (x *requestContext) end() (alive bool) {
	x.cancel()
	x.mu.Lock()
	watched := x.watched
	x.mu.Unlock()
	if watched == nil {
		return true
	}
	c := x.conn
	_ = c.SetReadDeadline(time.Unix(1, 0)) // ends the watching; an error means that it has ended
	if err := <-watched; err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return false
	}
	c.deadline = time.Now().Add(c.server.IdleTimeout)
	return c.SetReadDeadline(c.deadline) == nil
}
