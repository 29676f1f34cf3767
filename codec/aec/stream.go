package aec

// Stream is a compressed series of samples as libaec writes it, with the parameters for decoding
// it. The width and the number of the samples are not in it; the caller must know them.
type Stream struct {
	Data      []byte
	BlockSize int      // samples
	RSI       int      // blocks of an interval
	Flags     uint8    // as in Params; flags about samples in memory mean nothing here
	Offsets   []uint64 // bit offset of each interval; nil if they are not known
}

// Params returns the parameters to decode the stream with, for samples of the given bits.
func (s *Stream) Params(bits int) Params {
	return Params{BitsPerSample: bits, BlockSize: s.BlockSize, RSI: s.RSI, Flags: Flags(s.Flags) &^ (MSB | ThreeByte)}
}
