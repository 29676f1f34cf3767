package importers

import (
	"context"
	"testing"
)

// A thing used together ends when all its users have given up. A user who cannot give up keeps it until it is
// done, and counts once.
func TestUsers(t *testing.T) {
	var u users
	done := u.add(context.Background())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	u.add(ctx)
	done()
	done()
	shared := u.context()
	if u.active != 1 || shared.Err() != nil {
		t.Fatalf("%d users, %v; expected 1", u.active, shared.Err())
	}
	cancel()
	<-shared.Done()
}
