// Package mapping is the schema of base[i], the metadata that a message holds for each of its
// objects. It says which keys there are, and writes and reads them.
//
// # Writing
//
// The adapter of a format puts the keys that it finds into [Attributes], grouped by where they came
// from (a GRIB namespace such as "mars" or "geography", the attributes of a netCDF variable, …),
// typed and in the order of the source. A [Vocabulary] is a pure function from these attributes to
// one named map. [Labels] and [NetCDF] hold the rest in Go's types; [Base] composes an entry of all
// of it.
//
// Values have the types that the metadata of a message can hold: string, bool, int64, uint64,
// float64, []byte, the slices []string, []int64, []uint64, []float64, and, for nested values,
// map[string]any and []any of these; [Attributes.Set] accepts Go's other integer and float types
// and widens them.
//
// # Reading
//
// [Read] returns an [Entry], whose methods return the content of any writer's entry in Go's types:
// entries of this project, of the reference's converters convert-grib and convert-netcdf, and of
// earthkit's encoder. Entries of other programs have no labels of their own; their mars and netcdf
// maps have the content.
//
// # Clauses
//
// [Clauses] choose objects and fields by the values of their keys, as the flag --where of the command does.
//
//	clause   = key [":" type] operator values
//	operator = "=" | "!=" | "<" | "<=" | ">" | ">="
//	values   = value { "/" value }
//	value    = text | low "/to/" high [ "/by/" step ]
//
// If several clauses are given, one by one or joined by commas, all must hold. With = the key must
// equal one of the values, with != none of them; the other operators take one value.
//
//	shortName=t/q          one of two
//	level>500,level<=850   between
//	level=500/to/850/by/50 500, 550, … 850
//	name!=unknown*         * stands for any text, ? for one character
//	date=2017-03-22        a date as listings print it: 20170322; time=06:00 is 600
//
// The value decides how it is compared, as in ecCodes' tools: an integer with the key's value as an
// integer, a decimal number with the key's value as a real number, anything else with its text. So
// centre=98 and centre=ecmf select the same GRIB fields. A type after the key overrides this: s for
// text, i (or l) for integer, d for real.
//
// A date without its end, such as 2020-01, stands for a span of time: time=2020-01 holds for all times of
// the month, time<2020-01 for earlier times, and time>2020-01 for times after the first moment of the month.
//
// An object without the key matches only clauses with !=.
//
// The value of a key may come in several words, such as the name of a parameter in the metadata of a message and in
// ecCodes. Then a clause holds if it does for any of them, and a clause with != if it does for all.
//
// # The schema
//
// Fields of a GRIB file have
//
//	name            text       ecCodes' shortName
//	dim_names       texts      a name per axis
//	units           text       of the parameter
//	long_name       text       of the parameter
//	standard_name   text       of the CF conventions
//	mars            map        ecCodes' namespace mars, with grid and area
//	product         map        other keys that tell fields apart
//	reference_time  text       ISO 8601, UTC
//	valid_time      text       ISO 8601, UTC
//	step            integer    end of the step, in step_units
//	step_units      text       s, m, h, D, M, Y, and multiples of them
//	level           number     in the unit of level_type
//	level_type      text       ecCodes' typeOfLevel
//	top, bottom     number     of a layer
//	number          integer    ensemble member
//	geometry        map        the grid (package grib/geometry)
//	grib_repro      map        the keys to write the field as GRIB again
//	grib            map        sections, hash, data: the message as it was (see [Sections]);
//	                           ecCodes' other namespaces, if asked for
//
// Each entry is complete in itself. The maps geometry and grib_repro follow from grib.sections, and
// are not written where they would be more than a hundredth of an object: readers get them from
// fromgrib.Entries. Entries of earlier versions have grib.shared, with the keys grib_sections_KEY
// of _extra_ that hold the parts of their sections, and _shared_, an index into the list
// _extra_._shared_.
//
// The coordinates that a GRIB conversion adds have name, dim_names, units, standard_name and
// geometry; the field of a grid and its coordinates have the same geometry. The axes latitude and
// longitude are in every message that has a field on the grid, latitudes and longitudes of points,
// where they were asked for, only in the first such message of the file. Variables of a netCDF file
// have
//
//	name            text       path in the file without the leading slash
//	dim_names       texts      a name per axis
//	source_id       text       a hash of the file
//	netcdf          map        the attributes, and _dims, _attr_types, _packing, _enum, _type,
//	                           _encoding, _missing, _null, _counts, _counts_of,
//	                           _attributes
//	cf              map        the attributes of the CF conventions, if asked for
//	record_index    integer    position along the unlimited dimension, of a record
//	valid_time      text       ISO 8601, of one time; no Z in a calendar that is not Gregorian
//	valid_time_bounds  texts   of the cell that valid_time stands for
//	valid_time_range   texts   the first and the last of several times
//	reference_time  text       ISO 8601, of a scalar coordinate
//
// and their message has, in _extra_,
//
//	netcdf_SOURCE   map        the file with this source_id: dims, global, global_types, groups,
//	                           others, aliases, layout
//
// Datasets of a .tet file have
//
//	name            text       the dataset's name
//	dim_names       texts      a name per axis, where the file has them
//	source_id       text       a hash of the file, also of the coordinates made of its labels
//	tet             map        the attributes, and _chunks, _codec, _coords, _file, _history,
//	                           _start, _shape
//
// [Schema] has the same as data, with types, units and sources.
package mapping
