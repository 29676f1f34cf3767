package hdf5

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tgmconv/tgmconv/codec/zfp"
)

// unzfp undoes the filter of H5Z-ZFP. Its first value has versions, the others are the header of a
// stream, which gives the type of the elements.
func unzfp(dst, src []byte, f *Filter, want int, exact bool) ([]byte, error) {
	if len(f.Params) == 0 {
		return nil, errors.New("no parameters, expected the parameters of a header")
	}
	header := make([]byte, 0, 4*len(f.Params))
	for _, v := range f.Params[1:] {
		header = binary.LittleEndian.AppendUint32(header, v)
	}
	g, err := zfp.ParseHeader(header)
	if err != nil {
		return nil, err
	}
	n, ok := g.Len()
	if !ok || n > want/g.Type.Size() || exact && n*g.Type.Size() != want {
		return nil, fmt.Errorf("values of %v of %d bytes each, expected %d bytes", g.Dims, g.Type.Size(), want)
	}
	if err := g.CheckSize(len(src)); err != nil {
		return nil, err
	}
	out := room(dst, n*g.Type.Size())
	return out, g.Decode(out, src)
}
