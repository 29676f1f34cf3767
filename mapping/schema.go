package mapping

import (
	"fmt"
	"slices"
	"strings"
)

// A Producer is a kind of object, by what writes its entry.
type Producer uint8

// The producers of entries; an entry of the schema may have several.
const (
	FromGRIB   Producer = 1 << iota // fields of importers/fromgrib
	FromNetCDF                      // variables of importers/fromnetcdf
	Coordinate                      // coordinates that a GRIB conversion adds
)

// A KeyInfo documents one key of base[i].
type KeyInfo struct {
	Key      string // with dots for keys inside a map: netcdf._dims
	Type     string
	Unit     string // empty if it has none
	Producer Producer
	Meaning  string // what it is and where it comes from; Markdown
}

// Schema returns the documentation of every key of base[i] that this project writes.
func Schema() []KeyInfo { return slices.Clone(schema[:]) }

var schema = [...]KeyInfo{
	{KeyName, "text", "", FromGRIB, "ecCodes' `shortName`; `unknown_` with the numbers of the parameter where it has none"},
	{KeyName, "text", "", FromNetCDF, "the variable's name; `group/name` below the root group"},
	{KeyName, "text", "", Coordinate, "`latitude`, `longitude`"},
	{KeyDims, "list of texts", "", FromGRIB | Coordinate, "a name per axis: `latitude`, `longitude`; `y`, `x` of projected and rotated grids; `values` of reduced and unstructured ones"},
	{KeyDims, "list of texts", "", FromNetCDF, "a name per axis"},
	{KeyUnits, "text", "", Coordinate, "`degrees_north`, `degrees_east`"},
	{KeyStandardName, "text", "", Coordinate, "the CF standard name"},
	{KeyMARS, "map", "", FromGRIB, "ecCodes' namespace `mars`, key by key and type by type"},
	{KeyMARS + "." + MARSGrid, "text", "", FromGRIB, "ecCodes' `gridType`"},
	{KeyMARS + "." + MARSArea, "list of 4 numbers", "degrees", FromGRIB, "north, west, south, east of a `regular_ll` grid"},
	{KeyProduct, "map", "", FromGRIB, "what else tells fields apart: the keys of sections 1 and 4 that no other key says, under ecCodes' names (`percentileValue`, `derivedForecast`, `constituentType`, …)"},
	{KeyReferenceTime, "text", "ISO 8601, UTC", FromGRIB, "`dataDate` with `hour`, `minute` and `second`: also where MARS has no keys for it"},
	{KeyValidTime, "text", "ISO 8601, UTC", FromGRIB, "`validityDate` and `validityTime`, or the end of the step after the reference time"},
	{KeyStep, "integer", "`step_units`", FromGRIB, "`endStep`: the end of the forecast step"},
	{KeyStepUnits, "text", "", FromGRIB, "`stepUnits`: `s`, `m`, `h`, `D`, `M`, `Y`, and multiples: `15m`, `30m`, `3h`, `6h`, `12h`, `10Y`, `30Y`, `C` (century)"},
	{KeyLevel, "number", "that of `level_type`", FromGRIB, "`level`, not rounded: 0.4, 1.5"},
	{KeyLevelType, "text", "", FromGRIB, "`typeOfLevel`"},
	{KeyTop, "number", "that of `level_type`", FromGRIB, "`topLevel` of a layer, not rounded"},
	{KeyBottom, "number", "that of `level_type`", FromGRIB, "`bottomLevel` of a layer, not rounded"},
	{KeyNumber, "integer", "", FromGRIB, "`number` or `perturbationNumber`: the ensemble member, where there is one"},
	{KeyGeometry, "map", "", FromGRIB | Coordinate, "the grid, see [geometry.md](geometry.md)"},
	{KeyReproduction, "map", "", FromGRIB, "the keys of geography, parameter, time and vertical, and those of the encoding, as the reference's importer writes them"},
	{KeyGRIB, "map", "", FromGRIB, "with `--all-keys`: the namespaces `ls`, `geography`, `time`, `vertical`, `parameter`, `statistics`, a map each"},
	{KeyNetCDF, "map", "", FromNetCDF, "the variable's attributes, key by key, and the keys below"},
	{KeyNetCDF + "." + NetCDFDims, "list of texts", "", FromNetCDF, "the names of the variable's dimensions in the file"},
	{KeyNetCDF + "." + NetCDFFile, "map", "", FromNetCDF, "`dims`: all dimensions of the file, each with `name`, `len`, `unlimited`"},
	{KeyNetCDF + "." + NetCDFAttrTypes, "map of texts", "", FromNetCDF, "the netCDF type of each attribute"},
	{KeyNetCDF + "." + NetCDFGlobal, "map", "", FromNetCDF, "the attributes of the file"},
	{KeyNetCDF + "." + NetCDFGlobalTypes, "map of texts", "", FromNetCDF, "their netCDF types"},
	{KeyNetCDF + "." + NetCDFGroups, "list of maps", "", FromNetCDF, "the groups around the variable, outermost first, each with `name`, `attributes`, `types`"},
	{KeyNetCDF + "." + NetCDFPacking, "map", "", FromNetCDF, "of an unpacked variable: the attributes that describe its packed integers, and their type as `dtype`"},
	{KeyNetCDF + "." + NetCDFEnum, "map of integers", "", FromNetCDF, "the members of an enum"},
	{KeyCF, "map", "", FromNetCDF, "with `--cf`: the CF attributes of the variable"},
	{KeyRecordIndex, "integer", "", FromNetCDF, "with `--split-by record`: the position along the unlimited dimension"},
}

// Table is the Markdown table of the keys that a producer writes.
func Table(p Producer) string {
	var b strings.Builder
	b.WriteString("| key of `base[i]` | type | unit | what it is |\n|---|---|---|---|\n")
	for _, k := range schema {
		if k.Producer&p != 0 {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k.Key, k.Type, k.Unit, k.Meaning)
		}
	}
	return b.String()
}
