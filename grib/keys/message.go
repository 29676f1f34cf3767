package keys

// Access to the message. Classes read it through these methods only, so that each read is reported
// to the memoiser.

// octets returns n octets, ok is false if they lie outside the message.
func (h *Handle) octets(off, n int) (b []byte, ok bool) {
	if h.memo != nil {
		h.memo.read(off, n)
	}
	if off < 0 || n < 0 || n > len(h.buf)-off {
		return nil, false
	}
	return h.buf[off : off+n], true
}

// manyOctets is octets for a part of the message that is too long to be noted octet by octet.
func (h *Handle) manyOctets(off, n int64) (b []byte, ok bool) {
	h.dependsOn(onEverything)
	if size := int64(len(h.buf)); off < 0 || n < 0 || off > size || n > size-off {
		return nil, false
	}
	return h.buf[off : off+n], true
}

// decodeUnsigned reads n bits at bit position pos; bits outside the message read as zero.
func (h *Handle) decodeUnsigned(pos, n int) uint64 {
	if h.memo != nil {
		h.memo.read(pos>>3, (pos+n+7)>>3-pos>>3)
	}
	var v uint64
	if pos&7 == 0 && n&7 == 0 {
		for i := pos >> 3; n > 0; n -= 8 {
			v <<= 8
			if i >= 0 && i < len(h.buf) {
				v |= uint64(h.buf[i])
			}
			i++
		}
		return v
	}
	for ; n > 0; n-- {
		v <<= 1
		if i := pos >> 3; i >= 0 && i < len(h.buf) && h.buf[i]&(0x80>>(pos&7)) != 0 {
			v |= 1
		}
		pos++
	}
	return v
}

// decodeSigned reads n octets of sign and magnitude.
func (h *Handle) decodeSigned(off, n int) int64 {
	if n <= 0 {
		return 0
	}
	v := h.decodeUnsigned(off*8, n*8)
	sign := uint64(1) << (uint(n)*8 - 1)
	if v&sign != 0 {
		return -int64(v &^ sign)
	}
	return int64(v)
}

// size is the length of the message.
func (h *Handle) size() int {
	h.dependsOn(onSize)
	return len(h.buf)
}

// place is the offset of an accessor, for use in the values of other keys.
func (h *Handle) place(a *accessor) int {
	if h.memo != nil {
		h.memo.place(a)
	}
	return a.offset
}

// lengths calls f, which must only compute lengths as sums of lengths in the message.
func (h *Handle) lengths(f func()) {
	if h.memo != nil {
		h.memo.lengths(true)
		defer h.memo.lengths(false)
	}
	f()
}

func (h *Handle) dependsOn(d dependency) {
	if h.memo != nil {
		h.memo.depend(d)
	}
}

// A dataMemo keeps the decoded values and results computed from them.
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
	h.dependsOn(onEverything)
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

// ForgetValues gives back the memory of decoded values. Keys that depend on them decode them again.
func (h *Handle) ForgetValues() { h.data = dataMemo{} }

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
