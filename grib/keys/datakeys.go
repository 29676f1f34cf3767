package keys

import (
	"math"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// Keys of the data sections. The values themselves come from the DataSource.

// valuesClass is coded values.
// Arguments: section length, offset of the data, offset of the section, …; the
// argument countArg names their number.
type valuesClass struct {
	doubleClass
	countArg int
	noRoom   bool
}

func (c valuesClass) init(h *Handle, a *accessor) error {
	if c.noRoom {
		return nil
	}
	var n, data, section int64
	var err error
	h.lengths(func() { err = h.argLongs(a, &n, &data, &section) })
	if err != nil || n == 0 || data < section {
		return nil
	}
	a.length = int(n - (data - section))
	h.dataKey = a
	h.dataKeys++
	return nil
}

func (c valuesClass) count(h *Handle, a *accessor) (int, error) {
	n, err := h.argKeyLong(a, c.countArg)
	if err != nil {
		return 0, err
	}
	if n < 0 || n > math.MaxInt32*2 {
		return 0, ErrDecoding
	}
	return int(n), nil
}

func (c valuesClass) double(h *Handle, a *accessor) (float64, error) {
	return single(a.cls.doubles(h, a))
}

// doubles leaves out the points that are missing, where the message holds no values for them.
func (c valuesClass) doubles(h *Handle, a *accessor) ([]float64, error) {
	v, err := h.values()
	if err != nil || h.data.mask == nil {
		return v, err
	}
	if n, err := a.cls.count(h, a); err != nil || n == len(v) {
		return v, nil
	}
	present := v[:0]
	for i, x := range v {
		if !h.data.missing(i) {
			present = append(present, x)
		}
	}
	return present, nil
}

// applyBitmapClass is the values with missing points where the bitmap says so.
type applyBitmapClass struct{ valuesClass }

func (applyBitmapClass) init(*Handle, *accessor) error { return nil }

func (applyBitmapClass) doubles(h *Handle, _ *accessor) ([]float64, error) { return h.values() }

func (applyBitmapClass) count(h *Handle, a *accessor) (int, error) {
	if h.find(a.argName(1)) != nil {
		return h.getSize(a.argName(1))
	}
	return h.getSize(a.argName(0))
}

// reorderedClass is values in boustrophedonic rows.
type reorderedClass struct{ valuesClass }

func (reorderedClass) init(*Handle, *accessor) error { return nil }

func (reorderedClass) doubles(h *Handle, _ *accessor) ([]float64, error) { return h.values() }

func (reorderedClass) count(h *Handle, a *accessor) (int, error) {
	n, err := h.long("numberOfPoints")
	return int(n), err
}

// hiddenValuesClass is a part of the spectral values.
type hiddenValuesClass struct{ valuesClass }

func (hiddenValuesClass) init(*Handle, *accessor) error { return nil }

// spectralValuesClass is the complex packing of spherical harmonics.
type spectralValuesClass struct{ valuesClass }

func (spectralValuesClass) count(h *Handle, a *accessor) (int, error) {
	m, err := h.long("M")
	if err != nil {
		if m, err = h.long("pentagonalResolutionParameterM"); err != nil {
			return 0, err
		}
	}
	if m < 0 || m > 1<<16 {
		return 0, ErrDecoding
	}
	return int((m + 1) * (m + 2)), nil
}

// headersOnlyClass reports whether the data sections were left out of reading.
type headersOnlyClass struct{ computedLong }

func (headersOnlyClass) init(_ *Handle, a *accessor) error {
	a.flags |= defs.Hidden | defs.ReadOnly
	return nil
}

func (headersOnlyClass) long(*Handle, *accessor) (int64, error) { return 0, nil }

// gdsPresentClass reports whether an edition 1 message has a grid description.
type gdsPresentClass struct{ forwardClass }

func (gdsPresentClass) init(_ *Handle, a *accessor) error { a.flags |= defs.Hidden; return nil }

// hiddenClass is a key for ecCodes' internal use.
type hiddenClass struct{ unknownClass }

func (hiddenClass) init(_ *Handle, a *accessor) error { a.flags |= defs.Hidden; return nil }

// octetClass computes the place where a part of the data begins when messages
// are made. Reading it has a side effect: the expression is evaluated.
type octetClass struct{ unknownClass }

func (octetClass) init(h *Handle, a *accessor) error {
	if e := arg(a.act.Args, 1); e != nil {
		if _, err := h.exprLong(e); err != nil {
			return nil // not needed to read the message
		}
	}
	return nil
}

// fixedClass is a number that means "no change".
type fixedClass struct {
	computedDouble
	v float64
}

func (c fixedClass) double(*Handle, *accessor) (float64, error) { return c.v, nil }

// argumentClass is the value of one of its arguments.
type argumentClass struct {
	computedLong
	i int
}

func (c argumentClass) long(h *Handle, a *accessor) (int64, error) { return h.argKeyLong(a, c.i) }

// textArgumentClass is the text of its second argument.
type textArgumentClass struct{ computedText }

func (textArgumentClass) str(h *Handle, a *accessor) (string, error) {
	return h.getString(a.argName(1))
}
