// Package looking has the verbs that look into files of any format: info, ls, dump, get, validate, stats, values, extract,
// plot and index.
package looking
