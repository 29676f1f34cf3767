package tonetcdf

// fieldFiles plans the files of fields that were not netCDF.
func (b *planner) fieldFiles() ([]*File, []string, error) { return nil, nil, nil }
