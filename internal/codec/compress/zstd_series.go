package compress

import "github.com/klauspost/compress/zstd"

// zstdSeriesTried is how many pieces of a series one is tried for.
const zstdSeriesTried = 8

// ZstdSeries compresses similar pieces, such as the same byte of the numbers of successive blocks.
// [EncodeZstd] tries two ways for each piece and takes the smaller result. A series tries both for
// one piece in eight, and takes the slower way for the pieces after it only if that saved one byte
// in a hundred. The zero value is a new series.
type ZstdSeries struct {
	pieces int
	speed  zstd.EncoderLevel
}

// Encode is like [EncodeZstd] for the next piece. All pieces must have the same level.
func (s *ZstdSeries) Encode(dst, src []byte, level int) ([]byte, error) {
	speed := zstdSpeed(level)
	if speed != zstd.SpeedBetterCompression || len(src) >= zstdStreamBytes {
		return EncodeZstd(dst, src, level)
	}
	s.pieces++
	if s.pieces%zstdSeriesTried != 1 {
		return encodeZstdAll(dst, src, s.speed)
	}
	better, err := encodeZstdAll(dst, src, speed)
	if err != nil {
		return dst, err
	}
	fast, err := encodeZstdAll(nil, src, zstd.SpeedDefault)
	if err != nil {
		return dst, err
	}
	size := len(better) - len(dst)
	if s.speed = speed; size > len(fast)-len(fast)/100 {
		s.speed = zstd.SpeedDefault
	}
	if len(fast) < size {
		better = append(better[:len(dst)], fast...)
	}
	return better, nil
}
