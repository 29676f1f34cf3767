// Package inventory lists the keys of the fields of files, with their values. Programs offer them to
// a user, such as a shell that completes a command line.
//
//	found := inventory.Of(ctx, []string{"forecast.grib2"}, inventory.UsualKeys(), inventory.Options{})
//	slices.Sorted(maps.Keys(found["shortName"])) // 10u, 2t, …
package inventory

import (
	"context"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
)

// usualKeys are keys of GRIB fields, their names in MARS, attributes of netCDF variables, and keys of every
// object.
var usualKeys = []string{
	mapping.KeyName, "shortName", "paramId", "typeOfLevel", mapping.KeyLevel, "levtype", "levelist", mapping.KeyStep, "stepRange", "stepType",
	"dataDate", "dataTime", "date", "time", mapping.KeyNumber, mapping.KeyUnits, "centre", "class", "stream", "type", "expver", "gridType",
	mapping.KeyStandardName, mapping.KeyLongName, "dtype", "dims",
}

// UsualKeys are the keys that people choose fields by.
func UsualKeys() []string { return slices.Clone(usualKeys) }

// Options configure [Of]. The zero value is good.
type Options struct {
	// Client opens the files; nil is one without settings.
	Client *unpack.Client
}

// The bounds of reading: users wait for an answer only a moment.
const (
	maxFields = 5000 // of a file
	maxValues = 200  // of a key
)

// Found are the values of keys, by key.
type Found map[string]map[string]bool

// Of lists the keys that the fields of files have, with their values; without files all keys without values.
// Values with a comma or a slash, which stand between values in a clause, are left out. Files that cannot be
// read, standard input and addresses have no keys.
func Of(ctx context.Context, files, keys []string, opts Options) Found {
	if opts.Client == nil {
		opts.Client = unpack.NewClient(new(storage.Client))
		defer opts.Client.Close()
	}
	found := make(Found)
	if len(files) == 0 {
		for _, key := range keys {
			found[key] = nil
		}
	}
	note := func(text func(key string) (string, bool)) { found.note(keys, text) }
	for _, name := range files {
		if name == storage.Stdin || storage.IsRemote(name) {
			continue
		}
		noteObjects(ctx, opts.Client, name, note)
	}
	return found
}

// note adds the values that a field has for the keys.
func (f Found) note(keys []string, text func(key string) (string, bool)) {
	for _, key := range keys {
		v, ok := text(key)
		if !ok {
			continue
		}
		if f[key] == nil {
			f[key] = make(map[string]bool)
		}
		if len(f[key]) < maxValues && !strings.ContainsAny(v, ",/") {
			f[key][v] = true
		}
	}
}

// noteObjects calls note for the objects of a file, or the objects of its conversion.
func noteObjects(ctx context.Context, client *unpack.Client, name string, note func(func(string) (string, bool))) {
	n := 0
	a, err := archive.List(ctx, []string{name}, archive.Options{Client: client, Select: func(o *dataset.Object) bool {
		if n++; n <= maxFields {
			note(func(key string) (string, bool) { return show.Known(o.Known, key) })
		}
		return false
	}})
	if err == nil {
		a.Close()
	}
}
