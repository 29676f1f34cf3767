package tgm

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/internal/cases"
)

// fuzzLimits keep hostile descriptors from using up the machine.
var fuzzLimits = Limits{Metadata: 1 << 20, Decoded: 1 << 20}

// seed adds the fixtures, and messages with every codec.
func seed(f *testing.F) {
	files, err := filepath.Glob(filepath.Join(fixtures, "*", "*.tgm"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no fixtures: %v", err)
	}
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	for _, b := range codecMessages(f) {
		f.Add(b)
	}
}

// codecMessages are messages with every codec, and a streamed one.
func codecMessages(f testing.TB) (messages [][]byte) {
	f.Helper()
	data := withHoles(Float64, sampleData(Float64, 200))
	for _, p := range []Pipeline{
		{Compression: "lz4"}, {Compression: "zstd", Filter: "shuffle"}, {Filter: "shuffle", Compression: "szip"},
		{Masks: MaskOptions{NaN: "rle", PosInf: "zstd", NegInf: "lz4", SmallThreshold: -1}},
	} {
		p.AllowNaN, p.AllowInf = true, true
		_, b := message(f, WriterOptions{}, mustEncode(f, Float64, data, p))
		messages = append(messages, b)
	}
	packed := mustEncode(f, Float64, sampleData(Float64, 200), Pipeline{Encoding: "simple_packing", Bits: 12, Compression: "szip"})
	bare := mustEncode(f, Float64, sampleData(Float64, 200), Pipeline{Encoding: "simple_packing", Bits: 13})
	bits := mustEncode(f, Bitmask, sampleData(Bitmask, 400), Pipeline{Compression: "roaring"})
	_, b := message(f, WriterOptions{}, packed, bare, bits)
	return append(messages, b, newCraft(0xEB).meta(1, map[string]any{}).meta(8, entry(map[string]any{"a": 1})).object(1, false).object(2, true).
		meta(7, map[string]any{"base": []any{map[string]any{}, map[string]any{}}}).index(6).done(true))
}

// FuzzDecode reads everything in arbitrary bytes, and writes the readable content again.
func FuzzDecode(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		if readEverything(b, fuzzLimits) != nil {
			return
		}
		for m, err := range open(t, b, WithLimits(fuzzLimits)).Messages() {
			if err != nil {
				t.Fatal(err)
			}
			n, err := m.NumObjects()
			if err != nil {
				t.Fatal(err)
			}
			for j := range n {
				copyObject(t, m, j)
			}
		}
	})
}

// copyObject expects an object that can be decoded to decode to the same values after it was
// copied.
func copyObject(t *testing.T, m *Message, j int) {
	o, err := m.Object(j)
	if err != nil {
		t.Fatal(err)
	}
	want, err := o.Decode(DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := o.Encoded()
	if err != nil {
		return // the hash may be wrong
	}
	var out bytes.Buffer
	w := NewMessageWriter(&out, WriterOptions{})
	if err := w.Append(e, o.Base()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := open(t, out.Bytes(), WithLimits(fuzzLimits)).Message(0)
	if err != nil {
		t.Fatal(err)
	}
	copied, err := c.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	got, err := copied.Decode(DecodeOptions{VerifyHash: true})
	if err != nil || !bytes.Equal(got.Data, want.Data) {
		t.Fatalf("a copied object decodes differently: %v", err)
	}
}

// FuzzObject reads objects with arbitrary descriptors and payloads.
func FuzzObject(f *testing.F) {
	for _, b := range codecMessages(f) {
		m, err := open(f, b).Message(0)
		if err != nil {
			f.Fatal(err)
		}
		n, err := m.NumObjects()
		if err != nil {
			f.Fatal(err)
		}
		for j := range n {
			o, err := m.Object(j)
			if err != nil {
				f.Fatal(err)
			}
			region := make([]byte, o.region.length)
			if err := m.src.readAt(region, o.PayloadOffset()); err != nil {
				f.Fatal(err)
			}
			f.Add(region, o.cbor, j%2 == 0)
		}
	}
	f.Fuzz(func(t *testing.T, payload, descriptor []byte, behind bool) {
		b := newCraft(flagHeaderMetadata).meta(frameHeaderMetadata, map[string]any{}).data(payload, descriptor, behind).done(false)
		if readEverything(b, fuzzLimits) != nil {
			return
		}
		m, err := open(t, b, WithLimits(fuzzLimits)).Message(0)
		if err != nil {
			t.Fatal(err)
		}
		copyObject(t, m, 0)
	})
}

// TestEveryByteDamaged reads and validates messages in which each byte was changed in turn.
func TestEveryByteDamaged(t *testing.T) {
	some := cases.Of(t)
	for _, message := range codecMessages(t) {
		for i := range message {
			if !some.Has(i, 4) {
				continue
			}
			b := bytes.Clone(message)
			b[i] ^= [...]byte{0x01, 0x20, 0xFF}[i%3]
			_ = readEverything(b, fuzzLimits)
			if _, err := Validate(bytes.NewReader(b), int64(len(b)), LevelFull, ValidateOptions{Canonical: true, Limits: fuzzLimits}); err != nil {
				t.Fatalf("byte %d changed from %#x to %#x: %v", i, message[i], b[i], err)
			}
		}
	}
}

// FuzzScan demands that messages and gaps cover a file without overlap.
func FuzzScan(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		file := open(t, b)
		gaps, err := file.Gaps()
		if err != nil {
			t.Fatal(err)
		}
		covered := int64(0)
		for _, g := range gaps {
			covered += g.Length
		}
		end := int64(0)
		for m, err := range file.Messages() {
			if err != nil || m.Offset() < end {
				t.Fatalf("message at %d after one that ends at %d: %v", m.Offset(), end, err)
			}
			end = m.Offset() + m.Length()
			covered += m.Length()
		}
		if covered != int64(len(b)) || end > int64(len(b)) {
			t.Fatalf("%d bytes are covered of %d", covered, len(b))
		}
	})
}

