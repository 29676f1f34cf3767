package fromnetcdf

import (
	"math"
	"testing"
)

// TestRadarMaps compares places of maps of radar composites, described as PROJ does, with pyproj.
func TestRadarMaps(t *testing.T) {
	for _, c := range []struct {
		projdef        string
		x, y, lat, lon float64
	}{
		{"+proj=gnom +lat_0=44.6547N +lon_0=11.6236E +units=m +ellps=sphere", -253829.5, 255592.0, 46.9035380589, 8.2859267271},
		{"+proj=laea +lat_0=55.0 +lon_0=10.0 +x_0=1950000.0 +y_0=-2100000.0 +units=m +ellps=WGS84", 1000000, -3000000, 46.1677134214, -2.3331321397},
		{"+proj=stere +lat_0=90 +lon_0=10 +lat_ts=60 +a=6378137 +b=6356752.3142451802 +x_0=543196.83521776402 +y_0=3622588.8619310018", 100000, -400000, 52.5118879096, 3.7126807186},
	} {
		inverse := inverseOf(c.projdef)
		if inverse == nil {
			t.Errorf("%s is not known", c.projdef)
			continue
		}
		if lat, lon := inverse(c.x, c.y); !(math.Abs(lat-c.lat) < 1e-8 && math.Abs(lon-c.lon) < 1e-8) {
			t.Errorf("%s: %v %v is %v %v, expected %v %v", c.projdef, c.x, c.y, lat, lon, c.lat, c.lon)
		}
		if x, y, ok := onMap(inverse, c.lat, c.lon); !ok || !(math.Abs(x-c.x) < 0.01 && math.Abs(y-c.y) < 0.01) {
			t.Errorf("%s: %v %v is at %v %v, expected %v %v", c.projdef, c.lat, c.lon, x, y, c.x, c.y)
		}
	}
	for _, projdef := range []string{"", "+proj=aeqd +lat_0=50 +ellps=WGS84", "+proj=laea +lat_0=x", "+proj=laea +units=km", "+proj=laea +ellps=mars"} {
		if inverseOf(projdef) != nil {
			t.Errorf("%q has an inverse", projdef)
		}
	}
}
