package tonetcdf

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// Words for the formats and the types of values, in the order of the constants.
var (
	kindWords = []string{"netcdf4", "netcdf4-classic", "cdf1", "cdf2", "cdf5"}
	kinds     = []netcdf.Kind{netcdf.NetCDF4, netcdf.NetCDF4Classic, netcdf.CDF1, netcdf.CDF2, netcdf.CDF5}
	packWords = []string{"source", "float32", "float64"}
)

// Declare adds the settings of how files are written.
func (o *Options) Declare(s *option.Set) {
	var format string
	var chunks []string
	var c compression
	s.Word("format", &format, kindWords, "netcdf4, netcdf4-classic, cdf1, cdf2 or cdf5; default: as in the source, netcdf4 for GRIB")
	c.declare(s)
	s.List("chunks", &chunks, "chunk length along a dimension as DIM=N, 0 for the whole dimension (joined by commas)")
	option.Choice(s, "pack", &o.Pack, packWords, "values of GRIB: source (integers with scale and offset if these are exact), float32 or float64")
	s.Check(func() (err error) {
		if format != "" {
			o.Kind = kinds[slices.Index(kindWords, format)]
		}
		if o.Filters, err = c.filters(s); err == nil {
			o.Chunks, err = parseChunks(chunks)
		}
		return err
	})
}

// A compression is the compression of variables in the words of users.
type compression struct {
	deflate, zstd int
	shuffle       bool
}

func (c *compression) declare(s *option.Set) {
	c.shuffle = true
	s.Int("deflate", &c.deflate, 0, 9, "compress with deflate, level 1 to 9; 0 is no compression; default: as in the source, 1 for GRIB")
	s.Int("zstd", &c.zstd, 1, 22, "compress with zstd, level 1 to 22")
	s.Bool("shuffle", &c.shuffle, "shuffle bytes before compression")
}

// filters are the requested filters, nil without a request.
func (c *compression) filters(s *option.Set) (*[]netcdf.Filter, error) {
	deflate, zstd := s.Given("deflate"), s.Given("zstd")
	switch {
	case deflate && zstd:
		return nil, errors.New("--deflate and --zstd exclude each other")
	case zstd && c.zstd == 0:
		return nil, errors.New("--zstd is 0, expected 1 to 22")
	case !deflate && !zstd:
		return nil, nil
	}
	list := []netcdf.Filter{}
	if c.shuffle && c.deflate+c.zstd > 0 {
		list = append(list, ncwrite.Shuffle())
	}
	switch {
	case zstd:
		list = append(list, ncwrite.Zstd(c.zstd))
	case c.deflate > 0:
		list = append(list, ncwrite.Deflate(c.deflate))
	}
	return &list, nil
}

// parseChunks reads DIM=N.
func parseChunks(texts []string) (map[string]uint64, error) {
	chunks := make(map[string]uint64)
	for _, text := range texts {
		dim, number, _ := strings.Cut(text, "=")
		n, err := strconv.ParseUint(strings.TrimSpace(number), 10, 32)
		if dim = strings.TrimSpace(dim); dim == "" || err != nil {
			return nil, fmt.Errorf("--chunks %q, expected DIM=N", text)
		}
		chunks[dim] = n
	}
	return chunks, nil
}