// FuzzDescriptor demands that a descriptor that can be read is written in a form that reads back
// the same.
func FuzzDescriptor(f *testing.F) {
	seedCBOR(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		d, ndim, size, err := parseDescriptor(b, nowhere)
		if err != nil {
			return
		}
		if size > len(b) || d.check(ndim, 1000, nowhere) != nil {
			return
		}
		again, err := d.marshal()
		if err != nil {
			t.Fatal(err)
		}
		back, _, _, err := parseDescriptor(again, nowhere)
		if err != nil {
			t.Fatalf("a descriptor that was written cannot be read: %v", err)
		}
		last, err := back.marshal()
		if err != nil || !bytes.Equal(again, last) {
			t.Fatalf("a descriptor changes when it is read and written: %v", err)
		}
		_, _ = newPayloadDecoder(d, 1000, fuzzLimits)
	})
}

func seedCBOR(f *testing.F) {
	for _, path := range []string{"v0.20/multi_object.tgm", "v0.17/simple_f32.tgm", "metadata_parity.tgm"} {
		m, err := open(f, fixture(f, path)).Message(0)
		if err != nil {
			f.Fatal(err)
		}
		toc, err := m.contents()
		if err != nil {
			f.Fatal(err)
		}
		content, err := m.content(toc.metadata)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
		for j := range toc.objects {
			o, err := m.Object(j)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(o.cbor)
		}
	}
}

// FuzzMetadata demands that metadata that can be read can be written. Reading it part by part
// must give the same as reading it as a whole.
func FuzzMetadata(f *testing.F) {
	seedCBOR(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		_, _ = parseIndex(b, nowhere)
		_, _ = parseHashes(b, nowhere)
		_, _ = parsePreceder(b, nowhere)
		md, err := parseMetadata(b, nowhere)
		parts, canonical, partsErr := metadataByParts(t, b)
		if (err == nil) != (partsErr == nil) {
			if keyTwice(b) {
				return // a value that another replaces is looked at or not
			}
			t.Fatalf("as a whole: %v; part by part: %v", err, partsErr)
		}
		if err != nil {
			return
		}
		if canonical != isCanonical(b) {
			t.Fatalf("part by part canonical is %t", canonical)
		}
		whole, parted := append(md.Base, md.Extra, md.Reserved), append(parts.Base, parts.Extra, parts.Reserved)
		if len(whole) != len(parted) {
			t.Fatalf("%d base entries, expected %d", len(parts.Base), len(md.Base))
		}
		for i, m := range whole {
			if !bytes.Equal(written(t, m), written(t, parted[i])) {
				t.Fatalf("part %d is %v, expected %v", i, parted[i], m)
			}
		}
	})
}

