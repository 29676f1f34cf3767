package keys

import "math"

// floatClass is ieeefloat or ibmfloat name, or name[count].
type floatClass struct {
	doubleClass
	ibm bool
}

func (floatClass) init(h *Handle, a *accessor) error {
	n, err := arrayLength(h, a, 4)
	a.length = n
	return err
}

func (floatClass) count(h *Handle, a *accessor) (int, error) { return argCount(h, a) }

func (c floatClass) at(h *Handle, off int) float64 {
	b := uint32(h.decodeUnsigned(off*8, 32))
	if c.ibm {
		return ibmFloat(b)
	}
	return ieeeFloat(b)
}

// ieeeFloat is a 32-bit float as ecCodes reads it. Numbers below the smallest
// normal number have the hidden bit too, and infinities and NaNs are numbers.
func ieeeFloat(b uint32) float64 {
	m, e := float64(b&0x7fffff|0x800000), int(b>>23&0xff)
	if b&0x7fffffff == 0 {
		return 0
	}
	v := math.Ldexp(m, max(e, 1)-150)
	if b>>31 != 0 {
		return -v
	}
	return v
}

func ibmFloat(b uint32) float64 {
	if b&0x7fffffff <= 1 {
		return 0
	}
	m := float64(b & 0xffffff)
	e := int(b>>24&0x7f) - 70
	v := math.Ldexp(m, 4*e)
	if b>>31 != 0 {
		return -v
	}
	return v
}

func (c floatClass) double(h *Handle, a *accessor) (float64, error) {
	if len(a.act.Args) == 0 {
		return c.at(h, a.offset), nil
	}
	return single(a.cls.doubles(h, a))
}

func (c floatClass) doubles(h *Handle, a *accessor) ([]float64, error) {
	n, err := a.cls.count(h, a)
	if err != nil {
		return nil, err
	}
	if err := h.checkArray(a, n, 32); err != nil {
		return nil, err
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = c.at(h, a.offset+4*i)
	}
	return out, nil
}
