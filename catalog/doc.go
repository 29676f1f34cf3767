// Package catalog describes what is in files as data: one entry for each object, with its name, its
// labels and its shape, and without its values.
package catalog
