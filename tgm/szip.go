package tgm

import (
	"fmt"

	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/codec/packing"
)

// checkSzip reports parameters that a Tensogram reader may refuse.
func checkSzip(p aec.Params) error {
	if err := p.Validate(); err != nil {
		return compressionError(err, "%s", nameSzip)
	}
	return nil
}

// szipMemory adds the flags for samples in memory, which descriptors leave out: integers from
// simple_packing lie most significant byte first and those of 17 to 24 bits in three bytes.
func szipMemory(p aec.Params, packed bool) aec.Params {
	if packed {
		p.Flags |= aec.MSB
	}
	if p.BitsPerSample >= 17 && p.BitsPerSample <= 24 {
		p.Flags |= aec.ThreeByte
	}
	return p
}

// szipParams returns the stream parameters a descriptor states for samples of so many bits.
func (d *Descriptor) szipParams(bits int) (p aec.Params, err error) {
	p.BitsPerSample = bits
	var flags int
	if p.RSI, err = d.intRange("szip_rsi", 1, 1<<16); err != nil {
		return p, err
	}
	if p.BlockSize, err = d.intRange("szip_block_size", 1, aec.MaxBlockSize); err != nil {
		return p, err
	}
	if flags, err = d.intRange("szip_flags", 0, 0xFF); err != nil {
		return p, err
	}
	p.Flags = aec.Flags(flags)
	return p, nil
}

// szipOffsets returns the interval offsets of a payload of so many bytes and samples.
func (d *Descriptor) szipOffsets(p aec.Params, samples, payload int) ([]uint64, error) {
	v, ok := d.Params["szip_block_offsets"]
	if !ok {
		return nil, fmt.Errorf("szip_block_offsets is missing")
	}
	offsets, err := asUints(v)
	if err != nil {
		return nil, fmt.Errorf("szip_block_offsets: %w", err)
	}
	return offsets, checkOffsets(offsets, p, samples, payload)
}

// checkOffsets reports offsets that cannot be those of a stream of so many bytes and samples.
func checkOffsets(offsets []uint64, p aec.Params, samples, size int) error {
	if want := p.Intervals(samples); len(offsets) != want {
		return fmt.Errorf("%d interval offsets, expected %d", len(offsets), want)
	}
	for i, at := range offsets {
		switch {
		case i == 0 && at != 0:
			return fmt.Errorf("first interval offset is %d, expected 0", at)
		case i > 0 && at <= offsets[i-1]:
			return fmt.Errorf("interval offset %d is %d after %d", i, at, offsets[i-1])
		case at > 8*uint64(size):
			return fmt.Errorf("interval offset %d is bit %d of %d bytes", i, at, size)
		}
	}
	return nil
}

// packedSamples is how many samples szip sees in packed integers. It is known only for whole bytes:
// other widths were written by encoders that dropped bits.
func packedSamples(p packing.Params) (int, error) {
	switch p.Bits {
	case 8, 16, 24, 32:
		return p.Bits, nil
	}
	return 0, fmt.Errorf("szip of integers of %d bits: the encoder dropped bits of each sample, which cannot be restored", p.Bits)
}
