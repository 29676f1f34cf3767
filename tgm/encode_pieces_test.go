package tgm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"iter"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/internal/cases"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// inPieces gives data of elements in pieces of n elements each. It copies them: the encoder may
// overwrite its input.
func inPieces(data []byte, missing *Mask, element, n int) iter.Seq2[Piece, error] {
	return func(yield func(Piece, error) bool) {
		for first := 0; first*element < len(data); first += n {
			part := bytes.Clone(data[first*element : min((first+n)*element, len(data))])
			p := Piece{Data: part}
			for i := range len(part) / element {
				if missing != nil && missing.Get(first+i) {
					if p.Missing == nil {
						p.Missing = bitmask.New(len(part) / element)
					}
					p.Missing.Set(i)
				}
			}
			if !yield(p, nil) {
				return
			}
		}
	}
}

// noisy is float32 data with some values that are not finite, and a mask of missing points.
func noisy(n int) ([]byte, *Mask) {
	data := make([]byte, 0, 4*n)
	missing := bitmask.New(n)
	for i := range n {
		v := float32(math.Sin(float64(i)/1000)) + float32(i%97)/100
		switch {
		case i%100_003 == 5:
			v = float32(math.NaN())
		case i%200_003 == 7:
			v = float32(math.Inf(-1))
		case i%300_007 == 9:
			missing.Set(i)
		}
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	return data, missing
}

func TestEncodePiecesIsEncodeArray(t *testing.T) {
	const n = PiecesBytes/4 + 12345
	data, missing := noisy(n)
	some := cases.Of(t)
	for i, p := range []Pipeline{
		{}, {Filter: "shuffle"}, {Compression: "zstd"}, {Filter: "shuffle", Compression: "zstd"}, {Filter: "shuffle", Compression: "zstd", Level: 1},
		{Compression: "zstd", Level: 9}, {Filter: "shuffle", Compression: "zstd", Level: 9},
	} {
		if !some.Has(i, 3) {
			continue
		}
		p.AllowNaN, p.AllowInf = true, true
		var want, got bytes.Buffer
		obj, err := EncodeArray(Array{Shape: []uint64{n}, DType: Float32, Data: bytes.Clone(data), Missing: missing, Disposable: true}, p)
		if err != nil {
			t.Fatal(err)
		}
		writeMessage(t, &want, obj)
		dir := t.TempDir()
		if obj, err = EncodePieces([]uint64{n}, Float32, inPieces(data, missing, 4, 1_000_001), p, dir); err != nil {
			t.Fatal(err)
		}
		writeMessage(t, &got, obj)
		obj.Release()
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%+v: the message differs", p)
		}
		if left, err := os.ReadDir(dir); len(left) > 0 || err != nil {
			t.Errorf("%v is left, error %v", left, err)
		}
	}
}

func writeMessage(t *testing.T, out *bytes.Buffer, obj *EncodedObject) {
	t.Helper()
	w := NewMessageWriter(out, WriterOptions{Provenance: Provenance{Time: time.Unix(0, 0), UUID: "00000000-0000-4000-8000-000000000000"}})
	if err := w.Append(obj, map[string]any{"name": "x"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestEncodePiecesFails(t *testing.T) {
	const n = PiecesBytes / 4
	data := make([]byte, 4*n)
	broken := errors.New("broken")
	half := func(yield func(Piece, error) bool) { yield(Piece{Data: make([]byte, 4000)}, nil) }
	nan := bytes.Clone(data)
	binary.LittleEndian.PutUint32(nan[4*2_000_000:], math.Float32bits(float32(math.NaN())))
	for _, test := range []struct {
		shape  []uint64
		pieces iter.Seq2[Piece, error]
		p      Pipeline
		want   string
	}{
		{[]uint64{n - 1}, inPieces(data, nil, 4, n), Pipeline{}, "tgm: encoding: shape [8388607] of float32 cannot be encoded in pieces"},
		{[]uint64{n}, inPieces(data, nil, 4, n), Pipeline{Compression: "lz4"}, "tgm: encoding: shape [8388608] of float32 cannot be encoded in pieces"},
		{[]uint64{n}, half, Pipeline{}, "tgm: encoding: 4000 bytes given for shape"},
		{[]uint64{n}, inPieces(append(data, 1), nil, 4, n), Pipeline{}, "tgm: encoding: a piece of 1 bytes"},
		{[]uint64{n}, func(yield func(Piece, error) bool) { yield(Piece{}, broken) }, Pipeline{}, "broken"},
		{[]uint64{n}, inPieces(nan, nil, 4, 1_000_000), Pipeline{}, "tgm: encoding: strict-NaN check: element 2000000 of float32 is nan"},
		{[]uint64{n}, half, Pipeline{Compression: "zstd"}, "tgm: encoding: 4000 bytes given for shape"},
		{[]uint64{n}, half, Pipeline{Filter: "shuffle", Compression: "zstd", Level: 9}, "tgm: encoding: 4000 bytes given for shape"},
		{[]uint64{n}, inPieces(nan, nil, 4, 1_000_000), Pipeline{Filter: "shuffle", Compression: "zstd"}, "tgm: encoding: strict-NaN check: element 2000000 of float32 is nan"},
	} {
		dir := t.TempDir()
		_, err := EncodePieces(test.shape, Float32, test.pieces, test.p, dir)
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
		if left, err := os.ReadDir(dir); len(left) > 0 || err != nil {
			t.Errorf("%v is left, error %v", left, err)
		}
	}
}
