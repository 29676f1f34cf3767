package aec

import "encoding/binary"

// storeFunc gives the function that writes samples to memory as p.Flags say.
func storeFunc(p Params) func(dst []byte, src []uint32) {
	msb := p.Flags&MSB != 0
	switch p.SampleBytes() {
	case 1:
		return store8
	case 2:
		if msb {
			return storeMSB16
		}
		return storeLSB16
	case 3:
		if msb {
			return storeMSB24
		}
		return storeLSB24
	}
	if msb {
		return storeMSB32
	}
	return storeLSB32
}

func store8(dst []byte, src []uint32) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = byte(v)
	}
}

func storeMSB16(dst []byte, src []uint32) {
	for i, v := range src {
		binary.BigEndian.PutUint16(dst[2*i:], uint16(v))
	}
}

func storeLSB16(dst []byte, src []uint32) {
	for i, v := range src {
		binary.LittleEndian.PutUint16(dst[2*i:], uint16(v))
	}
}

func storeMSB24(dst []byte, src []uint32) {
	for i, v := range src {
		b := dst[3*i : 3*i+3]
		b[0], b[1], b[2] = byte(v>>16), byte(v>>8), byte(v)
	}
}

func storeLSB24(dst []byte, src []uint32) {
	for i, v := range src {
		b := dst[3*i : 3*i+3]
		b[0], b[1], b[2] = byte(v), byte(v>>8), byte(v>>16)
	}
}

func storeMSB32(dst []byte, src []uint32) {
	for i, v := range src {
		binary.BigEndian.PutUint32(dst[4*i:], v)
	}
}

func storeLSB32(dst []byte, src []uint32) {
	for i, v := range src {
		binary.LittleEndian.PutUint32(dst[4*i:], v)
	}
}

// loadFunc gives the function that reads samples from memory as p.Flags say. Signed samples come sign-extended from their
// container to 32 bits.
func loadFunc(p Params) func(dst []uint32, src []byte) {
	msb, signed := p.Flags&MSB != 0, p.Flags&Signed != 0
	switch p.SampleBytes() {
	case 1:
		return load8(signed)
	case 2:
		return load16(msb, signed)
	case 3:
		return load24(msb, signed)
	}
	return load32(msb)
}

func load8(signed bool) func(dst []uint32, src []byte) {
	if signed {
		return func(dst []uint32, src []byte) {
			for i := range dst {
				dst[i] = uint32(int8(src[i]))
			}
		}
	}
	return func(dst []uint32, src []byte) {
		src = src[:len(dst)]
		for i := range dst {
			dst[i] = uint32(src[i])
		}
	}
}

func load16(msb, signed bool) func(dst []uint32, src []byte) {
	switch {
	case msb && signed:
		return func(dst []uint32, src []byte) {
			for i := range dst {
				dst[i] = uint32(int16(binary.BigEndian.Uint16(src[2*i:])))
			}
		}
	case msb:
		return func(dst []uint32, src []byte) {
			for i := range dst {
				dst[i] = uint32(binary.BigEndian.Uint16(src[2*i:]))
			}
		}
	case signed:
		return func(dst []uint32, src []byte) {
			for i := range dst {
				dst[i] = uint32(int16(binary.LittleEndian.Uint16(src[2*i:])))
			}
		}
	}
	return func(dst []uint32, src []byte) {
		for i := range dst {
			dst[i] = uint32(binary.LittleEndian.Uint16(src[2*i:]))
		}
	}
}

func load24(msb, signed bool) func(dst []uint32, src []byte) {
	return func(dst []uint32, src []byte) {
		for i := range dst {
			b := src[3*i : 3*i+3]
			v := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16
			if msb {
				v = uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2])
			}
			if signed {
				v = uint32(int32(v<<8) >> 8)
			}
			dst[i] = v
		}
	}
}

func load32(msb bool) func(dst []uint32, src []byte) {
	if msb {
		return func(dst []uint32, src []byte) {
			for i := range dst {
				dst[i] = binary.BigEndian.Uint32(src[4*i:])
			}
		}
	}
	return func(dst []uint32, src []byte) {
		for i := range dst {
			dst[i] = binary.LittleEndian.Uint32(src[4*i:])
		}
	}
}
