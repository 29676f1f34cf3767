package cli

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

// A JSONList writes a JSON array, or JSON lines, as its elements come: nothing is held back but the last line.
type JSONList struct {
	out    *bufio.Writer
	indent string // of the elements; "" writes each on one line
	lines  bool   // a value a line, and no array
	n      int
}

// NewJSONLines begins a list of which each item is a line.
func NewJSONLines(w io.Writer) *JSONList { return &JSONList{out: bufio.NewWriter(w), lines: true} }

// NewJSONList begins a list of items.
func NewJSONList(w io.Writer, indent string) *JSONList {
	return &JSONList{out: bufio.NewWriter(w), indent: indent}
}

// Add appends an element.
func (l *JSONList) Add(v any) error {
	data, err := jsontext.Append(nil, v)
	if err != nil {
		return err
	}
	if l.n++; l.lines {
		_, err = l.out.Write(append(data, '\n'))
		return Written(err)
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
	return Written(err)
}

// Finish ends the array after err, which it returns if it can. Without elements the array is empty,
// but after an error absent: the error is printed in its place.
func (l *JSONList) Finish(err error) error {
	if l.n == 0 && err != nil {
		return err
	}
	if closeErr := l.close(); closeErr != nil {
		return closeErr
	}
	return err
}

// close ends the array.
func (l *JSONList) close() error {
	if l.lines {
		return Written(l.out.Flush())
	}
	if l.n == 0 {
		l.out.WriteString("[")
	} else {
		l.out.WriteString("\n")
	}
	l.out.WriteString("]\n")
	return Written(l.out.Flush())
}

// printJSON writes a summary as JSON.
func printJSON(w io.Writer, v any) error { return Indented(w).Encode(v) }

// Indented returns an encoder that indents by two spaces.
func Indented(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc
}

// WriteIndented writes a value as JSON for people and machines alike.
func WriteIndented(w io.Writer, v any) error {
	data, err := jsontext.Append(nil, v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(jsontext.AppendIndent(nil, data, "", "  "), '\n'))
	return err
}

// A jsonError is the output of a command with --json that fails before any other output.
type jsonError struct {
	Error    string `json:"error"`
	ExitCode int    `json:"exit_code"`
}

// ReportJSON prints the error of a command with --json, if nothing was printed: where the data go
// to standard output, on standard error, as the summary would be.
func ReportJSON(cmd *cobra.Command, out *terminal.Answer, stderr io.Writer, err error, code int) {
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
	data, jsonErr := json.Marshal(jsonError{Describe(err), code})
	if jsonErr == nil {
		fmt.Fprintf(w, "%s\n", data)
	}
}
