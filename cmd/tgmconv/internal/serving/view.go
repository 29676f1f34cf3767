package serving

import (
	"fmt"
	"os/exec"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/safetext"
)

// NewView returns the verb view.
func NewView() *cobra.Command {
	f := newServeFlags()
	f.addr = "127.0.0.1:0"
	var noOpen bool
	return cli.Verb{
		Use:   "view [flags] FILE|FOLDER|ADDRESS...",
		Short: "Show maps of the fields of files in a browser",
		Long: `Show the fields of files as maps in a browser: on any grid, flat or as a globe, step by step, with series and
profiles at places. Press Ctrl-C to stop. The page is served on a free port, only for browsers on this machine;
tgmconv serve shows the same page to others.`,
		Example: `  tgmconv view forecast.tgm
  tgmconv view --watch archive/
  tgmconv view --no-open gfs.grib2`,
		Options: func(s *option.Set) {
			s.Bool("no-open", &noOpen, "print the address, and open no browser")
			f.declareShown(s)
		},
		Run: func(cmd *cobra.Command, args []string) error {
			if !noOpen {
				f.opened = func(address string) { openBrowser(cmd, address) }
			}
			return f.run(cmd, args)
		},
	}.Command()
}

// Browser is the command that opens an address in the browser of the user.
func Browser(system, address string) (name string, args []string) {
	switch system {
	case "windows":
		return "rundll32", []string{"url.dll,FileProtocolHandler", address}
	case "darwin":
		return "open", []string{address}
	}
	return "xdg-open", []string{address}
}

// openBrowser opens an address, and says so if it cannot: the server goes on.
func openBrowser(cmd *cobra.Command, address string) {
	name, args := Browser(runtime.GOOS, address)
	run := exec.Command(name, args...) // which may go on as the browser when this command ends
	if err := run.Start(); err != nil {
		cli.Warn(cmd, fmt.Sprintf("no browser was opened: %s; the address is %s", safetext.Line(err.Error()), address))
		return
	}
	go func() {
		if err := run.Wait(); err != nil && cmd.Context().Err() == nil {
			cli.Warn(cmd, fmt.Sprintf("no browser was opened: %s: %s; the address is %s", name, safetext.Line(err.Error()), address))
		}
	}()
}
