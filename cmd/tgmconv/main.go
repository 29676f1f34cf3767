// Command tgmconv brings GRIB and netCDF data into Tensogram (.tgm) messages, looks into such
// files, checks them, and serves them to Zarr clients.
//
// What it prints and where:
//
//   - data and answers go to standard output, everything else to standard error;
//   - an error is one line, "tgmconv: file: what was read, where, what was expected", lower case
//     and without a full stop; a hint follows on a line of its own where one helps;
//   - the exit code is 0 when all went well, 1 when the work failed, 2 when the command line was
//     wrong, 3 when the work was done without inputs that are bad, 65 when an input changed while
//     it was read, 75 when trying again later may help, and 130 when the user interrupted it.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
)

func main() {
	cli.OwnCollector()
	ctx, stop := signal.NotifyContext(context.Background(), interrupts()...)
	context.AfterFunc(ctx, stop) // a second one ends the program at once
	disarm := context.AfterFunc(ctx, func() {
		time.Sleep(signalGrace)
		os.Stderr.WriteString("tgmconv: interrupted\n")
		os.Exit(cli.ExitInterrupted)
	})
	root, addVerbs := newRootFor(os.Args[1:])
	stderr := terminal.NewMessages(os.Stderr)
	root.SetErr(stderr)
	hang := cli.NewHangup(stop)
	code := run(cli.WithSpending(cli.Session{Hangup: hang, AddVerbs: addVerbs}.In(ctx)), root, os.Args[1:], stderr)
	disarm()
	stop()
	os.Exit(code)
}

// signalGrace is how long the work may take to end in good order after a signal. Service managers
// and users wait for about a second, of which ending the process takes some on a busy machine.
const signalGrace = 700 * time.Millisecond

// interrupts are the signals that end the work in good order; so does a closed terminal, see [hangup].
func interrupts() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }
