// Package compare compares the keys of GRIB fields as grib_compare of ecCodes does, and writes the
// differences in its words.
//
//	c := compare.New(os.Stdout, compare.Options{})
//	same, err := c.Fields(first, second) // each a fields.Field
//	…
//	same, err = c.End(nameOfFirst, nameOfSecond)
package compare

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
	"github.com/tgmconv/tgmconv/grib/keys"
)

// Options select the keys to compare. With the zero value these are all keys that are coded in the messages,
// and reals must be equal.
type Options struct {
	// Keys are compared in place of all keys, or after them if All is set.
	Keys []Key
	All  bool
	// Ignore names keys that are not compared.
	Ignore []string
	// Headers leaves out the bitmap and the data.
	Headers bool
	// BothWays also reports keys of the second field that the first one does not have.
	BothWays bool
	// Absolute is the greatest difference of reals that counts as none.
	Absolute float64
	// Relative, if not nil, is the greatest difference relative to the larger of two reals, by key. "all" is for
	// all keys. Reals of at most Absolute, or 1e-19, are compared absolutely.
	Relative map[string]float64
	// PackingError makes the error of packing the tolerance of values that have one.
	PackingError bool
	// Factor multiplies all tolerances; 0 is 1.
	Factor float64
	// Verbose writes the name of each key that is compared.
	Verbose bool
}

// A Key is a key to compare, in a type of its own, or a namespace.
type Key struct {
	fields.Key
	Namespace bool
}

// ParseKey reads a key as grib_compare takes it: KEY, KEY:s, KEY:d, KEY:i, or NAMESPACE:n.
func ParseKey(text string) Key {
	name, namespace := strings.CutSuffix(text, ":n")
	return Key{Key: fields.ParseKey(name), Namespace: namespace}
}

// ParseRelative reads tolerances for [Options].Relative: KEY=ERROR each.
func ParseRelative(texts []string) (map[string]float64, error) {
	tolerances := make(map[string]float64, len(texts))
	for _, text := range texts {
		name, value, _ := strings.Cut(text, "=")
		tolerance, err := strconv.ParseFloat(value, 64)
		if err != nil || !(tolerance >= 0) {
			return nil, fmt.Errorf("%q: expected KEY=ERROR, the error 0 or more", text)
		}
		tolerances[name] = tolerance
	}
	return tolerances, nil
}

// EditionKeys returns the namespaces that grib_compare -e compares: keys that do not depend on the edition.
func EditionKeys() []Key {
	var list []Key
	for _, name := range []string{"parameter", "vertical", "geography", "data", "mars", "local"} {
		list = append(list, Key{Key: fields.Key{Name: name}, Namespace: true})
	}
	return list
}

// A Comparer compares the fields of two files, one pair after the other.
type Comparer struct {
	Options
	out      *bufio.Writer
	count    int // pairs, also skipped ones
	printed  int // the pair whose description was written last
	differ   int // pairs, twice if both ways
	more     [2]int
	keys     []string // that differ, in the order in which they were found
	times    map[string]int
	pair     [2]fields.Field
	reversed bool // the second pass of BothWays
}

// New returns a Comparer that writes to w.
func New(w io.Writer, o Options) *Comparer {
	if o.Factor == 0 {
		o.Factor = 1
	}
	return &Comparer{Options: o, out: bufio.NewWriter(w), times: make(map[string]int)}
}

// Skip passes a pair over.
func (c *Comparer) Skip() { c.count++ }

// Only counts a field of one file that has no partner in the other. The file is 0 for the first or 1 for the
// second.
func (c *Comparer) Only(file int) {
	c.more[file]++
	if file == 1 {
		c.count++
	}
}

// Fields compares two fields and reports whether they are the same.
func (c *Comparer) Fields(a, b fields.Field) (same bool, err error) {
	c.count++
	c.pair = [2]fields.Field{a, b}
	before := c.differ
	if c.compare() > 0 {
		c.differ++
	}
	if c.BothWays {
		c.pair[0], c.pair[1], c.reversed = b, a, true
		if c.compare() > 0 {
			c.differ++
		}
		c.reversed = false
	}
	return c.differ == before, c.out.Flush()
}

