package netcdf

import "github.com/tgmconv/tgmconv/netcdf/internal/wire"

func readClassic(src wire.Source, kind Kind) (*Group, error) {
	return nil, wire.Unsupported("file", 0, "%s", kind)
}
