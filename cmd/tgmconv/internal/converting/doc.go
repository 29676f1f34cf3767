// Package converting has the verbs that convert: convert and convert-… of any format into Tensogram, to-… and refs out
// of any format.
package converting
