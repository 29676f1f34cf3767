package totet

import (
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tgm"
)

// dtypes are the element types of the layout, by the types of messages.
var dtypes = map[tgm.DType]tet.DType{
	tgm.Float16: tet.Float16, tgm.Float32: tet.Float32, tgm.Float64: tet.Float64,
	tgm.Int16: tet.Int16, tgm.Int32: tet.Int32, tgm.Int64: tet.Int64,
	tgm.Uint8: tet.Uint8, tgm.Uint16: tet.Uint16, tgm.Uint32: tet.Uint32, tgm.Uint64: tet.Uint64,
}

// A planned dataset is a dataset to be written.
type planned struct {
	spec   tet.DatasetSpec
	meta   tet.DatasetMetadata
	unpack *mapping.Scaling // of floating-point numbers; nil if they are the values
	pieces []piece
}

// A plan lists the datasets of a file.
type plan struct {
	opts     *Options
	datasets []*planned
	names    map[string]bool
	history  []tet.Event
	notes    []string
	skipped  []string // objects that .tet cannot hold
}

func (p *plan) note(at, format string, args ...any) {
	p.notes = append(p.notes, at+": "+fmt.Sprintf(format, args...))
}

// scalarShape makes a dataset of one value of an array without dimensions, which .tet does not
// have.
func scalarShape(spec *tet.DatasetSpec) {
	if len(spec.Shape) == 0 {
		spec.Shape, spec.ChunkShape = []int64{1}, []int64{1}
	}
}

// chooseCodec gives a dataset the codec of the options; without one, zstd if the source is packed.
func (p *plan) chooseCodec(spec *tet.DatasetSpec, packed bool) (err error) {
	switch {
	case p.opts.Codec != "":
		spec.Codec, err = tet.ParseCodec(p.opts.Codec)
	case packed:
		spec.Codec = tet.Zstd
	}
	return err
}

// chunkBytes is about the size of chunks of arrays that have none of their own.
const chunkBytes = 16 << 20

// chunkShape is the shape of the options, of the source, or of rows up to a size.
func (p *plan) chunkShape(shape []int64, elem int64, source []uint64) []int64 {
	if len(p.opts.Chunks) == len(shape) {
		return p.opts.Chunks
	}
	chunks := slices.Clone(shape)
	if len(source) == len(shape) && len(p.opts.Chunks) == 0 {
		for i, n := range source {
			if n == 0 || n > math.MaxInt64 {
				return chunks
			}
			chunks[i] = int64(n)
		}
		return chunks
	}
	return nd.Rows(shape, elem, chunkBytes)
}

// unique is the name with a number if another dataset has it.
func (p *plan) unique(name string) string {
	free := name
	for n := 2; p.names[free]; n++ {
		free = fmt.Sprintf("%s_%d", name, n)
	}
	p.names[free] = true
	return free
}
