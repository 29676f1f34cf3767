package keys_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"sort"
	"strings"

	"github.com/tgmconv/tgmconv/grib/keys"
)

// An oracleLine is what interop/keys_dump.py writes for one message.
type oracleLine struct {
	File   string            `json:"file"`
	Index  int               `json:"index"`
	Offset int64             `json:"offset"`
	Size   int               `json:"size"`
	NS     ordered           `json:"ns"`   // namespace -> [[name, type, value], …]
	Keys   ordered           `json:"keys"` // name -> [type, value]
	All    []json.RawMessage `json:"all"`
	Error  string            `json:"error"`
}

// ordered is a JSON object whose order counts: reading some keys of ecCodes has
// an effect on what others give next.
type ordered []member

type member struct {
	name string
	raw  json.RawMessage
}

func (o *ordered) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		m := member{name: t.(string)}
		if err := d.Decode(&m.raw); err != nil {
			return err
		}
		*o = append(*o, m)
	}
	return nil
}

func eachLine(r io.Reader, f func(oracleLine) error) error {
	sc := bufio.NewReaderSize(r, 1<<20)
	for {
		b, err := sc.ReadBytes('\n')
		if len(b) > 1 {
			var l oracleLine
			if err := json.Unmarshal(b, &l); err != nil {
				return err
			}
			if err := f(l); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// A report counts differences by key.
type report struct {
	messages, compared, differ int
	byKey                      map[string]int
	example                    map[string]string
}

func newReport() *report { return &report{byKey: map[string]int{}, example: map[string]string{}} }

func (r *report) diff(key, example string) {
	r.differ++
	r.byKey[key]++
	if _, ok := r.example[key]; !ok {
		r.example[key] = example
	}
}

func (r *report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d messages, %d keys compared, %d differ\n", r.messages, r.compared, r.differ)
	names := make([]string, 0, len(r.byKey))
	for k := range r.byKey {
		names = append(names, k)
	}
	sort.Slice(names, func(i, j int) bool {
		if r.byKey[names[i]] != r.byKey[names[j]] {
			return r.byKey[names[i]] > r.byKey[names[j]]
		}
		return names[i] < names[j]
	})
	for _, k := range names {
		fmt.Fprintf(&b, "  %-45s %6d  %s\n", k, r.byKey[k], r.example[k])
	}
	return b.String()
}

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
		return false
	case float64:
		switch g := got.(type) {
		case int64:
			return typ == "i" && float64(g) == w
		case float64:
			return typ == "f" && (g == w || math.Abs(g-w) <= 1e-9*math.Abs(w))
		}
		return false
	case map[string]any:
		list, ok := w["a"].([]any)
		n, _ := w["a"].(float64)
		switch g := got.(type) {
		case []int64:
			if !ok {
				return int(n) == len(g)
			}
			if len(list) != len(g) {
				return false
			}
			for i := range g {
				if !sameValue(g[i], "i", list[i]) {
					return false
				}
			}
			return typ == "i"
		case []float64:
			if !ok {
				return int(n) == len(g)
			}
			if len(list) != len(g) {
				return false
			}
			for i := range g {
				if !sameValue(g[i], "f", list[i]) {
					return false
				}
			}
			return typ == "f"
		}
	}
	return false
}

// compare checks all namespaces and keys of one message.
func (r *report) compare(h *keys.Handle, l oracleLine, where string) {
	r.messages++
	for _, m := range l.NS {
		ns := m.name
		var list []json.RawMessage
		if json.Unmarshal(m.raw, &list) != nil {
			continue
		}
		var names, ours []string
		for _, raw := range list {
			var e [3]any
			if json.Unmarshal(raw, &e) != nil {
				continue
			}
			name, typ := e[0].(string), fmt.Sprint(e[1])
			names = append(names, name)
			r.compared++
			got, err := h.Get(name)
			if err != nil {
				got = nil
			}
			if !sameValue(got, typ, e[2]) {
				r.diff(ns+"."+name, fmt.Sprintf("%s: %s, ecCodes %s %s", where, show(got), typ, show(e[2])))
			}
		}
		for _, n := range h.Names(ns) {
			ours = append(ours, n)
		}
		if strings.Join(names, " ") != strings.Join(ours, " ") {
			r.diff("names of "+ns, fmt.Sprintf("%s: extra %v, lacking %v, %v", where, minus(ours, names), minus(names, ours), h.Err()))
		}
	}
	if l.All != nil {
		r.compareAll(h, l, where)
	}
	for _, m := range l.Keys {
		name := m.name
		var e [2]any
		if json.Unmarshal(m.raw, &e) != nil {
			continue
		}
		r.compared++
		typ := fmt.Sprint(e[0])
		if typ == "-" {
			if h.Has(name) {
				got, _ := h.Get(name)
				r.diff(name, fmt.Sprintf("%s: %s, ecCodes has none", where, show(got)))
			}
			continue
		}
		got, err := h.Get(name)
		if err != nil {
			got = nil
		}
		if !sameValue(got, typ, e[1]) {
			r.diff(name, fmt.Sprintf("%s: %s, ecCodes %s %s %v", where, show(got), typ, show(e[1]), err))
		}
	}
}

// compareAll checks the list of all keys.
func (r *report) compareAll(h *keys.Handle, l oracleLine, where string) {
	var names []string
	for _, raw := range l.All {
		var e [3]any
		if json.Unmarshal(raw, &e) != nil {
			continue
		}
		name, typ := e[0].(string), fmt.Sprint(e[1])
		names = append(names, name)
		r.compared++
		got, err := h.Get(name)
		if err != nil {
			got = nil
		}
		if !sameValue(got, typ, e[2]) {
			r.diff("all "+name, fmt.Sprintf("%s: %s, ecCodes %s %s %v", where, show(got), typ, show(e[2]), err))
		}
	}
	ours := h.Names("")
	for _, k := range minus(ours, names) {
		if !notCompared[k] {
			r.diff("extra "+k, where)
		}
	}
	for _, k := range minus(names, ours) {
		r.diff("lacking "+k, where)
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

// readMessage reads the bytes of an oracle line's message.
func readMessage(cache map[string][]byte, l oracleLine, root string) ([]byte, error) {
	b, ok := cache[l.File]
	if !ok {
		path := l.File
		if !strings.HasPrefix(path, "/") {
			path = root + "/" + path
		}
		var err error
		if b, err = os.ReadFile(path); err != nil {
			return nil, err
		}
		clear(cache)
		cache[l.File] = b
	}
	if l.Offset < 0 || l.Offset+int64(l.Size) > int64(len(b)) {
		return nil, fmt.Errorf("%s: message at %d of %d bytes lies outside the file", l.File, l.Offset, l.Size)
	}
	return b[l.Offset : l.Offset+int64(l.Size)], nil
}
