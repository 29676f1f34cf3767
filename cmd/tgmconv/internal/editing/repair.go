package editing

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// NewRepair returns the verb repair.
func NewRepair() *cobra.Command {
	var e editing
	var cut bool
	return cli.Verb{
		Use:   "repair [flags] IN -o OUT",
		Short: "Write a valid file from a damaged one",
		Long: `Write a valid file from a file that is damaged or was cut off. Valid messages are copied, and messages without a
correct index get a new index. From other messages, and from bytes outside messages, objects are saved if their
bytes match their hash, can be decoded, and have metadata that are known to be theirs. --cut leaves out messages
without a correct beginning or end. An object without a hash is saved if it can be decoded; such objects are counted.
The output passes validate --full.

Lost objects are listed on standard error. The exit code is 0 if everything was saved, 3 if something was lost, and 1,
without an output, if nothing could be saved.`,
		Example: `  tgmconv repair -o whole.tgm torn.tgm
  tgmconv repair --cut -o whole.tgm torn.tgm`,
		Words:   cobra.ArbitraryArgs,
		InOrder: true,
		Options: func(s *option.Set) {
			s.Bool("cut", &cut, "leave out messages without a correct beginning or end")
			e.declare(s)
		},
		Run: func(cmd *cobra.Command, args []string) error { return e.repair(cmd, args, cut) },
	}.Command()
}

func (e *editing) repair(cmd *cobra.Command, args []string, cut bool) error {
	inputs, err := e.begin(cmd, args)
	if err != nil {
		return err
	}
	if len(inputs) != 1 {
		return cli.Usagef("repair: expected one input, found %d", len(inputs))
	}
	v, err := looking.OpenView(cmd, inputs[0])
	if err != nil {
		return cli.InFile(inputs[0], err)
	}
	defer v.Close()
	var r edit.Repaired
	err = e.toOutput(cmd, e.output, func(out storage.Writer) error {
		r, err = edit.Repair(out, v.File, cut, e.options(out))
		if err == nil && r.Copied+r.Rebuilt+r.Completed == 0 {
			err = fmt.Errorf("nothing could be saved of %s", cli.Count(int(v.Size()), "byte"))
		}
		return err
	})
	listLost(cmd.ErrOrStderr(), inputs[0], r.Lost)
	if err != nil {
		return cli.InFile(inputs[0], err)
	}
	if !e.json {
		saidOfUnhashed := ""
		if r.Unhashed > 0 {
			saidOfUnhashed = fmt.Sprintf(" (%d without a hash: they can be decoded, no more is known)", r.Unhashed)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %s copied, %d with a new index, %d completed; %s saved%s; %s given up\n",
			cli.Count(r.Copied, "message"), r.Rebuilt, r.Completed, cli.Count(r.Objects, "object"), saidOfUnhashed, givenUp(&r))
	}
	e.count(r.Copied+r.Rebuilt+r.Completed, r.Objects)
	if err := e.report(cmd, map[string]any{
		"copied": r.Copied, "rebuilt": r.Rebuilt, "completed": r.Completed,
		"unhashed": r.Unhashed, "dropped_bytes": r.Dropped, "given_up": lostAsJSON(r.Lost),
	}); err != nil {
		return err
	}
	return cli.DoneWithout(len(r.Lost))
}

// lostAsJSON is the list of lost objects, as --json shows it.
func lostAsJSON(lost []tgm.Lost) []any {
	list := make([]any, len(lost))
	for i, l := range lost {
		list[i] = map[string]any{"message": l.Message, "object": l.Object, "objects": l.Objects, "offset": l.Offset, "length": l.Length, "reason": l.Reason}
	}
	return list
}

// givenUp counts lost objects.
func givenUp(r *edit.Repaired) string {
	objects := 0
	for _, l := range r.Lost {
		objects += l.Objects
	}
	if objects == 0 {
		return cli.Count(int(r.Dropped), "byte")
	}
	return cli.Count(objects, "object") + " and " + cli.Count(int(r.Dropped), "byte")
}

// maxListedLost is how many parts are listed for people; --json has all.
const maxListedLost = 100

// listLost lists the lost objects of a file.
func listLost(w io.Writer, name string, lost []tgm.Lost) {
	for i, l := range lost {
		if i == maxListedLost {
			fmt.Fprintf(w, "tgmconv: %s: and %d more; --json lists all\n", cli.Shown(name), len(lost)-i)
			return
		}
		var where []string
		if l.Message >= 0 {
			where = append(where, fmt.Sprintf("message %d", l.Message))
		}
		switch {
		case l.Objects > 1:
			where = append(where, fmt.Sprintf("objects %d to %d", l.Object, l.Object+l.Objects-1))
		case l.Objects == 1:
			where = append(where, fmt.Sprintf("object %d", l.Object))
		}
		if l.Length > 0 {
			where = append(where, fmt.Sprintf("%s at byte %d", cli.Count(int(l.Length), "byte"), l.Offset))
		}
		fmt.Fprintf(w, "tgmconv: %s: given up: %s: %s\n", cli.Shown(name), strings.Join(where, ", "), l.Reason)
	}
}
