package edit

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/tgm"
)

// Change sets a key of metadata to a value, or removes it.
type Change struct {
	Path  []string // of keys
	Value any
	Extra bool // the key belongs to the message, not to its objects
	// Descriptor: the key belongs to the descriptor of the object with the number Object.
	Descriptor bool
	Object     int
	Remove     bool
}

// immutable are keys that describe how an object is stored. Objects have them in their descriptors,
// which follow from the data; in metadata they would contradict these.
var immutable = []string{
	"shape", "strides", "dtype", "ndim", "type", "encoding", "filter", "compression", "hash",
	"szip_rsi", "szip_block_size", "szip_flags", "szip_block_offsets", "shuffle_element_size",
	"reference_value", "binary_scale_factor", "decimal_scale_factor", "bits_per_value",
	"sp_reference_value", "sp_binary_scale_factor", "sp_decimal_scale_factor", "sp_bits_per_value",
}

// ParseChange reads KEY=VALUE. A key is a path with dots; extra.KEY is a key of the message, and
// objects.N.KEY a key of the descriptor of its object N. The value is text, unless the key ends
// with its type: :i for an integer, :f for a float, :b for true or false, :s for text.
func ParseChange(text string) (Change, error) {
	key, value, ok := strings.Cut(text, "=")
	if !ok {
		return Change{}, fmt.Errorf("%q: expected KEY=VALUE", text)
	}
	key, kind, _ := strings.Cut(key, ":")
	c, err := pathOf(key)
	if err != nil {
		return c, err
	}
	switch kind {
	case "", "s":
		c.Value = value
	case "i":
		c.Value, err = strconv.ParseInt(value, 10, 64)
	case "f", "d":
		c.Value, err = strconv.ParseFloat(value, 64)
	case "b":
		c.Value, err = strconv.ParseBool(value)
	default:
		return c, fmt.Errorf("%q: type %q is unknown, expected i, f, b or s", text, kind)
	}
	if err != nil {
		return c, fmt.Errorf("%q: value %q is not of type %s", text, value, kind)
	}
	return c, nil
}

// ParseRemoval reads a key to remove.
func ParseRemoval(key string) (Change, error) {
	c, err := pathOf(key)
	c.Remove = true
	return c, err
}

func pathOf(key string) (c Change, err error) {
	key = strings.TrimSpace(key)
	for _, prefix := range []string{"extra.", "_extra_."} {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			key, c.Extra = rest, true
			break
		}
	}
	c.Path = strings.Split(key, ".")
	if n := c.Path; !c.Extra && n[0] == "objects" && len(n) > 1 {
		if c.Object, err = strconv.Atoi(n[1]); err != nil || c.Object < 0 || len(n) < 3 {
			return c, fmt.Errorf("key %q: expected objects.N.KEY, with the number of an object", key)
		}
		c.Descriptor, c.Path = true, n[2:]
	}
	leaf := c.Path[len(c.Path)-1]
	switch {
	case c.Descriptor && describesStorage(c.Path[0]):
		return c, fmt.Errorf("key %q describes how objects are stored and cannot be set", key)
	case slices.Contains(c.Path, ""):
		return c, fmt.Errorf("key %q has an empty part", key)
	case c.Path[0] == "_reserved_":
		return c, fmt.Errorf("key %q is written by the encoder and cannot be set", key)
	case !c.Extra && slices.Contains(immutable, leaf):
		return c, fmt.Errorf("key %q describes how objects are stored and cannot be set", key)
	}
	return c, nil
}

// Apply returns a copy of the metadata m with the changes to objects applied. With extra, it
// applies the changes to the message. m is not changed.
func Apply(m map[string]any, changes []Change, extra bool) (map[string]any, error) {
	for _, c := range changes {
		if c.Extra != extra || c.Descriptor {
			continue
		}
		var err error
		if m, err = c.apply(m, c.Path); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// describesStorage reports whether a reader needs the key of a descriptor.
func describesStorage(key string) bool {
	if key == "byte_order" || key == "masks" {
		return true
	}
	for _, kind := range []tgm.StageKind{tgm.EncodingStage, tgm.FilterStage, tgm.CompressionStage} {
		for _, s := range tgm.Stages(kind) {
			if slices.ContainsFunc(s.Params, func(p tgm.Param) bool { return p.Name == key }) {
				return true
			}
		}
	}
	return false
}

// ApplyDescriptor returns the descriptor parameters of object j with its changes applied, or nil if it
// has no changes. The map params is not changed. Removing a key that is absent is an error.
func ApplyDescriptor(params map[string]any, changes []Change, j int) (changed map[string]any, err error) {
	for _, c := range changes {
		if !c.Descriptor || c.Object != j {
			continue
		}
		if changed == nil {
			changed = params
		}
		if c.Remove && !has(changed, c.Path) {
			return nil, fmt.Errorf("object %d: its descriptor has no key %s to remove", j, strings.Join(c.Path, "."))
		}
		if changed, err = c.apply(changed, c.Path); err != nil {
			return nil, fmt.Errorf("object %d: %w", j, err)
		}
	}
	return changed, nil
}

// has reports whether a map has a value at a path.
func has(m map[string]any, path []string) bool {
	v, there := m[path[0]]
	if len(path) == 1 || !there {
		return there
	}
	inner, ok := v.(map[string]any)
	return ok && has(inner, path[1:])
}

func (c *Change) apply(m map[string]any, path []string) (map[string]any, error) {
	out := maps.Clone(m)
	if out == nil {
		out = map[string]any{}
	}
	key := path[0]
	if len(path) > 1 {
		inner, ok := out[key].(map[string]any)
		if _, there := out[key]; there && !ok {
			return nil, fmt.Errorf("key %s: %s is not a map", strings.Join(c.Path, "."), key)
		}
		if c.Remove && !ok {
			return out, nil
		}
		var err error
		out[key], err = c.apply(inner, path[1:])
		return out, err
	}
	if c.Remove {
		delete(out, key)
	} else {
		out[key] = c.Value
	}
	return out, nil
}
