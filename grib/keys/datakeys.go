package keys

import (
	"math"
	"math/bits"
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
	if err := h.argLongs(a, &n, &data, &section); err != nil {
		return nil
	}
	if n == 0 || data < section {
		return nil
	}
	a.length = int(n - (data - section))
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

// bitmapClass is the bitmap itself, a bit per point.
// Arguments: table reference, missing value, offset and length of the section,
// and number of points (edition 2) or unused bits (edition 1).
type bitmapClass struct {
	bytesClass
	edition int
}

func (c bitmapClass) init(h *Handle, a *accessor) error {
	off, err := h.argKeyLong(a, 2)
	if err != nil {
		off = 0
	}
	n, err := h.argKeyLong(a, 3)
	if err != nil || n == 0 {
		return nil
	}
	a.length = max(0, int(off+n)-a.offset)
	return nil
}

func (c bitmapClass) count(h *Handle, a *accessor) (int, error) {
	n, err := h.argKeyLong(a, 4)
	if err != nil {
		return 0, err
	}
	if c.edition == 1 {
		n = int64(a.length)*8 - n
	}
	if n < 0 || n > int64(len(h.buf))*8 {
		return 0, ErrDecoding
	}
	return int(n), nil
}

func (c bitmapClass) longs(h *Handle, a *accessor) ([]int64, error) {
	n, err := a.cls.count(h, a)
	if err != nil {
		return nil, err
	}
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(h.decodeUnsigned(a.offset*8+i, 1))
	}
	return out, nil
}

func (c bitmapClass) doubles(h *Handle, a *accessor) ([]float64, error) {
	v, err := c.longs(h, a)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out, nil
}

// ones counts the points that are present among the first n.
func (h *Handle) ones(a *accessor, n int) int {
	count := 0
	for i := 0; i < n; i += 8 {
		at := a.offset + i>>3
		if at >= len(h.buf) {
			break
		}
		b := h.buf[at]
		if n-i < 8 {
			b &= 0xff << (8 - (n - i))
		}
		count += bits.OnesCount8(b)
	}
	return count
}

type bitmapPresentClass struct{ computedLong }

func (bitmapPresentClass) long(h *Handle, a *accessor) (int64, error) {
	v, err := h.argKeyLong(a, 0)
	return b2i(v != 255), err
}

// countMissingClass is the number of missing points.
// Arguments: bitmap, unused bits, number of points, whether the data section
// itself marks missing points.
type countMissingClass struct{ computedLong }

func (countMissingClass) init(_ *Handle, a *accessor) error {
	a.flags |= defs.ReadOnly | defs.Function
	return nil
}

func (countMissingClass) long(h *Handle, a *accessor) (int64, error) {
	b := h.find(a.argName(0))
	if b == nil {
		if k := a.argName(3); k != defs.NoSym {
			if managed, err := h.getLong(k); err == nil && managed != 0 {
				return h.countInData()
			}
		}
		return 0, nil
	}
	total := b.length * 8
	if v, err := h.argKeyLong(a, 1); err == nil {
		if v < int64(total) {
			total -= int(v)
		}
	} else if v, err := h.argKeyLong(a, 2); err == nil {
		total = min(total, int(v))
	}
	return int64(total - h.ones(b, total)), nil
}

func (h *Handle) countInData() (int64, error) {
	if h.decode() != nil {
		return 0, nil // as ecCodes, which does not say why
	}
	n := 0
	for _, b := range h.data.mask {
		n += bits.OnesCount8(b)
	}
	return int64(n), nil
}

// numberOfValuesClass is the number of points that are not missing.
// Arguments: values, bitsPerValue, number of points, bitmapPresent, bitmap, …
type numberOfValuesClass struct{ computedLong }

func (numberOfValuesClass) init(_ *Handle, a *accessor) error { a.flags |= defs.ReadOnly; return nil }

func (numberOfValuesClass) long(h *Handle, a *accessor) (int64, error) {
	n, err := h.argKeyLong(a, 2)
	if err != nil {
		return 0, err
	}
	present, err := h.argKeyLong(a, 3)
	if err != nil || present == 0 {
		return n, err
	}
	b := h.find(a.argName(4))
	if b == nil {
		return 0, ErrNotFound
	}
	size, err := b.cls.count(h, b)
	if err != nil {
		return 0, err
	}
	if int64(size) > n {
		return 0, ErrArrayTooSmall
	}
	return int64(h.ones(b, size)), nil
}

// codedCountClass is the number of values that the data section has room for.
// Arguments: bitsPerValue, offsets of the data and of its end, unused bits,
// numberOfValues and, for spectral data, the truncation of the part that is not
// packed.
type codedCountClass struct {
	computedLong
	spectral bool
}

