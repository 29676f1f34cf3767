package cli

import "strings"

// KeyHelp is the part of the help of every verb that takes keys.
const KeyHelp = `Keys are paths with dots: name, mars.step, netcdf.units, mars.area.0 (an element of a list).
tgmconv looks for a key in these places, and takes the first:
  - the metadata of the object, then its namespaces, so that step finds mars.step
  - the metadata of the message (extra.KEY only there), and global attributes of netCDF (global.NAME)
  - the columns of listings: name, long_name, standard_name, units, date, time, step, level, level_type, number, group
  - file, message, object, dtype, shape, dims, encoding, filter, compression, byte_order, type, offset, length, hash,
    version, and parameters of packing, such as sp_bits_per_value
  - ecCodes' keys of GRIB fields, such as packingType`

// WhereHelp is the part of the help of every verb that selects objects.
const WhereHelp = `A clause of --where is KEY=VALUE or KEY!=VALUE, or has <, <=, > or >= in place of =. All clauses must hold;
commas join them, or --where is repeated.
  - VALUE may list alternatives (t/q) and ranges (500/to/850, 500/to/850/by/50).
  - * stands for any text, ? for one character.
  - Dates and times are written as ls shows them (2017-03-22, 06:00), or as in the file.
  - Numbers are compared as numbers, other values as text. An object without the key passes != only.
Keys are the same for all verbs and formats (docs/exact/looking.md lists them). name is the short or the long name,
level_type or typeOfLevel the type of level, dtype int16 or short, shape 721x1440, centre ecCodes' number or text.`

// A KeyLookup gives the value of a key, and whether there is one.
type KeyLookup func(key string) (any, bool)

// SplitKeys splits the values of -p at commas.
func SplitKeys(values []string) []string {
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
