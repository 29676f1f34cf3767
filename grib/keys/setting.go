package keys

import (
	"fmt"
	"strings"
)

// A Setting is a key and its new value, as text.
type Setting struct{ Key, Value string }

// ParseSetting reads KEY=VALUE. As in grib_set, the key may end in :s, :d, :i or :l, the type of
// the value. Here the key itself decides the type.
func ParseSetting(text string) (Setting, error) {
	key, value, ok := strings.Cut(text, "=")
	key = strings.TrimSpace(key)
	if n := len(key) - 2; n > 0 && key[n] == ':' && strings.IndexByte("sdil", key[n+1]) >= 0 {
		key = key[:n]
	}
	if !ok || key == "" {
		return Setting{}, fmt.Errorf("%q, expected KEY=VALUE", text)
	}
	return Setting{key, value}, nil
}

// ParseSettings reads several settings.
func ParseSettings(texts []string) ([]Setting, error) {
	list := make([]Setting, len(texts))
	for i, text := range texts {
		var err error
		if list[i], err = ParseSetting(text); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// SetAll returns the message of one field with keys set one after the other, see [Handle.Set].
func SetAll(message []byte, settings ...Setting) ([]byte, error) {
	for _, s := range settings {
		h, err := New(message, nil)
		if err != nil {
			return nil, err
		}
		if message, err = h.Set(s.Key, s.Value); err != nil {
			return nil, err
		}
	}
	return message, nil
}
