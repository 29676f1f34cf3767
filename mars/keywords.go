package mars

import "slices"

// labelled are the keys of the namespace mars whose values labels and the parameter hold as well,
// or that are no property of a field.
var labelled = map[string]bool{
	"date": true, "time": true, "step": true, "number": true, "levelist": true, "levtype": true, "param": true, "grid": true,
	"area": true, "domain": true, "hdate": true, "model": true, "class": true, "type": true, "stream": true, "expver": true,
	"timespan": true, "packing": true, "truncation": true, "paramId": true,
}

// OriginKeys returns the keys of base[i].mars that say where a field comes from, the ones that are
// asked for first.
func OriginKeys() []string {
	return []string{"stream", "type", "expver", "class", "model", "domain"}
}

// DateKeys returns the keys of base[i].mars that say when a field was made, for dates that are no
// points in time, such as the day of a climatology.
func DateKeys() []string { return []string{"date", "time"} }

// IsOrigin reports whether a key is one of [OriginKeys].
func IsOrigin(key string) bool { return slices.Contains(OriginKeys(), key) }

// IsDistinguishing reports whether fields of the same parameter, labels and origin (class, type,
// stream, experiment, model) can differ in a key of base[i].mars.
func IsDistinguishing(key string) bool { return !labelled[key] }
