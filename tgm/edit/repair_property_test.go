package edit

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/internal/cases"
	"github.com/tgmconv/tgmconv/internal/codec/packing"
	"github.com/tgmconv/tgmconv/tgm"
)

// A sample is a file of one kind, and where the parts of each object are in it.
type sample struct {
	name    string
	b       []byte
	hashed  bool
	objects []sampleObject
}

// sampleObject is an object of a sample: its content, and the bytes that it needs.
type sampleObject struct {
	content string
	needs   [][2]int // ranges of the file
	message [2]int
}

// repairSamples returns files of all kinds.
func repairSamples(t testing.TB) []sample {
	t.Helper()
	kinds := []struct {
		name     string
		messages int
		stream   bool
		noHash   bool
		object   func(i int) (*tgm.EncodedObject, error)
	}{
		{"index", 1, false, false, numbers},
		{"equal sizes", 2, false, false, plainNumbers},
		{"several messages", 4, false, false, numbers},
		{"without hash", 2, false, true, plainNumbers},
		{"stream", 1, true, false, plainNumbers},
		{"streams", 3, true, false, numbers},
		{"masks", 1, false, false, masked},
		{"constant", 2, false, false, constant},
		{"constant stream", 2, true, false, constant},
	}
	var out []sample
	for k, kind := range kinds {
		var b bytes.Buffer
		for m := range kind.messages {
			opts := tgm.WriterOptions{NoHash: kind.noHash}
			var w writer = tgm.NewMessageWriter(&b, opts)
			if kind.stream {
				w = tgm.NewStreamWriter(&b, opts)
			}
			w.SetExtra(map[string]any{"source": fmt.Sprint(kind.name, m)})
			for i := range 4 {
				o, err := kind.object(100*k + 10*m + i)
				if err == nil {
					err = w.Append(o, map[string]any{"name": fmt.Sprintf("%s %d.%d", kind.name, m, i), "source_id": fmt.Sprint(m)})
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, newSample(t, kind.name, b.Bytes(), !kind.noHash))
	}
	return out
}

func numbers(i int) (*tgm.EncodedObject, error) {
	v := make([]float64, 20+i%7)
	for j := range v {
		v[j] = float64(i) + float64(j)/3
	}
	return tgm.EncodeArray(tgm.ArrayOf(v), tgm.Pipeline{Filter: "shuffle", Compression: "zstd"})
}

func plainNumbers(i int) (*tgm.EncodedObject, error) {
	return tgm.EncodeArray(tgm.ArrayOf([]float64{float64(i), 2, 3, 4}), tgm.Pipeline{})
}

func masked(i int) (*tgm.EncodedObject, error) {
	return tgm.EncodeArray(tgm.ArrayOf([]float64{float64(i), math.NaN(), math.Inf(1), 4, 5, 6}), tgm.Pipeline{AllowNaN: true, AllowInf: true, Compression: "lz4"})
}

// constant has the same bytes for two objects, whose metadata differ.
func constant(i int) (*tgm.EncodedObject, error) {
	return tgm.EncodePacked(tgm.Packed{Shape: []uint64{5}, Params: packing.Params{Reference: float64(i / 2)}}, tgm.Pipeline{})
}

// newSample finds the frames of a file that is whole.
func newSample(t testing.TB, name string, b []byte, hashed bool) sample {
	t.Helper()
	s := sample{name: name, b: b, hashed: hashed}
	contents := repaired(t, b)
	n := 0
	for m, err := range file(t, b).Messages() {
		if err != nil {
			t.Fatal(err)
		}
		start, end := int(m.Offset()), int(m.Offset()+m.Length())
		var all [][2]int // frames that all objects need
		var own [][][2]int
		var preceder [2]int
		for at := start + 24; at < end-24; {
			kind, size := binary.BigEndian.Uint16(b[at+2:]), int(binary.BigEndian.Uint64(b[at+8:]))
			switch r := [2]int{at, at + size}; kind {
			case 8:
				preceder = r
			case 9:
				needs := [][2]int{r}
				if preceder[1] > 0 {
					needs = append(needs, preceder)
				}
				own = append(own, needs)
			default:
				all = append(all, r)
			}
			at += (size + 7) &^ 7
		}
		for _, needs := range own {
			s.objects = append(s.objects, sampleObject{contents[n], append(needs, all...), [2]int{start, end}})
			n++
		}
	}
	if n != len(contents) {
		t.Fatalf("%s: %d objects, %d in the frames", name, len(contents), n)
	}
	return s
}

// repaired returns payload, descriptor, metadata and the metadata of the message of each object.
func repaired(t testing.TB, b []byte) (contents []string) {
	t.Helper()
	for m, err := range file(t, b).Messages() {
		if err != nil {
			t.Fatal(err)
		}
		shared, err := m.SharedMetadata()
		if err != nil {
			t.Fatal(err)
		}
		for o, err := range m.Objects() {
			if err != nil {
				t.Fatal(err)
			}
			raw, err := io.ReadAll(o.Raw().Open())
			if err != nil {
				t.Fatal(err)
			}
			// Without header and hash, which objects without a hash get.
			contents = append(contents, fmt.Sprintf("%x %v %v", raw[16:len(raw)-12], o.Base(), shared.Extra))
		}
	}
	return contents
}

// A damage is a file made of ranges of samples, with some bits flipped.
type damage struct {
	b    []byte
	from []int // the byte of the sample for each byte, -1 for others
	kind string
}

func whole(b []byte) damage {
	d := damage{b: bytes.Clone(b), from: make([]int, len(b))}
	for i := range d.from {
		d.from[i] = i
	}
	return d
}

func (d *damage) splice(at, end int, b []byte, from []int) {
	d.b = slices.Replace(d.b, at, end, b...)
	d.from = slices.Replace(d.from, at, end, from...)
}

func foreign(n int) []int { return slices.Repeat([]int{-1}, n) }

// hurt damages a sample at random.
func hurt(r *rand.Rand, s, other *sample) damage {
	d := whole(s.b)
	place := func() int { return r.IntN(len(d.b) + 1) }
	span := func() (int, int) {
		at, end := place(), place()
		if at > end {
			at, end = end, at
		}
		if r.IntN(2) == 0 {
			end = min(end, at+1+r.IntN(40))
		}
		return at, end
	}
	// A frame, or several that follow one another.
	frames := func() (int, int) {
		o := s.objects[r.IntN(len(s.objects))].needs[0]
		return o[0], min(len(d.b), (o[1]+7)&^7)
	}
	switch r.IntN(9) {
	case 0, 1:
		d.kind = "flip"
		for range 1 + r.IntN(3) {
			i := r.IntN(len(d.b))
			d.b[i] ^= 1 << r.IntN(8)
			d.from[i] = -1
		}
	case 2:
		d.kind = "cut"
		at := place()
		d.splice(at, len(d.b), nil, nil)
	case 3:
		d.kind = "cut the beginning"
		d.splice(0, place(), nil, nil)
	case 4:
		d.kind = "remove"
		at, end := span()
		d.splice(at, end, nil, nil)
	case 5:
		d.kind = "repeat"
		at, end := span()
		d.splice(end, end, bytes.Clone(d.b[at:end]), foreign(end-at))
	case 6:
		d.kind = "join"
		at, end := place(), r.IntN(len(other.b))
		tail := bytes.Clone(other.b[end:])
		d.splice(at, len(d.b), tail, foreign(len(tail)))
	case 7:
		d.kind = "remove a frame"
		at, end := frames()
		d.splice(at, end, nil, nil)
	case 8:
		d.kind = "repeat a frame over another"
		at, end := frames()
		to, toEnd := frames()
		d.splice(to, toEnd, bytes.Clone(s.b[at:end]), foreign(end-at))
	}
	return d
}

// untouched reports whether all bytes that an object needs follow one another in the damaged file.
func (d *damage) untouched(o *sampleObject, where map[int]int) bool {
	for _, n := range o.needs {
		at, ok := where[n[0]]
		if !ok || at+n[1]-n[0] > len(d.from) {
			return false
		}
		for i := range n[1] - n[0] {
			if d.from[at+i] != n[0]+i {
				return false
			}
		}
	}
	// The metadata before an object belong to it only if they touch it.
	return true
}

// TestRepairProperty damages files of all kinds in all ways. The output of Repair is valid at the
// full level, its objects are of the original, and nothing that is undamaged was given up.
func TestRepairProperty(t *testing.T) {
	samples := repairSamples(t)
	some := cases.Of(t)
	run, saved, lost, none := 0, 0, 0, 0
	for n := range 4000 {
		if !some.Has(n, 4) {
			continue
		}
		run++
		r := rand.New(rand.NewPCG(7, uint64(n)))
		s, other := &samples[n%len(samples)], &samples[r.IntN(len(samples))]
		d := hurt(r, s, other)
		var out bytes.Buffer
		rep, err := Repair(&out, file(t, d.b), false, Options{})
		fail := func(format string, args ...any) {
			t.Helper()
			t.Errorf("case %d, %s, %s, %d bytes: %s\n%+v", n, s.name, d.kind, len(d.b), fmt.Sprintf(format, args...), rep)
		}
		if err != nil {
			fail("%v", err)
			continue
		}
		checkCounts(fail, &rep, out.Bytes(), d.b)
		if out.Len() == 0 {
			none++
			if rep.Copied+rep.Rebuilt+rep.Completed > 0 {
				fail("no output")
			}
		}
		got := map[string]int{}
		if out.Len() > 0 {
			for _, c := range repaired(t, out.Bytes()) {
				got[c]++
				saved++
			}
		}
		lost += len(rep.Lost)
		if rep.Unhashed == 0 {
			for c := range got {
				if !slices.ContainsFunc(append(s.objects, other.objects...), func(o sampleObject) bool { return isOf(c, o.content) }) {
					fail("object that is none of the original: %s", c)
				}
			}
		}
		if !s.hashed && d.kind != "flip" && d.kind != "cut" {
			continue // equal places are no proof when others are missing
		}
		where := map[int]int{}
		for i, from := range d.from {
			if from >= 0 {
				where[from] = i
			}
		}
		// Of objects with the same bytes it cannot be told which object is left.
		left := map[string]int{}
		for c, n := range got {
			stored, _, _ := strings.Cut(c, " ")
			left[stored] += n
		}
		for i := range s.objects {
			if !d.untouched(&s.objects[i], where) {
				continue
			}
			stored, _, _ := strings.Cut(s.objects[i].content, " ")
			if left[stored]--; left[stored] < 0 {
				fail("object %d is undamaged and was given up", i)
			}
		}
		if t.Failed() && run > 300 {
			break
		}
	}
	t.Logf("%d objects saved, %d parts given up, %d files without output", saved, lost, none)
	if saved < run || lost < run/4 || none == 0 {
		t.Errorf("too little happened: %d objects saved, %d parts given up, %d files without output", saved, lost, none)
	}
}

// isOf reports whether an object is the original. Only the metadata of its message as a whole may
// be lost.
func isOf(c, original string) bool {
	own, lost := strings.CutSuffix(c, " map[]")
	return c == original || lost && strings.HasPrefix(original, own+" ")
}

// checkCounts compares the report with the output.
func checkCounts(fail func(string, ...any), rep *Repaired, out, in []byte) {
	dropped := int64(0)
	for _, l := range rep.Lost {
		dropped += l.Length
		if l.Reason == "" || l.Length > 0 && (l.Offset < 0 || l.Offset+l.Length > int64(len(in))) {
			fail("lost %+v", l)
		}
	}
	if dropped != rep.Dropped || dropped > int64(len(in)) {
		fail("%d bytes dropped", dropped)
	}
	if len(out) == 0 {
		if rep.Objects > 0 || rep.Copied+rep.Rebuilt+rep.Completed > 0 || len(in) > 0 && len(rep.Lost) == 0 {
			fail("nothing was written")
		}
		return
	}
	v, err := tgm.Validate(bytes.NewReader(out), int64(len(out)), tgm.LevelFull, tgm.ValidateOptions{})
	if err != nil || !v.OK() {
		fail("output is not valid: %+v, %v", v, err)
		return
	}
	if v.Messages != rep.Copied+rep.Rebuilt+rep.Completed || v.Objects != rep.Objects {
		fail("%d messages and %d objects in the output", v.Messages, v.Objects)
	}
}
