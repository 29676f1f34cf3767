package mapping

// Keys of base[i], the metadata of one object. [Schema] documents each of them.
const (
	KeyName         = "name"
	KeyDims         = "dim_names"
	KeyUnits        = "units"
	KeyStandardName = "standard_name"
	KeyGeometry     = "geometry"

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
	// keyExtra holds what earthkit's encoder has no other place for.
	keyExtra = "_extra_"
)

// Keys of base[i].netcdf in addition to the attributes of the variable. They begin with an
// underscore, as in the reference's converter. An attribute that has the name of one of them is in
// the map NetCDFAttributes.
const (
	NetCDFDims        = "_dims"
	NetCDFFileKey     = "_file"
	NetCDFAttrTypes   = "_attr_types"
	NetCDFGlobal      = "_global"
	NetCDFGlobalTypes = "_global_types"
	NetCDFGroups      = "_groups"
	NetCDFPacking     = "_packing"
	NetCDFEnum        = "_enum"
	NetCDFType        = "_type"
	NetCDFEncoding    = "_encoding"
	NetCDFMissing     = "_missing"
	NetCDFNull        = "_null"
	NetCDFCounts      = "_counts"
	NetCDFCountsOf    = "_counts_of"
	NetCDFAttributes  = "_attributes"
)

// ProductReferenceDate is the key of base[i].product that ECMWF's local definitions have for the date
// of the model version of a hindcast.
const ProductReferenceDate = "referenceDate"

// Keys of base[i].mars that are not in ecCodes' namespace of that name.
const (
	MARSGrid = "grid"
	MARSArea = "area"
)

// Keys of base[i].grib in addition to ecCodes' namespaces, and the prefix of the keys of _extra_
// that hold parts of sections.
const (
	GRIBSections = "sections"
	GRIBShared   = "shared"
	GRIBHash     = "hash"
	GRIBData     = "data"

	SharedSections = "grib_sections_"
)

// Keys that name an object in entries that other programs write.
const (
	keyParam     = "param"
	keyShortName = "shortName"
)

// SharedKeys returns the keys of base[i] that are mostly equal for all fields of a grid, and that
// are not needed to find or to name a field. A writer can store them once in a message of small
// objects (tgm.WriterOptions.Share).
func SharedKeys() []string { return []string{KeyGeometry, KeyReproduction} }
