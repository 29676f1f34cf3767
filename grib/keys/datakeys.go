package keys

import (
	"math"
	"strings"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// Keys of the data sections. The values themselves come from the DataSource.

func dataClass(op string) class {
	switch op {
	case "data_apply_bitmap":
		return applyBitmapClass{}
	case "data_apply_boustrophedonic", "data_apply_boustrophedonic_bitmap":
		return reorderedClass{}
	case "data_dummy_field":
		return valuesClass{countArg: 17}
	case "data_raw_packing", "data_g22order_packing", "data_run_length_packing", "data_ccsds_packing",
		"data_png_packing":
		return valuesClass{countArg: 3}
	case "data_g1complex_packing", "data_g2complex_packing", "data_complex_packing":
		return spectralValuesClass{}
	case "data_sh_packed", "data_sh_unpacked":
		return hiddenValuesClass{}
	case "g2bitmap":
		return bitmapClass{edition: 2}
	case "g1bitmap":
		return bitmapClass{edition: 1}
	case "gds_not_present_bitmap":
		return valuesClass{countArg: 2, noRoom: true}
	case "g2bitmap_present":
		return bitmapPresentClass{}
	case "gds_is_present":
		return gdsPresentClass{}
	case "count_missing":
		return countMissingClass{}
	case "number_of_values":
		return numberOfValuesClass{}
	case "number_of_coded_values":
		return codedCountClass{}
	case "statistics":
		return statisticsClass{}
	case "statistics_spectral":
		return spectralStatisticsClass{}
	case "headers_only":
		return headersOnlyClass{}
	case "count_file", "count_total":
		return oneClass{}
	case "offset_file":
		return fixedClass{v: 0}
	case "reference_value_error":
		return referenceErrorClass{}
	case "simple_packing_error":
		return packingErrorClass{}
	case "second_order_bits_per_value":
		return secondOrderBitsClass{}
	case "bits_per_value", "decimal_precision":
		return argumentClass{i: 1}
	case "packing_type":
		return textArgumentClass{}
	case "scale_values":
		return fixedClass{v: 1}
	case "offset_values":
		return fixedClass{v: 0}
	case "g1number_of_coded_values_sh_simple":
		return codedCountClass{}
	case "g1number_of_coded_values_sh_complex":
		return codedCountClass{spectral: true}
	case "data_g1secondary_bitmap", "data_g2secondary_bitmap":
		return hiddenValuesClass{}
	case "gts_header":
		return constTextClass{text: "not_found"}
	case "dirty", "check_internal_version":
		return hiddenClass{}
	case "octet_number":
		return octetClass{}
	case "number_of_values_data_raw_packing":
		return rawCountClass{}
	}
	if strings.HasPrefix(op, "data_") {
		return valuesClass{countArg: 6}
	}
	return nil
}

// dataMemo keeps the decoded values and what was computed from them.
type dataMemo struct {
	done   bool
	values []float64
	mask   []byte
	err    error
	stats  []float64
}

func (d *dataMemo) missing(i int) bool {
	return i>>3 < len(d.mask) && d.mask[i>>3]&(0x80>>(i&7)) != 0
}

// decode asks the DataSource once.
func (h *Handle) decode() error {
	h.noteData()
	if !h.data.done {
		h.data.done = true
		if h.ds == nil {
			h.data.err = ErrNotImplemented
		} else {
			h.data.values, h.data.mask, h.data.err = h.ds.Values()
		}
	}
	return h.data.err
}

// values are the field's values; missing points hold the key missingValue.
func (h *Handle) values() ([]float64, error) {
	if err := h.decode(); err != nil {
		return nil, err
	}
	if h.data.mask == nil {
		return h.data.values, nil
	}
	miss, err := h.double("missingValue")
	if err != nil {
		miss = 9999
	}
	out := append([]float64(nil), h.data.values...)
	for i := range out {
		if h.data.missing(i) {
			out[i] = miss
		}
	}
	return out, nil
}

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
	h.lay.several = h.lay.dataAcc != nil
	h.lay.dataAcc = a
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

func (c valuesClass) doubles(h *Handle, _ *accessor) ([]float64, error) { return h.values() }

// applyBitmapClass is the values with missing points where the bitmap says so.
type applyBitmapClass struct{ valuesClass }

func (applyBitmapClass) init(*Handle, *accessor) error { return nil }

func (applyBitmapClass) count(h *Handle, a *accessor) (int, error) {
	if h.find(a.argName(1)) != nil {
		return h.getSize(a.argName(1))
	}
	return h.getSize(a.argName(0))
}

// reorderedClass is values whose rows run to and fro.
type reorderedClass struct{ valuesClass }

func (reorderedClass) init(*Handle, *accessor) error { return nil }

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

// hiddenClass is a key that serves the software's own purposes.
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
