package cli

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/process"
	"github.com/tgmconv/tgmconv/storage"
)

// A command may take processor time, and memory for two cores, for each gigabyte that it may decode, see
// [workLimit]. With more cores more is decoded at a time. A GRIB file of 0.5 MB with some hundred packed
// fields was seen to take more than 8 s on a busy machine.
const (
	timePerWork   = 30 * time.Second
	memoryPerWork = 640 << 20
)

// spentGrace is how long a command may take to remove what it has begun to write. Nobody waits for it,
// unlike after a signal.
const spentGrace = 2 * time.Second

// spendingEvery is the time between two looks at time and memory.
const spendingEvery = 20 * time.Millisecond

// A spending bounds the processor time and the memory of a command by the size of its inputs,
// whatever it does with them.
type spending struct {
	stop  context.CancelCauseFunc
	since time.Duration // processor time that others took before
	over  chan struct{} // closed when the command has ended and the process goes on
}

// A SpentError says that a command took more than files of the size of its inputs need.
type SpentError struct {
	took      string
	input     string
	size      int64
	megabytes int64 // of --max-work that allow twice that
}

func (e *SpentError) Error() string {
	return fmt.Sprintf("%s: the work takes more than %s, the limit for inputs of %d bytes (--%s %d allows twice that)", e.input, e.took, e.size, maxWorkFlag, e.megabytes)
}

// WithSpending returns a context under which a command is bounded. Its cause is a [*SpentError] once the
// command has taken too much.
func WithSpending(ctx context.Context) context.Context {
	ctx, stop := context.WithCancelCause(ctx)
	s := SessionOf(ctx)
	s.Spending = &spending{stop, process.Time(), make(chan struct{})}
	return s.In(ctx)
}

// spendingOver ends the watch of a command after which the process goes on.
func spendingOver(ctx context.Context) {
	s := SessionOf(ctx).Spending
	close(s.over)
	s.stop(nil)
}

// watchSpending begins to look at the time and the memory that a command takes, if its inputs have a
// size, and no flag says how much it may take.
func watchSpending(cmd *cobra.Command, args []string) {
	s := SessionOf(cmd.Context()).Spending
	if s == nil || len(args) == 0 || slices.Contains(args, storage.Stdin) {
		return
	}
	for _, flag := range []string{maxArrayFlag, maxUnpackedFlag, MaxPointsFlag, MaxMemoryFlag} {
		if cmd.Flags().Changed(flag) {
			return
		}
	}
	// The current context: verbs set another context while the watch runs.
	sources, done := ClientOf(cmd).Sources, cmd.Context().Done()
	go func() {
		ticks := time.NewTicker(spendingEvery)
		defer ticks.Stop()
		for {
			select {
			case <-ticks.C:
			case <-done:
				return
			}
			size := sources.Size()
			if size == 0 {
				continue // nothing is read yet
			}
			work := workLimit(cmd, size)
			share := max(1, float64(work)/freeWork)
			most, memory := time.Duration(share*float64(timePerWork)), share*memoryPerWork*max(1, float64(runtime.GOMAXPROCS(0))/2)
			took := s.tookMoreThan(most, memory)
			if took != "" {
				debug.FreeOSMemory() // of what is in use, some may not be needed
				took = s.tookMoreThan(most, memory)
			}
			if took != "" {
				s.end(&SpentError{took, storage.Display(args[0]), size, work >> 19})
				return
			}
		}
	}()
}

// tookMoreThan names the limit that the command has exceeded.
func (s *spending) tookMoreThan(most time.Duration, memory float64) string {
	if process.Time()-s.since > most {
		return fmt.Sprintf("%.0f s of processor time", most.Seconds())
	}
	if float64(process.Memory()) > memory {
		return fmt.Sprintf("%.0f MB of memory", memory/(1<<20))
	}
	return ""
}

// end ends the command: in good order if it comes to that soon.
func (s *spending) end(err *SpentError) {
	s.stop(err)
	select {
	case <-time.After(spentGrace):
	case <-s.over:
		return
	}
	fmt.Fprintf(os.Stderr, "tgmconv: %v\n", err)
	os.Exit(ExitFailed)
}
