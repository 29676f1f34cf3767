package main

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
	"github.com/tgmconv/tgmconv/grib/keys/internal/gen/internal/deflang"
)

// extraNames are identifiers that the engine asks for by name although no
// definition file may mention them.
var extraNames = []string{
	"7777", "mars", "ls", "geography", "time", "vertical", "parameter", "statistics", "unknown", "MISSING",
}

type compiler struct {
	raw   map[string][]byte
	names []string
	syms  map[string]defs.Sym
	ops   []string // accessor classes in order of first use
	files map[string]*deflang.File
}

// Sym interns a name. It is called in two passes: the first collects the names,
// which are then sorted, the second gives the final numbers.
func (c *compiler) Sym(name string) defs.Sym {
	s, ok := c.syms[name]
	if !ok {
		s = defs.Sym(len(c.syms))
		c.syms[name] = s
	}
	return s
}

// Op numbers an accessor class.
func (c *compiler) Op(class string) uint8 {
	i := slices.Index(c.ops, class)
	if i < 0 {
		i = len(c.ops)
		c.ops = append(c.ops, class)
	}
	return uint8(i)
}

func compile(raw map[string][]byte) (*compiler, error) {
	c := &compiler{raw: raw, syms: map[string]defs.Sym{}}
	for _, n := range extraNames {
		c.Sym(n)
	}
	for pass := 0; pass < 2; pass++ {
		c.files = map[string]*deflang.File{}
		for _, name := range sortedNames(raw) {
			if !strings.HasSuffix(name, ".def") {
				continue
			}
			f, err := deflang.Parse(name, raw[name], c)
			if err != nil {
				return nil, err
			}
			c.files[name] = f
		}
		if pass == 0 {
			c.names = sortedNames(c.syms)
			for i, n := range c.names {
				c.syms[n] = defs.Sym(i)
			}
		}
	}
	if len(c.ops) > 256 {
		return nil, fmt.Errorf("%d accessor classes, more than a byte can number", len(c.ops))
	}
	return c, nil
}

