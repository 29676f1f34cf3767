package togrib

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/mapping"
)

// A builder makes the header of a message of keys.
type builder struct {
	entry   mapping.Entry
	shape   []uint64
	points  int
	edition int

	draft   grib.Draft
	grid    *geometry.Grid
	message []byte // as keys are set
}

// A BuildError names a key that an object without sections lacks, or that no template has.
type BuildError struct {
	Key string // of base[i]
	Err error
}

func (e *BuildError) Error() string {
	return fmt.Sprintf("the object has no sections, and cannot be built from its keys: %s: %v", e.Key, e.Err)
}

// Unwrap returns the cause.
func (e *BuildError) Unwrap() error { return e.Err }

// build makes a header of the keys of an entry.
func (b *builder) build() (grib.Header, error) {
	steps := []func() error{b.gridSection, b.identification, b.product, b.firstParameter, b.times, b.levels, b.rest, b.parameter}
	if b.edition == 1 {
		steps = []func() error{b.build1}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	h, err := b.draft.Header()
	if err != nil {
		return nil, err
	}
	return h.WithSectionsOf(b.message)
}

// value returns a key of the entry: of MARS, of the keys that tell fields apart, or of the keys for writing a
// field again.
func (b *builder) value(names ...string) (any, bool) {
	for _, name := range names {
		for _, namespace := range []string{mapping.KeyMARS, mapping.KeyProduct, mapping.KeyReproduction} {
			if v, ok := b.entry.Namespace(namespace)[name]; ok {
				return v, true
			}
		}
	}
	return nil, false
}

func (b *builder) has(names ...string) bool {
	_, ok := b.value(names...)
	return ok
}

func (b *builder) text(names ...string) string {
	v, ok := b.value(names...)
	if !ok {
		return ""
	}
	return text(v)
}

func (b *builder) integer(fallback int64, names ...string) int64 {
	v, _ := b.value(names...)
	if n, ok := mapping.Int(v); ok {
		return n
	}
	if n, err := strconv.ParseInt(text(v), 10, 64); err == nil {
		return n
	}
	return fallback
}

// redraft makes a message of the sections so far and sets keys in it.
func (b *builder) redraft(list ...[2]string) error {
	if b.draft.Product == nil {
		var err error
		if b.draft.Product, err = grib.ProductSection(0, nil, nil); err != nil {
			return err
		}
	}
	h, err := b.draft.Header()
	if err == nil {
		b.message, err = h.Message()
	}
	if err != nil {
		return err
	}
	for _, kv := range list {
		if kv[1] == "" || b.draft.Local == nil && strings.HasPrefix(kv[0], mapping.KeyMARS) || b.draft.Local == nil && kv[0] == "experimentVersionNumber" {
			continue
		}
		if err := b.set(kv[0], kv[1]); err != nil {
			return err
		}
	}
	out, err := h.WithSectionsOf(b.message)
	if err == nil {
		grid := b.draft.Grid
		b.draft, err = out.Draft()
		b.draft.Grid = grid
	}
	return err
}

func (b *builder) set(key, value string) error {
	message, err := keys.SetAll(b.message, Setting{Key: key, Value: value})
	if err != nil {
		return &BuildError{key + "=" + value, err}
	}
	b.message = message
	return nil
}

// knows reports whether the message has a key.
func (b *builder) knows(key string) bool {
	h, err := keys.New(b.message, nil)
	if err != nil {
		return false
	}
	_, ok := h.Entry(key)
	return ok
}

// holds reports whether a key has a value already.
func (b *builder) holds(key, value string) bool {
	h, err := keys.New(b.message, nil)
	if err != nil {
		return false
	}
	if now, err := h.Float(key); err == nil {
		if v, err := strconv.ParseFloat(value, 64); err == nil {
			return v == now
		}
	}
	now, err := h.String(key)
	return err == nil && now == value
}
