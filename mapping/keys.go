package mapping

// Keys of base[i], the metadata of one object. [Schema] documents each of them.
const (
	KeyName         = "name"
	KeyDims         = "dim_names"
	KeyUnits        = "units"
	KeyStandardName = "standard_name"
	KeyGeometry     = "geometry"

	// KeySource names the source that an object comes from, such as a netCDF file. Objects with the
	// same value belong together, others do not, wherever they are. It is a hash of the source.
	KeySource = "source_id"

	KeyReferenceTime = "reference_time"
	KeyValidTime     = "valid_time"
	KeyValidBounds   = "valid_time_bounds"
	KeyValidRange    = "valid_time_range"
	KeyStep          = "step"
	KeyStepUnits     = "step_units"
	KeyLevel         = "level"
	KeyLevelType     = "level_type"
	KeyTop           = "top"
	KeyBottom        = "bottom"
	KeyNumber        = "number"
	KeyRecordIndex   = "record_index"

	KeyMARS         = "mars"
	KeyProduct      = "product"
	KeyReproduction = "grib_repro"
	KeyGRIB         = "grib"
	KeyNetCDF       = "netcdf"
	KeyCF           = "cf"
	KeyTet          = "tet"

	// KeyReserved belongs to the message format; entries must not have it.
	KeyReserved = "_reserved_"
	// keyExtra holds metadata that earthkit's encoder has no other place for.
	keyExtra = "_extra_"
)

// Keys of base[i].netcdf in addition to the attributes of the variable. They begin with an
// underscore, as in the reference's converter. An attribute that has the name of one of them is in
// the map netcdfAttributes.
const (
	NetCDFDims        = "_dims"
	NetCDFFileKey     = "_file"
	netcdfAttrTypes   = "_attr_types"
	NetCDFGlobal      = "_global"
	netcdfGlobalTypes = "_global_types"
	NetCDFGroups      = "_groups"
	NetCDFPacking     = "_packing"
	netcdfEnum        = "_enum"
	netcdfType        = "_type"
	netcdfEncoding    = "_encoding"
	netcdfMissing     = "_missing"
	netcdfNull        = "_null"
	NetCDFCounts      = "_counts"
	netcdfCountsOf    = "_counts_of"
	netcdfAttributes  = "_attributes"
)

// ProductReferenceDate is the key of base[i].product for the date of the model version of a hindcast.
// ECMWF's local definitions have it.
const ProductReferenceDate = "referenceDate"

// Keys of base[i].mars that are not in ecCodes' namespace of that name.
const (
	MARSGrid = "grid"
	MARSArea = "area"
)

// Keys of base[i].grib in addition to ecCodes' namespaces, and the prefix of the section keys of
// _extra_. The keys of _extra_ hold parts of sections.
const (
	GRIBSections = "sections"
	GRIBShared   = "shared"
	gribHash     = "hash"
	GRIBData     = "data"

	SharedSections = "grib_sections_"
)

// AttrSections is the attribute of a variable in an array store that has the GRIB header of its first field. The
// header has the form of GRIBSections. With it to-grib makes messages with the keys and the packing of the source.
const AttrSections = "GRIB_sections"

// AttrFieldRuns is the attribute of a variable with AttrSections that lacks fields at some positions along its leading
// axes. The leading axes are all but the last two. The attribute has the lengths of runs of positions with a field and
// of runs without, in turns, in C order.
const AttrFieldRuns = "GRIB_field_runs"

// AttrFieldOctets is the attribute of a variable with AttrSections whose fields have different headers. It has the
// octets that differ from the first, see FieldOctets.
const AttrFieldOctets = "GRIB_field_octets"

// Keys that name an object in entries that other programs write.
const (
	keyParam     = "param"
	keyShortName = "shortName"
)

// KeyLongName is the key of the long name of a field, which attributes and the parameter database have.
const KeyLongName = "long_name"

// Further keys by which users ask for labels, beside the keys of base[i] and of MARS.
const (
	keyTypeOfLevel = "typeOfLevel"
	keyDataDate    = "dataDate"
	keyDataTime    = "dataTime"
	keyGroup       = "group"
)
