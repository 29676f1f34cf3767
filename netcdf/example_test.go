package netcdf_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"math"

	"github.com/tgmconv/tgmconv/netcdf"
)

func ExampleOpen() {
	f, err := netcdf.Open("../fixtures/netcdf/cf_temperature.nc")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println(f.Kind)
	for _, v := range f.Root().Vars {
		fmt.Print(v.Type.Name, " ", v.Name)
		for _, d := range v.Dims {
			fmt.Printf(" %s=%d", d.Name, d.Len)
		}
		if a := v.Attr("units"); a != nil {
			fmt.Printf(" [%v]", a.Value)
		}
		fmt.Println()
	}
	// Output:
	// netCDF-4
	// float lat lat=5 [degrees_north]
	// float lon lon=4 [degrees_east]
	// double time time=3 [days since 1970-01-01]
	// short temperature time=3 lat=5 lon=4 [K]
}

func ExampleVar_Read() {
	f, err := netcdf.Open("../fixtures/netcdf/simple_2d.nc")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	v := f.Root().Vars[0]
	// The second row.
	start, count := []uint64{1, 0}, []uint64{1, v.Dims[1].Len}
	row := make([]byte, count[1]*uint64(v.Type.Size))
	if err := v.Read(context.Background(), row, start, count); err != nil {
		log.Fatal(err)
	}
	for ; len(row) > 0; row = row[8:] {
		fmt.Println(math.Float64frombits(binary.LittleEndian.Uint64(row)))
	}
	// Output:
	// -1.9510351886538364
	// -1.302179506862318
	// 0.12784040316728537
	// -0.3162425923435822
}

func ExampleVar_Member() {
	f, err := netcdf.Open("../fixtures/netcdf/made/typed.h5")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	v := f.Root().Var("station")
	for _, path := range v.Type.MemberPaths() {
		m, err := v.Member(path...)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(m.Path, m.Type.Class)
	}
	// Output:
	// /station/id short
	// /station/at/x float
	// /station/at/y double
	// /station/corners/x array
	// /station/corners/y array
	// /station/name string
	// /station/note string
	// /station/counts array
	// /station/colour enum
	// /station/levels vlen
}
