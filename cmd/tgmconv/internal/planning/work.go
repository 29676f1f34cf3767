package planning

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/parts"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/storage"
)

// working are the flags of work.
type working struct {
	shard string
	part  []string

	store *parts.Store
	plan  *parts.Plan
}

// indexVariables are the variables by which schedulers tell a process its number in an array of them.
var indexVariables = []string{"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"}

// NewWork returns the verb work.
func NewWork() *cobra.Command {
	var w working
	return cli.Verb{
		Use:   "work [flags] PLAN/ [-]",
		Short: "Do parts of a plan: all, a shard, or named parts",
		Long: `Do parts of a plan that tgmconv plan has made: all parts, a shard, the parts that --part names, or with - the parts on
standard input, as ids or as lines of parts.jsonl. Parts that are done, and whose outputs have not changed, are
kept. For each part a line of JSON is printed: its id, state (done, kept, empty, failed), outputs, seconds, error and code.

In an array of processes the number of the process is taken from SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX (Kubernetes) or
AWS_BATCH_JOB_ARRAY_INDEX. With --shard /N it is the number of the shard, otherwise of a single part. Numbers begin at 0.

A failed part does not stop the others. The exit code is then 75 if a part may succeed later (a network, a server, a full
disk), otherwise 65 if an input has changed since planning, otherwise 1.`,
		Example: `  tgmconv work plan/
  tgmconv work plan/ --shard 3/16
  tgmconv work plan/ --part 5c0f7f2b4c5d6e8f90a1b2c3d4e5f607
  tgmconv commit --partial plan/ | tgmconv work plan/ -`,
		Words: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) > 2 || len(args) == 2 && args[1] != storage.Stdin {
				return cli.Usagef("work: expected the folder of a plan, and - for ids on standard input")
			}
			return nil
		},
		Options: func(s *option.Set) {
			s.Text("shard", &w.shard, "I/N: only the parts I, I+N, I+2N, ..., from 0; /N takes I from the scheduler")
			s.Each("part", &w.part, "id of a part to do (repeatable)")
		},
		Run: w.run,
	}.Command()
}

// A workLine is the line that work prints for a part.
type workLine struct {
	ID      string         `json:"id"`
	State   string         `json:"state"`
	Outputs []parts.Output `json:"outputs,omitempty"`
	Seconds float64        `json:"seconds"`
	Error   string         `json:"error,omitempty"`
	Code    int            `json:"code,omitempty"` // exit code if this were the only part
}

// A partWorker does parts of plans of one verb.
type partWorker interface {
	// do does a part and returns its result, with the keys of its outputs alone.
	do(ctx context.Context, part *parts.Part) (*parts.Result, error)
	close()
}

func (w *working) run(cmd *cobra.Command, args []string) error {
	ctx := cmd.Context()
	client := new(storage.Client)
	defer client.Close()
	w.store = parts.At(client, absolute(args[0]))
	var err error
	if w.plan, err = w.store.Load(ctx); err != nil {
		return err
	}
	if w.plan.Program != cli.Version() {
		return fmt.Errorf("%s: the plan was made by tgmconv %s, this is %s, and may write other bytes", storage.Display(args[0]), w.plan.Program, cli.Version())
	}
	chosen, err := w.chosen(cmd, len(args) == 2)
	if err != nil {
		return err
	}
	if err := os.Setenv("SOURCE_DATE_EPOCH", w.plan.Epoch); err != nil {
		return err
	}
	worker := w.worker(cmd)
	defer worker.close()
	worst, failures := 0, 0
	for part, err := range chosen {
		if err != nil {
			return err
		}
		began := time.Now()
		line := &workLine{ID: part.ID}
		if err := w.one(ctx, client, worker, part, line); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			failures++
			line.State, line.Error, line.Code = "failed", cli.Describe(err), partFailure(err)
			worst = worse(worst, line.Code)
			fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: part %s: %s\n", part.ID, strings.ReplaceAll(line.Error, "\n", "\n  "))
		}
		line.Seconds = time.Since(began).Seconds()
		text, err := json.Marshal(line)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s\n", text); err != nil {
			return err
		}
	}
	if failures > 0 {
		return cli.WithCode(worst, cli.Reported(fmt.Errorf("%s failed", cli.Count(failures, "part"))))
	}
	return nil
}

// one does a part unless it is done.
func (w *working) one(ctx context.Context, client *storage.Client, worker partWorker, part *parts.Part, line *workLine) error {
	kept, err := w.store.Whole(ctx, w.plan, part.ID)
	if err != nil {
		return err
	}
	if kept != nil {
		line.State, line.Outputs = "kept", kept.Outputs
		return nil
	}
	if err := checkInputs(ctx, slices.Concat(part.Inputs, part.Beside)); err != nil {
		return err
	}
	result, err := worker.do(ctx, part)
	if err != nil {
		return err
	}
	// The inputs were opened again after the first look at them.
	if err := checkInputs(ctx, slices.Concat(part.Inputs, part.Beside)); err != nil {
		return err
	}
	for i := range result.Outputs {
		key := result.Outputs[i].Key
		if result.Outputs[i], err = parts.Measure(ctx, client, w.store.Outputs(w.plan)+"/"+key); err != nil {
			return err
		}
		result.Outputs[i].Key = key
	}
	if err := w.store.PutResult(ctx, result); err != nil {
		return err
	}
	line.State, line.Outputs = result.State, result.Outputs
	return nil
}

