package catalog

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
)

// Keys of GRIB fields that [Entry.Base] has beside the namespaces, in base[i].grib_repro.
const (
	keyStepType  = "stepType"
	keyStepRange = "stepRange"
	keyParamID   = "paramId"
	keyCentre    = "centre"
	keyPV        = "pv"
)

// commonKeys are the keys of base[i].grib_repro that entries of a kind have in common.
var commonKeys = append([]string{keyStepType, keyParamID, keyCentre, keyPV}, mars.ProcessKeys()...)

// readKeys are the keys of base[i].grib_repro that the catalogue reads.
var readKeys = append([]string{keyStepRange}, commonKeys...)

// commonBase is the part of an entry's metadata that its kind shares: all but the labels, and of
// the keys for writing a field again only the description of the field.
func commonBase(base map[string]any) map[string]any {
	common := make(map[string]any, len(base))
	for key, value := range base {
		switch key {
		case mapping.KeyReferenceTime, mapping.KeyValidTime, mapping.KeyStep, mapping.KeyStepUnits, mapping.KeyLevel,
			mapping.KeyTop, mapping.KeyBottom, mapping.KeyNumber, mapping.KeyRecordIndex,
			mapping.KeyReserved, mapping.KeyGRIB:
		case mapping.KeyMARS:
			if other := mapping.Read(base).OtherMARS(); other != nil {
				common[key] = other
			}
		case mapping.KeyReproduction:
			kept := make(map[string]any)
			members, _ := value.(map[string]any)
			for _, member := range commonKeys {
				if v, ok := members[member]; ok {
					kept[member] = v
				}
			}
			common[key] = kept
		default:
			common[key] = value
		}
	}
	return common
}

// commonKey is a text that is the same for entries of one kind. keys are the keys of the labels as appendMap
// writes them, grid identifies the geometry.
func commonKey(e *Entry, keys []byte, base map[string]any, grid string) string {
	b := make([]byte, 0, 512)
	b = appendText(b, e.Name)
	b = appendText(b, e.Labels.LevelType)
	b = appendText(b, grid)
	b = appendText(b, e.Form)
	b = appendText(b, e.variable)
	b = strconv.AppendBool(b, e.Coordinate)
	b = append(b, byte(e.DType), byte(len(e.Dims)))
	for _, d := range e.Dims {
		b = appendText(b, d)
	}
	b = append(b, byte(len(e.Shape)))
	for _, n := range e.Shape {
		b = binary.AppendUvarint(b, n)
	}
	b = append(b, keys...)
	reproduction, _ := base[mapping.KeyReproduction].(map[string]any)
	for _, key := range commonKeys {
		b = appendValue(b, reproduction[key])
	}
	b = appendValue(b, base[mapping.KeyUnits])
	b = appendValue(b, base[mapping.KeySource])
	ofFile := e.Coordinate
	for _, key := range []string{mapping.KeyNetCDF, mapping.KeyTet} {
		if variable, ok := base[key].(map[string]any); ok {
			b, ofFile = appendMap(b, variable), true
		}
	}
	if ofFile {
		return string(b) + fileMark + e.File
	}
	return string(b)
}

// fileMark precedes the name of the file at the end of a kind's key. Such a kind is of one file only.
const fileMark = "\x00file\x00"

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendMap(b []byte, m map[string]any) []byte {
	b = binary.AppendUvarint(b, uint64(len(m)))
	keys := make([]string, 0, 16)
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		b = appendValue(appendText(b, key), m[key])
	}
	return b
}

// appendValue appends a value of metadata so that different values give different bytes.
func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, 'n')
	case string:
		return appendText(append(b, 's'), v)
	case []byte: // CBOR
		return appendText(append(b, 'c'), string(v))
	case int64:
		return binary.AppendVarint(append(b, 'i'), v)
	case float64:
		return binary.BigEndian.AppendUint64(append(b, 'd'), math.Float64bits(v))
	case map[string]any:
		return appendMap(append(b, 'm'), v)
	case []any:
		b = binary.AppendUvarint(append(b, 'l'), uint64(len(v)))
		for _, e := range v {
			b = appendValue(b, e)
		}
		return b
	}
	return appendText(append(b, 'o'), fmt.Sprintf("%T %v", v, v))
}

// windowStart returns the step at which the window of a statistic begins. stepRange is "START-END"; END is
// the step of the field, which gives the unit. One step is a window of no length.
func windowStart(stepRange string, l *Labels) (start mapping.Opt[time.Duration]) {
	end, ok := l.End()
	if !ok || stepRange == "" {
		return start
	}
	first, last, isRange := strings.Cut(stepRange, "-")
	if !isRange {
		return mapping.Some(end)
	}
	a, b := stepNumber(first), stepNumber(last)
	switch {
	case a == 0:
		return mapping.Some(time.Duration(0))
	case b == 0:
		return start
	}
	return mapping.Some(time.Duration(math.Round(end.Seconds()*a/b)) * time.Second)
}

// stepNumber is the number that a step such as "30m" begins with.
func stepNumber(step string) float64 {
	n, _ := strconv.ParseFloat(strings.TrimRight(step, "smhDMYC"), 64)
	return n
}

// otherKeys are the keys that tell fields apart beside the labels: keys of MARS that no label has, and the
// keys of base[i].product.
func otherKeys(e mapping.Entry) map[string]any {
	mars, product := e.OtherMARS(), e.Product()
	if other := e.Other(); other != nil {
		product = other.Keys
	}
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
