package tgm

import (
	"github.com/tgmconv/tgmconv/codec/zfp"
)

const (
	nameZFP         = "zfp"
	keyZFPMode      = "zfp_mode"
	keyZFPRate      = "zfp_rate"
	keyZFPPrecision = "zfp_precision"
	keyZFPTolerance = "zfp_tolerance"
)

// zfpStage is the compression zfp: float64 values in one dimension, with a bounded size or error.
func zfpStage() stage {
	return stage{
		kind: CompressionStage,
		name: nameZFP,
		params: []Param{
			{Name: keyZFPMode, Kind: TextParam, Words: []string{"fixed_rate", "fixed_precision", "fixed_accuracy"}, Usage: "what the parameter of the same name bounds; must be given"},
			{Name: keyZFPRate, Kind: FloatParam, Min: 0, Max: 1024, Usage: "of fixed_rate: bits a value"},
			{Name: keyZFPPrecision, Kind: IntParam, Min: 1, Max: 64, Usage: "of fixed_precision: bit planes"},
			{Name: keyZFPTolerance, Kind: FloatParam, Usage: "of fixed_accuracy: largest error"},
		},
		sample: map[string]any{keyZFPMode: "fixed_accuracy", keyZFPTolerance: 1e-9},
		lossy:  true,
		takes:  func(in form) error { return expectType(in, Float64) },
		encode: encodeZFP,
		open:   openZFP,
	}
}

func encodeZFP(w *encoder, s stored) (stored, error) {
	return s.compressed(nameZFP, func(dst []byte, s *stored) ([]byte, error) {
		params, err := w.zfpParams()
		if err != nil {
			return dst, err
		}
		values, _ := float64sOf(s.data, w.object.desc.ByteOrder)
		return zfp.Encode(dst, values, params)
	})
}

// zfpParams returns the caller's parameters of zfp, and records them in the descriptor.
func (w *encoder) zfpParams() (p zfp.Params, err error) {
	mode, ok := w.pipeline.Params[keyZFPMode].(string)
	if !ok {
		return p, missingParam(keyZFPMode)
	}
	if p.Mode, err = zfp.ParseMode(mode); err != nil {
		return p, err
	}
	w.set(keyZFPMode, mode)
	key, number := keyZFPRate, &p.Rate
	switch p.Mode {
	case zfp.FixedPrecision:
		if p.Precision = w.intParam(keyZFPPrecision, 0); p.Precision == 0 {
			return p, missingParam(keyZFPPrecision)
		}
		w.set(keyZFPPrecision, p.Precision)
		return p, nil
	case zfp.FixedAccuracy:
		key, number = keyZFPTolerance, &p.Tolerance
	}
	if *number, ok = w.floatParam(key); !ok {
		return p, missingParam(key)
	}
	w.set(key, *number)
	return p, nil
}

// zfpParams returns the parameters that a descriptor states.
func (d *Descriptor) zfpParams() (p zfp.Params, err error) {
	mode, ok := d.Params[keyZFPMode].(string)
	if !ok {
		return p, missingParam(keyZFPMode)
	}
	if p.Mode, err = zfp.ParseMode(mode); err != nil {
		return p, err
	}
	switch p.Mode {
	case zfp.FixedPrecision:
		p.Precision, err = d.intRange(keyZFPPrecision, 0, 1<<31)
	case zfp.FixedAccuracy:
		p.Tolerance, err = d.number(keyZFPTolerance)
	default:
		p.Rate, err = d.number(keyZFPRate)
	}
	return p, err
}

func openZFP(d *Descriptor, in form) (layer, error) {
	if err := doubles(nameZFP, in); err != nil {
		return layer{}, err
	}
	params, err := d.zfpParams()
	if err != nil {
		return layer{}, wrapCompression(err, nameZFP)
	}
	l := layer{in: in, hostOrder: true, decode: func(dst, src []byte) error {
		err := params.CheckSize(len(dst)/8, len(src))
		if err == nil {
			err = intoFloats(dst, func(values []float64) error { return zfp.Decode(values, src, params) })
		}
		return wrapCompression(err, nameZFP)
	}}
	if params.Mode == zfp.FixedRate {
		l.readAt = func(dst []byte, off int64, src section) error {
			return wrapCompression(zfpRange(dst, off, src, params), nameZFP)
		}
	}
	return l, nil
}

// zfpRange fills dst with the bytes from off on of a stream of fixed rate.
func zfpRange(dst []byte, off int64, src section, params zfp.Params) error {
	if len(dst) == 0 {
		return nil
	}
	first, end := int(off/8), int((off+int64(len(dst))+7)/8)
	at, size, err := params.RangeBytes(first, end-first)
	if err != nil {
		return err
	}
	buf := getBuffer(int(min(size, max(src.Size()-at, 0))))
	defer putBuffer(buf)
	if err := readFull(src, *buf, at); err != nil {
		return err
	}
	if int64(first)*8 == off && int64(end-first)*8 == int64(len(dst)) {
		return intoFloats(dst, func(values []float64) error { return zfp.DecodeRange(values, *buf, params, first) })
	}
	values := make([]float64, end-first)
	err = zfp.DecodeRange(values, *buf, params, first)
	copy(dst, bytesOf(values)[off-int64(first)*8:])
	return err
}
