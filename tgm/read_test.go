package tgm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
)

// values decodes the first value of every object of a message.
func values(t *testing.T, m *Message) []float64 {
	t.Helper()
	n, err := m.NumObjects()
	if err != nil {
		t.Fatal(err)
	}
	var out []float64
	for j := range n {
		o, err := m.Object(j)
		if err != nil {
			t.Fatal(err)
		}
		a, err := o.Decode(DecodeOptions{VerifyHash: true})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, number(a.DType, a.Data, 0))
	}
	return out
}

func entry(m map[string]any) map[string]any { return map[string]any{"base": []any{m}} }

// TestUnusualMessages reads messages that other encoders may write.
func TestUnusualMessages(t *testing.T) {
	empty := map[string]any{"base": []any{}}
	both := map[string]any{"base": []any{map[string]any{"n": 1}, map[string]any{"n": 2}}, "where": "footer"}
	cases := map[string]struct {
		message []byte
		n       []any // the key n of each base entry
		where   any
	}{
		"descriptor before the payload": {newCraft(0x81).meta(1, empty).object(1, false).object(2, false).done(false), []any{nil, nil}, nil},
		"preceders": {newCraft(0xC1).meta(1, map[string]any{"where": "header"}).
			meta(8, entry(map[string]any{"n": 7, "_reserved_": map[string]any{}})).object(1, true).object(2, true).done(false), []any{int64(7), nil}, "header"},
		"preceder wins over the header": {newCraft(0xC1).meta(1, map[string]any{"base": []any{map[string]any{"n": 1}, map[string]any{"n": 2}}}).
			object(1, true).meta(8, entry(map[string]any{"n": 9})).object(2, true).done(false), []any{int64(1), int64(9)}, nil},
		"footer in the order 6 5 7": {newCraft(0xAB).meta(1, map[string]any{"where": "header"}).object(1, true).object(2, true).index(6).
			meta(5, map[string]any{"hashes": []any{}, "algorithm": "xxh3"}).meta(7, both).done(false), []any{int64(1), int64(2)}, "footer"},
		"streamed": {newCraft(0xAB).meta(1, empty).object(1, true).object(2, true).meta(7, both).index(6).done(true), []any{int64(1), int64(2)}, "footer"},
		"streamed with a payload that holds the end magic": {newCraft(0xAB).meta(1, empty).object(math.Float64frombits(binary.LittleEndian.Uint64([]byte("39277777"))), true).
			object(2, true).meta(7, both).done(true), []any{int64(1), int64(2)}, "footer"},
		"no padding": {func() []byte {
			c := newCraft(0x85)
			c.unpadded = true
			return c.meta(1, both).object(1, true).object(2, true).done(false)
		}(), []any{int64(1), int64(2)}, "footer"},
		"more padding than needed": {func() []byte {
			c := newCraft(0x81).meta(1, both)
			c.b = append(c.b, make([]byte, 16)...)
			c.object(1, true)
			c.b = append(c.b, make([]byte, 8)...)
			return c.object(2, true).done(false)
		}(), []any{int64(1), int64(2)}, "footer"},
		"an index that leaves an object out": {func() []byte {
			c := newCraft(0x89).meta(1, both).object(1, true)
			c.index(6)
			b := bytes.Clone(c.b[c.footer:])
			c.b, c.footer = c.b[:c.footer], 0
			c.object(2, true)
			c.footer = len(c.b)
			c.b = append(c.b, b...)
			return c.done(false)
		}(), []any{int64(1), int64(2)}, "footer"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := open(t, append([]byte("junk TENSOGRM junk"), c.message...))
			if n, err := f.Len(); n != 1 || err != nil {
				t.Fatalf("%d messages, %v", n, err)
			}
			m, err := f.Message(0)
			if err != nil {
				t.Fatal(err)
			}
			if m.Offset() != 18 || m.Length() != int64(len(c.message)) {
				t.Errorf("message at %d of %d bytes", m.Offset(), m.Length())
			}
			got := values(t, m)
			if len(got) != 2 || got[1] != 2 {
				t.Errorf("values %v", got)
			}
			md, err := m.Metadata()
			if err != nil {
				t.Fatal(err)
			}
			for j, want := range c.n {
				if !reflect.DeepEqual(md.Base[j]["n"], want) {
					t.Errorf("base entry %d is %v, expected n %v", j, md.Base[j], want)
				}
			}
			if md.Extra["where"] != c.where {
				t.Errorf("extra is %v, expected where %v", md.Extra, c.where)
			}
		})
	}
}

