package keys_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/tgmconv/tgmconv/grib/keys"
)

// An oracleLine is the output of interop/grib/keys_dump.py for a message.
type oracleLine struct {
	File   string            `json:"file"`
	Index  int               `json:"index"`
	Offset int64             `json:"offset"`
	Size   int               `json:"size"`
	NS     ordered           `json:"ns"`   // namespace -> [[name, type, value], …]
	Keys   ordered           `json:"keys"` // name -> [type, value]
	All    []json.RawMessage `json:"all"`
	Error  string            `json:"error"`
}

// ordered is a JSON object whose order counts. Reading some keys of ecCodes has
// an effect on later values of others.
type ordered []member

type member struct {
	name string
	raw  json.RawMessage
}

func (o *ordered) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		m := member{name: t.(string)}
		if err := d.Decode(&m.raw); err != nil {
			return err
		}
		*o = append(*o, m)
	}
	return nil
}

func eachLine(r io.Reader, f func(oracleLine) error) error {
	sc := bufio.NewReaderSize(r, 1<<20)
	for {
		b, err := sc.ReadBytes('\n')
		if len(b) > 1 {
			var l oracleLine
			if err := json.Unmarshal(b, &l); err != nil {
				return err
			}
			if err := f(l); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// A report counts differences by key.
type report struct {
	messages, compared, differ int
	byKey                      map[string]int
	example                    map[string]string
}

func newReport() *report { return &report{byKey: map[string]int{}, example: map[string]string{}} }

func (r *report) diff(key, example string) {
	r.differ++
	r.byKey[key]++
	if _, ok := r.example[key]; !ok {
		r.example[key] = example
	}
}

func (r *report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d messages, %d keys compared, %d differ\n", r.messages, r.compared, r.differ)
	names := make([]string, 0, len(r.byKey))
	for k := range r.byKey {
		names = append(names, k)
	}
	sort.Slice(names, func(i, j int) bool {
		if r.byKey[names[i]] != r.byKey[names[j]] {
			return r.byKey[names[i]] > r.byKey[names[j]]
		}
		return names[i] < names[j]
	})
	for _, k := range names {
		fmt.Fprintf(&b, "  %-45s %6d  %s\n", k, r.byKey[k], r.example[k])
	}
	return b.String()
}

type opener func(msg []byte, ds keys.DataSource) (*keys.Handle, error)

// check compares with the oracle's values in src. The function read returns a
// file that the oracle names.
func check(open opener, src io.Reader, read func(name string) ([]byte, error)) (*report, error) {
	r := newReport()
	var name string
	var file []byte
	err := eachLine(src, func(l oracleLine) error {
		if l.Error != "" {
			return nil
		}
		if l.File != name {
			var err error
			if file, err = read(l.File); err != nil {
				return err
			}
			name = l.File
		}
		if l.Offset < 0 || l.Offset+int64(l.Size) > int64(len(file)) {
			return fmt.Errorf("%s: message at %d of %d bytes lies outside the file", l.File, l.Offset, l.Size)
		}
		msg := file[l.Offset : l.Offset+int64(l.Size)]
		where := fmt.Sprintf("%s#%d", l.File, l.Index)
		h, err := open(msg, source(msg))
		if err != nil {
			r.diff("open", where+": "+err.Error())
			return nil
		}
		_, _, err = source(msg).Values()
		checker{report: r, h: h, where: where, broken: err != nil}.message(l)
		return nil
	})
	return r, err
}