// archive writes the layout described in package defs.
func (c *compiler) archive() ([]byte, error) {
	parts := map[string][]byte{"core": c.core(), "tables": c.tables()}
	for dir, files := range c.conceptFolders() {
		parts["concepts/"+dir] = c.concepts(files)
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(8<<20),
		zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	var toc defs.Writer
	var body []byte
	toc.B = append(toc.B, "GRBKEYS1"...)
	toc.Uint(uint64(len(parts)))
	for _, name := range sortedNames(parts) {
		z := enc.EncodeAll(parts[name], nil)
		toc.Str(name)
		toc.Uint(uint64(len(z)))
		toc.Uint(uint64(len(parts[name])))
		body = append(body, z...)
	}
	return append(toc.B, body...), enc.Close()
}

func (c *compiler) core() []byte {
	var w defs.Writer
	w.Uint(uint64(len(c.names)))
	for _, n := range c.names {
		w.Str(n)
	}
	w.Uint(uint64(len(c.ops)))
	for _, op := range c.ops {
		w.Str(op)
	}
	var names []string
	for _, n := range sortedNames(c.files) {
		if !c.files[n].IsConcept {
			names = append(names, n)
		}
	}
	w.Uint(uint64(len(names)))
	for _, n := range names {
		var b defs.Writer
		b.Actions(c.files[n].Actions)
		w.Str(n)
		w.Str(string(b.B))
	}
	return w.B
}

// conceptFolders groups the concept files by folder.
func (c *compiler) conceptFolders() map[string][]string {
	out := map[string][]string{}
	for _, n := range sortedNames(c.files) {
		if c.files[n].IsConcept {
			dir, _ := path.Split(n)
			out[dir] = append(out[dir], n)
		}
	}
	return out
}

// pool numbers distinct items in order of first use.
type pool struct {
	ids   map[string]int
	items []string
}

func (p *pool) id(s string) int {
	if i, ok := p.ids[s]; ok {
		return i
	}
	if p.ids == nil {
		p.ids = map[string]int{}
	}
	p.ids[s] = len(p.items)
	p.items = append(p.items, s)
	return len(p.items) - 1
}

func (c *compiler) concepts(files []string) []byte {
	var values, conds, lists pool
	var body defs.Writer
	body.Uint(uint64(len(files)))
	for _, name := range files {
		entries := c.files[name].Concepts
		body.Str(path.Base(name))
		body.Uint(uint64(len(entries)))
		pv, pl := 0, 0
		for _, e := range entries {
			var list defs.Writer
			list.Uint(uint64(len(e.Conds)))
			for i := range e.Conds {
				var one defs.Writer
				one.Cond(&e.Conds[i])
				list.Uint(uint64(conds.id(string(one.B))))
			}
			v, l := values.id(e.Value), lists.id(string(list.B))
			body.Int(int64(v - pv))
			body.Int(int64(l - pl))
			pv, pl = v, l
		}
	}
	var w defs.Writer
	w.Uint(uint64(len(values.items)))
	for _, s := range values.items {
		w.Str(s)
	}
	w.Uint(uint64(len(conds.items)))
	for _, s := range conds.items {
		w.B = append(w.B, s...)
	}
	w.Uint(uint64(len(lists.items)))
	for _, s := range lists.items {
		w.B = append(w.B, s...)
	}
	w.B = append(w.B, body.B...)
	return w.B
}

func (c *compiler) tables() []byte {
	var entries, contents pool
	ids := map[string]int{}
	for _, name := range sortedNames(c.raw) {
		if !strings.HasSuffix(name, ".table") {
			continue
		}
		list := parseTable(c.raw[name])
		nums := make([]int, len(list))
		for i, e := range list {
			var one defs.Writer
			one.Uint(uint64(e.Code))
			one.Str(e.Abbrev)
			one.Str(e.Title)
			one.Str(e.Units)
			nums[i] = entries.id(string(one.B))
		}
		var b defs.Writer
		b.Uint(uint64(len(nums)))
		prev := 0
		for _, n := range nums {
			b.Int(int64(n - prev))
			prev = n
		}
		ids[name] = contents.id(string(b.B))
	}
	var w defs.Writer
	w.Uint(uint64(len(entries.items)))
	for _, s := range entries.items {
		w.B = append(w.B, s...)
	}
	w.Uint(uint64(len(contents.items)))
	for _, s := range contents.items {
		w.B = append(w.B, s...)
	}
	w.Uint(uint64(len(ids)))
	prev := ""
	for _, name := range sortedNames(ids) {
		n := 0
		for n < len(prev) && n < len(name) && prev[n] == name[n] {
			n++
		}
		w.Uint(uint64(n))
		w.Str(name[n:])
		w.Uint(uint64(ids[name]))
		prev = name
	}
	return w.B
}

// parseTable reads a code table as ecCodes does. A line has code, abbreviation,
// title up to the last opening parenthesis, units within the last parentheses.
// Of two lines with one code the first counts. The last character of a line is
// dropped even where it is not a newline.
func parseTable(src []byte) []defs.TableEntry {
	var out []defs.TableEntry
	seen := map[int32]bool{}
	for len(src) > 0 {
		n := bytes.IndexByte(src, '\n') + 1
		if n == 0 {
			n = len(src)
		}
		line := string(src[:n-1])
		src = src[n:]
		if e, ok := tableLine(line); ok && !seen[e.Code] {
			seen[e.Code] = true
			out = append(out, e)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Code < out[j].Code })
	return out
}

const spaces = " \t\r\v\f"

func tableLine(line string) (e defs.TableEntry, ok bool) {
	p := strings.TrimLeft(line, spaces)
	if p == "" || p[0] < '0' || p[0] > '9' {
		return e, false
	}
	i := strings.IndexAny(p, spaces)
	if i < 0 {
		return e, false
	}
	var code int32
	for _, c := range []byte(p[:i]) {
		code = code*10 + int32(c) - '0'
	}
	if code < 0 {
		return e, false
	}
	p = strings.TrimLeft(p[i:], spaces)
	i = strings.IndexAny(p, spaces)
	if i < 0 {
		i = len(p)
	}
	e.Code, e.Abbrev = code, p[:i]
	p = strings.TrimLeft(p[i:], spaces)
	e.Title, e.Units = p, "unknown"
	if open := strings.LastIndexByte(line, '('); open >= 0 {
		at := open - (len(line) - len(p)) // where it is in p
		if at >= 0 {
			e.Title = p[:at]
		}
		if end := strings.LastIndexByte(line, ')'); end > open {
			e.Units = line[open+1 : end]
		}
	}
	e.Title = strings.TrimRight(e.Title, spaces)
	return e, e.Abbrev != ""
}
