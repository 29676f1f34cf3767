package cli

import (
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
)

// A hangup is the effect of SIGHUP, unless the user turned it off with nohup. A closed terminal ends
// the work in good order. A server without a terminal, which nobody can close, looks at its inputs
// again.
type hangup struct {
	mu     sync.Mutex
	reload chan struct{} // nil ends the work
}

// NewHangup begins to wait for the signal. stop ends the work.
func NewHangup(stop func()) *hangup {
	h := new(hangup)
	if signal.Ignored(syscall.SIGHUP) {
		return h
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP)
	go func() {
		for range signals {
			h.mu.Lock()
			reload := h.reload
			h.mu.Unlock()
			if reload == nil {
				signal.Stop(signals) // a second one ends the program at once
				stop()
				return
			}
			select {
			case reload <- struct{}{}:
			default: // it is told already
			}
		}
	}()
	return h
}

// ReloadsOf returns a channel that tells when a server is to look at its inputs again; nil if it never
// is.
func ReloadsOf(cmd *cobra.Command) <-chan struct{} {
	h := SessionOf(cmd.Context()).Hangup
	if h == nil || terminal.Is(os.Stdin) || terminal.Is(os.Stdout) || terminal.Is(os.Stderr) {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reload = make(chan struct{}, 1)
	return h.reload
}
