package hdf5

import (
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// Unlimited is the maximum length of an axis without limit.
const Unlimited = ^uint64(0)

// maxRank is the largest number of axes HDF5 allows.
const maxRank = 32

// Dataspace is the shape of a dataset or attribute.
type Dataspace struct {
	Dims []uint64
	Max  []uint64 // Unlimited where there is no limit; nil: as Dims
	Null bool     // no element at all, not even one
}

// Len returns the number of elements, 1 for a scalar.
func (s *Dataspace) Len() uint64 {
	if s.Null {
		return 0
	}
	return nd.Volume(s.Dims) // checked when parsed
}

// parseDataspace reads a dataspace message (section IV.A.2.b):
//
//	v1: version, rank, flags, 0 5, lengths, [maximum lengths]
//	v2: version, rank, flags, kind, lengths, [maximum lengths]
func parseDataspace(c *cursor) (*Dataspace, error) {
	const null = 2
	s := &Dataspace{}
	version := c.version(1, 2)
	rank, flags := int(c.u8()), c.u8()
	kind := c.u8()
	if version == 1 {
		c.skip(4)
	} else {
		s.Null = kind == null
	}
	if c.err == nil && rank > maxRank {
		c.fail("%d dimensions, expected at most %d", rank, maxRank)
	}
	if c.err != nil {
		return nil, c.err
	}
	n := uint64(1)
	for range rank {
		d := c.size()
		s.Dims = append(s.Dims, d)
		var ok bool
		if n, ok = wire.Mul(n, d); (!ok || d > 1<<62) && c.err == nil {
			c.fail("more than 2^63 elements")
		}
	}
	if flags&1 != 0 {
		for i := range rank {
			m := c.size()
			if c.err == nil && m < s.Dims[i] {
				c.fail("dimension %d of length %d, at most %d", i, s.Dims[i], m)
			}
			s.Max = append(s.Max, m)
		}
	}
	return s, c.err
}
