// Package export writes the values of fields: as CSV, as JSON, or as one array for numpy (.npy).
// A [Selection] chooses elements of each field.
package export
