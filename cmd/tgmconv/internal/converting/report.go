package converting

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/parts"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/storage"
)

// A runReport is the file of --report: a line for each output that was to be made, as soon as it is.
// Nil is no report.
type runReport struct {
	mu   sync.Mutex
	file *os.File
	err  error // of the first line that could not be written
}

// openRunReport opens the file of --report. A command that watches adds to it in each round.
func openRunReport(b *batch) (*runReport, error) {
	if b.report == "" {
		return nil, nil
	}
	if storage.IsRemote(b.report) || b.report == storage.Stdin {
		return nil, cli.Usagef("--report is %q, expected a local file: lines are added while the command runs", storage.Display(b.report))
	}
	how := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	if b.round != nil {
		how = os.O_CREATE | os.O_WRONLY | os.O_APPEND
	}
	f, err := os.OpenFile(b.report, how, 0o666)
	if err != nil {
		return nil, fmt.Errorf("--report %w", err)
	}
	return &runReport{file: f}, nil
}

// A reportedOutput is an output in a line of the report.
type reportedOutput struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	Hash string `json:"sha256"`
}

// A reportLine reports the result of a job.
type reportLine struct {
	Inputs  []string         `json:"inputs"`
	Outputs []reportedOutput `json:"outputs"`
	State   string           `json:"state"`
	In      int64            `json:"bytes_in"`
	Out     int64            `json:"bytes_out"`
	Fields  int              `json:"fields"`
	Seconds float64          `json:"seconds"`
	Error   string           `json:"error,omitempty"`
}

// measure reads the outputs of a job for their hashes.
func (r *runReport) measure(ctx context.Context, result *jobResult) error {
	if r == nil {
		return nil
	}
	client := new(storage.Client)
	defer client.Close()
	for _, name := range result.names {
		o, err := parts.Measure(ctx, client, name)
		if err != nil {
			return err
		}
		o.Key = name
		result.outputs = append(result.outputs, o)
	}
	return nil
}

// add adds the line of a job.
func (r *runReport) add(result *jobResult) {
	if r == nil {
		return
	}
	line := &reportLine{Outputs: []reportedOutput{}, State: "done", Seconds: result.seconds, In: importers.SizeOf(result.job.inputs)}
	for _, in := range result.job.inputs {
		line.Inputs = append(line.Inputs, storage.Display(in.Name))
	}
	for _, o := range result.outputs {
		line.Outputs = append(line.Outputs, reportedOutput{storage.Display(o.Key), o.Size, o.Hash})
		line.Out += o.Size
	}
	bad := result.Skipped
	if result.report != nil {
		line.Fields = result.report.Fields
		line.In = max(line.In, result.report.BytesIn) // of a file that was named the size is not known before
		bad = append(bad[:len(bad):len(bad)], result.report.SkippedList...)
	}
	var errs []string
	for _, b := range bad {
		errs = append(errs, cli.ErrorText(b))
	}
	switch {
	case result.upToDate:
		line.State = "up_to_date"
	case result.err != nil:
		line.State, errs = "failed", append(errs, cli.Describe(result.err))
	case len(bad) > 0 && len(result.names) == 0:
		line.State = "skipped"
	case len(bad) > 0:
		line.State = "partial"
	case len(result.names) == 0:
		line.State = "passed_over"
	}
	line.Error = strings.Join(errs, "; ")
	text, err := json.Marshal(line)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil && r.err == nil {
		_, err = r.file.Write(append(text, '\n'))
	}
	if err != nil {
		r.err = errors.Join(r.err, err)
	}
}

// close closes the file, and returns the error of a line that could not be written.
func (r *runReport) close() error {
	if r == nil {
		return nil
	}
	if err := errors.Join(r.err, r.file.Close()); err != nil {
		return fmt.Errorf("--report: %w", err)
	}
	return nil
}

// lock takes the lock of the output of a run that operators repeat, and returns a function that
// releases it.
func (b *batch) lock(cmd *cobra.Command, t *target) (unlock func(), err error) {
	if !t.folder || !b.update && b.report == "" || b.round != nil {
		return func() {}, nil
	}
	return lockFolder(cmd, t.c.Output)
}

// lockFolder takes the lock of the runs that write to a folder: two overlapping runs would convert
// the same inputs. It does not wait for the lock. The lock lies in the folder, because the user may
// write there.
func lockFolder(cmd *cobra.Command, folder string) (unlock func(), err error) {
	made := cli.IsNew(folder)
	lock, err := cli.ClientOf(cmd).Lock(cmd.Context(), storage.LockName(strings.TrimRight(folder, "/")+"/run"), storage.LockOptions{})
	if err != nil {
		return nil, err
	}
	return func() {
		_ = lock.Unlock() // what it was for is done
		if made {
			_ = os.Remove(folder) // which has an output, or nothing
		}
	}, nil
}
