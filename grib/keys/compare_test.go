package keys_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/tgmconv/tgmconv/grib/keys"
)

func show(v any) string {
	switch v := v.(type) {
	case []int64, []float64:
		s := fmt.Sprint(v)
		if len(s) > 60 {
			s = s[:60] + "…"
		}
		return s
	case nil:
		return "-"
	case string:
		return fmt.Sprintf("%q", v)
	}
	return fmt.Sprintf("%v(%T)", v, v)
}

// sameValue compares a value of ours with the oracle's [type, value].
func sameValue(got any, typ string, want any) bool {
	switch w := want.(type) {
	case nil:
		return got == nil || typ == "b" // bytes do not come through the Python interface
	case string:
		switch g := got.(type) {
		case string:
			return (typ == "s" || typ == "b" || typ == "x") && g == w
		case float64: // not finite
			return typ == "f" && strings.EqualFold(strings.TrimPrefix(fmt.Sprint(g), "+"), w)
		case []byte:
			return typ == "b" && fmt.Sprintf("%x", g) == w
		}
	case float64:
		switch g := got.(type) {
		case int64:
			return typ == "i" && float64(g) == w
		case float64:
			return typ == "f" && (g == w || math.Abs(g-w) <= 1e-9*math.Abs(w))
		}
	case map[string]any: // {"a": values, or their number if they are many}
		switch g := got.(type) {
		case []int64:
			return typ == "i" && sameList(g, "i", w["a"])
		case []float64:
			return typ == "f" && sameList(g, "f", w["a"])
		}
	}
	return false
}

func sameList[T any](got []T, typ string, want any) bool {
	list, ok := want.([]any)
	if !ok {
		n, _ := want.(float64)
		return int(n) == len(got)
	}
	if len(list) != len(got) {
		return false
	}
	for i := range got {
		if !sameValue(got[i], typ, list[i]) {
			return false
		}
	}
	return true
}

// A checker compares the keys of one message, in the order in which the oracle
// read them.
type checker struct {
	*report
	h     *keys.Handle
	where string
	// broken: the values cannot be decoded, and keys that depend on them are not compared.
	broken bool
}

var fromValues = map[string]bool{"numberOfMissing": true, "bitsPerValue": true, "max": true, "min": true, "avg": true, "sd": true,
	"skew": true, "kurt": true, "const": true, "enorm": true}

func (c checker) key(label, name, typ string, want any) {
	if c.broken && fromValues[name] {
		return
	}
	c.compared++
	got, err := c.h.Get(name)
	if typ == "-" {
		if c.h.Has(name) {
			c.diff(label, fmt.Sprintf("%s: %s, ecCodes has none", c.where, show(got)))
		}
		return
	}
	if err != nil {
		got = nil
	}
	if !sameValue(got, typ, want) {
		c.diff(label, fmt.Sprintf("%s: %s, ecCodes %s %s %v", c.where, show(got), typ, show(want), err))
	}
}

// list compares the keys of an iterator and returns their names.
func (c checker) list(prefix string, raw []json.RawMessage) (names []string) {
	for _, r := range raw {
		var e [3]any
		if json.Unmarshal(r, &e) != nil {
			continue
		}
		name := e[0].(string)
		names = append(names, name)
		c.key(prefix+name, name, fmt.Sprint(e[1]), e[2])
	}
	return names
}

func (c checker) message(l oracleLine) {
	c.messages++
	for _, m := range l.NS {
		var raw []json.RawMessage
		if json.Unmarshal(m.raw, &raw) != nil {
			continue
		}
		names, ours := c.list(m.name+".", raw), c.h.Names(m.name)
		if strings.Join(names, " ") != strings.Join(ours, " ") {
			c.diff("names of "+m.name, fmt.Sprintf("%s: extra %v, lacking %v, %v", c.where, minus(ours, names), minus(names, ours), c.h.Err()))
		}
		c.listed(m.name)
	}
	if l.All != nil {
		c.all(l)
	}
	for _, m := range l.Keys {
		var e [2]any
		if json.Unmarshal(m.raw, &e) == nil {
			c.key(m.name, m.name, fmt.Sprint(e[0]), e[1])
		}
	}
}

// listed checks that Namespace gives the same values as Get.
func (c checker) listed(ns string) {
	for _, k := range c.h.Namespace(ns) {
		if v, err := c.h.Get(k.Name); err != nil || fmt.Sprint(v) != fmt.Sprint(k.Value) {
			c.diff("listed "+ns+"."+k.Name, fmt.Sprintf("%s: %s, alone %s %v", c.where, show(k.Value), show(v), err))
		}
	}
}

// all checks the list of all keys.
func (c checker) all(l oracleLine) {
	names, ours := c.list("all ", l.All), c.h.Names("")
	for _, k := range minus(ours, names) {
		if !notCompared[k] {
			c.diff("extra "+k, c.where)
		}
	}
	for _, k := range minus(names, ours) {
		c.diff("lacking "+k, c.where)
	}
}

var notCompared = map[string]bool{"values": true, "codedValues": true, "latitudes": true, "longitudes": true, "latLonValues": true,
	"distinctLatitudes": true, "distinctLongitudes": true, "bitmap": true, "packedValues": true, "unpackedValues": true,
	"libraryVersion": true, "gridSpec": true}

func minus(a, b []string) []string {
	have := map[string]int{}
	for _, s := range b {
		have[s]++
	}
	var out []string
	for _, s := range a {
		if have[s] == 0 {
			out = append(out, s)
			continue
		}
		have[s]--
	}
	return out
}
