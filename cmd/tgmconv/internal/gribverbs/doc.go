// Package gribverbs has the verbs of grib, which read GRIB files as ecCodes' tools do.
package gribverbs
