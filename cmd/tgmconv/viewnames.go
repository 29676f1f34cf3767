package main

import "strconv"

// paramName is the short name of a parameter of the MARS parameter database, or the number itself.
func paramName(id int64) string {
	return strconv.FormatInt(id, 10)
}
