package importers

import (
	"strings"
	"testing"
)

func TestDetectFormat(t *testing.T) {
	for _, c := range []struct {
		content string
		want    Format
	}{
		{"", FormatEmpty}, {"GRIB", FormatGRIB}, {"some header\r\nGRIB\x00\x00\x54\x01", FormatGRIB},
		{"GRIB\x00\x00\x00\x02", FormatGRIB}, {"see the GRIB files, in GRIB\x00\x00\x00\x02", FormatGRIB},
		{"GRIB files of today", FormatUnknown}, {"# Notes on GRIB and netCDF\n", FormatUnknown}, {"ends with GRIB", FormatUnknown}, {"CDF\x01....", FormatNetCDF},
		{"CDF\x05....", FormatNetCDF}, {"\x89HDF\r\n\x1a\n", FormatNetCDF}, {strings.Repeat("x", 2048) + "\x89HDF\r\n\x1a\n", FormatNetCDF},
		{strings.Repeat("x", 64<<10) + "\x89HDF\r\n\x1a\n", FormatNetCDF}, {strings.Repeat("x", 256<<10) + "\x89HDF\r\n\x1a\n", FormatNetCDF},
		{strings.Repeat("x", 300<<10), FormatUnknown}, {"TENSOGRM", FormatTensogram}, {"hello", FormatUnknown}, {"CDFx", FormatUnknown},
		{"\x1f\x8b\x08\x08....GRIB", FormatGzip}, {"BZh91AY&SY", FormatBzip2}, {"BZh9GRIB\xff\xff\x00\x02", FormatGRIB},
		{"\x28\xb5\x2f\xfd", FormatZstd}, {"\xfd7zXZ\x00", FormatXz},
	} {
		got, err := DetectFormat(strings.NewReader(c.content), int64(len(c.content)))
		if err != nil || got != c.want {
			t.Errorf("%.20q is %q (error %v), want %q", c.content, got, err, c.want)
		}
	}
}
