package grib_test

import (
	"fmt"
	"log"

	"github.com/tgmconv/tgmconv/grib"
)

func ExampleOpen() {
	f, err := grib.Open("../fixtures/grib/lsm.grib2")
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
	f, err := grib.Open("../fixtures/grib/2t_simple.grib2")
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

func ExampleField_Grid() {
	f, err := grib.Open("../fixtures/grib/earthkit/O32_global.grib2")
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

func ExampleEncoder() {
	// A field on the grid and with the description of another field, in another packing.
	f, err := grib.Open("../fixtures/grib/2t.grib2")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	m, err := f.Message(0)
	if err != nil {
		log.Fatal(err)
	}
	d, err := m.Fields()[0].Header().Draft()
	if err != nil {
		log.Fatal(err)
	}
	if d.Values, d.Missing, err = m.Fields()[0].Decode(nil); err != nil {
		log.Fatal(err)
	}
	for i := range d.Values {
		d.Values[i] -= 273.15
	}
	b, err := grib.Encoder{Packing: grib.PackComplex, SpatialDifferencing: 2, Bits: 12}.Encode(nil, d)
	if err != nil {
		log.Fatal(err)
	}
	again, err := grib.ParseMessage(b, 0)
	if err != nil {
		log.Fatal(err)
	}
	v, _, err := again.Fields()[0].Decode(nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("template 5.%d, first value %.1f\n", again.Fields()[0].DataTemplate(), v[0])
	// Output:
	// template 5.3, first value -23.2
}
