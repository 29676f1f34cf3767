package totet

import (
	"errors"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/internal/option"
)

// Declare adds the settings of how datasets are written.
func (o *Options) Declare(s *option.Set) {
	option.Parsed(s, "chunks", &o.Chunks, "", parseShape, "chunk shape of arrays with as many dimensions, such as 1,180,360; default: as in the source, or rows of about 16 MiB")
	s.Word("codec", &o.Codec, []string{"raw", "zstd"}, "raw or zstd; as in the source if not given")
	s.Int("compression-level", &o.Level, 1, 22, "level of zstd, 1 to 22; 0 means 3")
}

// parseShape reads numbers separated by commas.
func parseShape(text string) (shape []int64, err error) {
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseInt(strings.TrimSpace(part), 10, 64)
		if err != nil || n < 1 {
			return nil, errors.New("expected numbers of at least 1 separated by commas")
		}
		shape = append(shape, n)
	}
	return shape, nil
}
