package mars

import "slices"

// labelled are keys of the namespace mars that do not tell fields apart. Labels and the parameter
// hold their values as well, or they are no property of a field.
var labelled = map[string]bool{
	"date": true, "time": true, "step": true, "number": true, "levelist": true, "levtype": true, "param": true, "grid": true,
	"area": true, "domain": true, "hdate": true, "model": true, "class": true, "type": true, "stream": true, "expver": true,
	"timespan": true, "packing": true, "truncation": true, "paramId": true,
}

// OriginKeys returns the keys of base[i].mars that say where a field comes from, in the order of
// asking.
func OriginKeys() []string {
	return []string{"stream", "type", "expver", "class", "model", "domain"}
}

// DateKeys returns the keys of base[i].mars that say when a field was made. They are for dates
// that are no points in time, such as the day of a climatology.
func DateKeys() []string { return []string{"date", "time"} }

// IsOrigin reports whether a key is one of [OriginKeys].
func IsOrigin(key string) bool { return slices.Contains(OriginKeys(), key) }

// IsDistinguishing reports whether fields of the same parameter, labels and origin can differ in
// a key of base[i].mars. Origin is class, type, stream, experiment and model.
func IsDistinguishing(key string) bool { return !labelled[key] }
