package catalog

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/mapping"
)

// kindOf returns what an entry has in common with others, and a text that is the same for all of
// them.
func kindOf(e *Entry) (key string, k kind) {
	k = kind{e.Name, e.Dims, e.Shape, e.DType, e.Labels.LevelType, e.Grid, e.Labels.Keys}
	b := make([]byte, 0, 512)
	b = appendText(b, k.name)
	b = appendText(b, k.levelType)
	b = appendText(b, k.grid)
	b = append(b, byte(k.dtype), byte(len(k.dims)))
	for _, d := range k.dims {
		b = appendText(b, d)
	}
	for _, n := range k.shape {
		b = binary.AppendUvarint(b, n)
	}
	b = append(b, 0xff)
	for _, name := range slices.Sorted(maps.Keys(k.keys)) {
		b = appendValue(appendText(b, name), k.keys[name])
	}
	return string(b), k
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// appendValue appends a value of metadata so that different values give different bytes.
func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return appendText(append(b, 's'), v)
	case int64:
		return binary.AppendVarint(append(b, 'i'), v)
	case float64:
		return binary.BigEndian.AppendUint64(append(b, 'd'), math.Float64bits(v))
	}
	return appendText(append(b, 'o'), fmt.Sprintf("%T %v", v, v))
}

// otherKeys are the keys that tell fields apart beside the labels: those of MARS that no label says,
// and those of base[i].product.
func otherKeys(e mapping.Entry) map[string]any {
	mars, product := e.OtherMARS(), e.Product()
	switch {
	case len(product) == 0:
		return mars
	case len(mars) == 0:
		return product
	}
	for key, value := range product {
		if _, ok := mars[key]; !ok {
			mars[key] = value
		}
	}
	return mars
}