func (c codedCountClass) long(h *Handle, a *accessor) (int64, error) {
	var width, begin, end, unused int64
	if err := h.argLongs(a, &width, &begin, &end, &unused); err != nil {
		return 0, err
	}
	unpacked := int64(0)
	if c.spectral {
		var jkm [3]int64
		for i := range jkm {
			v, err := h.argKeyLong(a, 5+i)
			if err != nil {
				return 0, err
			}
			jkm[i] = v
		}
		if jkm[0] != jkm[1] || jkm[1] != jkm[2] {
			return 0, ErrNotImplemented
		}
		unpacked = (jkm[2] + 1) * (jkm[2] + 2) * (width - 32)
	}
	if width != 0 {
		return ((end-begin)*8 - unused + unpacked) / width, nil
	}
	return h.argKeyLong(a, 4)
}

// statisticsClass is maximum, minimum, average, number of missing points,
// standard deviation, skewness, kurtosis and whether the field is constant.
// Arguments: missingValue, values.
type statisticsClass struct{ computedDouble }

func (statisticsClass) init(_ *Handle, a *accessor) error {
	a.flags |= defs.ReadOnly | defs.Function | defs.Hidden
	return nil
}

func (statisticsClass) count(*Handle, *accessor) (int, error) { return 8, nil }

func (statisticsClass) double(*Handle, *accessor) (float64, error) { return 0, ErrArrayTooSmall }

func (statisticsClass) doubles(h *Handle, a *accessor) ([]float64, error) {
	if h.data.stats != nil {
		return h.data.stats, nil
	}
	if n, err := h.getSize(a.argName(1)); err != nil || n == 0 {
		return nil, ErrDecoding
	}
	miss, err := h.getDouble(a.argName(0))
	if err != nil {
		return nil, err
	}
	can, err := h.long("missingValuesPresent")
	if err != nil {
		return nil, err
	}
	v, err := h.values()
	if err != nil {
		return nil, err
	}
	if len(v) == 0 {
		return nil, ErrDecoding
	}
	h.data.stats = fieldStatistics(v, miss, can != 0)
	return h.data.stats, nil
}

// fieldStatistics sums in the order of the values, as the results depend on it.
func fieldStatistics(v []float64, miss float64, canMiss bool) []float64 {
	lo, hi, sum, n := miss, miss, miss, 0
	for _, x := range v {
		if canMiss && x == miss {
			continue
		}
		if n == 0 {
			lo, hi, sum = x, x, x
		} else {
			hi = max(hi, x)
			lo = min(lo, x)
			sum += x
		}
		n++
	}
	avg := sum
	if n != 0 {
		avg = sum / float64(n)
	}
	var m2, m3, m4, sd, skew, kurt float64
	for _, x := range v {
		if canMiss && x == miss {
			continue
		}
		d := x - avg
		t := d * d
		m2 += t
		m3 += d * t
		m4 += t * t
	}
	if n != 0 {
		m2 /= float64(n)
		m3 /= float64(n)
		m4 /= float64(n)
		sd = math.Sqrt(m2)
	}
	if m2 != 0 {
		skew = m3 / (sd * sd * sd)
		kurt = m4/(m2*m2) - 3
	}
	return []float64{hi, lo, avg, float64(len(v) - n), sd, skew, kurt, float64(b2i(sd == 0))}
}

// spectralStatisticsClass is average, energy norm, standard deviation and
// whether the field is constant. Arguments: values, J, K, M.
type spectralStatisticsClass struct{ computedDouble }

func (spectralStatisticsClass) init(_ *Handle, a *accessor) error {
	a.flags |= defs.ReadOnly | defs.Function
	return nil
}

func (spectralStatisticsClass) count(*Handle, *accessor) (int, error) { return 4, nil }

func (spectralStatisticsClass) double(*Handle, *accessor) (float64, error) {
	return 0, ErrArrayTooSmall
}

func (spectralStatisticsClass) doubles(h *Handle, a *accessor) ([]float64, error) {
	if h.data.stats != nil {
		return h.data.stats, nil
	}
	var jkm [3]int64
	for i := range jkm {
		v, err := h.argKeyLong(a, 1+i)
		if err != nil {
			return nil, err
		}
		jkm[i] = v
	}
	j, k, m := jkm[0], jkm[1], jkm[2]
	if j != m || m != k {
		return nil, ErrNotImplemented
	}
	v, err := h.values()
	if err != nil {
		return nil, err
	}
	if int64(len(v)) != (m+1)*(m+2) {
		return nil, ErrDecoding
	}
	avg, sd := v[0], 0.0
	i := int64(2)
	for ; i < 2*j; i += 2 {
		sd += v[i] * v[i]
	}
	for i = 2 * j; i < int64(len(v)); i += 2 {
		sd += 2*v[i]*v[i] + 2*v[i+1]*v[i+1]
	}
	norm := math.Sqrt(sd + avg*avg)
	sd = math.Sqrt(sd)
	h.data.stats = []float64{avg, norm, sd, float64(b2i(sd == 0))}
	return h.data.stats, nil
}

