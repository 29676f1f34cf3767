package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
	"github.com/tgmconv/tgmconv/internal/jsontext"
	"github.com/tgmconv/tgmconv/storage"
)

// A jsonList writes a JSON array, or JSON lines, as its elements come: nothing is held back but the last line.
type jsonList struct {
	out    *bufio.Writer
	indent string // of the elements; "" writes each on one line
	lines  bool   // a value a line, and no array
	n      int
}

func newJSONLines(w io.Writer) *jsonList { return &jsonList{out: bufio.NewWriter(w), lines: true} }

func newJSONList(w io.Writer, indent string) *jsonList {
	return &jsonList{out: bufio.NewWriter(w), indent: indent}
}

// add appends an element.
func (l *jsonList) add(v any) error {
	data, err := jsontext.Append(nil, v)
	if err != nil {
		return err
	}
	if l.n++; l.lines {
		_, err = l.out.Write(append(data, '\n'))
		return written(err)
	}
	if l.n == 1 {
		l.out.WriteString("[\n")
	} else {
		l.out.WriteString(",\n")
	}
	if l.indent != "" {
		data = jsontext.AppendIndent(nil, data, "", l.indent)
	}
	_, err = l.out.Write(data)
	return written(err)
}

// finish ends the array after err, which it returns if it can. Without elements the array is empty,
// but after an error absent: the error is printed in its place.
func (l *jsonList) finish(err error) error {
	if l.n == 0 && err != nil {
		return err
	}
	if closeErr := l.close(); closeErr != nil {
		return closeErr
	}
	return err
}

// close ends the array.
func (l *jsonList) close() error {
	if l.lines {
		return written(l.out.Flush())
	}
	if l.n == 0 {
		l.out.WriteString("[")
	} else {
		l.out.WriteString("\n")
	}
	l.out.WriteString("]\n")
	return written(l.out.Flush())
}

// printJSON writes a summary as JSON.
func printJSON(w io.Writer, v any) error { return indented(w).Encode(v) }

func indented(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc
}

// writeIndented writes a value as JSON for people and machines alike.
func writeIndented(w io.Writer, v any) error {
	data, err := jsontext.Append(nil, v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(jsontext.AppendIndent(nil, data, "", "  "), '\n'))
	return err
}

// A jsonError is what a command with --json prints when it fails before it has printed anything.
type jsonError struct {
	Error    string `json:"error"`
	ExitCode int    `json:"exit_code"`
}

// reportJSON prints the error of a command with --json, if nothing was printed: where the data go
// to standard output, on standard error, as the summary would be.
func reportJSON(cmd *cobra.Command, out *terminal.Answer, stderr io.Writer, err error, code int) {
	if out.Begun() || cmd == nil {
		return
	}
	if asked, flagErr := cmd.Flags().GetBool("json"); flagErr != nil || !asked {
		return
	}
	var w io.Writer = out
	if f := cmd.Flags().Lookup("output"); f != nil && (f.Value.String() == "" || f.Value.String() == storage.Stdin) {
		w = stderr
	}
	data, jsonErr := json.Marshal(jsonError{describe(err), code})
	if jsonErr == nil {
		fmt.Fprintf(w, "%s\n", data)
	}
}