// TestBrokenMessages expects an error of the right class for each defect.
func TestBrokenMessages(t *testing.T) {
	empty := map[string]any{"base": []any{}}
	cases := map[string]struct {
		message []byte
		code    string
	}{
		"no metadata":          {newCraft(0x80).object(1, true).done(false), "no_metadata_frame"},
		"two preceders":        {newCraft(0xC1).meta(1, empty).meta(8, entry(nil)).meta(8, entry(nil)).object(1, true).done(false), "preceder_not_followed_by_object"},
		"preceder at the end":  {newCraft(0xC1).meta(1, empty).object(1, true).meta(8, entry(nil)).done(false), "dangling_preceder"},
		"header after objects": {newCraft(0x81).object(1, true).meta(1, empty).done(false), "frame_order_violation"},
		"base too long":        {newCraft(0x81).meta(1, entry(map[string]any{})).done(false), "base_count_exceeds_objects"},
		"preceder with two entries": {newCraft(0xC1).meta(1, empty).meta(8, map[string]any{"base": []any{map[string]any{}, map[string]any{}}}).
			object(1, true).done(false), "preceder_base_count_wrong"},
		"key at the top and in _extra_": {newCraft(0x81).meta(1, map[string]any{"a": 1, "_extra_": map[string]any{"a": 2}}).done(false), "metadata_cbor_parse_failed"},
		"type 4":                        {newCraft(0x81).meta(1, empty).frame(4, nil).done(false), "invalid_frame_header"},
		"metadata is no map":            {newCraft(0x81).frame(1, []byte{0x80}).done(false), "metadata_cbor_parse_failed"},
		"descriptor is no CBOR":         {newCraft(0x81).meta(1, empty).data([]byte{1}, []byte{0xFF}, true).done(false), "descriptor_cbor_parse_failed"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			err := readEverything(c.message, Limits{})
			var framing *FramingError
			var metadata *MetadataError
			switch {
			case errors.As(err, &framing) && framing.Code == c.code:
			case errors.As(err, &metadata) && metadata.Code == c.code:
			default:
				t.Errorf("%v, expected %s", err, c.code)
			}
		})
	}
}

