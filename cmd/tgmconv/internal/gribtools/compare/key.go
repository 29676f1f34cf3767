package compare

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
	"github.com/tgmconv/tgmconv/grib/keys"
)

// ordinals name the fields of the pair in the messages.
var ordinals = [2]string{"1st", "2nd"}

func (c *Comparer) ordinal(i int) string {
	if c.reversed {
		i = 1 - i
	}
	return ordinals[i]
}

// reason is an error in ecCodes' words.
func reason(err error) string {
	var e *keys.KeyError
	if errors.As(err, &e) {
		err = e.Err
	}
	text := err.Error()
	return strings.ToUpper(text[:min(1, len(text))]) + text[min(1, len(text)):]
}

// key compares a key and reports whether it is the same in both fields.
func (c *Comparer) key(key Key) bool {
	name := key.Name
	if c.ignores(name) {
		return true
	}
	c.say("  comparing %s", name)
	typ := nativeOf(key.Type)
	if typ == keys.Undefined {
		for i, f := range c.pair {
			t, err := f.NativeType(name)
			if i == 0 {
				typ = t
			}
			if i == 1 && fields.IsNotFound(err) {
				return c.found(name, "[%s] not found in %s field", name, c.ordinal(1))
			}
			if err != nil {
				return c.found(name, "Oops... cannot get type of [%s] in %s field: %s", name, c.ordinal(i), reason(err))
			}
		}
	}
	if typ == keys.Label || typ == keys.Section {
		return true
	}
	for i, f := range c.pair {
		if _, err := f.Size(name); i == 1 && fields.IsNotFound(err) {
			return c.found(name, "[%s] not found in %s field", name, c.ordinal(1))
		} else if err != nil {
			return c.found(name, "Oops... cannot get size of [%s] in %s field: %s", name, c.ordinal(i), reason(err))
		}
	}
	if c.reversed {
		return true // the first pass has compared the values
	}
	var missing [2]bool
	for i, f := range c.pair {
		missing[i], _ = f.IsMissing(name)
	}
	switch {
	case missing[0] && missing[1]:
		c.say(" is set to missing in both fields\n")
		return true
	case missing[0] != missing[1]:
		i := 0
		if missing[1] {
			i = 1
		}
		c.say(" is set to missing in %s field\n", ordinals[0]) // as in ecCodes, whichever it is
		return c.found(name, "%s is set to missing in %s field but is not missing in %s field", name, ordinals[i], ordinals[1-i])
	}
	c.say(" as %s\n", typ)
	switch typ {
	case keys.String:
		return c.texts(name)
	case keys.Long:
		return c.integers(name)
	case keys.Double:
		return c.reals(name)
	case keys.Bytes:
		return c.octets(name)
	}
	return c.found(name, "Cannot compare [%s], unsupported type %d", name, typ)
}

// say writes the keys that are compared, for [Options.Verbose].
func (c *Comparer) say(format string, args ...any) {
	if c.Verbose {
		fmt.Fprintf(c.out, format, args...)
	}
}

func nativeOf(t fields.Type) keys.Type {
	switch t {
	case fields.Integer:
		return keys.Long
	case fields.Real:
		return keys.Double
	case fields.Text:
		return keys.String
	}
	return keys.Undefined
}

// both reads the value of a key from both fields.
func both[T any](c *Comparer, name, kind string, get func(fields.Field) (T, error)) (v [2]T, ok bool) {
	ok = true
	for i, f := range c.pair {
		var err error
		if v[i], err = get(f); err != nil {
			ok = c.found(name, "Oops... cannot get %s value of [%s] in %s field: %s", kind, name, c.ordinal(i), reason(err))
		}
	}
	return v, ok
}

func (c *Comparer) texts(name string) bool {
	v, ok := both(c, name, "string", func(f fields.Field) (string, error) { return f.String(name) })
	if !ok {
		return false
	}
	if v[0] != v[1] {
		return c.found(name, "string [%s]: [%s] != [%s]", name, v[0], v[1])
	}
	if len(c.Keys) > 0 {
		return true
	}
	// The codes of equal texts may differ.
	a, errA := c.pair[0].Int(name)
	b, errB := c.pair[1].Int(name)
	if errA == nil && errB == nil && a != b {
		return c.found(name, "long [%s]: [%d] != [%d]", name, a, b)
	}
	return true
}

func (c *Comparer) integers(name string) bool {
	v, ok := both(c, name, "long", func(f fields.Field) ([]int64, error) { return f.Ints(name) })
	switch {
	case !ok:
		return false
	case len(v[0]) != len(v[1]):
		c.found(name, "Different size for \"%s\"  [%d]  [%d]", name, len(v[0]), len(v[1]))
		return true // as in ecCodes, which only reports it
	case slices.Equal(v[0], v[1]):
		return true
	case len(v[0]) > 1:
		n := 0
		for i := range v[0] {
			if v[0][i] != v[1][i] {
				n++
			}
		}
		return c.found(name, "long [%s] %d out of %d different", name, n, len(v[0]))
	}
	return c.found(name, "long [%s]: [%d] != [%d]%s", name, v[0][0], v[1][0], c.flagText(name, v[0][0], v[1][0]))
}

// flagText shows the bits of flags.
func (c *Comparer) flagText(name string, a, b int64) string {
	x, ok := c.pair[0].Entry(name)
	y, okY := c.pair[1].Entry(name)
	if !ok || !okY || !x.Flags || !y.Flags {
		return ""
	}
	return fmt.Sprintf("    ([%0*b] != [%0*b])", 8*x.Length, a, 8*y.Length, b)
}

