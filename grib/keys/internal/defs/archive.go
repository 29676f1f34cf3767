package defs

import (
	_ "embed"
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
	"unsafe"

	"github.com/klauspost/compress/zstd"
)

// The archive:
//
//	"GRBKEYS1"
//	uvarint  number of parts
//	per part: string name, uvarint bytes compressed, uvarint bytes
//	the parts, each one zstd frame
//
// Part "core": the sorted names, the accessor classes, then the files with their
// statements.
// Part "tables": the code tables. Parts "concepts/<folder>": the concept
// tables of one folder, which share values and conditions.
//
//go:embed data/definitions.bin
var embedded string

const magic = "GRBKEYS1"

type part struct {
	off, size, raw int
	once           sync.Once
	text           string
	err            error
}

// A Library gives access to the compiled definitions. It is immutable to its
// users and safe for concurrent use.
type Library struct {
	data  string
	parts map[string]*part

	Names []string // sorted; a Sym is an index
	Ops   []string // accessor classes, at most 256; Action.Op is an index

	files    map[string]*fileSlot
	tables   tableSet
	concepts sync.Map // folder -> *conceptSlot
}

type fileSlot struct {
	body string
	once sync.Once
	acts []*Action
	err  error
}

// Default returns the embedded library, opening it on first use.
var Default = sync.OnceValues(func() (*Library, error) { return open(embedded) })

func open(data string) (*Library, error) {
	if !strings.HasPrefix(data, magic) {
		return nil, errors.New("compiled definitions are missing")
	}
	r := &reader{s: data, pos: len(magic)}
	l := &Library{data: data, parts: map[string]*part{}, files: map[string]*fileSlot{}}
	n := r.count()
	var order []*part
	for i := 0; i < n && r.err == nil; i++ {
		name := r.str()
		p := &part{size: int(r.uint()), raw: int(r.uint())}
		l.parts[name] = p
		order = append(order, p)
	}
	if r.err != nil {
		return nil, r.err
	}
	off := r.pos
	for _, p := range order {
		p.off = off
		off += p.size
	}
	if off != len(data) {
		return nil, fmt.Errorf("compiled definitions: %d bytes, expected %d", len(data), off)
	}
	return l, l.openCore()
}

// text decompresses a part once.
func (l *Library) text(name string) (string, error) {
	p, ok := l.parts[name]
	if !ok {
		return "", fmt.Errorf("compiled definitions have no part %q", name)
	}
	p.once.Do(func() {
		dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<28))
		if err != nil {
			p.err = err
			return
		}
		defer dec.Close()
		b, err := dec.DecodeAll([]byte(l.data[p.off:p.off+p.size]), make([]byte, 0, p.raw))
		if err != nil || len(b) != p.raw {
			p.err = fmt.Errorf("compiled definitions, part %q: %d bytes, expected %d: %w", name, len(b), p.raw, err)
			return
		}
		// b is never written again: its bytes become the string.
		p.text = unsafe.String(unsafe.SliceData(b), len(b))
	})
	return p.text, p.err
}

func (l *Library) openCore() error {
	text, err := l.text("core")
	if err != nil {
		return err
	}
	r := &reader{s: text}
	n := r.count()
	l.Names = make([]string, 0, n)
	for i := 0; i < n && r.err == nil; i++ {
		l.Names = append(l.Names, r.str())
	}
	for n = r.count(); n > 0 && r.err == nil; n-- {
		l.Ops = append(l.Ops, r.str())
	}
	if len(l.Ops) > 256 {
		r.fail()
	}
	for n = r.count(); n > 0 && r.err == nil; n-- {
		path := r.str()
		l.files[path] = &fileSlot{body: r.str()}
	}
	return r.err
}

// Sym returns the identifier with a name, or NoSym.
func (l *Library) Sym(name string) Sym {
	i := sort.SearchStrings(l.Names, name)
	if i < len(l.Names) && l.Names[i] == name {
		return Sym(i)
	}
	return NoSym
}

// Name returns the text of an identifier, "" for NoSym.
func (l *Library) Name(s Sym) string {
	if s < 0 || int(s) >= len(l.Names) {
		return ""
	}
	return l.Names[s]
}

// HasFile reports whether a definition file with statements exists.
func (l *Library) HasFile(path string) bool {
	_, ok := l.files[path]
	return ok
}

// ErrNoFile is returned for a definition file that does not exist.
var ErrNoFile = errors.New("definition file not found")

// File returns the statements of a definition file.
func (l *Library) File(path string) ([]*Action, error) {
	s, ok := l.files[path]
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrNoFile, path)
	}
	s.once.Do(func() {
		r := &reader{s: s.body}
		s.acts = r.actions()
		s.err = r.err
	})
	return s.acts, s.err
}
