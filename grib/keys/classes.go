package keys

// classTable is the single table from the operations of the definition language to the classes
// that carry them out. An operation that is not listed serves encoding only and gets
// unknownClass.
func classTable() map[string]class {
	return map[string]class{
		// Coded in the message, or constant.
		"unsigned":              unsignedClass{},
		"unsigned_bits":         unsignedBitsClass{},
		"spd":                   spdClass{},
		"signed":                signedClass{},
		"ascii":                 asciiClass{},
		"bytes":                 bytesClass{},
		"ksec1expver":           expverClass{},
		"codetable":             codetableClass{},
		"codetable_title":       codetableTextClass{},
		"codetable_units":       codetableTextClass{units: true},
		"getenv":                getenvClass{},
		"codeflag":              codeflagClass{},
		"lookup":                lookupClass{},
		"bit":                   bitClass{},
		"label":                 labelClass{},
		"ibmfloat":              floatClass{ibm: true},
		"ieeefloat":             floatClass{},
		"position":              positionClass{},
		"constant":              variableClass{},
		"transient":             variableClass{},
		"g1_half_byte_codeflag": halfByteClass{},
		"section_length":        sectionLengthClass{},
		"g1_message_length":     g1LengthClass{},
		"g1_section4_length":    g1LengthClass{section: true},
		"pad":                   paddingClass{op: "pad"},
		"padto":                 paddingClass{op: "padto"},
		"padtoeven":             paddingClass{op: "padtoeven"},
		"padtomultiple":         paddingClass{op: "padtomultiple"},
		"section_padding":       paddingClass{op: "section_padding"},
		"section_pointer":       sectionPointerClass{},

		// Steps.
		"optimal_step_units":  stepUnitsClass{},
		"step_in_units":       stepInUnitsClass{},
		"g2end_step":          endStepClass{},
		"g2step_range":        stepRangeClass{},
		"step_human_readable": stepTextClass{},
		"g1step_range":        g1StepRangeClass{},
		"g1fcperiod":          fcPeriodClass{},
		"long_vector":         longVectorClass{},

		// Dates and times.
		"g2date":                    g2DateClass{},
		"time":                      timeClass{},
		"julian_day":                julianDayClass{},
		"julian_date":               julianDateClass{},
		"validity_date":             validityDateClass{},
		"validity_time":             validityTimeClass{},
		"g1date":                    g1DateClass{},
		"g1monthlydate":             monthlyDateClass{},
		"g1verificationdate":        verificationDateClass{},
		"g1day_of_the_year_date":    dayOfYearClass{},
		"g1forecastmonth":           forecastMonthClass{},
		"closest_date":              closestDateClass{},
		"g1end_of_interval_monthly": endOfMonthClass{},

		// MARS.
		"g2_mars_labeling":          labelingClass{},
		"mars_param":                marsParamClass{},
		"local_definition":          forwardClass{},
		"g2_concept_dir":            conceptDirClass{},
		"g2_param_concept_filename": conceptFileClass{},
		"mtg2_switch_default":       mtg2Class{},
		"g2_eps":                    definedClass{key: "perturbationNumber"},
		"select_step_template":      oneClass{},
		"g2_chemical":               templateSetClass{kind: 2, sets: [][]int64{{40, 41, 42, 43}, {57, 58, 67, 68}, {76, 77, 78, 79}}},
		"g2_aerosol":                templateSetClass{kind: 2, sets: [][]int64{{44, 45, 46, 47, 48, 49, 50, 85}, {48, 49}}},
		"g2_probability":            templateSetClass{kind: 2, sets: [][]int64{{5, 9, 112, 131}, {112, 131}}},
		"g2_referenceperiod":        templateSetClass{kind: -1, sets: [][]int64{{105, 106, 107, 112, 123, 128, 129, 130, 131, 132, 133, 134, 135, 136}}},
		"g2_wave_period_range":      templateSetClass{kind: -1, sets: [][]int64{{103, 104, 139, 140, 144, 145}}},
		"cf_var_name":               cfVarNameClass{},

		// Grids and levels.
		"g2grid":                    g2GridClass{},
		"g2latlon":                  g2LatLonClass{},
		"g2lon":                     microDegreeClass{},
		"latlon_increment":          incrementClass{},
		"g2level":                   g2LevelClass{},
		"global_gaussian":           globalGaussianClass{},
		"octahedral_gaussian":       octahedralClass{},
		"gaussian_grid_name":        gaussianNameClass{},
		"number_of_points":          pointsClass{},
		"number_of_points_gaussian": gaussianPointsClass{},
		"spectral_truncation":       truncationClass{},
		"proj_string":               projClass{},

		// Computed from other keys.
		"evaluate":                       evaluateClass{},
		"scale":                          scaleClass{},
		"sprintf":                        sprintfClass{},
		"element":                        elementClass{},
		"round":                          roundClass{},
		"divdouble":                      productClass{divide: true},
		"multdouble":                     productClass{},
		"from_scale_factor_scaled_value": scaledValueClass{},
		"size":                           sizeClass{},
		"sum":                            sumClass{},
		"vector":                         vectorClass{},
		"md5":                            md5Class{},
		"library_version":                constTextClass{text: "2.50.0"},

		// Data and bitmap.
		"data_apply_bitmap":                            applyBitmapClass{},
		"data_apply_boustrophedonic":                   reorderedClass{},
		"data_apply_boustrophedonic_bitmap":            reorderedClass{},
		"data_dummy_field":                             valuesClass{countArg: 17},
		"data_raw_packing":                             valuesClass{countArg: 3},
		"data_g22order_packing":                        valuesClass{countArg: 3},
		"data_run_length_packing":                      valuesClass{countArg: 3},
		"data_ccsds_packing":                           valuesClass{countArg: 3},
		"data_png_packing":                             valuesClass{countArg: 3},
		"data_g1simple_packing":                        valuesClass{countArg: 6},
		"data_g1second_order_constant_width_packing":   valuesClass{countArg: 6},
		"data_g1second_order_general_extended_packing": valuesClass{countArg: 6},
		"data_g1second_order_general_packing":          valuesClass{countArg: 6},
		"data_g1second_order_row_by_row_packing":       valuesClass{countArg: 6},
		"data_g1shsimple_packing":                      valuesClass{countArg: 6},
		"data_g2simple_packing":                        valuesClass{countArg: 6},
		"data_g2simple_packing_with_preprocessing":     valuesClass{countArg: 6},
		"data_g2second_order_packing":                  valuesClass{countArg: 6},
		"data_g2shsimple_packing":                      valuesClass{countArg: 6},
		"data_g2bifourier_packing":                     valuesClass{countArg: 6},
		"data_jpeg2000_packing":                        valuesClass{countArg: 6},
		"data_g1complex_packing":                       spectralValuesClass{},
		"data_g2complex_packing":                       spectralValuesClass{},
		"data_complex_packing":                         spectralValuesClass{},
		"data_sh_packed":                               hiddenValuesClass{},
		"data_sh_unpacked":                             hiddenValuesClass{},
		"g2bitmap":                                     bitmapClass{edition: 2},
		"g1bitmap":                                     bitmapClass{edition: 1},
		"gds_not_present_bitmap":                       valuesClass{countArg: 2, noRoom: true},
		"g2bitmap_present":                             bitmapPresentClass{},
		"gds_is_present":                               gdsPresentClass{},
		"count_missing":                                countMissingClass{},
		"number_of_values":                             numberOfValuesClass{},
		"number_of_coded_values":                       codedCountClass{},
		"statistics":                                   statisticsClass{},
		"statistics_spectral":                          spectralStatisticsClass{},
		"headers_only":                                 headersOnlyClass{},
		"count_file":                                   oneClass{},
		"count_total":                                  oneClass{},
		"offset_file":                                  fixedClass{v: 0},
		"reference_value_error":                        referenceErrorClass{},
		"simple_packing_error":                         packingErrorClass{},
		"second_order_bits_per_value":                  secondOrderBitsClass{},
		"bits_per_value":                               argumentClass{i: 1},
		"decimal_precision":                            argumentClass{i: 1},
		"packing_type":                                 textArgumentClass{},
		"scale_values":                                 fixedClass{v: 1},
		"offset_values":                                fixedClass{v: 0},
		"g1number_of_coded_values_sh_simple":           codedCountClass{},
		"g1number_of_coded_values_sh_complex":          codedCountClass{spectral: true},
		"data_g1secondary_bitmap":                      hiddenValuesClass{},
		"data_g2secondary_bitmap":                      hiddenValuesClass{},
		"gts_header":                                   constTextClass{text: "not_found"},
		"message_is_valid":                             messageValidClass{},
		"dirty":                                        hiddenClass{},
		"check_internal_version":                       hiddenClass{},
		"octet_number":                                 octetClass{},
		"number_of_values_data_raw_packing":            rawCountClass{},
	}
}

// unknownClass stands for keys that serve encoding only: they take no room and
// have no value.
type unknownClass struct{ genClass }

func (unknownClass) init(*Handle, *accessor) error { return nil }

// computedLong is the base of integer keys that take no room in the message.
type computedLong struct{ longClass }

func (computedLong) init(*Handle, *accessor) error { return nil }

// computedDouble is the same for real keys.
type computedDouble struct{ doubleClass }

func (computedDouble) init(*Handle, *accessor) error { return nil }

// computedText is the same for text.
type computedText struct{ asciiClass }

func (computedText) init(*Handle, *accessor) error { return nil }
