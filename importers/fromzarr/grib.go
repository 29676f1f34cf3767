package fromzarr

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/zarr"
)

// gribCodec is the codec of kerchunk's references to GRIB: a chunk is a message. Its configuration
// tells which part of it the elements are (var), and their type (dtype).
const gribCodec = "numcodecs.grib"

// decodeGRIB is a [zarr.Decoder] for gribCodec. Elements are in the order of ecCodes' keys values, latitudes
// and longitudes; missing points are NaN.
func decodeGRIB(c zarr.Codec, stored []byte, size int64) ([]byte, error) {
	of, _ := c.Configuration["var"].(string)
	coordinate := of == "latitude" || of == "longitude"
	width := int64(4)
	switch t, _ := c.Configuration["dtype"].(string); {
	case t == "float64" || t == "<f8" || t == "" && coordinate:
		width = 8
	case t == "float32" || t == "<f4" || t == "":
	default:
		return nil, &zarr.UnsupportedError{What: fmt.Sprintf("dtype %.40q", t)}
	}
	points := size / width
	if points > math.MaxInt32 || points*width != size {
		return nil, fmt.Errorf("%d bytes for elements of %d", size, width)
	}
	m, err := grib.ParseMessage(stored, 0, grib.WithLimits(grib.Limits{MaxPoints: max(1, int(points))}))
	if err != nil {
		return nil, err
	}
	fields := m.Fields()
	if len(fields) == 0 {
		return nil, errors.New("a message without fields")
	}
	n, err := fields[0].NumberOfDataPoints()
	if err == nil && int64(n) != points {
		err = fmt.Errorf("a message of %d points, expected %d", n, points)
	}
	if err != nil {
		return nil, err
	}
	var values []float64
	if coordinate {
		values, err = coordinatesOf(fields[0], of == "latitude")
	} else {
		values, err = valuesOf(fields[0])
	}
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, size)
	for _, v := range values {
		if width == 8 {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
		} else {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(v)))
		}
	}
	return out, nil
}

// valuesOf are the values of a field, NaN where they are missing.
func valuesOf(f *grib.Field) ([]float64, error) {
	values, missing, err := f.Decode(nil)
	if err != nil || missing == nil {
		return values, err
	}
	for i := range values {
		if missing.Get(i) {
			values[i] = math.NaN()
		}
	}
	return values, nil
}

// coordinatesOf are the latitudes or the longitudes of all points of a field.
func coordinatesOf(f *grib.Field, latitudes bool) ([]float64, error) {
	g, err := f.Grid()
	if err != nil {
		return nil, err
	}
	lat, lon, err := g.Coordinates()
	if err != nil {
		return nil, err
	}
	if !g.Separable() {
		if latitudes {
			return lat, nil
		}
		return lon, nil
	}
	out := make([]float64, 0, len(lat)*len(lon))
	for _, y := range lat {
		for _, x := range lon {
			if latitudes {
				out = append(out, y)
			} else {
				out = append(out, x)
			}
		}
	}
	return out, nil
}
