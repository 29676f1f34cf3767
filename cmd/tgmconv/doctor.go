package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/selftest"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/option"
)

func newDoctor() *cobra.Command {
	var asJSON bool
	var server string
	return cli.Verb{
		Use:   "doctor",
		Short: "List the codecs and formats of this build, and test them",
		Long: `List the codecs and formats of this build, and test them: arrays are encoded and decoded with every codec, tiny
GRIB and netCDF files are converted and read back, and a Zarr store of these is read. The exit code is 1 if a
test fails.

--server asks a running tgmconv serve whether it is ready, for health checks of containers.`,
		Example: "  tgmconv doctor\n  tgmconv doctor --json\n  tgmconv doctor --server http://127.0.0.1:8000",
		Words:   cobra.NoArgs,
		Options: func(s *option.Set) {
			cli.DeclareJSON(s, &asJSON)
			s.Text("server", &server, "address of a server to ask whether it is ready, instead of the tests")
		},
		OneOf: []string{"json", "server"},
		Run: func(cmd *cobra.Command, _ []string) error {
			if server != "" {
				return askServer(cmd, server)
			}
			return runDoctor(cmd, asJSON)
		},
	}.Command()
}

// serverPatience is how long a server may take to say that it is ready.
const serverPatience = 5 * time.Second

// askServer returns an error if a server is not ready.
func askServer(cmd *cobra.Command, address string) error {
	ctx, cancel := context.WithTimeout(cmd.Context(), serverPatience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(address, "/")+"/readyz", nil)
	if err != nil {
		return cli.Usagef("doctor: --server is %q, expected an address such as http://127.0.0.1:8000", address)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("%s: %w", address, errors.Unwrap(err))
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: not ready: %s", address, response.Status)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is ready\n", address)
	return err
}

func runDoctor(cmd *cobra.Command, asJSON bool) error {
	features, trials := selftest.Features(), selftest.Run(cmd.Context())
	failed := 0
	for _, t := range trials {
		if t.Err != nil {
			failed++
		}
	}
	show := showDoctor
	if asJSON {
		show = showDoctorJSON
	}
	if err := show(cmd.OutOrStdout(), features, trials); err != nil {
		return cli.Written(err)
	}
	if failed > 0 {
		return fmt.Errorf("doctor: %d of %d trials failed", failed, len(trials))
	}
	return nil
}

func showDoctor(w io.Writer, features []selftest.Feature, trials []selftest.Trial) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "tgmconv %s, wire version %d, %s/%s, %s\n\n", cli.Version(), catalog.WireVersion, runtime.GOOS, runtime.GOARCH, runtime.Version())
	for _, f := range features {
		fmt.Fprintf(out, "on   %-11s %s\n", f.Kind, f.Name)
	}
	fmt.Fprintln(out)
	for _, t := range trials {
		if t.Err != nil {
			fmt.Fprintf(out, "FAILED  %s: %v\n", t.Label, t.Err)
			continue
		}
		fmt.Fprintf(out, "ok      %s\n", t.Label)
	}
	return out.Flush()
}

func showDoctorJSON(w io.Writer, features []selftest.Feature, trials []selftest.Trial) error {
	featureList, trialList := []any{}, []any{}
	for _, f := range features {
		featureList = append(featureList, map[string]any{
			"name": f.Name, "kind": f.Kind, "state": "on", "backend": "go", "linkage": "static",
		})
	}
	for _, t := range trials {
		object := map[string]any{"label": t.Label, "outcome": "ok"}
		if t.Err != nil {
			object["outcome"], object["error"] = "failed", t.Err.Error()
		}
		trialList = append(trialList, object)
	}
	list := map[string]any{
		"build": map[string]any{
			"version": cli.Version(), "wire_version": catalog.WireVersion, "go": runtime.Version(),
			"target": runtime.GOOS + "/" + runtime.GOARCH, "cgo": buildSetting("CGO_ENABLED") == "1",
		},
		"features": featureList, "self_test": trialList,
	}
	return cli.WriteIndented(w, list)
}

// buildSetting is a setting the Go tool recorded in the program, "" if it did not.
func buildSetting(key string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
