package netcdf

import "github.com/tgmconv/tgmconv/netcdf/internal/wire"

func readNetCDF4(src wire.Source) (*Group, Kind, error) {
	return nil, NetCDF4, wire.Unsupported("file", 0, "netCDF-4")
}

// hdf5Start finds the HDF5 signature: at byte 0, or after a user block of 512
// bytes or a power of two times that.
func hdf5Start(src wire.Source) (int64, error) {
	const signature = "\x89HDF\r\n\x1a\n"
	for at := int64(0); at <= src.Size-int64(len(signature)); at = max(512, 2*at) {
		b, err := src.Bytes("HDF5 signature", at, int64(len(signature)))
		if err != nil {
			return 0, err
		}
		if string(b) == signature {
			return at, nil
		}
	}
	return 0, wire.Errorf("HDF5 signature", 0, "not found")
}
