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

// loadFunc returns the function that reads samples from memory as p.Flags say. Nothing is
// sign-extended.
func loadFunc(p Params) func(dst []uint32, src []byte) {
	msb := p.Flags&MSB != 0
	switch p.SampleBytes() {
	case 1:
		return load8
	case 2:
		if msb {
			return loadMSB16
		}
		return loadLSB16
	case 3:
		if msb {
			return loadMSB24
		}
		return loadLSB24
	}
	if msb {
		return loadMSB32
	}
	return loadLSB32
}

func load8(dst []uint32, src []byte) {
	for ; len(dst) >= 8; dst, src = dst[8:], src[8:] {
		d, v := dst[:8:8], binary.LittleEndian.Uint64(src)
		d[0], d[1], d[2], d[3] = uint32(v&0xff), uint32(v>>8&0xff), uint32(v>>16&0xff), uint32(v>>24&0xff)
		d[4], d[5], d[6], d[7] = uint32(v>>32&0xff), uint32(v>>40&0xff), uint32(v>>48&0xff), uint32(v>>56)
	}
	for i := range dst {
		dst[i] = uint32(src[i])
	}
}

func loadMSB16(dst []uint32, src []byte) {
	for ; len(dst) >= 8 && len(src) >= 16; dst, src = dst[8:], src[16:] {
		d, v, w := dst[:8:8], binary.BigEndian.Uint64(src), binary.BigEndian.Uint64(src[8:])
		d[0], d[1], d[2], d[3] = uint32(v>>48), uint32(v>>32&0xffff), uint32(v>>16&0xffff), uint32(v&0xffff)
		d[4], d[5], d[6], d[7] = uint32(w>>48), uint32(w>>32&0xffff), uint32(w>>16&0xffff), uint32(w&0xffff)
	}
	for i := range dst {
		dst[i] = uint32(binary.BigEndian.Uint16(src[2*i:]))
	}
}

func loadLSB16(dst []uint32, src []byte) {
	for ; len(dst) >= 4; dst, src = dst[4:], src[8:] {
		d, v := dst[:4:4], binary.LittleEndian.Uint64(src)
		d[0], d[1], d[2], d[3] = uint32(v&0xffff), uint32(v>>16&0xffff), uint32(v>>32&0xffff), uint32(v>>48)
	}
	for i := range dst {
		dst[i] = uint32(binary.LittleEndian.Uint16(src[2*i:]))
	}
}

func loadMSB24(dst []uint32, src []byte) {
	for ; len(dst) >= 4 && len(src) >= 12; dst, src = dst[4:], src[12:] {
		d, v, w := dst[:4:4], binary.BigEndian.Uint64(src), binary.BigEndian.Uint64(src[4:])
		d[0], d[1], d[2], d[3] = uint32(v>>40), uint32(v>>16&0xffffff), uint32(w>>24&0xffffff), uint32(w&0xffffff)
	}
	for i := range dst {
		dst[i] = uint32(src[3*i])<<16 | uint32(src[3*i+1])<<8 | uint32(src[3*i+2])
	}
}

func loadLSB24(dst []uint32, src []byte) {
	for ; len(dst) >= 2; dst, src = dst[2:], src[6:] {
		dst[0] = binary.LittleEndian.Uint32(src) & 0xffffff
		dst[1] = binary.LittleEndian.Uint32(src[2:]) >> 8
	}
	if len(dst) > 0 {
		dst[0] = uint32(src[0]) | uint32(src[1])<<8 | uint32(src[2])<<16
	}
}

func loadMSB32(dst []uint32, src []byte) {
	for ; len(dst) >= 2; dst, src = dst[2:], src[8:] {
		v := binary.BigEndian.Uint64(src)
		dst[0], dst[1] = uint32(v>>32), uint32(v)
	}
	if len(dst) > 0 {
		dst[0] = binary.BigEndian.Uint32(src)
	}
}

func loadLSB32(dst []uint32, src []byte) {
	for ; len(dst) >= 2; dst, src = dst[2:], src[8:] {
		v := binary.LittleEndian.Uint64(src)
		dst[0], dst[1] = uint32(v), uint32(v>>32)
	}
	if len(dst) > 0 {
		dst[0] = binary.LittleEndian.Uint32(src)
	}
}
