// Package fromzarr reads Zarr stores as an [importers.Source]: each array of every group is a field,
// named by its path ("t2m", "forecast/t2m"). Other packages that take netCDF files can take stores as
// well, by [Model].
//
// A store has the data model of netCDF, as the conventions of xarray and of NCZarr have it, and package
// fromnetcdf makes fields of it by the same rules:
//
//	dimension_names, _ARRAY_DIMENSIONS    dimensions, shared in a group and below it where lengths agree
//	attributes                            text, numbers, lists of these; anything else as its JSON
//	_FillValue                            a number, or the base64 text that xarray writes in format 3
//	bool                                  ubyte, with the attribute dtype
//	complex64, complex128, struct         compounds
//	numpy.datetime64, numpy.timedelta64   int64 with units
//	string, fixed_length_utf32, …         string
//	r8, r16, …                            opaque
//
// Chunks that are not stored have the array's fill value. An array with an unknown codec is skipped;
// the others are read.
package fromzarr

import (
	"context"
	"errors"
	"path"
	"strings"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/zarr"
)

// New returns a source of stores, in their order, as [fromnetcdf.New] does of netCDF files.
func New(inputs []importers.Input, opts fromnetcdf.Options) *fromnetcdf.Source {
	opts.Format = importers.FormatZarr
	opts.Model = func(in *importers.InputFile) (*netcdf.File, error) { return Open(in.Context(), in.Blob, in.Location) }
	return fromnetcdf.New(inputs, opts)
}

// Open reads the documents of the store that was opened at a location.
func Open(ctx context.Context, blob storage.Blob, location string) (*netcdf.File, error) {
	folder := storage.FolderOf(blob)
	if folder == nil {
		return nil, errors.New("a file, expected the folder of a Zarr store")
	}
	s := &store{folder, location}
	return model(ctx, zarr.WithDecoders(s, map[string]zarr.Decoder{gribCodec: decodeGRIB}), s, arrayName(location))
}

// arrayName is the name of the array in a store that is one array: the store's without .zarr.
func arrayName(location string) string {
	location, _, _ = strings.Cut(location, "?")
	if at := strings.LastIndex(location, "::"); at >= 0 { // a folder in an archive
		location = location[at+len("::"):]
	}
	name := path.Base(strings.ReplaceAll(strings.TrimRight(location, `/\`), `\`, "/"))
	for _, suffix := range []string{".zip", ".zarr"} {
		name = strings.TrimSuffix(name, suffix)
	}
	if name == "" || name == "." || name == ".." {
		return "data"
	}
	return name
}
