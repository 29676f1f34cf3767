package tgm

import (
	"errors"
	"fmt"

	"github.com/tgmconv/tgmconv/codec/sz3"
)

const (
	nameSZ3     = "sz3"
	keySZ3Mode  = "sz3_error_bound_mode"
	keySZ3Bound = "sz3_error_bound"
)

// sz3Stage is the compression sz3: float64 values in one dimension, with a bounded error.
func sz3Stage() stage {
	return stage{
		kind: CompressionStage,
		name: nameSZ3,
		params: []Param{
			{Name: keySZ3Mode, Kind: TextParam, Words: []string{"abs", "rel", "psnr"}, Usage: "what the bound is: an error, a fraction of the range of the values, or decibels; must be given"},
			{Name: keySZ3Bound, Kind: FloatParam, Usage: "the bound; must be given"},
		},
		sample: map[string]any{keySZ3Mode: "abs", keySZ3Bound: 0.0},
		lossy:  true,
		takes:  func(in form) error { return expectType(in, Float64) },
		encode: encodeSZ3,
		open:   openSZ3,
	}
}

func encodeSZ3(w *encoder, s stored) (stored, error) {
	if len(s.data) == 0 {
		// SZ3 has no stream for empty data.
		w.object.desc.Compression = nameNone
		return s, nil
	}
	return s.compressed(nameSZ3, func(dst []byte, s *stored) ([]byte, error) {
		mode, ok := w.pipeline.Params[keySZ3Mode].(string)
		if !ok {
			return dst, missingParam(keySZ3Mode)
		}
		var p sz3.Params
		var err error
		if p.Mode, err = sz3.ParseMode(mode); err != nil {
			return dst, err
		}
		if p.Bound, ok = w.floatParam(keySZ3Bound); !ok {
			return dst, missingParam(keySZ3Bound)
		}
		w.set(keySZ3Mode, mode)
		w.set(keySZ3Bound, p.Bound)
		values, _ := float64sOf(s.data, w.object.desc.ByteOrder)
		return sz3.Encode(dst, values, p)
	})
}

// openSZ3 needs no parameter: a stream says how it is to be read.
func openSZ3(_ *Descriptor, in form) (layer, error) {
	if err := doubles(nameSZ3, in); err != nil {
		return layer{}, err
	}
	return layer{in: in, hostOrder: true, decode: func(dst, src []byte) error {
		n, err := sz3.Values(src)
		if err == nil && n != len(dst)/8 {
			err = fmt.Errorf("stream holds %d values, expected %d", n, len(dst)/8)
		}
		if err == nil {
			err = intoFloats(dst, func(values []float64) error { return sz3.Decode(values, src) })
		}
		var missing *sz3.UnsupportedError
		if errors.As(err, &missing) {
			return unsupported("compression sz3 with " + missing.Feature)
		}
		return wrapCompression(err, nameSZ3)
	}}, nil
}

// doubles returns an error unless the codec compressed the float64 values of an array. The
// reference implementation takes the bytes of any type for float64 values: its decoded bytes then
// differ from its input.
func doubles(codec string, in form) error {
	if in.raw && in.dtype == Float64 {
		return nil
	}
	what := in.dtype.String()
	if !in.raw {
		what = "encoded or filtered " + what
	}
	return encodingError(nil, "compression %s of %s, expected float64: the encoder took the bytes for float64, and the values are lost", codec, what)
}

// intoFloats lets decode fill dst, which it sees as float64 values.
func intoFloats(dst []byte, decode func([]float64) error) error {
	values, ok := float64View(dst)
	if ok {
		return decode(values)
	}
	values = make([]float64, len(dst)/8)
	err := decode(values)
	copy(dst, bytesOf(values))
	return err
}
