package worker_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/worker"
)

// A client asks a worker one request after the other.
type client struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Scanner
}

type answer struct {
	ID, Dataset int
	Documents   map[string]json.RawMessage
	Bytes       int64
	Error       string
	Code        int
}

func (c *client) ask(request string, args ...any) answer {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.in, request+"\n", args...); err != nil {
		c.t.Fatal(err)
	}
	var a answer
	if !c.out.Scan() {
		c.t.Fatal("no answer")
	}
	if err := json.Unmarshal(c.out.Bytes(), &a); err != nil {
		c.t.Fatal(err)
	}
	return a
}

func start(t *testing.T) *client {
	requests, in := io.Pipe()
	out, answers := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- worker.Serve(t.Context(), requests, answers, worker.Options{
			Open: func(ctx context.Context, words []string) (*worker.Dataset, error) {
				ds, err := tgmconv.Open(ctx, words...)
				if err != nil {
					return nil, err
				}
				set, fields := ds.Labelled()
				return worker.NewDataset(set, fields, false, ds.Close), nil
			},
			Explain: func(err error) (string, int) { return err.Error(), 1 },
		})
	}()
	t.Cleanup(func() {
		in.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	return &client{t, in, lines}
}

// TestRead compares regions with the values that the root package gives.
func TestRead(t *testing.T) {
	path, err := filepath.Abs("../../../../fixtures/grib/cfgrib/era5-levels-members.grib")
	if err != nil {
		t.Fatal(err)
	}
	ds, err := tgmconv.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer ds.Close()
	whole, err := ds.Variable("t").Float64s(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	into := filepath.Join(t.TempDir(), "into")
	if err := os.WriteFile(into, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c := start(t)
	opened := c.ask(`{"id":1,"open":[%q]}`, path)
	if opened.Error != "" || opened.Documents["t"] == nil || opened.Documents[""] == nil {
		t.Fatalf("open: %+v", opened)
	}
	const members, times, levels, rows, columns = 10, 4, 2, 61, 120
	for _, r := range [][2][5]int{
		{{0, 0, 0, 0, 0}, {members, times, levels, rows, columns}}, {{3, 1, 1, 7, 11}, {2, 3, 1, 20, 30}}, {{9, 3, 1, 60, 119}, {1, 1, 1, 1, 1}},
		{{0, 0, 0, 0, 0}, {0, 1, 1, 1, 1}},
	} {
		start, _ := json.Marshal(r[0])
		count, _ := json.Marshal(r[1])
		a := c.ask(`{"id":2,"read":{"dataset":%d,"array":"t","start":%s,"count":%s,"into":%q}}`, opened.Dataset, start, count, into)
		n := 1
		for _, k := range r[1] {
			n *= k
		}
		if a.Error != "" || a.Bytes != int64(8*n) {
			t.Fatalf("read %v: %+v", r, a)
		}
		data, err := os.ReadFile(into)
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		for m := range r[1][0] {
			for h := range r[1][1] {
				for l := range r[1][2] {
					for y := range r[1][3] {
						for x := range r[1][4] {
							want := whole[((((r[0][0]+m)*times+r[0][1]+h)*levels+r[0][2]+l)*rows+r[0][3]+y)*columns+r[0][4]+x]
							if got := math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:])); got != want {
								t.Fatalf("read %v: element %d is %v, expected %v", r, i, got, want)
							}
							i++
						}
					}
				}
			}
		}
	}
	if a := c.ask(`{"id":3,"get":{"dataset":%d,"key":"latitude/c/0","into":%q}}`, opened.Dataset, into); a.Bytes != 8*rows {
		t.Errorf("get: %+v", a)
	}
	if a := c.ask(`{"id":4,"get":{"dataset":%d,"key":"none/c/0","into":%q}}`, opened.Dataset, into); a.Bytes != -1 {
		t.Errorf("get of nothing: %+v", a)
	}
	for request, want := range map[string]string{
		`{"id":5,"read":{"dataset":1,"array":"none","into":"x"}}`:                                                         "none",
		`{"id":5,"read":{"dataset":1,"array":"t","start":[0],"count":[1],"into":"x"}}`:                                    "dimensions",
		`{"id":5,"read":{"dataset":1,"array":"t","start":[0,0,0,0,121],"count":[1,1,1,1,1],"into":"x"}}`:                  "an axis of 120",
		`{"id":5,"read":{"dataset":1,"array":"t","start":[0,0,0,0,1],"count":[1,1,1,1,18446744073709551615],"into":"x"}}`: "an axis of 120",
		`{"id":5,"read":{"dataset":1,"array":"latitude","start":[0],"count":[1],"into":"/none/x"}}`:                       "/none/x",
	} {
		if a := c.ask("%s", request); !strings.Contains(a.Error, want) {
			t.Errorf("%s: %q, expected %q", request, a.Error, want)
		}
	}
	if a := c.ask(`{"id":6,"close":%d}`, opened.Dataset); a.Error != "" {
		t.Errorf("close: %+v", a)
	}
	if a := c.ask(`{"id":7,"close":%d}`, opened.Dataset); a.Error == "" {
		t.Error("a dataset was closed twice")
	}
}
