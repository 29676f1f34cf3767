package importers

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/tgm"
)

// coordinateWords are the words for coordinates, in the order of the constants.
var coordinateWords = []string{"axes", "all", "none"}

// Declare adds the settings of how values are stored.
func (e *Encoding) Declare(s *option.Set) {
	encodings := append([]string{EncodingSource}, stagesFor(tgm.EncodingStage)...)
	filters, compressions := stagesFor(tgm.FilterStage), stagesFor(tgm.CompressionStage)
	params := make(map[string]string)
	e.Bits = 16
	s.Word("encoding", &e.Encoding, encodings,
		"how values are stored: source (as in the source), "+option.Or(encodings[1:])+" (default source, none with --filter or --compression)")
	s.Int("bits", &e.Bits, 1, 64, "bits per value of simple_packing; coordinates, flags and integers are not packed")
	s.Word("filter", &e.Filter, filters, "filter before compression: "+option.Or(filters))
	s.Word("compression", &e.Compression, compressions, "compression of values: "+option.Or(compressions))
	s.Int("compression-level", &e.Level, 1, 22, "level of zstd, 1 to 22 (0 means 3), or of blosc2, 1 to 9 (0 means 5)")
	s.Number("stage-param", &params, "parameters of filter and compression, such as blosc2_codec=zstd")
	e.declareMasks(s)
	s.Check(func() error { return e.check(s, params) })
}

// declareMasks adds the settings of values that are not numbers.
func (e *Encoding) declareMasks(s *option.Set) {
	methods := tgm.StageNames(tgm.MaskStage)
	const usual = "roaring"
	m := &e.Masks
	m.NaN, m.PosInf, m.NegInf, m.SmallThreshold = usual, usual, usual, 128
	nan, inf := true, true
	s.Bool("allow-nan", &nan, "store NaN in the data as missing; =false makes it an error (env TENSOGRAM_ALLOW_NAN)")
	s.Bool("allow-inf", &inf, "store infinities as masks; =false makes them an error (env TENSOGRAM_ALLOW_INF)")
	s.Word("nan-mask-method", &m.NaN, methods, "how the mask of missing values is stored: "+option.Or(methods))
	s.Word("pos-inf-mask-method", &m.PosInf, methods, "the same for +infinity")
	s.Word("neg-inf-mask-method", &m.NegInf, methods, "the same for -infinity")
	s.Number("small-mask-threshold", &m.SmallThreshold, "masks of up to this many bytes are stored plainly; 0 means never")
	s.Env("allow-nan", "TENSOGRAM_ALLOW_NAN")
	s.Env("allow-inf", "TENSOGRAM_ALLOW_INF")
	s.Check(func() error {
		if m.SmallThreshold < 0 {
			return fmt.Errorf("--small-mask-threshold is %d, expected 0 or more", m.SmallThreshold)
		}
		e.RejectNaN, e.RejectInf = !nan, !inf
		return nil
	})
}

// check looks at settings that depend on each other.
func (e *Encoding) check(s *option.Set, params map[string]string) (err error) {
	chosen := e.Filter != "" || e.Compression != ""
	switch {
	case e.Encoding == "" && chosen:
		e.Encoding = EncodingNone
	case e.Encoding == "":
		e.Encoding = EncodingSource
	}
	switch {
	case e.Encoding == EncodingSource && chosen:
		return errors.New("--filter and --compression go with --encoding none or simple_packing: source chooses its own")
	case e.Encoding == EncodingSource && s.Given("bits"):
		return errors.New("--bits goes with --encoding simple_packing: source keeps the bits of the source")
	}
	e.Params, err = stageParams(params, e.Filter, e.Compression)
	return err
}

// stagesFor returns the names of the stages that numbers can go through.
func stagesFor(kind tgm.StageKind) (names []string) {
	for _, s := range tgm.Stages(kind) {
		if s.Takes(tgm.Float64) == nil || s.Takes(tgm.Float32) == nil {
			names = append(names, s.Name)
		}
	}
	return names
}

// stageParams reads parameters of the stages that are named.
func stageParams(given map[string]string, stages ...string) (map[string]any, error) {
	params := make(map[string]any, len(given))
	var known []string
	for kind := tgm.FilterStage; kind <= tgm.CompressionStage; kind++ {
		for _, s := range tgm.Stages(kind) {
			for _, p := range s.Params {
				text, ok := given[p.Name]
				if !slices.Contains(stages, s.Name) {
					continue
				}
				known = append(known, p.Name)
				if !ok {
					continue
				}
				v, err := p.Parse(text)
				if err != nil {
					return nil, fmt.Errorf("--stage-param: %v", err)
				}
				params[p.Name] = v
			}
		}
	}
	for name := range given {
		if _, ok := params[name]; ok {
			continue
		}
		if len(known) == 0 {
			known = []string{"none: neither filter nor compression has parameters"}
		}
		return nil, fmt.Errorf("--stage-param is %s, expected %s", name, option.Or(known))
	}
	return params, nil
}

// DeclareGrids adds the settings of grids, whose help begins with a prefix.
func (o *Options) DeclareGrids(s *option.Set, prefix string) {
	option.Choice(s, "coordinates", &o.Coordinates, coordinateWords,
		prefix+"latitudes and longitudes to write: axes (a value for each row and column, of grids that have them), all (on other grids a value for each point, once per grid) or none")
	s.Bool("repeat-metadata", &o.RepeatMetadata,
		prefix+"write grib_repro and geometry of small fields too, for programs that need them, although they follow from the sections")
}
