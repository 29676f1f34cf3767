package keys_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/internal/cases"
)

// lists are read together, before each key by itself.
var lists = []*keys.List{
	keys.KeysOf("geography"), keys.KeysOf("mars"), keys.KeysOf("vertical"), keys.KeysOf("absent"), keys.KeysOf("statistics"),
	keys.KeysNamed("edition", "centre", "absent", "paramId", "endStep", "stepUnits", "validityDate", "typeOfLevel", "level", "pl", "values"),
}

// everything asks a handle in every way for every key.
func everything(h *keys.Handle, err error) (out []string) {
	if err != nil {
		return []string{err.Error()}
	}
	add := func(a ...any) { out = append(out, fmt.Sprintln(a...)) }
	add(h.Err())
	for _, l := range lists {
		add(h.Derive(l, func(list []keys.Key) any { return fmt.Sprint(list) }))
	}
	for _, ns := range []string{"mars", "ls", "geography", "time", "vertical", "parameter", "statistics"} {
		for _, k := range h.Namespace(ns) {
			add(ns, k.Name, k.Value, k.Missing)
		}
	}
	for _, name := range h.Names("") {
		t, err := h.NativeType(name)
		n, sizeErr := h.Size(name)
		m, missErr := h.IsMissing(name)
		add(name, t, err, n, sizeErr, m, missErr)
		i, err := h.Int(name)
		add(name, i, err)
		f, err := h.Float(name)
		add(name, f, err)
		s, err := h.String(name)
		add(name, s, err)
		v, err := h.Get(name)
		add(name, v, err)
	}
	for _, name := range []string{"mars.step", "time.stepUnits", "mars.absent", "absent", "ls.shortName", "offsetAfterData", "section8Pointer", "dataLength", "7777"} {
		s, err := h.String(name)
		add(name, h.Has(name), s, err)
	}
	return out
}

// sameAsNew compares the results of a Reader with the results of New.
func sameAsNew(t *testing.T, r *keys.Reader, msg []byte, ds keys.DataSource, where string) bool {
	t.Helper()
	want := everything(keys.New(msg, ds))
	got := everything(r.Handle(msg, ds))
	if reflect.DeepEqual(got, want) {
		return true
	}
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Errorf("%s: %q, expected %q", where, got[i], want[i])
			return false
		}
	}
	t.Errorf("%s: %d answers, expected %d", where, len(got), len(want))
	return false
}

// messages are the first messages of all sample files.
func messages(t testing.TB) (out [][]byte) {
	t.Helper()
	for _, pattern := range []string{"*.grib*", "*/*.grib*"} {
		names, err := filepath.Glob("../../fixtures/grib/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if len(b) > 1<<20 {
				continue
			}
			for i := 0; i < 3; i++ {
				at := bytes.Index(b, []byte("GRIB"))
				if at < 0 || len(b) < at+16 {
					break
				}
				b = b[at:]
				n := int(binary.BigEndian.Uint32(b[4:]) >> 8)
				if b[7] == 2 {
					n = int(binary.BigEndian.Uint64(b[8:]))
				}
				if n < 16 || n > len(b) {
					break
				}
				out = append(out, b[:n])
				b = b[n:]
			}
		}
	}
	return out
}

// A Reader answers as New does after any messages.
func TestReaderIsNew(t *testing.T) {
	var r keys.Reader
	list := messages(t)
	if len(list) < 100 {
		t.Fatalf("%d messages", len(list))
	}
	for i, m := range list {
		sameAsNew(t, &r, m, someValues{}, fmt.Sprint("message ", i))
	}
}

// lengthen gives a message longer or shorter data.
func lengthen(msg []byte, by int) ([]byte, bool) {
	end := len(msg) - 4
	switch msg[7] {
	case 1:
		s1 := 8
		at := s1 + get24(msg[s1:])
		flags := msg[s1+7]
		for range int(flags>>7) + int(flags>>6&1) {
			if at+3 > end {
				return nil, false
			}
			at += get24(msg[at:])
		}
		if at+11 > end || at+get24(msg[at:]) != end || get24(msg[at:])+by < 12 {
			return nil, false
		}
		out := resize(msg, end, by)
		put24(out[at:], get24(msg[at:])+by)
		put24(out[4:], len(out))
		return out, true
	case 2:
		for at := 16; at+5 <= end; {
			n := int(binary.BigEndian.Uint32(msg[at:]))
			if msg[at+4] == 7 && n >= 5 && at+n == end && n+by >= 5 {
				out := resize(msg, end, by)
				binary.BigEndian.PutUint32(out[at:], uint32(n+by))
				binary.BigEndian.PutUint64(out[8:], uint64(len(out)))
				return out, true
			}
			at += max(n, 1)
		}
	}
	return nil, false
}

func resize(msg []byte, end, by int) []byte {
	out := bytes.Clone(msg[:end+min(by, 0)])
	return append(append(out, make([]byte, max(by, 0))...), "7777"...)
}

func get24(b []byte) int    { return int(b[0])<<16 | int(b[1])<<8 | int(b[2]) }
func put24(b []byte, n int) { b[0], b[1], b[2] = byte(n>>16), byte(n>>8), byte(n) }

// Messages that differ in the length of their data, or in some bytes of their
// headers, are read. The answers must be the same as for each alone.
func TestReaderIsNewForVariants(t *testing.T) {
	some := cases.Of(t)
	var r keys.Reader
	lengthened := 0
	for i, m := range messages(t) {
		if i%4 != 0 || !some.Has(i/4, 4) || len(m) > 1<<15 {
			continue
		}
		random := rand.New(rand.NewPCG(1, uint64(i)))
		list := [][]byte{m}
		for _, by := range []int{2, -2, 1, 100, -m1(len(m))} {
			if v, ok := lengthen(m, by); ok {
				list = append(list, v)
				lengthened++
			}
		}
		for range 12 {
			v := bytes.Clone(list[random.IntN(len(list))])
			for range 1 + random.IntN(3) {
				v[8+random.IntN(min(len(v)-8, 220))] = byte(random.Uint32())
			}
			list = append(list, v, m)
		}
		for j, v := range list {
			sameAsNew(t, &r, v, someValues{}, fmt.Sprintf("message %d, variant %d", i, j))
		}
	}
	if lengthened == 0 || lengthened < 100 && some.All() {
		t.Errorf("only %d messages with other lengths", lengthened)
	}
}

func m1(n int) int { return n / 3 &^ 1 }
