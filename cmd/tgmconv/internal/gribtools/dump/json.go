package dump

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
)

// writeJSON writes a field as grib_dump -j does: a list of keys with values in their own types,
// null where they are missing. A long array has its size, and its first elements unless all are
// asked for.
func (d *Dumper) writeJSON(f fields.Field) error {
	if d.shown > 1 {
		d.out.WriteByte(',')
	}
	d.out.WriteString("\n  [")
	first := true
	for _, e := range d.entries(f) {
		value, err := d.value(f, e)
		if err != nil {
			continue
		}
		if f.Missing(e) {
			value = nil
		}
		if v, ok := value.([]float64); ok && e.Name == "values" {
			value = withoutMissing(f, v)
		}
		text, size, err := d.jsonText(value)
		if err != nil {
			return err
		}
		if !first {
			d.out.WriteByte(',')
		}
		first = false
		fmt.Fprintf(d.out, "\n    {\n      \"key\" : %q,\n%s      \"value\" : %s\n    }", e.Name, size, text)
	}
	d.out.WriteString("\n  ]")
	return d.out.Flush()
}

// withoutMissing has NaN in place of the key missingValue.
func withoutMissing(f fields.Field, values []float64) []float64 {
	if all, mask, err := f.Field.Decode(nil); err == nil && mask != nil && len(all) == len(values) {
		return all
	}
	return values
}

func (d *Dumper) jsonText(value any) (text []byte, size string, err error) {
	n := 0
	switch v := value.(type) {
	case []int64:
		n, value = len(v), v[:d.limit(len(v))]
	case []float64:
		n, value = len(v), jsonNumbers(v[:d.limit(len(v))])
	case []byte:
		value = hex.EncodeToString(v[:d.limit(len(v))])
		n = len(v)
	case float64:
		value = json.RawMessage(numberText(v))
	}
	if n > d.limit(n) {
		size = fmt.Sprintf("      \"size\" : %d,\n", n)
	}
	switch v := value.(type) {
	case json.RawMessage:
		if !json.Valid(v) {
			v = json.RawMessage("null") // not finite
		}
		return v, size, nil
	case []json.RawMessage:
		text, err = json.Marshal(v)
		return text, size, err
	}
	text, err = marshal(value)
	return text, size, err
}

// jsonNumbers are numbers with the digits that are shown.
func jsonNumbers(values []float64) []json.RawMessage {
	out := make([]json.RawMessage, len(values))
	for i, v := range values {
		if out[i] = json.RawMessage(numberText(v)); !json.Valid(out[i]) {
			out[i] = json.RawMessage("null") // not finite
		}
	}
	return out
}

// marshal is json.Marshal that leaves <, > and & as they are.
func marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
