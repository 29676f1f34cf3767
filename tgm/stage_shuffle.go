package tgm

import (
	"errors"
	"math"

	"github.com/tgmconv/tgmconv/internal/codec/shuffle"
)

const (
	nameShuffle    = "shuffle"
	keyShuffleSize = "shuffle_element_size"
)

// shuffleStage is the filter shuffle: the first bytes of all elements, then their second bytes, and
// so on.
func shuffleStage() stage {
	return stage{
		kind: FilterStage,
		name: nameShuffle,
		params: []Param{
			{Name: keyShuffleSize, Kind: IntParam, Min: 1, Max: 1 << 20, Usage: "bytes of an element, its own width if not given"},
		},
		takes: func(in form) error {
			if in.dtype == Bitmask {
				return takesNot("whole bytes", in.dtype.String())
			}
			return nil
		},
		wholeBytes: true,
		encode:     encodeShuffle,
		open:       openShuffle,
		transform: func(d *Descriptor) (Transform, error) {
			size, err := d.intRange(keyShuffleSize, 1, math.MaxInt32)
			if err != nil {
				err = encodingError(err, "filter %s", nameShuffle)
			}
			return Transform{Size: int(size)}, err
		},
	}
}

func encodeShuffle(w *encoder, s stored) (stored, error) {
	size := w.pipeline.ShuffleSize
	if size == 0 {
		size = s.element
	}
	size = w.intParam(keyShuffleSize, size)
	out := s
	var err error
	if s.inPlace() {
		err = shuffle.EncodeInPlace(s.data, size)
	} else {
		out.owned, out.disposable = getBuffer(len(s.data)), false
		out.data = *out.owned
		err = shuffle.Encode(out.data, s.data, size)
		s.release()
	}
	if err != nil {
		out.release()
		return stored{}, encodingError(err, "filter %s", nameShuffle)
	}
	w.set(keyShuffleSize, size)
	out.form = s.form.shuffled()
	return out, nil
}

// shuffled returns the form of shuffled bytes.
func (f form) shuffled() form {
	if !f.packed {
		f.bits = 8
	}
	f.element, f.raw = 1, false
	return f
}

func openShuffle(d *Descriptor, in form) (layer, error) {
	size, err := d.intRange(keyShuffleSize, 1, math.MaxInt32)
	if err != nil {
		return layer{}, encodingError(err, "filter %s", nameShuffle)
	}
	return layer{
		in: in, out: in.shuffled(),
		decode: func(dst, src []byte) error {
			if len(src) < len(dst) {
				return encodingError(nil, "filter %s: %d bytes, expected %d", nameShuffle, len(src), len(dst))
			}
			return shuffleError(shuffle.Decode(dst, src[:len(dst)], size))
		},
		inPlace: func(b []byte) error { return shuffleError(shuffle.DecodeInPlace(b, size)) },
		fits: func(n int) error {
			if n < in.bytes || in.bytes%size != 0 {
				return encodingError(nil, "filter %s: %d bytes of elements of %d, expected %d", nameShuffle, n, size, in.bytes)
			}
			return nil
		},
		readAt: func(dst []byte, off int64, src section) error {
			return unshuffleRange(dst, off, src, in.bytes, size)
		},
		grain: func(bytes int64, _ section) int64 { return bytes * int64(size) },
	}, nil
}

func shuffleError(err error) error {
	if err == nil {
		return nil
	}
	return encodingError(err, "filter %s", nameShuffle)
}

// unshuffleRange fills dst with the bytes from off on: a piece of each plane.
func unshuffleRange(dst []byte, off int64, src section, total, size int) error {
	if total%size != 0 {
		return shuffleError(errors.New("elements are no whole number"))
	}
	count := int64(total / size)
	first, end := off/int64(size), (off+int64(len(dst))+int64(size)-1)/int64(size)
	n := int(end - first)
	planes, out := getBuffer(n*size), getBuffer(n*size)
	defer putBuffer(planes)
	defer putBuffer(out)
	for k := range size {
		if err := readFull(src, (*planes)[k*n:(k+1)*n], int64(k)*count+first); err != nil {
			return err
		}
	}
	if err := shuffle.Decode(*out, *planes, size); err != nil {
		return shuffleError(err)
	}
	copy(dst, (*out)[off-first*int64(size):])
	return nil
}
