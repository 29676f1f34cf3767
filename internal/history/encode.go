package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/fxamacker/cbor/v2"
	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"
)

// magic begins a history; its last byte is the version of the layout.
//
//	8 bytes   "TGMCHST" and the version
//	8 bytes   XXH3 of the rest, little-endian
//	the rest  a zstd frame of the CBOR of a body
const magic = "TGMCHST\x01"

// maxBody bounds the body of a history.
const maxBody = 1 << 30

// A body is a history as it is stored. States share labels, by their numbers.
type body struct {
	Revision  uint64      `cbor:"1,keyasint"`
	Files     []byte      `cbor:"2,keyasint"`
	Snapshots []Snapshot  `cbor:"3,keyasint"`
	Labels    []*Labels   `cbor:"4,keyasint"`
	Arrays    []bodyArray `cbor:"5,keyasint"`
}

type bodyArray struct {
	Path  string     `cbor:"1,keyasint"`
	Forms []bodyForm `cbor:"2,keyasint"`
}

type bodyForm struct {
	Used   int64          `cbor:"1,keyasint"`
	State  *State         `cbor:"2,keyasint"` // without labels
	Labels map[string]int `cbor:"3,keyasint"`
}

// Append appends the history to dst in the form that [Parse] reads.
func (h *History) Append(dst []byte) ([]byte, error) {
	b := body{Revision: h.Revision, Files: h.Files, Snapshots: h.Snapshots}
	numbers := make(map[*Labels]int)
	same := make(map[xxh3.Uint128]int) // labels of the same values
	number := func(l *Labels) int {
		n, ok := numbers[l]
		if ok {
			return n
		}
		key := xxh3.Hash128(append(fmt.Appendf(nil, "%v %d ", l.Shape, l.Size), l.Data...))
		if n, ok = same[key]; !ok {
			n = len(b.Labels)
			b.Labels = append(b.Labels, l)
			same[key] = n
		}
		numbers[l] = n
		return n
	}
	for _, path := range slices.Sorted(maps.Keys(h.arrays)) {
		out := bodyArray{Path: path}
		for _, f := range h.arrays[path].forms {
			stored := bodyForm{Used: f.used}
			if f.state != nil {
				s := *f.state
				stored.Labels = make(map[string]int, len(s.Labels))
				for name, l := range s.Labels {
					stored.Labels[name] = number(l)
				}
				s.Labels = nil
				stored.State = &s
			}
			out.Forms = append(out.Forms, stored)
		}
		b.Arrays = append(b.Arrays, out)
	}
	text, err := cbor.Marshal(b)
	if err != nil {
		return dst, fmt.Errorf("history: %w", err)
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return dst, fmt.Errorf("history: %w", err)
	}
	packed := encoder.EncodeAll(text, nil)
	dst = append(dst, magic...)
	dst = binary.LittleEndian.AppendUint64(dst, xxh3.Hash(packed))
	return append(dst, packed...), nil
}

// Parse returns the history that Append wrote.
func Parse(b []byte) (*History, error) {
	if len(b) < len(magic)+8 || string(b[:len(magic)]) != magic {
		return nil, errors.New("it is no history of this version")
	}
	packed := b[len(magic)+8:]
	if xxh3.Hash(packed) != binary.LittleEndian.Uint64(b[len(magic):]) {
		return nil, errors.New("its hash does not match")
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBody))
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	defer decoder.Close()
	text, err := decoder.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("it does not decompress: %w", err)
	}
	mode, err := cbor.DecOptions{MaxArrayElements: 1 << 24, MaxMapPairs: 1 << 20}.DecMode()
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	var stored body
	if err := mode.Unmarshal(text, &stored); err != nil {
		return nil, fmt.Errorf("it does not decode: %w", err)
	}
	return stored.history()
}

// history makes the history of a body.
func (b *body) history() (*History, error) {
	for _, l := range b.Labels {
		if l == nil || !l.valid() {
			return nil, errors.New("it has labels of another size than their shape")
		}
	}
	h := &History{Revision: b.Revision, Files: b.Files, Snapshots: b.Snapshots, arrays: make(map[string]*array, len(b.Arrays))}
	for _, stored := range b.Arrays {
		a := new(array)
		for _, f := range stored.Forms[:min(len(stored.Forms), maxForms)] {
			s := f.State
			if s != nil {
				if len(s.Chunk) != len(s.Shape) || slices.Contains(s.Chunk, 0) {
					return nil, fmt.Errorf("%s has chunks of %v and the shape %v", stored.Path, s.Chunk, s.Shape)
				}
				s.Labels = make(map[string]*Labels, len(f.Labels))
				for name, n := range f.Labels {
					if n < 0 || n >= len(b.Labels) {
						return nil, fmt.Errorf("%s has labels that are not there", stored.Path)
					}
					s.Labels[name] = b.Labels[n]
				}
			}
			a.forms = append(a.forms, form{s, f.Used})
		}
		h.arrays[stored.Path] = a
	}
	return h, nil
}
