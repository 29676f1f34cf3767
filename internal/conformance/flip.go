package conformance

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/tgmconv/tgmconv/tgm"
)

// Silent is a flipped bit of a file that a reader did not notice although it got other content.
type Silent struct {
	Bit    int // number of the bit: 8 × byte + bit, the lowest bit first
	Reader string
}

// contentReaders are the ways to read a file. Each returns metadata and values as text.
var contentReaders = []struct {
	name string
	read func(file []byte) ([]string, error)
}{{"file", fileContent}, {"stream", streamContent}}

// Flip changes count single bits of a file, one at a time, or each of its bits once if it has
// fewer. It returns those for which a reader gives other metadata or other values without an error.
// tried is the number of flips.
func Flip(file []byte, count int, rng *rand.Rand) (silent []Silent, tried int, err error) {
	want := make([][]string, len(contentReaders))
	for i, r := range contentReaders {
		if want[i], err = r.read(file); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", r.name, err)
		}
	}
	bits := rng.Perm(8 * len(file))
	bits = bits[:min(count, len(bits))]
	damaged := bytes.Clone(file)
	for _, bit := range bits {
		damaged[bit/8] ^= 1 << (bit % 8)
		for i, r := range contentReaders {
			if got, err := r.read(damaged); err == nil && !reflect.DeepEqual(got, want[i]) {
				silent = append(silent, Silent{bit, r.name})
			}
		}
		damaged[bit/8] ^= 1 << (bit % 8)
	}
	return silent, len(bits), nil
}

// fileContent reads all of a file by its offsets. Bytes between messages are an error.
func fileContent(file []byte) (content []string, err error) {
	f, err := tgm.NewFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, err
	}
	gaps, err := f.Gaps()
	if err != nil || len(gaps) > 0 {
		return nil, fmt.Errorf("%d gaps, %w", len(gaps), err)
	}
	for m, err := range f.Messages() {
		if err != nil {
			return nil, err
		}
		metadata, err := m.Metadata()
		if err != nil {
			return nil, err
		}
		content = append(content, fmt.Sprint(metadata))
		for o, err := range m.Objects() {
			if err != nil {
				return nil, err
			}
			if content, err = objectContent(content, o); err != nil {
				return nil, err
			}
		}
	}
	return content, nil
}

// streamContent reads all of a file from its start to its end. Bytes between messages are an error.
func streamContent(file []byte) (content []string, err error) {
	s := tgm.NewStreamReader(bytes.NewReader(file))
	for o, err := range s.Objects() {
		if err != nil {
			return nil, err
		}
		if content, err = objectContent(content, o); err != nil {
			return nil, err
		}
		metadata, err := s.Metadata()
		if err != nil {
			return nil, err
		}
		content = append(content, fmt.Sprint(metadata))
	}
	metadata, err := s.Metadata()
	if err == nil && s.Skipped() > 0 {
		err = fmt.Errorf("%d bytes belong to no message", s.Skipped())
	}
	return append(content, fmt.Sprint(metadata)), err
}

func objectContent(content []string, o *tgm.Object) ([]string, error) {
	a, err := o.Decode(tgm.DecodeOptions{})
	if err != nil {
		return nil, err
	}
	return append(content, fmt.Sprint(o.Base(), a.DType, a.Shape), string(a.Data)), nil
}
