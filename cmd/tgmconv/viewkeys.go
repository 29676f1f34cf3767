package main

import "strings"

// keyHelp is the part of the help of every verb that takes keys.
const keyHelp = `Keys are paths with dots: name, mars.step, netcdf.units, mars.area.0 (an element of a list).
A key is looked for in the object's own metadata, then in its namespaces (so that step finds mars.step),
then in the message's metadata (extra.KEY asks only there; global.NAME is an attribute of a netCDF file), then
in what listings show (name, long_name, standard_name, units, date, time, step, level, level_type, number,
group), then among what is known of every object: file, message, object, dtype, shape, dims, encoding, filter,
compression, byte_order, type, offset, length, hash, version, and the packing parameters, such as
sp_bits_per_value; and last among ecCodes' keys of GRIB fields, such as packingType.`

// whereHelp is the part of the help of every verb that selects objects.
const whereHelp = `A clause of --where is KEY=VALUE or KEY!=VALUE, or has <, <=, > or >= in place of =. VALUE may list
alternatives with slashes (t/q) and ranges (500/to/850, 500/to/850/by/50); * stands for any text and ? for
one character; dates and times are written as ls shows them (2017-03-22, 06:00) or as the key has them.
Clauses are joined by commas or given by repeating --where, and all must hold. Numbers are compared as
numbers, all else as text. An object without the key passes != only. Keys are the same for all verbs and
formats (docs/exact/looking.md lists them): name is the short or the long name, level_type or typeOfLevel the type of
level, dtype int16 or short, shape 721x1440; centre has ecCodes' number and text.`

// A keyLookup gives the value of a key, and whether there is one.
type keyLookup func(key string) (any, bool)

// splitKeys splits the values of -p at commas.
func splitKeys(values []string) []string {
	var keys []string
	for _, value := range values {
		for key := range strings.SplitSeq(value, ",") {
			if key = strings.TrimSpace(key); key != "" {
				keys = append(keys, key)
			}
		}
	}
	return keys
}
