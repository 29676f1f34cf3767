package sz3

// Decode fills dst with the values of the stream src, which must hold exactly len(dst) values.
func Decode(dst []float64, src []byte) error {
	payload, c, err := parse(src)
	if err != nil {
		return err
	}
	if c.values != len(dst) {
		return formatError("configuration", "%d values, expected %d", c.values, len(dst))
	}
	content, err := unpack(payload, len(dst))
	if err != nil {
		return err
	}
	switch c.algorithm {
	case lossless:
		if len(content) != 8*len(dst) {
			return formatError("payload", "%d bytes for %d values", len(content), len(dst))
		}
		loadDoubles(dst, content)
		return nil
	case interpolation:
		return decodeInterpolation(dst, content)
	default:
		return decodeLorenzoContent(dst, content, c)
	}
}

func decodeInterpolation(dst []float64, content []byte) error {
	in := cursor{b: content}
	p, err := parseInterpolator(&in, len(dst))
	if err != nil {
		return err
	}
	d, err := parseSymbols(&in, len(dst))
	if err != nil {
		return err
	}
	return p.decode(dst, d)
}

func decodeLorenzoContent(dst []float64, content []byte, c config) error {
	in := cursor{b: content}
	var choices []int32
	switch c.flags & (flagLorenzo1 | flagLorenzo2) {
	case 0:
		return formatError("configuration", "no order of Lorenzo prediction")
	case flagLorenzo1 | flagLorenzo2:
		blocks, want := in.u64(), (len(dst)-1)/c.blockSize+1
		if in.short || blocks != uint64(want) {
			return formatError("payload", "%d blocks, expected %d", blocks, want)
		}
		h, err := parseHuffman(&in, want, 2)
		if err != nil {
			return err
		}
		choices = make([]int32, want)
		if err := h.decode(choices, &in); err != nil {
			return err
		}
	}
	d, err := parseSymbols(&in, len(dst))
	if err != nil {
		return err
	}
	decodeLorenzo(dst, d, choices, c)
	return nil
}

// parseSymbols reads quantizer, tree and the symbols of n values.
func parseSymbols(in *cursor, n int) (*dequantizer, error) {
	d, err := parseQuantizer(in, n)
	if err != nil {
		return nil, err
	}
	h, err := parseHuffman(in, n, 2*int64(d.radius))
	if err != nil {
		return nil, err
	}
	if count := in.u64(); in.short || count != uint64(n) {
		return nil, formatError("symbols", "%d, expected %d", count, n)
	}
	d.symbols = make([]int32, n)
	if err := h.decode(d.symbols, in); err != nil {
		return nil, err
	}
	if len(d.stored) == 0 && !h.has(0) {
		return d, nil
	}
	return d, d.checkStored()
}
