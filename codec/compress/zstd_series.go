package compress

import "github.com/klauspost/compress/zstd"

// zstdSeriesTried is how many pieces of a series one is tried for.
const zstdSeriesTried = 8

// ZstdSeries compresses pieces that are alike, as the same byte of the numbers of successive blocks.
// Where [EncodeZstd] tries two ways for each piece and takes the smaller result, a series tries them
// for one in eight, and takes the slower one for the next only where it gained one in a hundred. The
// zero value is a new series.
type ZstdSeries struct {
	pieces int
	speed  zstd.EncoderLevel
}

// Encode is [EncodeZstd] of the next piece. All must have the same level.
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
