// Command rewrite copies netCDF files with package ncwrite, for the checks of interop and bench
// that compare what it writes with what the netCDF library does:
//
//	rewrite [-kind CDF-5] [-shuffle] [-deflate 1] [-zstd 3] [-fletcher32] [-plain] [-cpu 2] \
//	    in.nc out.nc
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

type settings struct {
	kind                       string
	shuffle, fletcher32, plain bool
	deflate, zstd, cpu         int
}

func main() {
	var s settings
	flag.StringVar(&s.kind, "kind", "", "format to write; empty is that of the input")
	flag.BoolVar(&s.shuffle, "shuffle", false, "shuffle bytes")
	flag.IntVar(&s.deflate, "deflate", 0, "level of deflate, 0 for none")
	flag.IntVar(&s.zstd, "zstd", 0, "level of zstd, 0 for none")
	flag.BoolVar(&s.fletcher32, "fletcher32", false, "store checksums")
	flag.BoolVar(&s.plain, "plain", false, "drop the filters of the input")
	flag.IntVar(&s.cpu, "cpu", 0, "chunks to filter at the same time, 0 for one a core")
	flag.Parse()
	if flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	if err := rewrite(context.Background(), &s, flag.Arg(0), flag.Arg(1)); err != nil {
		fmt.Fprintln(os.Stderr, "rewrite:", err)
		os.Exit(1)
	}
}

func rewrite(ctx context.Context, s *settings, in, out string) error {
	f, err := netcdf.Open(in)
	if err != nil {
		return err
	}
	defer f.Close()
	kind := netcdf.Kind(s.kind)
	if kind == "" {
		kind = f.Kind
	}
	sink, err := os.Create(out)
	if err != nil {
		return err
	}
	defer sink.Close()
	if err := s.copy(ctx, sink, kind, f); err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	return sink.Close()
}

func (s *settings) copy(ctx context.Context, sink *os.File, kind netcdf.Kind, f *netcdf.File) error {
	root, from := ncwrite.Model(f)
	vars := variables(root)
	for _, v := range vars {
		s.change(kind, v)
	}
	var opts []ncwrite.Option
	if s.cpu > 0 {
		opts = append(opts, ncwrite.WithWorkers(s.cpu))
	}
	w, err := ncwrite.Create(sink, kind, root, opts...)
	if err != nil {
		return err
	}
	defer w.Abort()
	for _, v := range vars {
		if err := w.CopyVar(ctx, v, from[v]); err != nil {
			return err
		}
	}
	return w.Close()
}

// change sets the filters of a variable.
func (s *settings) change(kind netcdf.Kind, v *ncwrite.Var) {
	if kind != netcdf.NetCDF4 && kind != netcdf.NetCDF4Classic {
		v.ChunkShape, v.Filters = nil, nil
		return
	}
	if s.plain || s.shuffle || s.deflate > 0 || s.zstd > 0 || s.fletcher32 {
		v.Filters = nil
	}
	if len(v.Dims) == 0 || v.Type.Class == netcdf.String || v.Type.Class == netcdf.Vlen {
		return
	}
	if s.shuffle {
		v.Filters = append(v.Filters, ncwrite.Shuffle())
	}
	if s.deflate > 0 {
		v.Filters = append(v.Filters, ncwrite.Deflate(s.deflate))
	}
	if s.zstd > 0 {
		v.Filters = append(v.Filters, ncwrite.Zstd(s.zstd))
	}
	if s.fletcher32 {
		v.Filters = append(v.Filters, ncwrite.Fletcher32())
	}
}

func variables(g *ncwrite.Group) []*ncwrite.Var {
	list := append([]*ncwrite.Var(nil), g.Vars...)
	for _, c := range g.Groups {
		list = append(list, variables(c)...)
	}
	return list
}
