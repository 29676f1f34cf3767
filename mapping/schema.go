package mapping

import (
	"fmt"
	"slices"
	"strings"
)

// A Producer is a kind of object, by the writer of its entry.
type Producer uint8

// The producers of entries; an entry of the schema may have several.
const (
	FromGRIB      Producer = 1 << iota // fields of importers/fromgrib
	FromNetCDF                         // variables of importers/fromnetcdf
	Coordinate                         // coordinates that a GRIB conversion adds
	NetCDFMessage                      // messages of importers/fromnetcdf: keys of _extra_, once for all objects
	gribMessage                        // messages of importers/fromgrib: keys of _extra_
	FromTet                            // datasets of importers/fromtet
)

// A KeyInfo documents one key of base[i], or of _extra_.
type KeyInfo struct {
	Key      string // with dots for keys inside a map: netcdf._dims
	Type     string
	Unit     string // empty if it has none
	Producer Producer
	Meaning  string // its meaning and its source; Markdown
}

// Schema returns the documentation of every key of base[i] and _extra_ that this project writes.
func Schema() []KeyInfo { return slices.Clone(schema[:]) }

var schema = [...]KeyInfo{
	{KeyName, "text", "", FromGRIB, "ecCodes' `shortName`; `unknown_` with the numbers of the parameter where it has none"},
	{KeyName, "text", "", FromNetCDF, "the variable's name; `group/name` below the root group"},
	{KeyName, "text", "", Coordinate, "`latitude`, `longitude` of axes; `latitudes`, `longitudes` of points"},
	{KeyDims, "list of texts", "", FromGRIB | Coordinate, "a name per axis: `latitude`, `longitude`; `y`, `x` of projected and rotated grids; `values` of reduced and unstructured ones"},
	{KeyName, "text", "", FromTet, "the dataset's name"},
	{KeyDims, "list of texts", "", FromNetCDF, "a name per axis"},
	{KeyDims, "list of texts", "", FromTet, "`dim_names`, where the file has them"},
	{KeyUnits, "text", "", FromGRIB, "the units of the parameter in the database of ecCodes, where it has some"},
	{KeyLongName, "text", "", FromGRIB, "the name of the parameter there"},
	{KeyStandardName, "text", "", FromGRIB, "its CF standard name, where there is one"},
	{KeyUnits, "text", "", Coordinate, "`degrees_north`, `degrees_east`"},
	{KeyStandardName, "text", "", Coordinate, "the CF standard name"},
	{KeySource, "text", "", FromNetCDF | FromTet, "a hash of the source, 16 hexadecimal digits. It tells which objects belong together, and is the key of the description of the file; coordinates that a conversion of `.tet` adds have it as well"},
	{KeyMARS, "map", "", FromGRIB, "ecCodes' namespace `mars`, key by key and type by type"},
	{KeyMARS + "." + MARSGrid, "text", "", FromGRIB, "ecCodes' `gridType`"},
	{KeyMARS + "." + MARSArea, "list of 4 numbers", "degrees", FromGRIB, "north, west, south, east of a `regular_ll` grid"},
	{KeyProduct, "map", "", FromGRIB, "other keys that tell fields apart: the keys of sections 1, 2 and 4 that are in no namespace and no label, under ecCodes' names (`percentileValue`, `derivedForecast`, `constituentType`, …)"},
	{KeyReferenceTime, "text", "ISO 8601, UTC", FromGRIB, "`dataDate` with `hour`, `minute` and `second`: also where MARS has no keys for it"},
	{KeyValidTime, "text", "ISO 8601, UTC", FromGRIB, "`validityDate` and `validityTime`, or the end of the step after the reference time"},
	{KeyReferenceTime, "text", "ISO 8601", FromNetCDF, "the scalar coordinate with the standard name `forecast_reference_time`"},
	{KeyValidTime, "text", "ISO 8601", FromNetCDF, "the CF time, if it is a single one: of the record, or a scalar coordinate; with a Z where the Gregorian calendar has that date, without in other calendars"},
	{KeyValidBounds, "list of 2 texts", "ISO 8601", FromNetCDF, "the bounds of `valid_time`"},
	{KeyValidRange, "list of 2 texts", "ISO 8601", FromNetCDF, "the first and the last time of an axis of several"},
	{KeyStep, "integer", "`step_units`", FromGRIB, "`endStep`: the end of the forecast step"},
	{KeyStepUnits, "text", "", FromGRIB, "`stepUnits`: `s`, `m`, `h`, `D`, `M`, `Y`, and multiples: `15m`, `30m`, `3h`, `6h`, `12h`, `10Y`, `30Y`, `C` (century)"},
	{KeyLevel, "number", "of `level_type`", FromGRIB, "`level`, not rounded: 0.4, 1.5"},
	{KeyLevelType, "text", "", FromGRIB, "`typeOfLevel`"},
	{KeyTop, "number", "of `level_type`", FromGRIB, "`topLevel` of a layer, not rounded"},
	{KeyBottom, "number", "of `level_type`", FromGRIB, "`bottomLevel` of a layer, not rounded"},
	{KeyNumber, "integer", "", FromGRIB, "`number` or `perturbationNumber`: the ensemble member, where there is one"},
	{KeyGeometry, "map", "", FromGRIB | Coordinate, "the grid, see [geometry.md](geometry.md); of small fields not written"},
	{KeyReproduction, "map", "", FromGRIB, "the keys of geography, parameter, time, vertical and the encoding, as the reference's importer writes them; of small fields not written"},
	{KeyGRIB, "map", "", FromGRIB, "the keys below, and with `--all-keys` the namespaces `ls`, `geography`, `time`, `vertical`, `parameter`, `statistics`, a map each"},
	{KeyGRIB + "." + GRIBSections, "text", "", FromGRIB, "the GRIB message without bitmap and values, in base64, from 256 octets on compressed: `z:` and the base64 of DEFLATE. `geometry` and `grib_repro` follow from it, and `to-grib` makes the message from it; not with `--no-sections`"},
	{KeyGRIB + "." + GRIBShared, "list", "", FromGRIB, "of earlier versions: pairs of an offset and the end of a key; at the offset, the value of `" + SharedSections + "KEY` of `_extra_` belongs into `sections`"},
	{KeyGRIB + "." + gribHash, "text", "", FromGRIB, "XXH3-64 of the data section, with which `to-grib` compares its output"},
	{KeyGRIB + "." + GRIBData, "bytes", "", FromGRIB, "with `--keep-data`: the bitmap and data sections, of packings that cannot be coded to the same bytes again"},
	{SharedSections + "KEY", "text", "", gribMessage, "of earlier versions: a part of the sections of several fields, in base64: a grid, vertical coordinates; KEY is a hash of it"},
	{KeyNetCDF, "map", "", FromNetCDF, "the variable's attributes, key by key, and the keys below"},
	{KeyNetCDF + "." + NetCDFDims, "list of texts", "", FromNetCDF, "the names of the variable's dimensions in the file"},
	{KeyNetCDF + "." + netcdfAttrTypes, "map of texts", "", FromNetCDF, "the netCDF type of each attribute that is not `char`: a text without a type is `char`; type `json` is JSON of a value for which netCDF has no type"},
	{KeyNetCDF + "." + NetCDFPacking, "map", "", FromNetCDF, "of an unpacked variable: the attributes that describe its packed numbers, and their type as `dtype`"},
	{KeyNetCDF + "." + netcdfEnum, "map of integers", "", FromNetCDF, "the members of an enum"},
	{KeyNetCDF + "." + netcdfType, "text", "", FromNetCDF, "the type in the file, where the type of the elements is another: `char`, `string`, `enum`, `vlen`, `opaque`, or `short` of unsigned elements that the file has with `_Unsigned`"},
	{KeyNetCDF + "." + netcdfEncoding, "text", "", FromNetCDF, "of text: `utf-8`, `ascii`, or the value of `_Encoding`"},
	{KeyNetCDF + "." + netcdfMissing, "map", "", FromNetCDF, "the elements of the file at missing points, if these are not all the first fill value: `values`, the elements; `runs`, pairs of a number of missing points and the position of their element in `values`"},
	{KeyNetCDF + "." + netcdfNull, "list of integers", "", FromNetCDF, "which strings are null pointers in the file and not empty texts: pairs of a position and a number of strings"},
	{KeyNetCDF + "." + NetCDFCounts, "text", "", FromNetCDF, "of the values of sequences: the object that has their lengths"},
	{KeyNetCDF + "." + netcdfCountsOf, "text", "", FromNetCDF, "of the lengths of sequences: the object that has their values, one sequence after the other"},
	{KeyNetCDF + "." + netcdfAttributes, "map", "", FromNetCDF, "the attributes that have the names of the keys here that begin with an underscore: `_type`, `_dims`"},
	{netcdfKey("SOURCE"), "map", "", NetCDFMessage, "the netCDF file of the objects with this `source_id`, once for all of them"},
	{netcdfKey("SOURCE") + "." + keyFileDims, "list of maps", "", NetCDFMessage, "all dimensions of the file, each with `name`, `len`, `unlimited`, `group` below the root, and `phony` where an HDF5 file has nothing but the length"},
	{netcdfKey("SOURCE") + "." + fileGlobal, "map", "", NetCDFMessage, "the attributes of the file"},
	{netcdfKey("SOURCE") + "." + fileGlobalTypes, "map of texts", "", NetCDFMessage, "their netCDF types, except for `char`"},
	{netcdfKey("SOURCE") + "." + fileGroups, "list of maps", "", NetCDFMessage, "the groups that have attributes, whether or not they have variables, each with `name` (its path), `attributes`, `types`"},
	{netcdfKey("SOURCE") + "." + fileOthers, "list of maps", "", NetCDFMessage, "the variables that have no object, each with `name`, `type`, `dims`, `attributes`, `types`, the `reason`, and of up to 10 000 references the paths that they lead to (`references`)"},
	{netcdfKey("SOURCE") + "." + fileAliases, "map of texts", "", NetCDFMessage, "further links to groups: path of the link and path of the group"},
	{netcdfKey("SOURCE") + "." + fileLayout, "map", "", NetCDFMessage, "how the file is declared and stored: `kind`, `written` (`_NCProperties`), `header_free` (bytes between the header and the elements of a classic file), `leftovers` (the beginning of these, `header`, and the bytes after the elements: `tail` and a number of `zeros`), `types`, the order of its attributes (`attrs`), `groups`, further `links` to groups, and `variables`, of these `name`, `type`, `dims`, `attrs`, `layout`, `chunks`, `filters`, `big_endian`, `padding`, `no_fill`, `fill`, `limit`, `link_to`, `target`"},
	{KeyCF, "map", "", FromNetCDF, "with `--cf`: the CF attributes of the variable"},
	{KeyRecordIndex, "integer", "", FromNetCDF, "with `--split-by record`: the position along the unlimited dimension"},
	{KeyTet, "map of texts", "", FromTet, "the dataset's attributes, and the keys below"},
	{KeyTet + "." + tetChunks, "list of integers", "elements", FromTet, "the chunk shape"},
	{KeyTet + "." + tetCodec, "text", "", FromTet, "`raw` or `zstd`: how most of the chunks were stored"},
	{KeyTet + "." + tetCoords, "map of lists of texts", "", FromTet, "the labels along the axes, by dimension name"},
	{KeyTet + "." + tetFile, "map of texts", "", FromTet, "`tool`, `library_version` and `created_at` of the file"},
	{KeyTet + "." + tetHistory, "list of maps", "", FromTet, "the history of the file"},
	{KeyTet + "." + tetStart, "list of integers", "elements", FromTet, "with `--split-by chunk`: where in the dataset the chunk begins"},
	{KeyTet + "." + tetShape, "list of integers", "elements", FromTet, "with `--split-by chunk`: the shape of the dataset"},
}

// Table returns a Markdown table of the keys that a producer writes.
func Table(p Producer) string {
	var b strings.Builder
	of := "base[i]"
	if p == NetCDFMessage || p == gribMessage {
		of = keyExtra
	}
	b.WriteString("| key of `" + of + "` | type | unit | meaning |\n|---|---|---|---|\n")
	for _, k := range schema {
		if k.Producer&p != 0 {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k.Key, k.Type, k.Unit, k.Meaning)
		}
	}
	return b.String()
}
