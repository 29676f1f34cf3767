// Package tetshow writes the content of .tet files as text and as JSON: their datasets and chunks, reports of
// checks, and results of queries. Texts and JSON equal the output of Tetration's command.
package tetshow

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"
)

// A field is a key of an object whose keys have an order.
type field struct {
	key   string
	value any
}

// writeFields writes keys with their values, a line each.
func writeFields(out *bufio.Writer, indent string, fields ...field) error {
	for i, f := range fields {
		text, err := jsonText(f.value)
		if err != nil {
			return err
		}
		if i > 0 {
			out.WriteString(",\n")
		}
		fmt.Fprintf(out, "%s%q: %s", indent, f.key, text)
	}
	return nil
}

// jsonText is the JSON of a value, on one line.
func jsonText(value any) (string, error) {
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return strings.TrimSuffix(text.String(), "\n"), err
}
