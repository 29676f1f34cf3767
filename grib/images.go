package grib

import (
	"errors"
	"fmt"

	"github.com/tgmconv/tgmconv/grib/internal/bits"
	"github.com/tgmconv/tgmconv/grib/internal/j2k"
	"github.com/tgmconv/tgmconv/grib/internal/pngpack"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// png is PNG packing (template 5.41).
type png struct {
	packing
	image *pngpack.Image // nil for a constant field
}

func readPNG(_ *Field, k packing, data []byte) (coded, error) {
	if k.bits == 0 {
		return png{k, nil}, nil
	}
	m, err := pngpack.Open(data)
	if err != nil {
		return nil, err
	}
	return png{k, m}, k.checkImage(m.Width, m.Height)
}

// checkImage makes sure that an image has one pixel for each value.
func (k packing) checkImage(width, height int) error {
	if width > k.n || height > k.n || width*height != k.n {
		return fmt.Errorf("image of %d by %d pixels for %d values", width, height, k.n)
	}
	return nil
}

func (p png) decode(dst []float64) (*bitmask.Mask, error) {
	if v, ok := p.constant(); ok {
		fill(dst, v)
		return nil, nil
	}
	unpack := p.scale().Unpacker(p.image.Bits, len(dst))
	return nil, p.image.Rows(func(row []byte) {
		unpack(dst[:p.image.Width], row)
		dst = dst[p.image.Width:]
	})
}

func (p png) integers(dst []uint32) (*bitmask.Mask, error) {
	return nil, p.image.Rows(func(row []byte) {
		bits.Unpack(dst[:p.image.Width], row, 0, p.image.Bits)
		dst = dst[p.image.Width:]
	})
}

func (p png) raw(*Quantised) bool { return false }

// jpeg is JPEG 2000 packing (template 5.40).
type jpeg struct {
	packing
	image *j2k.Image // nil for a constant field
	field *Field
}

func readJPEG(f *Field, k packing, data []byte) (coded, error) {
	j := jpeg{packing: k, field: f}
	if k.bits == 0 {
		return j, nil
	}
	var err error
	if j.image, err = j2k.Open(data); err != nil {
		return nil, j.explain(err)
	}
	return j, k.checkImage(j.image.Width, j.image.Height)
}

// explain turns the error of a stream that is valid but not implemented into an UnsupportedError.
func (j jpeg) explain(err error) error {
	if !errors.Is(err, j2k.ErrUnsupported) {
		return err
	}
	return &UnsupportedError{Edition: 2, Section: 7, Template: j.field.DataTemplate(), Offset: j.field.sections[7].Offset, What: err.Error() + ", template"}
}

func (j jpeg) decode(dst []float64) (*bitmask.Mask, error) {
	if v, ok := j.constant(); ok {
		fill(dst, v)
		return nil, nil
	}
	q := make([]uint32, len(dst))
	if _, err := j.integers(q); err != nil {
		return nil, err
	}
	j.scale().Uint32s(dst, q)
	return nil, nil
}

func (j jpeg) integers(dst []uint32) (*bitmask.Mask, error) {
	if err := j.image.Decode(dst); err != nil {
		return nil, j.explain(err)
	}
	return nil, nil
}

func (j jpeg) raw(*Quantised) bool { return false }
