package main

import (
	"context"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
	"github.com/tgmconv/tgmconv/internal/unpack"
)

// A session is what a run of a command has beside its flags.
type session struct {
	client   *unpack.Client // that its inputs and its output share
	progress *terminal.Progress
	spending *spending // nil if it is not bounded
	hangup   *hangup   // nil if the process has none
}

// sessionKey is the key of the session in the context of a command: cobra hands on nothing else.
type sessionKey struct{}

// sessionOf is the session of a context, which is empty if it has none.
func sessionOf(ctx context.Context) session {
	s, _ := ctx.Value(sessionKey{}).(session)
	return s
}

// in returns a context with the session.
func (s session) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}
