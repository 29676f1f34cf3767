package defs

// Ops are the accessor classes that GRIB definitions use; an Action's Op is an
// index into it. The order is part of the archive format.
var ops = [...]string{
	"unsigned", "unsigned_bits", "signed", "signed_bits", "ascii", "bytes", "ksec1expver",
	"codetable", "smart_table", "dictionary", "getenv", "codeflag", "lookup", "bit", "label",
	"ibmfloat", "ieeefloat", "position", "constant", "transient", "g1_half_byte_codeflag",
	"section_length", "g1_message_length", "g1_section4_length", "ksec", "pad", "padto",
	"padtoeven", "padtomultiple", "message", "message_copy", "section_padding", "group",
	"non_alpha", "blob", "to_integer", "to_string", "sexagesimal2decimal",
	"iterator", "nearest", "box",
	"uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64",
	"uint16_little_endian", "int16_little_endian", "uint32_little_endian", "int32_little_endian",
	"uint64_little_endian", "int64_little_endian",
	// Classes named in meta statements.
	"bits_per_value", "cf_var_name", "change_alternative_row_scanning", "change_scanning_direction",
	"check_internal_version", "closest_date", "codetable_title", "codetable_units", "count_file",
	"count_missing", "count_total", "data_apply_bitmap", "data_apply_boustrophedonic",
	"data_apply_boustrophedonic_bitmap", "data_ccsds_packing", "data_dummy_field",
	"data_g1complex_packing", "data_g1second_order_constant_width_packing",
	"data_g1second_order_general_extended_packing", "data_g1second_order_general_packing",
	"data_g1second_order_row_by_row_packing", "data_g1secondary_bitmap", "data_g1shsimple_packing",
	"data_g1simple_packing", "data_g22order_packing", "data_g2bifourier_packing",
	"data_g2complex_packing", "data_g2second_order_packing", "data_g2secondary_bitmap",
	"data_g2shsimple_packing", "data_g2simple_packing", "data_g2simple_packing_with_preprocessing",
	"data_jpeg2000_packing", "data_png_packing", "data_raw_packing", "data_run_length_packing",
	"data_sh_packed", "data_sh_unpacked", "data_simple_packing", "data_complex_packing",
	"decimal_precision", "dirty", "divdouble", "element", "evaluate", "from_scale_factor_scaled_value",
	"g1_increment", "g1bitmap", "g1date", "g1day_of_the_year_date", "g1end_of_interval_monthly",
	"g1fcperiod", "g1forecastmonth", "g1monthlydate", "g1number_of_coded_values_sh_complex",
	"g1number_of_coded_values_sh_simple", "g1step_range", "g1verificationdate", "g2_aerosol",
	"g2_chemical", "g2_concept_dir", "g2_eps", "g2_mars_labeling", "g2_param_concept_filename",
	"g2_probability", "g2_referenceperiod", "g2_wave_period_range", "g2bitmap", "g2bitmap_present",
	"g2date", "g2end_step", "g2grid", "g2latlon", "g2level", "g2lon", "g2step_range",
	"gaussian_grid_name", "gds_is_present", "gds_not_present_bitmap", "global_gaussian", "grid_spec",
	"gts_header", "headers_only", "julian_date", "julian_day", "latitudes", "latlon_increment",
	"latlonvalues", "library_version", "local_definition", "long_vector", "longitudes", "mars_param",
	"md5", "message_is_valid", "mtg2_switch_default", "multdouble", "number_of_coded_values",
	"number_of_points", "number_of_points_gaussian", "number_of_values",
	"number_of_values_data_raw_packing", "octahedral_gaussian", "octet_number", "offset_file",
	"offset_values", "optimal_step_units", "packing_type", "proj_string", "reference_value_error",
	"round", "scale", "scale_values", "second_order_bits_per_value", "section_pointer",
	"select_step_template", "simple_packing_error", "size", "spd", "spectral_truncation", "sprintf",
	"statistics", "statistics_spectral", "step_human_readable", "step_in_units", "sum", "suppressed",
	"time", "trim", "unexpanded_descriptors", "uuid", "validity_date", "validity_time", "values",
	"vector", "when", "section", "concept", "hash_array", "transient_darray", "unknown_class",
	"g1_number_of_coded_values", "latlon", "simple_packing", "vertical", "optimal_step", "nearest_box",
}

// OpName is the accessor class with the given index.
func OpName(i uint8) string {
	if int(i) < len(ops) {
		return ops[i]
	}
	return ""
}

// OpIndex is the inverse of OpName.
func OpIndex(name string) (uint8, bool) {
	for i, s := range ops {
		if s == name {
			return uint8(i), true
		}
	}
	return 0, false
}

// NumOps is the number of accessor classes.
func NumOps() int { return len(ops) }