func (c *Comparer) octets(name string) bool {
	v, ok := both(c, name, "bytes", func(f fields.Field) ([]byte, error) { return f.Bytes(name) })
	if !ok {
		return false
	}
	n := min(len(v[0]), len(v[1]))
	if bytes.Equal(v[0][:n], v[1][:n]) {
		return true
	}
	i := 0
	for v[0][i] == v[1][i] {
		i++
	}
	if n == 1 {
		return c.found(name, "[%s] byte values are different: [%02x] and [%02x]", name, v[0][0], v[1][0])
	}
	return c.found(name, "[%s] byte value %d of %d is different: [%02x] and [%02x]", name, i, n, v[0][i], v[1][i])
}

// A tolerance is the greatest difference of reals that counts as none.
type tolerance struct {
	limit    float64
	relative bool
	small    float64    // reals up to this are compared absolutely
	packing  [2]float64 // errors of packing, to be shown
}

// isField reports whether a key is the values of the field.
func isField(name string) bool {
	return name == "values" || name == "packedValues" || name == "codedValues"
}

func (c *Comparer) tolerance(name string) tolerance {
	t := tolerance{limit: c.Absolute, relative: c.Relative != nil, small: 1e-19}
	if t.relative {
		if c.Absolute > 0 {
			t.small = c.Absolute
		}
		t.limit = 0
	}
	errorKey := ""
	switch {
	case isField(name):
		errorKey = "packingError"
	case name == "unpackedValues":
		errorKey = "unpackedError"
	case name == "referenceValue":
		errorKey = "referenceValueError"
	case strings.HasSuffix(name, "InDegrees"):
		t.packing = [2]float64{0.0005, 0.0005}
		t.limit = 0.0005
	}
	if errorKey != "" {
		a, errA := c.pair[0].Float(errorKey)
		b, errB := c.pair[1].Float(errorKey)
		t.packing = [2]float64{a, b}
		if errA == nil && errB == nil && (c.PackingError || name == "referenceValue") {
			t.limit = max(a, b)
			t.relative = t.relative && name == "referenceValue"
		}
	}
	if t.relative {
		if limit, ok := c.Relative["all"]; ok {
			t.limit = limit
		} else if limit, ok := c.Relative[name]; ok {
			t.limit = limit
		}
	}
	t.limit *= c.Factor
	return t
}

// difference is 0 if two reals count as equal.
func (t tolerance) difference(a, b float64) float64 {
	d := math.Abs(a - b)
	if t.relative {
		d = t.relativeTo(a, b)
	}
	if d > t.limit {
		return d
	}
	return 0
}

func (t tolerance) relativeTo(a, b float64) float64 {
	if math.Abs(a) <= t.small || math.Abs(b) <= t.small {
		return math.Abs(a - b)
	}
	return math.Abs((a - b) / max(math.Abs(a), math.Abs(b)))
}

func (c *Comparer) reals(name string) bool {
	v, ok := both(c, name, "double", func(f fields.Field) ([]float64, error) { return f.Floats(name) })
	if !ok {
		return false
	}
	if len(v[0]) != len(v[1]) {
		c.found(name, "Different size for \"%s\"  [%d]  [%d]", name, len(v[0]), len(v[1]))
		return true // as in ecCodes, which only reports it
	}
	t := c.tolerance(name)
	manner := "absolute"
	if t.relative {
		manner = "relative"
	}
	c.say("  (%d values) tolerance=%.6g \tusing compare_double_%s\n", len(v[0]), t.limit, manner)
	n, at, most := 0, 0, 0.0
	for i := range v[0] {
		a, b := v[0][i], v[1][i]
		if i == 0 && strings.HasSuffix(name, "InDegrees") {
			a, b = turn(a), turn(b)
		}
		d := t.difference(a, b)
		if d == 0 {
			continue
		}
		if n++; d > most {
			at, most = i, d
		}
	}
	switch {
	case n == 0:
		return true
	case len(v[0]) == 1:
		a, b := v[0][0], v[1][0]
		return c.found(name, "double [%s]: [%.20e] != [%.20e]\n\tabsolute diff. = %.6g, relative diff. = %.6g\n\ttolerance=%.6g",
			name, a, b, math.Abs(a-b), t.relativeTo(a, b), t.limit)
	}
	return c.found(name, "%s", c.differences(name, t, n, len(v[0]), at, v[0][at], v[1][at]))
}

// turn puts an angle into one turn.
func turn(v float64) float64 {
	switch {
	case v < 0:
		return v + 360
	case v > 360:
		return v - 360
	}
	return v
}

// differences describes the differences of an array. The largest is between a and b.
func (c *Comparer) differences(name string, t tolerance, n, of, at int, a, b float64) string {
	var text strings.Builder
	most := [2]string{" max", ""}
	if t.relative {
		most = [2]string{"", " max"}
	}
	fmt.Fprintf(&text, "double [%s]: %d out of %d different\n", name, n, of)
	fmt.Fprintf(&text, "%s absolute diff. = %.16e,%s relative diff. = %.6g", most[0], math.Abs(a-b), most[1], t.relativeTo(a, b))
	fmt.Fprintf(&text, "\n\tmax diff. element %d: %.20e %.20e\n\ttolerance=%.16e", at, a, b, t.limit)
	if t.packing != [2]float64{} {
		fmt.Fprintf(&text, " packingError: [%.6g] [%.6g]", t.packing[0], t.packing[1])
	}
	if isField(name) {
		var v [4]float64
		for i, key := range []string{"max", "max", "min", "min"} {
			var err error
			if v[i], err = c.pair[i%2].Float(key); err != nil {
				return text.String()
			}
		}
		fmt.Fprintf(&text, "\n\tvalues max= [%.6g]  [%.6g]         min= [%.6g] [%.6g]", v[0], v[1], v[2], v[3])
	}
	return text.String()
}