// Totals writes how many fields of the second file were compared, for [Options.Verbose].
func (c *Comparer) Totals(compared, all int, name string) error {
	fmt.Fprintf(c.out, "%d of %d messages in %s\n\n%d of %d total messages in 1 files\n", compared, all, name, compared, all)
	return c.out.Flush()
}

// End writes a summary if anything differs, and reports whether nothing does.
func (c *Comparer) End(first, second string) (same bool, err error) {
	c.differ += c.more[0] + c.more[1]
	if c.differ == 0 {
		return true, nil
	}
	fmt.Fprint(c.out, "\n## ERRORS SUMMARY #######\n")
	names := [2]string{first, second}
	for i, n := range c.more {
		if n > 0 {
			fmt.Fprintf(c.out, "##\n## Different number of messages \n## %d more messages in %s than in %s\n", n, names[i], names[1-i])
		}
	}
	fmt.Fprint(c.out, "##\n## Summary of different key values \n")
	for _, key := range c.keys {
		fmt.Fprintf(c.out, "## %s ( %d different )\n", key, c.times[key])
	}
	fmt.Fprintf(c.out, "##\n## %d different messages out of %d\n\n", c.differ, c.count)
	return false, c.out.Flush()
}

// compare returns the number of keys of the pair that differ.
func (c *Comparer) compare() (n int) {
	a, b := c.pair[0], c.pair[1]
	switch {
	case c.Headers:
		end := [2]int{headerEnd(a), headerEnd(b)}
		if bytes.Equal(a.Field.Bytes()[:end[0]], b.Field.Bytes()[:end[1]]) {
			return 0
		}
		return c.all(end[0])
	case len(c.Keys) > 0 && !c.All:
		return c.listed()
	case bytes.Equal(a.Field.Bytes(), b.Field.Bytes()):
		return 0
	}
	return c.all(len(a.Field.Bytes())) + c.listed()
}

// headerEnd is where the bitmap or the data begin.
func headerEnd(f fields.Field) int {
	size := len(f.Field.Bytes())
	for _, key := range []string{"endOfHeadersMarker", "offsetBSection6", "offsetSection6", "offsetBeforeBitmap", "offsetSection4"} {
		if n, err := f.Int(key); err == nil && n > 0 && n < int64(size) {
			return int(n)
		}
	}
	return size
}

// all compares the keys that are coded before an offset.
func (c *Comparer) all(end int) (n int) {
	seen := make(map[string]bool)
	for _, e := range c.pair[0].Entries() {
		if e.Type == keys.Section || e.Hidden || e.Length == 0 || e.Offset >= end || seen[e.Name] {
			continue
		}
		seen[e.Name] = true
		if !c.key(Key{Key: fields.Key{Name: e.Name}}) {
			n++
		}
	}
	return n
}

// listed compares the keys of Options.
func (c *Comparer) listed() (n int) {
	for _, key := range c.Keys {
		if !key.Namespace {
			if !c.key(key) {
				n++
			}
			continue
		}
		for _, name := range c.pair[0].Names(key.Name) {
			if !c.key(Key{Key: fields.Key{Name: name}}) {
				n++
			}
		}
	}
	return n
}

// found notes that a key differs, and describes the pair before the first one.
func (c *Comparer) found(key, format string, args ...any) bool {
	if c.printed != c.count {
		c.printed = c.count
		text := func(key string) string {
			if c.Headers && (key == "packingType" || key == "gridType" && c.pair[0].Field.Edition == 1) {
				return "" // as in ecCodes, which sees the headers only
			}
			s, _ := c.pair[0].String(key)
			return s
		}
		fmt.Fprintf(c.out, "\n-- %s #%d -- shortName=%s paramId=%s stepRange=%s levelType=%s level=%s packingType=%s gridType=%s --\n",
			text("identifier"), c.count, text("shortName"), text("paramId"), text("stepRange"), text("levelType"), text("level"),
			text("packingType"), text("gridType"))
	}
	if c.times[key]++; c.times[key] == 1 {
		c.keys = append(c.keys, key)
	}
	fmt.Fprintf(c.out, format+"\n", args...)
	return false
}

func (c *Comparer) ignores(key string) bool { return slices.Contains(c.Ignore, key) }
