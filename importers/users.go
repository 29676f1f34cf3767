package importers

import (
	"context"
	"sync"
)

// users are the contexts of all who use a thing together. The zero value is ready.
type users struct {
	mu     sync.Mutex
	active int
	ctx    context.Context // ends when all that were active have given up; nil before the first
	cancel context.CancelCauseFunc
}

// add adds a user until done is called, or its context ends.
func (u *users) add(ctx context.Context) (done func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.active++
	if u.ctx == nil || u.ctx.Err() != nil {
		u.ctx, u.cancel = context.WithCancelCause(context.Background())
	}
	if ctx.Done() == nil { // which costs less to look after
		left := false
		return func() {
			u.mu.Lock()
			defer u.mu.Unlock()
			if !left {
				left = true
				u.active--
			}
		}
	}
	stop := context.AfterFunc(ctx, func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		if u.active--; u.active == 0 {
			u.cancel(ctx.Err())
		}
	})
	return func() {
		if stop() {
			u.mu.Lock()
			defer u.mu.Unlock()
			u.active--
		}
	}
}

// context is the context of all active users.
func (u *users) context() context.Context {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ctx == nil {
		return context.Background()
	}
	return u.ctx
}