// checkInputs returns a [*storage.ChangedError] if an input differs from the planned input.
func checkInputs(ctx context.Context, inputs []parts.Input) error {
	client := new(storage.Client)
	defer client.Close()
	for _, in := range inputs {
		now, err := stateOf(storage.Glance(storage.Sparse(ctx)), client, in.Name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return &plannedError{in.Name, "is no longer there"}
		case err != nil:
			return err
		case now.Size != in.Size:
			return &plannedError{in.Name, fmt.Sprintf("has %d bytes, and had %d", now.Size, in.Size)}
		case now.ETag != in.ETag:
			return &plannedError{in.Name, "has changed"}
		}
	}
	return nil
}

// A plannedError reports that an input differs from the planned input.
type plannedError struct{ name, how string }

func (e *plannedError) Error() string {
	return storage.Display(e.name) + ": the file " + e.how + " since it was planned"
}

// NamesFile reports that the text says which file the error is about.
func (e *plannedError) NamesFile() bool { return true }

// Is reports whether target is storage.ErrChanged.
func (e *plannedError) Is(target error) bool { return target == storage.ErrChanged }

// partFailure is the exit code of the failure of a part. A disk that is full, or a file system that
// is out of reach, may not be so on another machine, or later.
func partFailure(err error) int {
	for _, passing := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EIO, syscall.ESTALE} {
		if errors.Is(err, passing) {
			return cli.ExitAgain
		}
	}
	return cli.FailureOf(err)
}

// worse is the exit code of two failures.
func worse(a, b int) int {
	for _, code := range []int{cli.ExitAgain, cli.ExitChanged, cli.ExitFailed} {
		if a == code || b == code {
			return code
		}
	}
	return max(a, b)
}

// chosen are the parts that the flags choose.
func (w *working) chosen(cmd *cobra.Command, listed bool) (iter.Seq2[*parts.Part, error], error) {
	ctx := cmd.Context()
	index, where, err := indexOfProcess()
	switch {
	case err != nil:
		return nil, err
	case listed && (w.shard != "" || len(w.part) > 0), w.shard != "" && len(w.part) > 0:
		return nil, cli.Usagef("work: --shard, --part and - exclude each other")
	case listed:
		return w.listed(ctx, cmd.InOrStdin())
	case len(w.part) > 0:
		return w.listed(ctx, strings.NewReader(strings.Join(w.part, "\n")))
	case w.shard == "" && where == "":
		return w.store.Parts(ctx), nil
	case w.shard == "":
		if index >= w.plan.Parts {
			return nil, cli.Usagef("work: %s is %d, and the plan has %s (--shard /N makes N shards of them)", where, index, cli.Count(w.plan.Parts, "part"))
		}
		return w.every(ctx, index, w.plan.Parts), nil
	}
	first, of, ok := strings.Cut(w.shard, "/")
	n, err := strconv.Atoi(of)
	if !ok || err != nil || n < 1 {
		return nil, cli.Usagef("work: --shard is %q, expected I/N or /N", w.shard)
	}
	switch {
	case first != "":
		if index, err = strconv.Atoi(first); err != nil || index < 0 || index >= n {
			return nil, cli.Usagef("work: --shard is %q, expected I/N with I from 0 to %d", w.shard, n-1)
		}
	case where == "":
		return nil, cli.Usagef("work: --shard is %q, and none of %s is set", w.shard, strings.Join(indexVariables, ", "))
	case index >= n:
		return nil, cli.Usagef("work: %s is %d, expected 0 to %d for --shard %s", where, index, n-1, w.shard)
	}
	return w.every(ctx, index, n), nil
}

// indexOfProcess is the number of the process that a scheduler gave it in a variable, if one did.
func indexOfProcess() (index int, variable string, err error) {
	for _, variable := range indexVariables {
		if v := os.Getenv(variable); v != "" {
			if index, err = strconv.Atoi(v); err != nil || index < 0 {
				return 0, "", cli.Usagef("%s is %q, expected a number from 0 on", variable, v)
			}
			return index, variable, nil
		}
	}
	return 0, "", nil
}

// every yields each nth part.
func (w *working) every(ctx context.Context, first, n int) iter.Seq2[*parts.Part, error] {
	return func(yield func(*parts.Part, error) bool) {
		i := -1
		for part, err := range w.store.Parts(ctx) {
			if i++; err == nil && i%n != first {
				continue
			}
			if !yield(part, err) {
				return
			}
		}
	}
}

// listed yields the parts whose ids, or lines, are the lines of r, as they come.
func (w *working) listed(ctx context.Context, r io.Reader) (iter.Seq2[*parts.Part, error], error) {
	known := make(map[string]*parts.Part, w.plan.Parts)
	for part, err := range w.store.Parts(ctx) {
		if err != nil {
			return nil, err
		}
		known[part.ID] = part
	}
	return func(yield func(*parts.Part, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(make([]byte, 64<<10), longestPartLine)
		for lines.Scan() {
			id := strings.TrimSpace(lines.Text())
			if strings.HasPrefix(id, "{") {
				var part parts.Part
				if err := json.Unmarshal([]byte(id), &part); err != nil {
					yield(nil, fmt.Errorf("standard input: a line of parts.jsonl: %w", err))
					return
				}
				id = part.ID
			}
			if id == "" {
				continue
			}
			part, err := known[id], error(nil)
			if part == nil {
				err = cli.Usagef("work: the plan has no part %q", id)
			}
			if !yield(part, err) || err != nil {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(nil, fmt.Errorf("standard input: %w", err))
		}
	}, nil
}

// longestPartLine is how many bytes a line of parts.jsonl on standard input may have.
const longestPartLine = 64 << 20
