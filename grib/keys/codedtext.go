package keys

// bytesClass is byte[n] name: read as hexadecimal text.
type bytesClass struct{ genClass }

func (bytesClass) init(_ *Handle, a *accessor) error { a.length = int(a.act.Len); return nil }

func (bytesClass) native(*Handle, *accessor) Type { return Bytes }

func (bytesClass) str(h *Handle, a *accessor) (string, error) {
	b, err := a.cls.bytes(h, a)
	if err != nil {
		return "", err
	}
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 2*len(b))
	for _, c := range b {
		out = append(out, digits[c>>4], digits[c&15])
	}
	return string(out), nil
}

// expverClass is the experiment version: four characters, or their code.
type expverClass struct{ asciiClass }

func (expverClass) long(h *Handle, a *accessor) (int64, error) {
	b, err := a.cls.bytes(h, a)
	if err != nil || len(b) != 4 {
		return 0, ErrDecoding
	}
	// ecCodes gives the characters the meaning of their bytes in memory order.
	var v int64
	for i, c := range b {
		v |= int64(c) << (8 * i)
	}
	return v, nil
}