// headersOnlyClass tells whether the data sections were left out of reading.
type headersOnlyClass struct{ computedLong }

func (headersOnlyClass) init(_ *Handle, a *accessor) error {
	a.flags |= defs.Hidden | defs.ReadOnly
	return nil
}

func (headersOnlyClass) long(*Handle, *accessor) (int64, error) { return 0, nil }

// gdsPresentClass tells whether an edition 1 message has a grid description.
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

// rawCountClass is the number of IEEE values in the data section: values,
// precision.
type rawCountClass struct{ computedLong }

func (rawCountClass) long(h *Handle, a *accessor) (int64, error) {
	v := h.find(a.argName(0))
	if v == nil {
		return 0, ErrNotFound
	}
	precision, err := h.argKeyLong(a, 1)
	if err != nil {
		return 0, err
	}
	switch precision {
	case 1:
		return int64(v.length / 4), nil
	case 2:
		return int64(v.length / 8), nil
	case 3:
		return int64(v.length / 16), nil
	}
	return 0, ErrDecoding
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

// secondOrderBitsClass is the width that the values of a second order packing
// would take in simple packing. Arguments: values, binary and decimal scale.
type secondOrderBitsClass struct{ computedLong }

func (secondOrderBitsClass) long(h *Handle, a *accessor) (int64, error) {
	binary, err := h.argKeyLong(a, 1)
	if err != nil {
		return 0, err
	}
	decimal, err := h.argKeyLong(a, 2)
	if err != nil {
		return 0, err
	}
	v, err := h.values()
	if err != nil || len(v) == 0 {
		return 0, err
	}
	coded := h.lib.Name(a.argName(0)) == "codedValues"
	lo, hi := math.Inf(1), math.Inf(-1)
	for i, x := range v {
		if !coded || !h.data.missing(i) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	if lo > hi {
		return 0, nil
	}
	n := math.Ceil(math.Abs(hi-lo) * scalePower(-binary, 2) * scalePower(decimal, 10))
	if !(n < math.MaxInt64) {
		return 0, ErrDecoding
	}
	return int64(bits.Len64(uint64(n))), nil
}

// scalePower multiplies up, as the rounding of the products counts.
func scalePower(e int64, base float64) float64 {
	p := 1.0
	for e = max(e, -40000); e < 0; e++ {
		p /= base
	}
	for e = min(e, 40000); e > 0; e-- {
		p *= base
	}
	return p
}

// referenceErrorClass is the error of coding the reference value.
type referenceErrorClass struct{ computedDouble }

func (referenceErrorClass) double(h *Handle, a *accessor) (float64, error) {
	v, err := h.getDouble(a.argName(0))
	if err != nil {
		return 0, err
	}
	return floatError(v, h.lib.Name(a.argName(1)) == "ibm"), nil
}

// floatError is the distance between neighbouring numbers of a 32-bit format.
func floatError(v float64, ibm bool) float64 {
	v = math.Abs(v)
	if !ibm {
		if least := math.Ldexp(1, -126); v <= least {
			return least
		}
		_, e := math.Frexp(v)
		return math.Ldexp(1, e-24)
	}
	if least := math.Ldexp(1, -260); v <= least {
		return least
	}
	_, e := math.Frexp(v)
	hex := (e + 3) >> 2
	if e <= 4*(hex-1) {
		hex--
	}
	return math.Ldexp(1, 4*(hex-6))
}

// packingErrorClass is the error of simple packing.
// Arguments: bitsPerValue, binaryScaleFactor, decimalScaleFactor,
// referenceValue, float type.
type packingErrorClass struct{ computedDouble }

func (packingErrorClass) double(h *Handle, a *accessor) (float64, error) {
	var width, binary, decimal int64
	if err := h.argLongs(a, &width, &binary, &decimal); err != nil {
		return 0, err
	}
	ref, err := h.getDouble(a.argName(3))
	if err != nil {
		return 0, err
	}
	e := floatError(ref, h.lib.Name(a.argName(4)) == "ibm")
	if width == 0 {
		return e, nil
	}
	return (e + scalePower(binary, 2)) * scalePower(-decimal, 10) * 0.5, nil
}
