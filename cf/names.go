package cf

// Names of attributes of the conventions (appendix A), as this project reads and writes them.
const (
	AttrUnits           = "units"
	AttrStandardName    = "standard_name"
	AttrLongName        = "long_name"
	AttrCalendar        = "calendar"
	AttrAxis            = "axis"
	AttrPositive        = "positive"
	AttrBounds          = "bounds"
	AttrSampleDimension = "sample_dimension"
	AttrClimatology     = "climatology"
	AttrCoordinates     = "coordinates"
	AttrGridMapping     = "grid_mapping"
	AttrFormulaTerms    = "formula_terms"
	AttrAncillary       = "ancillary_variables"
	AttrCellMethods     = "cell_methods"
	AttrCellMeasures    = "cell_measures"
	AttrScaleFactor     = "scale_factor"
	AttrAddOffset       = "add_offset"
	AttrFillValue       = "_FillValue"
	AttrMissingValue    = "missing_value"
)
