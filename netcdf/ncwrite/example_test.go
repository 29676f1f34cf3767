package ncwrite_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// A file with a record dimension, a coordinate variable, and a compressed variable that grows.
func ExampleCreate() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "t2m.nc")
	if err := writeExample(path); err != nil {
		log.Fatal(err)
	}
	f, err := netcdf.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	v := f.Root().Var("t2m")
	fmt.Println(f.Kind, v.Name, v.Type.Name, v.Shape(), v.Attr("units").Value, v.Storage.ChunkShape)
	// Output: netCDF-4 t2m float [2 3] K [1 3]
}

func writeExample(path string) error {
	ctx := context.Background()
	units := func(s string) []netcdf.Attr {
		return []netcdf.Attr{{Name: "units", Type: ncwrite.Atomic(netcdf.Char), Value: s}}
	}
	lat := &ncwrite.Var{Name: "lat", Type: ncwrite.Atomic(netcdf.Float), Dims: []string{"lat"}, Attrs: units("degrees_north")}
	t2m := &ncwrite.Var{Name: "t2m", Type: ncwrite.Atomic(netcdf.Float), Dims: []string{"time", "lat"}, Attrs: units("K"),
		Filters: []netcdf.Filter{ncwrite.Shuffle(), ncwrite.Deflate(1)}}
	root := &ncwrite.Group{
		Dims: []*netcdf.Dim{{Name: "time", Unlimited: true}, {Name: "lat", Len: 3}},
		Vars: []*ncwrite.Var{lat, t2m},
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	w, err := ncwrite.Create(out, netcdf.NetCDF4, root)
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := w.Write(ctx, lat, nil, nil, floats(60, 50, 40)); err != nil {
		return err
	}
	for time := range uint64(2) {
		if err := w.Write(ctx, t2m, []uint64{time, 0}, []uint64{1, 3}, floats(280, 285, 290)); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return out.Close()
}

func floats(list ...float32) []byte {
	var b []byte
	for _, x := range list {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}
