package netcdf

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"
)

// FuzzOpen reads all of a file. Whatever the bytes are, it must end, with errors at most, and
// without taking memory for absent data.
func FuzzOpen(f *testing.F) {
	for _, g := range []string{"../fixtures/netcdf/*.nc", "../fixtures/netcdf/*/*.*", "testdata/odd/*.gz"} {
		paths, _ := filepath.Glob(g)
		for _, p := range paths {
			if b := readMaybeGzip(f, p); len(b) < 20000 {
				f.Add(b)
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := NewFile(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		readGroup(file.Root())
	})
}

func readGroup(g *Group) {
	for _, v := range g.Vars {
		readVar(v)
	}
	for _, s := range g.Groups {
		readGroup(s)
	}
}

// readVar reads a variable if it is small, else its first elements.
func readVar(v *Var) {
	var start, count []uint64
	if v.Len() > 1<<14 {
		n := uint64(1)
		for _, d := range v.Dims {
			start = append(start, 0)
			count = append(count, min(d.Len, 2))
			n *= min(d.Len, 2)
		}
		if n > 1<<14 {
			return
		}
		if v.Type.Size < 1<<10 {
			v.Read(context.Background(), make([]byte, n*uint64(v.Type.Size)), start, count)
		}
	} else if v.Type.Size < 1<<10 {
		v.Read(context.Background(), make([]byte, v.Size()), nil, nil)
	}
	ctx := context.Background()
	switch v.Type.Class {
	case String, Char:
		v.ReadChars(ctx, start, count)
	case Vlen:
		v.ReadRagged(ctx, start, count)
	case Reference:
		v.ReadRefs(ctx, start, count)
	case Compound:
		for _, path := range v.Type.MemberPaths() {
			if m, err := v.Member(path...); err == nil {
				readVar(m)
			}
		}
	}
}