// keyTwice reports whether the top map in b has a key twice, which CBOR forbids.
func keyTwice(b []byte) bool {
	src := source{bytes.NewReader(b), int64(len(b))}
	l, err := scanLayout(window{src: src, chunk: 16}, 0, src.size, len(b), Limits{}, nowhere)
	if err != nil {
		return false
	}
	keys := make(map[string]bool)
	for _, p := range l.rest {
		if keys[p.key] {
			return true
		}
		keys[p.key] = true
	}
	return bytes.Count(b, []byte(keyBase)) > 1
}

// FuzzPlain demands that the fast decoder gives the same value as the general decoder, or nothing.
func FuzzPlain(f *testing.F) {
	seedCBOR(f)
	for _, hex := range []string{"f97c00f9fc00", "fbfff8000000000001", "fa7f800000", "f98001", "f90001", "f903ff", "f97bff", "3b7fffffffffffffff", "1bffffffffffffffff"} {
		for _, b := range [][]byte{unhex(f, hex), append([]byte{0x81}, unhex(f, hex)...)} {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, n, ok := decodePlain(b)
		if !ok {
			return
		}
		want, err := decodeAny(b[:n])
		if got, want := fmt.Sprintf("%#v", v), fmt.Sprintf("%#v", want); err != nil || got != want {
			t.Fatalf("plain: %s, general: %s, %v", got, want, err)
		}
	})
}

func unhex(f *testing.F, s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		f.Fatal(err)
	}
	return b
}

// metadataByParts reads the content of a metadata frame as a message does.
func metadataByParts(t *testing.T, b []byte) (*Metadata, bool, error) {
	src := source{bytes.NewReader(b), int64(len(b))}
	l, err := scanLayout(window{src: src, chunk: 16}, 0, src.size, len(b), Limits{}, nowhere)
	if err != nil {
		return nil, false, err
	}
	md, err := l.shared(src)
	if err != nil {
		return nil, false, err
	}
	for i := range l.count {
		entry, err := l.entry(src, i)
		if err != nil {
			return nil, false, err
		}
		md.Base = append(md.Base, entry)
	}
	canonical, err := l.allCanonical(src)
	if err != nil {
		t.Fatal(err)
	}
	return md, canonical, nil
}

// written is the CBOR of metadata.
func written(t *testing.T, m map[string]any) []byte {
	converted, err := mapToCBOR(m)
	if err != nil {
		t.Fatal(err)
	}
	b, err := modes.encode.Marshal(converted)
	if err != nil {
		t.Fatalf("metadata that was read cannot be written: %v", err)
	}
	return b
}

// FuzzValidate demands a report at every level, and that a file without findings can be read.
func FuzzValidate(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, level := range []Level{LevelQuick, LevelDefault, LevelFull, LevelChecksum} {
			opts := ValidateOptions{Canonical: true, Limits: fuzzLimits}
			report, err := Validate(bytes.NewReader(b), int64(len(b)), level, opts)
			if err != nil {
				t.Fatal(err)
			}
			if level != LevelFull || !report.OK() {
				continue
			}
			for i := range report.Reports {
				for _, issue := range report.Reports[i].Issues {
					if issue.Code == "unsupported_codec" {
						return
					}
				}
			}
			if err := readEverything(b, fuzzLimits); err != nil {
				t.Fatalf("a file without findings cannot be read: %v", err)
			}
		}
		if _, err := ValidateMessage(bytes.NewReader(b), int64(len(b)), LevelDefault, ValidateOptions{Limits: fuzzLimits}); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzMask decodes arbitrary blobs by every method.
func FuzzMask(f *testing.F) {
	m := &Mask{N: 100, Bits: append(bytes.Repeat([]byte{0xF0}, 12), 0x80)}
	for _, method := range []string{"none", "rle", "roaring", "zstd", "lz4", "blosc2"} {
		blob, _, err := MaskOptions{NaN: method, SmallThreshold: -1}.encodeMask(nil, m, kindNaN)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(blob, method, 100)
	}
	f.Fuzz(func(t *testing.T, blob []byte, method string, n int) {
		if n < 0 || n > 1<<20 {
			return
		}
		m, err := decodeMask(blob, &MaskInfo{Method: method}, n)
		if err == nil && (m.N != n || m.Count() > n) {
			t.Fatalf("mask of %d elements marks %d of %d", n, m.Count(), m.N)
		}
	})
}
