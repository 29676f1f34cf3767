package importers

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// fakeSource yields n fields of a few values each; failing tells which parts are bad, and how.
type fakeSource struct {
	n       int
	failing map[int]error
	group   func(i int) string
	coords  func(i int) []*Coord
	inUse   atomic.Int32 // fields being worked on
	peak    atomic.Int32
	delay   bool
	closed  atomic.Bool
}

func (s *fakeSource) Size() int64  { return int64(s.n) }
func (s *fakeSource) Close() error { s.closed.Store(true); return nil }

func (s *fakeSource) Parts(ctx context.Context) iter.Seq2[Part, error] {
	return func(yield func(Part, error) bool) {
		for i := range s.n {
			p, err := Part{Input: fmt.Sprintf("fake: field %d", i), Number: i, Bytes: 1}, s.failing[i]
			if err != nil {
				p = Part{}
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

func (s *fakeSource) Read(ctx context.Context, p Part, scratch *Scratch) iter.Seq2[*Field, error] {
	return func(yield func(*Field, error) bool) {
		use := s.inUse.Add(1)
		defer s.inUse.Add(-1)
		for old := s.peak.Load(); use > old && !s.peak.CompareAndSwap(old, use); old = s.peak.Load() {
		}
		yield(s.field(p.Number, p.Where()), nil)
	}
}

func (s *fakeSource) field(i int, where string) *Field {
	attrs := new(mapping.Attributes)
	if err := attrs.Set("mars", "step", i); err != nil {
		panic(err)
	}
	f := &Field{
		Name: "t", Dims: []string{"y", "x"}, Shape: []int{2, 3}, DType: tgm.Float64, Attrs: attrs, Where: where,
		Namespaces: []mapping.Namespace{{Key: "mars", Vocabulary: mapping.GroupMap("mars")}},
		Values:     fakeValues{i: i, delay: s.delay},
	}
	if s.group != nil {
		f.Group = s.group(i)
	}
	if s.coords != nil {
		f.Coords = s.coords(i)
	}
	return f
}

type fakeValues struct {
	Plain
	i     int
	delay bool
}

func (v fakeValues) Info(form Form) *array.Info {
	if form != AsValues {
		return nil
	}
	return WholeInfo([]int{2, 3}, tgm.Float64)
}

func (v fakeValues) Read(_ context.Context, _ Form, _ array.Region, scratch *Scratch) (Elements, error) {
	if v.delay {
		time.Sleep(time.Duration((v.i*7)%5) * time.Millisecond) // so that later fields are ready before earlier ones
	}
	data := scratch.Data(6 * 8)
	for j := range 6 {
		binary.LittleEndian.PutUint64(data[8*j:], math.Float64bits(float64(100*v.i+j)))
	}
	return Elements{Data: data}, nil
}

// pinned makes the bytes of a conversion reproducible.
func pinned(o Options) Options {
	o.Provenance.Time = time.Unix(0, 0)
	o.MessageUUID = func(i int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", i) }
	return o
}

func convert(t *testing.T, s Source, o Options) ([]byte, *Report) {
	t.Helper()
	var out bytes.Buffer
	report, err := Convert(t.Context(), s, &out, pinned(o))
	if err != nil {
		t.Fatal(err)
	}
	if report.BytesOut != int64(out.Len()) {
		t.Errorf("report says %d bytes, written are %d", report.BytesOut, out.Len())
	}
	return out.Bytes(), report
}

// messagesOf reads the names and the first values of all objects.
func messagesOf(t *testing.T, b []byte) (first [][]float64, names [][]string) {
	t.Helper()
	f, err := tgm.NewFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	for m, err := range f.Messages() {
		if err != nil {
			t.Fatal(err)
		}
		var values []float64
		var ns []string
		for o, err := range m.Objects() {
			if err != nil {
				t.Fatal(err)
			}
			a, err := o.Decode(tgm.DecodeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(a.Data)))
			ns = append(ns, o.Base()["name"].(string))
		}
		first, names = append(first, values), append(names, ns)
	}
	return first, names
}

func TestConvertKeepsOrderWhateverTheWorkers(t *testing.T) {
	var want []byte
	for _, workers := range []int{1, 2, 3, 8} {
		s := &fakeSource{n: 40, delay: true}
		got, report := convert(t, s, Options{Workers: workers})
		if report.Fields != 40 || report.Messages != 1 || report.BytesIn != 40 || report.Warnings != 0 {
			t.Errorf("%d workers: report %+v", workers, report)
		}
		if peak := int(s.peak.Load()); peak > workers {
			t.Errorf("%d workers: %d fields worked on at a time", workers, peak)
		}
		if want == nil {
			want = got
			first, _ := messagesOf(t, got)
			for i, v := range first[0] {
				if v != float64(100*i) {
					t.Fatalf("field %d begins with %v", i, v)
				}
			}
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%d workers: the bytes differ from those of one worker", workers)
		}
	}
}

func TestConvertGroups(t *testing.T) {
	s := &fakeSource{n: 7, group: func(i int) string { return fmt.Sprint(i / 3) }}
	got, report := convert(t, s, Options{Workers: 2})
	first, _ := messagesOf(t, got)
	if report.Messages != 3 || fmt.Sprint(first) != "[[0 100 200] [300 400 500] [600]]" {
		t.Errorf("%d messages with %v", report.Messages, first)
	}
}

func TestConvertWritesAxesOncePerMessageAndPointsOnce(t *testing.T) {
	computed := 0
	axis := &Coord{Key: "lat", Name: "latitude", Dims: []string{"y"}, Shape: []int{2}, Axis: true,
		Values: func() ([]float64, error) { computed++; return []float64{1, 2}, nil }}
	points := &Coord{Key: "lon", Name: "longitude", Dims: []string{"y", "x"}, Shape: []int{2, 3},
		Values: func() ([]float64, error) { computed++; return []float64{3, 3, 3, 3, 3, math.NaN()}, nil }}
	for _, c := range []struct {
		mode     Coordinates
		want     string
		computed int
	}{
		{CoordinatesAll, "[[t t latitude longitude] [t t latitude]]", 2},
		{CoordinatesAxes, "[[t t latitude] [t t latitude]]", 1},
		{CoordinatesNone, "[[t t] [t t]]", 0},
	} {
		computed = 0
		s := &fakeSource{n: 4, group: func(i int) string { return fmt.Sprint(i / 2) }, coords: func(int) []*Coord { return []*Coord{axis, points} }}
		got, report := convert(t, s, Options{Coordinates: c.mode})
		_, names := messagesOf(t, got)
		if fmt.Sprint(names) != c.want || report.Coordinates != len(names[0])+len(names[1])-4 {
			t.Errorf("mode %v: %v and %d coordinates reported, want %s", c.mode, names, report.Coordinates, c.want)
		}
		if computed != c.computed {
			t.Errorf("mode %v: computed %d times, want %d", c.mode, computed, c.computed)
		}
	}
}

func TestConvertStopsAtBadInputOrSkipsIt(t *testing.T) {
	bad := &BadInput{Where: "fake: field 3", Err: errors.New("broken")}
	make := func() *fakeSource { return &fakeSource{n: 6, failing: map[int]error{3: bad}} }
	var out bytes.Buffer
	if _, err := Convert(t.Context(), make(), &out, Options{}); !errors.Is(err, bad) || out.Len() != 0 {
		t.Errorf("error %v after %d bytes, want %v after none", err, out.Len(), bad)
	}
	got, report := convert(t, make(), Options{SkipBad: true})
	first, _ := messagesOf(t, got)
	if fmt.Sprint(first) != "[[0 100 200 400 500]]" || report.Skipped != 1 || report.SkippedList[0] != bad {
		t.Errorf("after skipping: %v, report %+v", first, report)
	}
	hard := errors.New("the disk is gone")
	s := &fakeSource{n: 6, failing: map[int]error{3: hard}}
	if _, err := Convert(t.Context(), s, &out, Options{SkipBad: true}); !errors.Is(err, hard) {
		t.Errorf("error %v, want %v even when bad input is skipped", err, hard)
	}
	if _, err := Convert(t.Context(), &fakeSource{}, &out, Options{}); !errors.Is(err, ErrNoFields) {
		t.Errorf("error %v, want %v", err, ErrNoFields)
	}
}

// failingWriter fails after a number of bytes.
type failingWriter struct{ left int }

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

func TestConvertEndsItsGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(t.Context())
	var once sync.Once
	_, err := Convert(ctx, &fakeSource{n: 1000, delay: true}, new(bytes.Buffer), Options{
		Workers: 4, Progress: func(p Progress) { once.Do(cancel) },
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	s := &fakeSource{n: 1000, group: func(i int) string { return fmt.Sprint(i) }}
	if _, err := Convert(t.Context(), s, &failingWriter{2000}, Options{Workers: 4}); err == nil {
		t.Error("no error from a writer that fails")
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, before it were %d", runtime.NumGoroutine(), before)
}
