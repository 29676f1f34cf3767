package main

import (
	"math"
	"strconv"

	"github.com/tgmconv/tgmconv/mars"
)

// paramName is the short name of a parameter of the MARS parameter database, or the number itself.
func paramName(id int64) string {
	if id > 0 && id <= math.MaxInt32 {
		if param, ok := mars.LookupParam(int(id)); ok && param.ShortName != "" {
			return param.ShortName
		}
	}
	return strconv.FormatInt(id, 10)
}
