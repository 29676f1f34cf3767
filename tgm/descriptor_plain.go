package tgm

import "math/bits"

// parsePlainDescriptor is parseDescriptor for the descriptors that nearly all objects have: plain CBOR without masks, whose
// values have the types they should have. It makes no map of the keys that are not parameters. The result ok is false for
// others, errors included.
func parsePlainDescriptor(b []byte) (d *Descriptor, ndim uint64, size int, ok bool) {
	c := plainDecoder{b: b}
	h, err := parseCBORHead(b)
	if err != nil || h.major != cborMap || h.endless || h.n > firstItems {
		return nil, 0, 0, false
	}
	c.b = c.b[h.size:]
	d = &Descriptor{Params: make(map[string]any, max(h.n, noParameters)-noParameters)}
	var seen uint // a bit for each key that is no parameter
	for range h.n {
		key, ok := c.term()
		if !ok {
			return nil, 0, 0, false
		}
		var text string
		field := uint(0)
		switch key {
		case keyNDim:
			field = 1 << 0
			ndim, ok = c.uint()
		case keyShape:
			field = 1 << 1
			d.Shape, ok = c.uints()
		case keyStrides:
			field = 1 << 2
			d.Strides, ok = c.uints()
		case keyType:
			field = 1 << 3
			d.Type, ok = c.term()
		case keyFilter:
			field = 1 << 4
			d.Filter, ok = c.term()
		case keyEncoding:
			field = 1 << 5
			d.Encoding, ok = c.term()
		case keyCompression:
			field = 1 << 6
			d.Compression, ok = c.term()
		case keyDType:
			field = 1 << 7
			if text, ok = c.term(); ok {
				d.DType, err = ParseDType(text)
				ok = err == nil
			}
		case keyByteOrder:
			field = 1 << 8
			text, ok = c.term()
			ok = ok && (text == "little" || text == "big")
			if text == "big" {
				d.ByteOrder = BigEndian
			}
		case keyMasks:
			return nil, 0, 0, false
		default:
			d.Params[key], ok = c.value(1)
		}
		if !ok || seen&field != 0 {
			return nil, 0, 0, false
		}
		seen |= field
	}
	const required = 1<<(noParameters-1) - 1 // all but the byte order
	if seen&required != required || uint64(bits.OnesCount(seen)+len(d.Params)) != h.n {
		return nil, 0, 0, false
	}
	if d.Encoding == nameSimplePacking {
		dropOldPackingKeys(d.Params)
	}
	return d, ndim, len(b) - len(c.b), true
}

// noParameters is how many keys of a descriptor without masks are no parameters.
const noParameters = 9

// uint returns the next item, if it is an unsigned integer.
func (d *plainDecoder) uint() (uint64, bool) {
	h, err := parseCBORHead(d.b)
	if err != nil || h.major != cborUint {
		return 0, false
	}
	d.b = d.b[h.size:]
	return h.n, true
}

// uints returns the next item, if it is an array of unsigned integers.
func (d *plainDecoder) uints() ([]uint64, bool) {
	h, err := parseCBORHead(d.b)
	if err != nil || h.major != cborArray || h.endless || h.n > uint64(len(d.b)) {
		return nil, false
	}
	d.b = d.b[h.size:]
	list := make([]uint64, h.n)
	for i := range list {
		var ok bool
		if list[i], ok = d.uint(); !ok {
			return nil, false
		}
	}
	return list, true
}

// term returns the next item, if it is text. Terms that descriptors are made of are not copied.
func (d *plainDecoder) term() (string, bool) {
	h, err := parseCBORHead(d.b)
	if err != nil || h.major != cborText || h.endless {
		return "", false
	}
	d.b = d.b[h.size:]
	if h.n <= uint64(len(d.b)) {
		if term, ok := descriptorTerms[string(d.b[:h.n])]; ok {
			d.b = d.b[h.n:]
			return term, true
		}
	}
	return d.text(h)
}

// descriptorTerms are frequent texts of descriptors.
var descriptorTerms = func() map[string]string {
	terms := make(map[string]string)
	for _, list := range [][]string{
		{keyNDim, keyType, keyDType, keyShape, keyFilter, keyStrides, keyEncoding, keyByteOrder, keyCompression},
		{"little", "big", "ntensor", nameNone, nameSimplePacking, "shuffle", "szip", "zstd", "zstd_level", "float64", "float32"},
		{keySzipRSI, keySzipBlock, keySzipFlags, keySzipOffsets}, packingKeys[:], oldPackingKeys[:],
	} {
		for _, term := range list {
			terms[term] = term
		}
	}
	return terms
}()