// readEverything decodes all objects of all messages and returns the first error.
func readEverything(b []byte, limits Limits) error {
	f, err := NewFile(bytes.NewReader(b), int64(len(b)), WithLimits(limits))
	if err != nil {
		return err
	}
	for m, err := range f.Messages() {
		if err != nil {
			return err
		}
		if _, err := m.Metadata(); err != nil {
			return err
		}
		n, err := m.NumObjects()
		if err != nil {
			return err
		}
		for j := range n {
			o, err := m.Object(j)
			if err != nil {
				return err
			}
			if _, err := o.Decode(DecodeOptions{}); err != nil {
				return err
			}
			if size, ok := o.Descriptor().Elements(); ok {
				if _, err := o.DecodeRange(size/3, size/2, DecodeOptions{}); err != nil {
					return err
				}
			}
			if shape := o.Descriptor().Shape; len(shape) > 0 {
				if _, err := o.DecodeSlice([]Slice{{shape[0] / 3, shape[0] / 2, 3}}, DecodeOptions{}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func TestScanFixtures(t *testing.T) {
	for name, want := range map[string]int{"single-msg.tgm": 1, "ten-msg.tgm": 10, "ten-msg-footer.tgm": 10, "streaming-tail.tgm": 10} {
		f := open(t, fixture(t, "scan/"+name))
		if n, err := f.Len(); err != nil || n != want {
			t.Errorf("%s: %d messages, %v; expected %d", name, n, err, want)
			continue
		}
		for i := range want {
			m, err := f.Message(i)
			if err != nil {
				t.Fatal(err)
			}
			o, err := m.Object(0)
			if err != nil {
				t.Fatal(err)
			}
			about, ok := o.Base()["fixture"].(map[string]any)
			if !ok || about["msg_index"] != int64(i) {
				t.Errorf("%s: message %d has base %v", name, i, o.Base())
			}
			a, err := o.Decode(DecodeOptions{VerifyHash: true})
			if err != nil {
				t.Fatal(err)
			}
			for k := range 4 {
				if got := number(Float32, a.Data, k); got != float64(k+i) {
					t.Errorf("%s: message %d value %d is %v, expected %d", name, i, k, got, k+i)
				}
			}
		}
		if gaps, _ := f.Gaps(); len(gaps) != 0 {
			t.Errorf("%s: gaps %v", name, gaps)
		}
	}
}

func TestMetadataParity(t *testing.T) {
	m, err := open(t, fixture(t, "metadata_parity.tgm")).Message(0)
	if err != nil {
		t.Fatal(err)
	}
	md, err := m.Metadata()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"shortName": "2t", "level": int64(0), "note": "", "count": int64(-5), "big": int64(2147483648), "ratio": 0.5, "flag": true,
		"mars": map[string]any{"class": "od", "stream": "oper"}, "levels": []any{int64(1000), int64(850), int64(500)}, "only0": "x",
	}
	o, err := m.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(o.Base(), want) {
		t.Errorf("base of object 0 is %v, expected %v", o.Base(), want)
	}
	tensor := md.Base[0]["_reserved_"].(map[string]any)["tensor"].(map[string]any)
	if tensor["dtype"] != "float32" || fmt.Sprint(tensor["shape"]) != "[2 3]" {
		t.Errorf("tensor of object 0 is %v", tensor)
	}
	if md.Extra["source"] != "parity-fixture" || md.Base[1]["shortName"] != "msl" {
		t.Errorf("extra %v, base of object 1 %v", md.Extra, md.Base[1])
	}
	if a, err := o.Decode(DecodeOptions{}); err != nil || !bytes.Equal(a.Data, make([]byte, 24)) {
		t.Errorf("object 0 is %v, %v; expected zeros", a, err)
	}
}

// TestGapsAreNamed puts foreign bytes, a damaged and a truncated message into a file.
func TestGapsAreNamed(t *testing.T) {
	good := fixture(t, "v0.20/simple_f32.tgm")
	damaged := bytes.Clone(good)
	damaged[len(damaged)-1] = 'x'
	file := append(append(append(bytes.Clone(good), damaged...), good...), good[:300]...)
	f := open(t, file)
	gaps, err := f.Gaps()
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := f.Len(); n != 2 || len(gaps) != 2 || gaps[0].Offset != 592 || gaps[0].Length != 592 || gaps[1].Offset != 3*592 || gaps[1].Length != 300 {
		t.Errorf("%d messages, gaps %v", n, gaps)
	}
	if err := f.CheckWhole(); err == nil || !strings.HasPrefix(err.Error(), "tgm: 592 bytes at byte 592 belong to no message: ") {
		t.Errorf("CheckWhole: %v, expected the first gap", err)
	}
	if r, err := Validate(bytes.NewReader(file), int64(len(file)), LevelDefault, ValidateOptions{}); err != nil || r.OK() || len(r.FileIssues) != 2 || r.Messages != 2 {
		t.Errorf("validation: %+v, %v", r, err)
	}
}

// TestMessageAt reads a message by its place, as an index of a file knows it.
func TestMessageAt(t *testing.T) {
	one := fixture(t, "v0.20/simple_f32.tgm")
	size := int64(len(one))
	f := open(t, append(append([]byte("junk"), one...), one...))
	m, err := f.MessageAt(1, 4+size, size)
	if err != nil {
		t.Fatal(err)
	}
	o, err := m.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	if m.Index() != 1 || m.Offset() != 4+size || o.Offset() <= 4+size {
		t.Errorf("message %d at byte %d, object at %d, expected message 1 at byte %d", m.Index(), m.Offset(), o.Offset(), 4+size)
	}
	for _, place := range [][2]int64{{0, size}, {4, size - 1}, {4, size + 1}, {4, 2 * size}, {4, 3 * size}, {4, 8}, {-1, size}, {4, -1}, {math.MaxInt64, size}, {4, math.MaxInt64}} {
		var framing *FramingError
		if _, err := f.MessageAt(0, place[0], place[1]); !errors.As(err, &framing) {
			t.Errorf("%d bytes at %d: %v, expected a FramingError", place[1], place[0], err)
		}
	}
}

// TestNoMessageSaysWhy asks for a message of a file that is cut short.
func TestNoMessageSaysWhy(t *testing.T) {
	f := open(t, fixture(t, "v0.20/simple_f32.tgm")[:300])
	_, err := f.Message(0)
	want := "there is no message 0, the file holds 0; 300 bytes at byte 0 belong to no message: message of 592 bytes is cut off after 300"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, expected %s", err, want)
	}
}

func TestOutOfRange(t *testing.T) {
	f := open(t, fixture(t, "v0.20/simple_f32.tgm"))
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	o, err := m.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	var object *ObjectError
	if _, err := f.Message(1); !errors.As(err, &object) {
		t.Errorf("message 1 of 1: %v", err)
	}
	if _, err := f.Message(-1); !errors.As(err, &object) {
		t.Errorf("message -1: %v", err)
	}
	if _, err := m.Object(1); !errors.As(err, &object) {
		t.Errorf("object 1 of 1: %v", err)
	}
	if _, err := o.DecodeRange(3, 2, DecodeOptions{}); !errors.As(err, &object) {
		t.Errorf("elements 3 to 5 of 4: %v", err)
	}
	if _, err := o.DecodeRange(math.MaxUint64, 2, DecodeOptions{}); !errors.As(err, &object) {
		t.Errorf("elements from 2^64-1: %v", err)
	}
}

func TestHashErrors(t *testing.T) {
	good := fixture(t, "v0.20/simple_f32.tgm")
	good[400+20] ^= 1 // in the payload
	m, err := open(t, good).Message(0)
	if err != nil {
		t.Fatal(err)
	}
	o, err := m.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	var hash *HashError
	if _, err := o.Decode(DecodeOptions{VerifyHash: true}); !errors.As(err, &hash) || hash.Stored != 0x3aeac8603f519c1d || hash.Message != 0 || hash.Object != 0 {
		t.Errorf("a changed payload: %v", err)
	}
	if _, err := o.Encoded(); !errors.As(err, &hash) {
		t.Errorf("a changed payload to be copied: %v", err)
	}
	if _, err := o.Decode(DecodeOptions{}); !errors.As(err, &hash) {
		t.Errorf("a changed payload that is decoded: %v", err)
	}
	if _, err := o.Decode(DecodeOptions{SkipHash: true}); err != nil {
		t.Errorf("a changed payload without verification: %v", err)
	}
	m, err = open(t, good, WithoutHashes()).Message(0)
	if err != nil {
		t.Fatal(err)
	}
	if o, err = m.Object(0); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Decode(DecodeOptions{}); err != nil {
		t.Errorf("a changed payload in a file without verification: %v", err)
	}
}

// TestChangedMetadata expects readers of metadata, and validate, to see one changed bit in it.
func TestChangedMetadata(t *testing.T) {
	for _, name := range []string{"v0.20/multi_object.tgm", "v0.17/multi_object.tgm", "scan/ten-msg-footer.tgm"} {
		b := fixture(t, name)
		at := bytes.LastIndex(b, []byte("encoder"))
		b[at] ^= 1
		var hash *HashError
		if err := readEverything(b, Limits{}); !errors.As(err, &hash) || hash.Message < 0 {
			t.Errorf("%s: read: %v", name, err)
		}
		r, err := Validate(bytes.NewReader(b), int64(len(b)), LevelDefault, ValidateOptions{})
		if err != nil || r.OK() || r.HashVerified {
			t.Errorf("%s: validate: %+v, %v", name, r, err)
		}
	}
}

func TestValidateMessage(t *testing.T) {
	good := fixture(t, "v0.20/simple_f32.tgm")
	for name, c := range map[string]struct {
		b    []byte
		code string
	}{
		"good":  {good, ""},
		"short": {good[:20], "buffer_too_short"},
		"cut":   {good[:100], "total_length_exceeds_buffer"},
		"other": {append([]byte("GRIB"), good[4:]...), "invalid_magic"},
	} {
		r, err := ValidateMessage(bytes.NewReader(c.b), int64(len(c.b)), LevelFull, ValidateOptions{})
		if err != nil || r.OK() != (c.code == "") || c.code != "" && r.Issues[0].Code != c.code {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// failing is a reader whose reads fail.
type failing struct{}

func (failing) ReadAt([]byte, int64) (int, error) { return 0, io.ErrClosedPipe }

func TestReadErrorsAreNotFindings(t *testing.T) {
	f, err := NewFile(failing{}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Len(); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("length: %v", err)
	}
	if _, err := Validate(failing{}, 1000, LevelDefault, ValidateOptions{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("validation: %v", err)
	}
}

// counting counts reads and bytes.
type counting struct {
	r     io.ReaderAt
	reads int
	bytes int64
}

func (c *counting) ReadAt(b []byte, off int64) (int, error) {
	c.reads++
	c.bytes += int64(len(b))
	return c.r.ReadAt(b, off)
}

// TestReadsLittle expects one object to be found and decoded without touching the others.
func TestReadsLittle(t *testing.T) {
	big := mustEncode(t, Float64, sampleData(Float64, 20_000), Pipeline{})
	_, b := message(t, WriterOptions{}, big, big, big, big, big, big, big, big)
	c := &counting{r: bytes.NewReader(b)}
	f, err := NewFile(c, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	o, err := m.Object(6)
	if err != nil {
		t.Fatal(err)
	}
	if c.reads > 9 || c.bytes > 20_000 {
		t.Errorf("%d reads of %d bytes for a descriptor", c.reads, c.bytes)
	}
	if _, err := o.DecodeRange(100, 10, DecodeOptions{}); err != nil || c.bytes > 20_100 {
		t.Errorf("%d bytes read for ten values: %v", c.bytes, err)
	}
	if _, err := o.Decode(DecodeOptions{}); err != nil || c.bytes > 190_000 {
		t.Errorf("%d bytes read for one of eight objects of 160000: %v", c.bytes, err)
	}
}

// TestHostileScans counts the reads of files made to keep a scanner busy, and expects few.
func TestHostileScans(t *testing.T) {
	streamed := appendPreamble(nil, preamble{flags: 0xEB})
	buffered := newCraft(0x81).meta(1, map[string]any{})
	buffered.b = append(buffered.b, make([]byte, 1<<20)...)
	nested := bytes.Repeat(appendFrameHeader(bytes.Clone(streamed), frameFooterHash, 0, frameHeaderSize+frameFooterSize), 20_000)
	for name, file := range map[string][]byte{
		"starts of streamed messages": bytes.Repeat(streamed, 20_000),
		"starts with frames":          nested,
		"a start before zeros":        append(bytes.Clone(streamed), make([]byte, 1<<20)...),
		"a message of zeros":          buffered.done(false),
	} {
		c := &counting{r: bytes.NewReader(file)}
		f, err := NewFile(c, int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		n, err := f.Len()
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			m, err := f.Message(i)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = m.Object(0)
		}
		if c.reads > 700_000 || c.bytes > 200<<20 {
			t.Errorf("%s: %d reads of %d bytes for a file of %d", name, c.reads, c.bytes, len(file))
		}
	}
}

// TestSzipOfOtherWidths expects an error for payloads that older encoders wrote with bits missing.
func TestSzipOfOtherWidths(t *testing.T) {
	o := mustEncode(t, Float64, sampleData(Float64, 100), Pipeline{Encoding: "simple_packing", Bits: 16, Compression: "szip"})
	o.desc.Params["sp_bits_per_value"] = 12
	if err := o.seal(); err != nil {
		t.Fatal(err)
	}
	_, b := message(t, WriterOptions{}, o)
	var compression *CompressionError
	if err := readEverything(b, Limits{}); !errors.As(err, &compression) {
		t.Errorf("szip of integers of 12 bits: %v", err)
	}
}

// Errors inside of errors name the package and their class once.
func TestErrorTextsDoNotRepeatThemselves(t *testing.T) {
	at := Location{0, -1, 24}
	for want, err := range map[string]error{
		"tgm: message 0, at byte 24: metadata: item is cut short":            metadataError("", at, errCBORCut, "metadata"),
		"tgm: compression: szip: encoding: samples of 64 bits":               compressionError(encodingError(nil, "samples of 64 bits"), "szip"),
		"tgm: message 0, at byte 24: framing: message of 8 bytes is cut off": framingError("", at, "message of 8 bytes is cut off"),
		"tgm: message 0, at byte 24: object: object 7 of 3":                  objectError(at, "object 7 of 3"),
	} {
		if err.Error() != want {
			t.Errorf("%q, expected %q", err, want)
		}
	}
}
