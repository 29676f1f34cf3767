package grib_test

import (
	"fmt"
	"log"
	"os"

	"github.com/tgmconv/tgmconv/grib"
)

func ExampleOpen() {
	f, err := grib.Open("../fixtures/grib/lsm.grib2", grib.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for m, err := range f.Messages() {
		if err != nil {
			log.Fatal(err)
		}
		for _, field := range m.Fields() {
			values, missing, err := field.Decode(nil)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println("edition", m.Edition, "template", field.DataTemplate(), len(values), "values", missing.Count(), "missing")
		}
	}
	// Output:
	// edition 2 template 42 1038240 values 0 missing
}

func ExampleField_Integers() {
	f, err := grib.Open("../fixtures/grib/2t_simple.grib2", grib.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	m, err := f.Message(0)
	if err != nil {
		log.Fatal(err)
	}
	q, err := m.Fields()[0].Integers()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("(%d·2^%d + %g)·10^-%d\n", q.Samples[0], q.BinaryScale, q.Reference, q.DecimalScale)
	// Output:
	// (1189·2^-5 + 212.8426055908203)·10^-0
}

func ExampleNewReader() {
	pipe, err := os.Open("../fixtures/grib/earthkit/t_time_series.grib")
	if err != nil {
		log.Fatal(err)
	}
	defer pipe.Close()
	n := 0
	for m, err := range grib.NewReader(pipe, grib.Options{}).Messages() {
		if err != nil {
			log.Fatal(err)
		}
		n += len(m.Fields())
	}
	fmt.Println(n, "fields")
	// Output:
	// 10 fields
}

func ExampleField_Grid() {
	f, err := grib.Open("../fixtures/grib/earthkit/O32_global.grib2", grib.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	m, err := f.Message(0)
	if err != nil {
		log.Fatal(err)
	}
	g, err := m.Fields()[0].Grid()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.GridType, g.Shape())
	// Output:
	// reduced_gg [5248]
}
