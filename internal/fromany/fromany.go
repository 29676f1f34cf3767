// Package fromany makes a source of files of any format that there is an importer for. The format of
// each is found by its content.
//
//	src, err := fromany.New(ctx, inputs, client, fromany.Options{})
//	…
//	defer src.Close()
//	report, err := importers.Convert(ctx, src, out, importers.Options{})
//
// Consecutive inputs of one format become one source of that format's importer, and all of them one
// chain: the fields come in the order of the inputs.
package fromany

import (
	"context"
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/importers/fromtet"
	"github.com/tgmconv/tgmconv/importers/fromtgm"
	"github.com/tgmconv/tgmconv/importers/fromzarr"
	"github.com/tgmconv/tgmconv/storage"
)

// expected names the formats in messages.
const expected = "GRIB, netCDF, Zarr, .tet or Tensogram"

// A Client opens inputs and looks at their first bytes. The Client of package internal/unpack is one.
type Client interface {
	importers.Opener
	Peek(ctx context.Context, location string, limit int) ([]byte, error)
}

// Options configure a source. The zero value converts everything and stops at the first input that
// cannot be used.
type Options struct {
	// GRIB, NetCDF and Tet are for the inputs of these formats, NetCDF also for Zarr stores. Their
	// openers are not used: all inputs are opened by the client of the source.
	GRIB      fromgrib.Options
	NetCDF    fromnetcdf.Options
	Tet       fromtet.Options
	Tensogram fromtgm.Options
	// Check, which may be nil, is called with the format of each input that is converted. Its error
	// ends [New].
	Check func(in importers.Input, format importers.Format) error
	// Skip, if it is not nil, is called with the error of an input, which is then left out.
	Skip func(err error)
	// PassedOver, which may be nil, is called for each file of a folder that cannot be converted. Such files are
	// left out.
	PassedOver func(in importers.Input, why string)
}

// A Source is an importers.Source over inputs of any format.
type Source struct {
	importers.Source
	parts []importers.Source
}

// New finds the formats of the inputs and makes a source of them, in their order.
func New(ctx context.Context, inputs []importers.Input, client Client, opts Options) (*Source, error) {
	var s Source
	var alike []importers.Input // consecutive inputs of one format
	var format importers.Format
	end := func() {
		if len(alike) > 0 {
			s.parts = append(s.parts, Of(format, alike, client, opts))
		}
		alike = nil
	}
	for _, in := range inputs {
		found, read, err := detect(ctx, in, client)
		switch {
		case err != nil && opts.Skip != nil && ctx.Err() == nil:
			opts.Skip(err)
			continue
		case err != nil:
			return nil, err
		case !read:
			if opts.PassedOver != nil {
				opts.PassedOver(in, "neither GRIB nor netCDF nor Zarr nor .tet")
			}
			continue
		}
		if opts.Check != nil {
			if err := opts.Check(in, found); err != nil {
				return nil, err
			}
		}
		if found != format {
			end()
			format = found
		}
		alike = append(alike, in)
	}
	end()
	s.Source = importers.Chain(s.parts...)
	return &s, nil
}

// Of makes a source of inputs of one format, which [importers.Format].IsData reports. Without
// inputs it reads the parts that another source has listed.
func Of(format importers.Format, inputs []importers.Input, opener importers.Opener, opts Options) importers.Source {
	switch format {
	case importers.FormatNetCDF:
		opts.NetCDF.Opener = opener
		return fromnetcdf.New(inputs, opts.NetCDF)
	case importers.FormatZarr:
		opts.NetCDF.Opener = opener
		return fromzarr.New(inputs, opts.NetCDF)
	case importers.FormatTet:
		opts.Tet.Opener = opener
		return fromtet.New(inputs, opts.Tet)
	case importers.FormatTensogram:
		opts.Tensogram.Opener = opener
		if opts.Tensogram.Entries == nil {
			opts.Tensogram.Entries = fromgrib.NewEntries()
		}
		return fromtgm.New(inputs, opts.Tensogram)
	}
	opts.GRIB.Opener = opener
	return fromgrib.New(inputs, opts.GRIB)
}

// FormatOf finds the format of an input by its first bytes, unpacked.
func FormatOf(ctx context.Context, client Client, location string) (importers.Format, error) {
	return importers.DetectHead(func(limit int) ([]byte, error) { return client.Peek(ctx, location, limit) })
}

// detect is [FormatOf] for an input, and reports whether it is to be read. An input that the user named, or
// that is named like data, must be convertible. Tensogram files of folders are taken for earlier conversions.
func detect(ctx context.Context, in importers.Input, client Client) (found importers.Format, read bool, err error) {
	found, err = FormatOf(ctx, client, in.Name)
	if err != nil || found.IsSource() || found.IsData() && !in.FromFolder {
		return found, err == nil, err
	}
	other := &importers.FormatError{Found: found, Expected: expected}
	if importers.Ignored(in, other) {
		return found, false, nil
	}
	return found, false, fmt.Errorf("%s: %w", storage.Display(in.Name), other)
}

// UnknownKeys are the keys of Where, and of GroupBy, that nothing in any of the inputs had. It is to
// be called when the parts were read.
func (s *Source) UnknownKeys() (unknown []string) {
	first := true
	for _, part := range s.parts {
		p, ok := part.(interface{ UnknownKeys() []string })
		if !ok {
			continue
		}
		if keys := p.UnknownKeys(); first {
			unknown, first = slices.Clone(keys), false
		} else {
			unknown = slices.DeleteFunc(unknown, func(key string) bool { return !slices.Contains(keys, key) })
		}
	}
	return unknown
}
