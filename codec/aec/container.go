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
	for ; len(src) >= 8; dst, src = dst[8:], src[8:] {
		s := src[:8:8]
		lo := s[0]&0xff | s[1]&0xff<<8 | s[2]&0xff<<16 | s[3]<<24
		hi := s[4]&0xff | s[5]&0xff<<8 | s[6]&0xff<<16 | s[7]<<24
		binary.LittleEndian.PutUint64(dst, uint64(hi)<<32|uint64(lo))
	}
	for i, v := range src {
		dst[i] = byte(v)
	}
}

func storeMSB16(dst []byte, src []uint32) {
	for ; len(src) >= 4; dst, src = dst[8:], src[4:] {
		s := src[:4:4]
		v := uint64(s[0])<<48 | uint64(s[1])&0xffff<<32 | uint64(s[2])&0xffff<<16 | uint64(s[3])&0xffff
		binary.BigEndian.PutUint64(dst, v)
	}
	for i, v := range src {
		binary.BigEndian.PutUint16(dst[2*i:], uint16(v))
	}
}

func storeLSB16(dst []byte, src []uint32) {
	for ; len(src) >= 4; dst, src = dst[8:], src[4:] {
		s := src[:4:4]
		v := uint64(s[3])<<48 | uint64(s[2])&0xffff<<32 | uint64(s[1])&0xffff<<16 | uint64(s[0])&0xffff
		binary.LittleEndian.PutUint64(dst, v)
	}
	for i, v := range src {
		binary.LittleEndian.PutUint16(dst[2*i:], uint16(v))
	}
}

func storeMSB24(dst []byte, src []uint32) {
	for ; len(src) > 1; dst, src = dst[3:], src[1:] {
		binary.BigEndian.PutUint32(dst, src[0]<<8) // the fourth byte is the next sample's
	}
	for _, v := range src {
		dst[0], dst[1], dst[2] = byte(v>>16), byte(v>>8), byte(v)
	}
}

func storeLSB24(dst []byte, src []uint32) {
	for ; len(src) > 1; dst, src = dst[3:], src[1:] {
		binary.LittleEndian.PutUint32(dst, src[0])
	}
	for _, v := range src {
		dst[0], dst[1], dst[2] = byte(v), byte(v>>8), byte(v>>16)
	}
}

func storeMSB32(dst []byte, src []uint32) {
	for ; len(src) >= 2; dst, src = dst[8:], src[2:] {
		binary.BigEndian.PutUint64(dst, uint64(src[0])<<32|uint64(src[1]))
	}
	for _, v := range src {
		binary.BigEndian.PutUint32(dst, v)
	}
}

func storeLSB32(dst []byte, src []uint32) {
	for ; len(src) >= 2; dst, src = dst[8:], src[2:] {
		binary.LittleEndian.PutUint64(dst, uint64(src[1])<<32|uint64(src[0]))
	}
	for _, v := range src {
		binary.LittleEndian.PutUint32(dst, v)
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
