package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
)

// newGRIB groups the verbs that look into GRIB files.
func newGRIB() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "grib COMMAND",
		Short: "Look into GRIB files: grib ls, grib dump",
		Long:  "Look into GRIB files as grib_ls and grib_dump of ecCodes do, without ecCodes: keys, values and their texts are the same.",
		Example: `  tgmconv grib ls forecast.grib2
  tgmconv grib dump -w shortName=2t forecast.grib2`,
		Args: usageArgs(unknownCommand),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newGRIBLs(), newGRIBDump())
	return cmd
}

// A gribField is a field of a file with its keys.
type gribField struct {
	*keys.Handle
	field *grib.Field
	count int // among the fields of the file, from 1
}

// gribData decodes the values for keys such as max and average.
type gribData struct{ field *grib.Field }

// Values implements keys.DataSource.
func (d gribData) Values() (values []float64, missing []byte, err error) {
	values, mask, err := d.field.Decode(nil)
	if err != nil || mask == nil {
		return values, nil, err
	}
	return values, mask.Bits, nil
}

// A gribKey is a key as the user asked for it: with the type of its value.
type gribKey struct {
	name string
	typ  byte // 's', 'd' or 'i'; 0 when the user gave none
	// listed says that the key was found in a namespace, not asked for.
	listed bool
}

// parseGRIBKey reads NAME, NAME:s, NAME:d or NAME:i.
func parseGRIBKey(text string) gribKey {
	if n := len(text) - 2; n > 0 && text[n] == ':' && strings.IndexByte("sdi", text[n+1]) >= 0 {
		return gribKey{name: text[:n], typ: text[n+1]}
	}
	return gribKey{name: text}
}

// notFound is what ecCodes' tools show for a key that a message does not have.
const notFound = "not_found"

// text is the value of a key as ecCodes' tools show it: numbers that are not integers in the given
// format, of an array the first element and dots. found is false for notFound.
func (f gribField) text(key gribKey, format string) (text string, found bool, err error) {
	switch key.name {
	case "count":
		return strconv.Itoa(f.count), true, nil
	case "offset":
		return fmt.Sprint(f.field.Offset()), true, nil
	}
	text, err = f.valueText(key, format)
	switch {
	case errors.Is(err, keys.ErrNotFound), errors.Is(err, keys.ErrNotImplemented):
		return notFound, false, nil
	case err != nil:
		return "", true, fmt.Errorf("key %q: %w", key.name, err)
	}
	return text, true, nil
}

func (f gribField) valueText(key gribKey, format string) (string, error) {
	native, err := f.NativeType(key.name)
	if err != nil {
		return "", err
	}
	if native == keys.Long || native == keys.Double {
		if n, err := f.Size(key.name); err == nil && n > 1 {
			return f.arrayText(key.name, native, format)
		}
	}
	typ := key.typ
	if typ == 0 && native == keys.Double {
		typ = 'd'
	}
	if typ == 's' || typ == 0 {
		return f.String(key.name)
	}
	if f.missing(key.name) {
		return "MISSING", nil
	}
	if typ == 'i' {
		n, err := f.Int(key.name)
		return strconv.FormatInt(n, 10), err
	}
	v, err := f.Float(key.name)
	return fmt.Sprintf(format, v), err
}

// number is the value of a key as an integer, also of those that are not of the field but of where
// it lies.
func (f gribField) number(key string) (int64, error) {
	switch key {
	case "count":
		return int64(f.count), nil
	case "offset":
		return f.field.Offset(), nil
	}
	return f.Int(key)
}

func (f gribField) arrayText(name string, native keys.Type, format string) (string, error) {
	if native == keys.Double {
		values, err := f.Floats(name)
		return firstText(values, format, err)
	}
	values, err := f.Ints(name)
	return firstText(values, "%d", err)
}

func firstText[T any](values []T, format string, err error) (string, error) {
	switch {
	case err != nil:
		return "", err
	case len(values) == 0:
		return notFound, nil
	}
	return fmt.Sprintf(format, values[0]) + "...", nil
}

// missing reports whether a key is coded as missing.
func (f gribField) missing(key string) bool {
	missing, err := f.IsMissing(key)
	return err == nil && missing
}

// fieldKeys gives the keys of a field to clauses.
type fieldKeys struct{ gribField }

// Text implements where.Lookup.
func (f fieldKeys) Text(key string) (string, bool) {
	if n, ok := f.place(key); ok {
		return strconv.FormatInt(n, 10), true
	}
	v, err := f.String(key)
	return v, err == nil
}

// Int implements where.Lookup.
func (f fieldKeys) Int(key string) (int64, bool) {
	n, err := f.number(key)
	return n, err == nil
}

// Real implements where.Lookup.
func (f fieldKeys) Real(key string) (float64, bool) {
	if n, ok := f.place(key); ok {
		return float64(n), true
	}
	v, err := f.Float(key)
	return v, err == nil
}

// place is where the field lies, of the keys that say that.
func (f fieldKeys) place(key string) (int64, bool) {
	if key != "count" && key != "offset" {
		return 0, false
	}
	n, err := f.number(key)
	return n, err == nil
}
