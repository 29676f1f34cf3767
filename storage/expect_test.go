package storage

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"
)

// A reader in order causes the expected ranges to be fetched, and little more.
func TestExpect(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct {
		name     string
		expected []Range
		most     int64 // bytes, with the first block
	}{
		{"nothing", nil, 5*mb + 2*blockSize},
		{"one run", []Range{{10 * mb, 3 * mb}, {13*mb + 1000, 2*mb - 1000}, {10 * mb, 10}}, 5*mb + 2*blockSize},
		{"more than is read", []Range{{9 * mb, 7 * mb}}, 6*mb + 2*blockSize},
	} {
		s, url := newRangeServer(t, 40*mb)
		b := open(t, new(Client), url)
		Expect(b, c.expected...)
		p := make([]byte, 100<<10)
		for off := 10 * mb; off < 15*mb; off += len(p) {
			n := min(len(p), 15*mb-off)
			if _, err := b.ReadAt(t.Context(), p[:n], int64(off)); err != nil || !bytes.Equal(p[:n], s.content[off:off+n]) {
				t.Fatalf("%s: byte %d: %v, or wrong bytes", c.name, off, err)
			}
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if sent := s.sent.Load(); sent > c.most {
			t.Errorf("%s: %d bytes were fetched, expected at most %d", c.name, sent, c.most)
		}
	}
}

// One large read after a header does not start fetching ahead.
func TestOneLargeRead(t *testing.T) {
	s, url := newRangeServer(t, 40<<20)
	b := open(t, new(Client), url)
	for _, r := range []Range{{10<<20 - 1000, 1000}, {10 << 20, 700_000}} {
		p := make([]byte, r.Len)
		if _, err := b.ReadAt(t.Context(), p, r.Off); err != nil || !bytes.Equal(p, s.content[r.Off:][:len(p)]) {
			t.Fatalf("byte %d: %v, or wrong bytes", r.Off, err)
		}
	}
	for s.inFlight.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	if sent := s.sent.Load(); sent > 700_000+3*blockSize {
		t.Errorf("%d bytes were fetched", sent)
	}
}

// Short ranges far from each other are fetched without the rest of their blocks.
func TestExpectPieces(t *testing.T) {
	s, url := newRangeServer(t, 40<<20)
	b := open(t, new(Client), url)
	var pieces []Range
	for i := range int64(40) {
		pieces = append(pieces, Range{500_000 + i*1_000_000, 10_000})
	}
	rand.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	Expect(b, pieces[:20]...)
	Expect(b, append(pieces[20:], Range{-1, 5}, Range{1 << 40, 1 << 62}, Range{39_999_000, 1 << 62})...)
	p := make([]byte, 10_000)
	for _, piece := range pieces {
		if _, err := b.ReadAt(t.Context(), p, piece.Off); err != nil || !bytes.Equal(p, s.content[piece.Off:][:len(p)]) {
			t.Fatalf("byte %d: %v, or wrong bytes", piece.Off, err)
		}
	}
	for s.inFlight.Load() > 0 { // the last answer may have come before the server has counted it
		time.Sleep(time.Millisecond)
	}
	if sent := s.sent.Load(); sent != blockSize+40*10_000 {
		t.Errorf("%d bytes were fetched, expected the first block and 400000", sent)
	}
}

func TestExpectOfOtherBlobs(t *testing.T) {
	_, url := newRangeServer(t, 100)
	c := new(Client)
	c.OnRead = func(string, int64, int64, int64) {}
	if b := open(t, c, url); !Expects(b) {
		t.Error("an object on the network expects nothing")
	}
	local := &localBlob{}
	Expect(local, Range{0, 10})
	if Expects(local) {
		t.Error("a local file expects something")
	}
}
