package converting

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/storage"
)

// A watchRound is a run of a command that watches: of the inputs it takes only some. Nil takes all.
type watchRound struct{ take map[string]bool }

// taken are the jobs that the round takes. Their outputs have the names that they have among all.
func (r *watchRound) taken(jobs []batchJob) []batchJob {
	if r == nil {
		return jobs
	}
	return slices.DeleteFunc(jobs, func(j batchJob) bool { return !r.take[j.inputs[0].Name] })
}

// A watcher converts inputs when they are complete.
type watcher struct {
	args  []string
	words []string // of the command for a round, without inputs
	seen  map[string]string
	tried map[string]string // states of inputs that were converted, or could not be
	began bool
}

// watch converts files that are added to the inputs, until the command is interrupted.
func (c *Conversion) watch(cmd *cobra.Command, args []string) error {
	switch {
	case cmd.Name() != "convert":
		return cli.Usagef("%s: --watch goes with convert", cmd.Name())
	case slices.Contains(args, storage.Stdin) || c.Batch.filesFrom != "":
		return cli.Usagef("--watch does not go with standard input or --files-from: name the folder to watch")
	case c.Batch.append:
		return cli.Usagef("--watch does not go with --append")
	case c.Batch.watch < 10*time.Millisecond:
		return cli.Usagef("--watch is %v, expected at least 10ms", c.Batch.watch)
	}
	target, err := c.target(cmd, cli.ClientOf(cmd))
	if err != nil {
		return err
	}
	if !target.folder {
		return cli.Usagef("--watch goes with a folder as output, -o OUT/: one output for each input")
	}
	unlock, err := lockFolder(cmd, c.Output)
	if err != nil {
		return err
	}
	defer unlock()
	w := &watcher{args: args, seen: make(map[string]string), tried: make(map[string]string)}
	if w.words, err = cli.WordsOf(cmd, []string{"watch", "update", "skip-bad", "output", "force", "to"}); err != nil {
		return err
	}
	w.words = append(w.words, "--skip-bad", "--output="+c.Output)
	for {
		if err := w.look(cmd); err != nil {
			return err
		}
		select {
		case <-cmd.Context().Done():
			return cmd.Context().Err()
		case <-time.After(c.Batch.watch):
		}
	}
}

// look converts complete inputs. Only the end of the context is an error: an unreadable input may
// be complete later.
func (w *watcher) look(cmd *cobra.Command) error {
	ctx := cmd.Context()
	complete, err := w.complete(ctx)
	if err != nil && ctx.Err() == nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %s\n", cli.Describe(err))
	}
	if len(complete) == 0 {
		return ctx.Err()
	}
	round := new(ConvertVerb)
	round.Batch.round = &watchRound{make(map[string]bool, len(complete))}
	for name, state := range complete {
		round.Batch.round.take[name], w.tried[name] = true, state
	}
	var messages bytes.Buffer
	root := cli.RootOf(round.Verb().Command())
	words := slices.Concat([]string{"convert"}, w.words)
	if !w.began { // afterwards it is known what was converted, whatever the times of files say
		words = append(words, "--update")
	}
	w.began = true
	answer, err := cli.RunWithin(ctx, root, slices.Concat(words, []string{"--"}, w.args), &messages)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if !bytes.Contains(messages.Bytes(), []byte(" nothing to do, ")) {
		_, writeErr := cmd.ErrOrStderr().Write(messages.Bytes())
		_, answerErr := cmd.OutOrStdout().Write(answer)
		if writeErr = errors.Join(writeErr, answerErr); writeErr != nil {
			return writeErr
		}
	}
	if err == nil || errors.Is(err, cli.ErrSkipped) || errors.As(err, new(*NothingError)) {
		return nil
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %s\n", cli.Describe(err))
	if code := cli.FailureOf(err); code == cli.ExitAgain || code == cli.ExitChanged {
		for name := range complete { // in the next round
			delete(w.tried, name)
		}
	}
	return nil
}

// complete are the states of inputs that have not been tried, and have not changed since the last
// look.
func (w *watcher) complete(ctx context.Context) (map[string]string, error) {
	client := unpack.NewClient(new(storage.Client))
	defer client.Close()
	inputs, err := client.Find(ctx, w.args...)
	if err != nil {
		return nil, err
	}
	now, complete := make(map[string]string, len(inputs)), make(map[string]string)
	for _, in := range inputs {
		state := fmt.Sprint(in.Size)
		outer, _, _ := unpack.Split(in.Name)
		if st, err := os.Stat(storage.LocalPath(outer)); err == nil && !storage.IsRemote(outer) {
			state = fmt.Sprint(st.Size(), st.ModTime().UnixNano())
		}
		now[in.Name] = state
		if w.seen[in.Name] == state && w.tried[in.Name] != state {
			complete[in.Name] = state
		}
	}
	for name := range w.tried {
		if _, there := now[name]; !there {
			delete(w.tried, name)
		}
	}
	w.seen = now
	return complete, nil
}
