package cli

import (
	"context"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
	"github.com/tgmconv/tgmconv/internal/unpack"
)

// A Session is the state of a run of a command beside its flags.
type Session struct {
	Client   *unpack.Client // that its inputs and its output share
	Progress *terminal.Progress
	Spending *spending // nil if it is not bounded
	Hangup   *hangup   // nil if the process has none
	AddVerbs func()    // adds the verbs that the command line does not name, nil if the tree has them
}

// sessionKey is the key of the session in the context of a command: cobra hands on nothing else.
type sessionKey struct{}

// SessionOf is the session of a context, which is empty if it has none.
func SessionOf(ctx context.Context) Session {
	s, _ := ctx.Value(sessionKey{}).(Session)
	return s
}

// In returns a context with the session.
func (s Session) In(ctx context.Context) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}
