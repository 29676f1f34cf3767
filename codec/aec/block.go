package aec

import "encoding/binary"

// decodeBlock decodes a block to out and returns the number of samples. It is all of out, or 0 or 1
// before a run of zero blocks, which fillZeros then writes. Only at the end of the wanted samples
// is out shorter than a block.
func (d *decoder) decodeBlock(out []uint32) (int, error) {
	start, block := d.pos, d.block
	ref := 0
	if d.mapped && d.inRSI == 0 {
		ref = 1
	}
	n, ok := 0, false
	var err error
	if d.fast && len(out) == d.params.BlockSize {
		n, ok = len(out), d.readFast(out, ref)
	}
	if !ok {
		n, err = d.readPlain(out, ref)
		d.partial = len(out) < d.params.BlockSize && d.zeros == 0
	}
	if err == nil {
		d.block++
		d.inRSI++
		err = d.restore(out[:n], ref)
	}
	if err != nil {
		return 0, &StreamError{Bit: start, Block: block, Samples: d.want, Err: err}
	}
	return n, nil
}

// restore turns coded values into samples.
func (d *decoder) restore(block []uint32, ref int) error {
	if !d.mapped {
		var all uint32
		for _, v := range block {
			all |= v
		}
		if all > d.mask {
			return ErrRange
		}
		return nil
	}
	if ref > 0 {
		block[0] ^= d.bias
		d.last = uint64(block[0])
	}
	var ok bool
	if d.last, ok = unmap(block[ref:], d.last, uint64(d.mask)); !ok {
		return ErrRange
	}
	if d.bias != 0 {
		for i := range block {
			block[i] -= d.bias
		}
	}
	return nil
}

// readFast reads a whole block with the kernels. When it returns false it has read nothing and
// leaves the block to readPlain: near the end of the stream, for runs of zero blocks, and for unary
// codes of unusual length.
func (d *decoder) readFast(out []uint32, ref int) bool {
	src, pos := d.src, d.pos
	at := pos >> 3
	if at+8 > uint64(len(src)) {
		return false
	}
	// Id, second bit and reference sample have at most 5+1+32 of the 57 or more bits here.
	head := binary.BigEndian.Uint64(src[at:]) << (pos & 7)
	id := head >> ((64 - d.idBits) & 63)
	head <<= d.idBits & 63
	pos += uint64(d.idBits)
	k, codes := uint(0), len(out)-ref
	switch id {
	case 1<<d.idBits - 1:
		return d.readPlainSamples(out, pos)
	case 0:
		if head>>63 == 0 {
			return false
		}
		head <<= 1
		pos++
		codes = len(out) / 2
	default:
		k = uint(id - 1)
	}
	if ref > 0 {
		out[0] = uint32(head >> ((64 - d.width) & 63))
		pos += uint64(d.width)
	}
	pos, ok := readUnary(&d.codes, codes, src, pos)
	if !ok {
		return false
	}
	switch {
	case id == 0:
		if !expandPairs(out, &d.codes, ref) {
			return false
		}
	case k == 0:
		out, codes := out[ref:], d.codes[:len(out)-ref]
		for i, c := range codes {
			out[i] = uint32(c)
		}
	default:
		end := pos + uint64(codes)*uint64(k)
		if end>>3+8 > uint64(len(src)) || !d.codesFit(codes, k) {
			return false
		}
		splitKernels[k](out[ref:], &d.codes, src, pos)
		pos = end
	}
	d.pos = pos
	return true
}

// codesFit makes sure that no code shifted by k leaves 32 bits. Codes that only leave the sample
// width are found later.
func (d *decoder) codesFit(n int, k uint) bool {
	if k <= 24 {
		return true
	}
	var all uint8
	for _, c := range d.codes[:n] {
		all |= c
	}
	return uint64(all)<<k <= 1<<32-1
}

// noCodes makes a split kernel read plain numbers.
var noCodes codeBuffer

// readPlainSamples reads an uncompressed block, whose reference sample is like all others.
func (d *decoder) readPlainSamples(out []uint32, pos uint64) bool {
	end := pos + uint64(len(out))*uint64(d.width)
	if end>>3+8 > uint64(len(d.src)) {
		return false
	}
	splitKernels[d.width](out, &noCodes, d.src, pos)
	d.pos = end
	return true
}

// pairTable has the two samples of each second extension code.
var pairTable = makePairTable()

func makePairTable() (table [maxPairCode + 1][2]uint8) {
	for m := range table {
		a, b := pairOf(uint64(m))
		table[m] = [2]uint8{uint8(a), uint8(b)}
	}
	return table
}

// expandPairs writes the samples of a block's second extension codes. A reference sample in out[0]
// stays. It returns false at codes that are not in the table.
func expandPairs(out []uint32, codes *codeBuffer, ref int) bool {
	keep := out[0]
	for i := 0; i < len(out)-1; i += 2 {
		m := codes[i/2&(maxFastBlock-1)]
		if m > maxPairCode {
			return false
		}
		pair := &pairTable[m]
		out[i], out[i+1] = uint32(pair[0]), uint32(pair[1])
	}
	if ref > 0 {
		out[0] = keep
	}
	return true
}
