package zarr

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tgmconv/tgmconv/internal/nd"
)

// encode makes a shard of its elements. Inner chunks of nothing but the fill value are left out.
func (s *sharding) encode(data []byte) ([]byte, error) {
	n := s.chunks()
	parts := make([][]byte, n)
	group := new(errgroup.Group)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() (err error) {
			parts[i], err = s.encodeInner(data, i)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	index := make([]byte, 0, 16*n)
	offset := uint64(0)
	if s.atStart {
		offset = uint64(s.indexBytes())
	}
	for _, p := range parts {
		if p == nil {
			index = binary.LittleEndian.AppendUint64(index, absentChunk)
			index = binary.LittleEndian.AppendUint64(index, absentChunk)
			continue
		}
		index = binary.LittleEndian.AppendUint64(index, offset)
		index = binary.LittleEndian.AppendUint64(index, uint64(len(p)))
		offset += uint64(len(p))
	}
	stored, err := s.index.encode(index)
	if err != nil {
		return nil, err
	}
	if s.atStart {
		return slices.Concat(append([][]byte{stored}, parts...)...), nil
	}
	return slices.Concat(append(parts, stored)...), nil
}

func (s *sharding) encodeInner(data []byte, i int) ([]byte, error) {
	out := nd.Cut(nd.At(data, s.shape, s.origin(i)), s.chunk, s.size)
	if allFill(out, s.fill) {
		return nil, nil
	}
	return s.inner.encode(out)
}

// allFill reports whether every element of data is fill.
func allFill(data, fill []byte) bool {
	n := len(fill)
	if len(data) < n || !bytes.Equal(data[:n], fill) {
		return false
	}
	return bytes.Equal(data[n:], data[:len(data)-n])
}
