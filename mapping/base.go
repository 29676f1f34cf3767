package mapping

import "fmt"

// A Vocabulary is a pure function from the keys of a source to one map of an object's
// metadata. Such maps are MARS keys, CF attributes, …. An empty result means that the
// vocabulary has no key for this object.
type Vocabulary func(attrs *Attributes) (namespace map[string]any, err error)

// A Namespace is a vocabulary with the key of base[i] under which its map is written.
type Namespace struct {
	Key        string
	Vocabulary Vocabulary
}

// Base composes one base[i] entry: the object's name, then extras, then each vocabulary's map
// under its key. An empty name is left out. A key given twice is an error, as is "_reserved_",
// which belongs to the message format.
func Base(name string, attrs *Attributes, extras map[string]any, namespaces ...Namespace) (map[string]any, error) {
	base := make(map[string]any, 1+len(extras)+len(namespaces))
	if name != "" {
		base[KeyName] = name
	}
	for k, v := range extras {
		if err := place(base, k, v); err != nil {
			return nil, err
		}
	}
	for _, n := range namespaces {
		m, err := n.Vocabulary(attrs)
		if err != nil {
			return nil, fmt.Errorf("mapping: %s: %w", n.Key, err)
		}
		if len(m) == 0 {
			continue
		}
		if err := place(base, n.Key, m); err != nil {
			return nil, err
		}
	}
	return base, nil
}

func place(base map[string]any, key string, value any) error {
	if key == KeyReserved {
		return fmt.Errorf("mapping: key %s belongs to the message format", key)
	}
	if _, taken := base[key]; taken {
		return fmt.Errorf("mapping: key %s is given twice", key)
	}
	base[key] = value
	return nil
}

// GroupMap returns a vocabulary that copies the keys of the named group.
func GroupMap(group string) Vocabulary {
	return func(attrs *Attributes) (map[string]any, error) {
		m := make(map[string]any, attrs.Len(group))
		for at := range attrs.All(group) {
			m[at.Key] = at.Value
		}
		return m, nil
	}
}
