package sidecar

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/mapping"
)

const inventory = `1:0:d=2017032200:PRMSL:mean sea level:anl:
2:1000:d=2017032200:TMP:500 mb:6 hour fcst:
3.1:2000:d=2017032200:UGRD:10 m above ground:6 hour fcst:
3.2:2000:d=2017032200:VGRD:10 m above ground:6 hour fcst:
4:3000:d=2017032200:NONAME:0.33-1 sigma layer:0-6 hour acc fcst:ENS=low-res ctl
5:4000:d=201703220030:TMP:2 m above ground:anl:
`

const lines = `{"domain": "g", "date": "20240101", "time": "0600", "step": "0", "levtype": "pl", "levelist": "850", "param": "t", "_offset": 500, "_length": 100}
{"domain": "g", "date": "20240101", "time": "0600", "step": "0", "levtype": "sfc", "param": "2t", "_offset": 0, "_length": 500}
`

// meanings are ecCodes' meanings of four values.
func meanings(_, value string) [][]keys.Condition {
	of := func(pairs ...any) (c []keys.Condition) {
		for i := 0; i < len(pairs); i += 2 {
			c = append(c, keys.Condition{Key: pairs[i].(string), Value: int64(pairs[i+1].(int))})
		}
		return c
	}
	switch value {
	case "t":
		return [][]keys.Condition{of("discipline", 0, "parameterCategory", 0, "parameterNumber", 0)}
	case "2t":
		return [][]keys.Condition{of("discipline", 0, "parameterCategory", 0, "parameterNumber", 0,
			"typeOfFirstFixedSurface", 103, "scaledValueOfFirstFixedSurface", 2, "scaleFactorOfFirstFixedSurface", 0)}
	case "isobaricInhPa":
		return [][]keys.Condition{of("typeOfFirstFixedSurface", 100)}
	case "10u":
		return [][]keys.Condition{of("discipline", 0, "parameterCategory", 2, "parameterNumber", 2, "typeOfFirstFixedSurface", 103)}
	}
	return nil
}

func TestExcludes(t *testing.T) {
	for _, c := range []struct {
		index, where string
		left         string // the numbers of the entries that may be wanted
	}{
		{inventory, "shortName=2t", "5"},
		{inventory, "shortName=t", "1 4 5"},
		{inventory, "shortName=t,level=500", "1 4"},
		{inventory, "shortName=10u", "2"},
		{inventory, "shortName=10u/2t", "2 5"},
		{inventory, "shortName!=10u", "0 1 2 3 4 5"},
		{inventory, "shortName=unheard", "0 1 2 3 4 5"},
		{inventory, "shortName=1*", "0 1 2 3 4 5"},
		{inventory, "level<400", "0 2 3 4 5"},
		{inventory, "typeOfLevel=isobaricInhPa", "1"},
		{inventory, "dataTime=30", "5"},
		{inventory, "dataDate=2017-03-22", "0 1 2 3 4 5"},
		{inventory, "step=6", "0 1 2 3 4 5"},
		{lines, "shortName=2t", "0"},
		{lines, "level=850", "0 1"},
		{lines, "level=500", "0"},
		{lines, "time=06:00", "0 1"},
		{lines, "time=00:00", ""},
	} {
		x, err := Parse([]byte(c.index))
		if err != nil {
			t.Fatal(err)
		}
		clauses, err := mapping.ParseClauses([]string{c.where})
		if err != nil {
			t.Fatal(err)
		}
		var left []string
		for i := range x.Entries {
			if !x.Entries[i].Excludes(clauses, meanings) {
				left = append(left, fmt.Sprint(i))
			}
		}
		if got := strings.Join(left, " "); got != c.left {
			t.Errorf("%s: %q may be wanted, expected %q", c.where, got, c.left)
		}
	}
}

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		index string
		size  int64
		want  bool
	}{
		{inventory, 5000, true}, {inventory, 4000, false}, {lines, 600, true}, {lines, 601, false}, {lines, 599, false}, {"", 0, false},
		{strings.Replace(inventory, "2:1000:", "3:1000:", 1), 5000, false},
		{strings.Replace(inventory, "1:0:", "1:1:", 1), 5000, false},
	} {
		x, err := Parse([]byte(c.index))
		if err != nil {
			t.Fatal(err)
		}
		if got := x.Covers(c.size); got != c.want {
			t.Errorf("%.30q covers %d bytes: %v, expected %v", c.index, c.size, got, c.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{"a:b:c", "0:0:d:e:f:g:", "x:0:d:e:f:g:", "1:-1:d:e:f:g:", `{"_offset": 1}`, `{"_offset": 1e99, "_length": 2}`, `{"_offset": 0, "_length": 0}`, "{", "<html>"} {
		if x, err := Parse([]byte(text)); err == nil {
			t.Errorf("%q: %d entries, expected an error", text, len(x.Entries))
		}
	}
}

func ExampleNames() {
	fmt.Println(Names("https://host/gfs.t00z.pgrb2.0p25.f000"))
	fmt.Println(Names("https://host/20240101000000-0h-oper-fc.grib2?token=1"))
	// Output:
	// [https://host/gfs.t00z.pgrb2.0p25.f000.idx https://host/gfs.t00z.pgrb2.0p25.index]
	// [https://host/20240101000000-0h-oper-fc.grib2.idx?token=1 https://host/20240101000000-0h-oper-fc.index?token=1]
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(inventory))
	f.Add([]byte(lines))
	clauses, err := mapping.ParseClauses([]string{"shortName=2t,level=500"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := Parse(data)
		if err != nil {
			return
		}
		end := int64(0)
		for i := range x.Entries {
			x.Entries[i].Excludes(clauses, meanings)
			end = max(end, x.Entries[i].Offset+x.Entries[i].Length)
		}
		if !x.Covers(end + 1) {
			return
		}
		for i := range x.Entries {
			if e := &x.Entries[i]; e.Length <= 0 || e.Offset < 0 || e.Offset+e.Length > end+1 {
				t.Errorf("entry %d of %d bytes at %d does not lie in %d bytes", i, e.Length, e.Offset, end+1)
			}
		}
	})
}
