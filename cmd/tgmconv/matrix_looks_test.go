package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/tgm"
)

func base64Of(text []byte) ([]byte, error) {
	rest, ok := strings.CutPrefix(string(text), "base64:")
	if !ok {
		return []byte(rest), nil
	}
	return base64.StdEncoding.DecodeString(rest)
}

// printedValues are the values that the verb values prints. With --slice it prints every second
// row.
func printedValues(t *testing.T, w *wayOut, in *input) (map[string]outcome, error) {
	args := w.args
	part := args[len(args)-1] == "--slice"
	if part {
		args = append(slices.Clone(args), "::2")
	}
	stdout, err := command(t, slices.Concat(args, in.flags(), []string{in.path})...)
	if err != nil {
		return nil, err
	}
	var fields []struct {
		Name   string
		Shape  []int
		Values []*float64
	}
	if err := json.Unmarshal([]byte(stdout), &fields); err != nil {
		return nil, err
	}
	all := make(map[string]outcome)
	for _, f := range fields {
		s, _ := all[f.Name].(slicesShown) // of variables with more axes, a field for each slice
		all[f.Name] = slicesShown{part, append(s.values, withNaN(f.Values)...)}
	}
	return all, nil
}

// slicesShown are the values of all slices of a variable, or of every second row of them.
type slicesShown struct {
	part   bool
	values []float64
}

func (s slicesShown) differs(want *variable) error {
	if !s.part {
		return compareValues(s.values, want.values())
	}
	length := want.Shape[len(want.Shape)-1]
	rows := want.Shape[len(want.Shape)-2]
	var values []float64
	for i, v := range want.values() {
		if i/length%rows%2 == 0 {
			values = append(values, v)
		}
	}
	return compareValues(s.values, values)
}

// statistics are the numbers that stats prints for a variable.
type statistics struct {
	Count, Missing   int
	Min, Max, Median float64
	Std              float64
}

func (s statistics) differs(want *variable) error {
	var there []float64
	for _, v := range want.values() {
		if !math.IsNaN(v) {
			there = append(there, v)
		}
	}
	sort.Float64s(there)
	n := len(there)
	mean, variance := 0.0, 0.0
	for _, v := range there {
		mean += v / float64(n)
	}
	for _, v := range there {
		variance += (v - mean) * (v - mean) / float64(n)
	}
	truth := statistics{len(want.Values), len(want.Values) - n, there[0], there[n-1], (there[(n-1)/2] + there[n/2]) / 2, math.Sqrt(variance)}
	if math.Abs(s.Std-truth.Std) < 1e-9*math.Abs(mean) {
		s.Std = truth.Std
	}
	if s != truth {
		return fmt.Errorf("statistics are %+v, expected %+v", s, truth)
	}
	return nil
}

func described(t *testing.T, w *wayOut, in *input) (map[string]outcome, error) {
	stdout, err := command(t, slices.Concat(w.args, in.flags(), []string{in.path})...)
	if err != nil {
		return nil, err
	}
	var fields []struct {
		Name string
		statistics
	}
	if err := json.Unmarshal([]byte(stdout), &fields); err != nil {
		return nil, err
	}
	all := make(map[string]outcome)
	for _, f := range fields {
		all[f.Name] = f.statistics
	}
	return all, nil
}

// picture compares the picture of plot with its picture of a plain message of the expected values.
type picture struct{ err error }

func (p picture) differs(*variable) error { return p.err }

// drawn plots the variables one by one. The file to compare with has the labels that convert gives
// the same variables, and the values that are expected of them.
func drawn(t *testing.T, w *wayOut, in *input) (map[string]outcome, error) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain.tgm")
	if err := plainly(t, in, plain); err != nil {
		return nil, err
	}
	all := make(map[string]outcome)
	for name := range in.form.Variables {
		options := []string{"plot", "-w", "name=" + name, "--terminal", "256", "--no-coastlines"}
		if in.form.grib() {
			options[2] = "shortName=" + name
		}
		got, err := command(t, slices.Concat(options, in.flags(), []string{in.path})...)
		if err != nil {
			return nil, err
		}
		want, err := command(t, append(options, plain)...)
		if err != nil {
			return nil, fmt.Errorf("the plain file: %w", err)
		}
		if got != want {
			all[name] = picture{fmt.Errorf("the picture is\n%s\nexpected\n%s", got, want)}
			continue
		}
		all[name] = picture{}
	}
	return all, nil
}

// plainly writes the variables of the input with the expected values, as plain numbers.
func plainly(t *testing.T, in *input, out string) error {
	converted := in.local
	if in.place != "tgm" && !in.form.messages() {
		converted = out + ".converted"
		if _, err := command(t, slices.Concat([]string{"convert", "-q", "-o", converted, in.local}, in.flags())...); err != nil {
			return err
		}
	}
	return rewritten(converted, out, in.form, func(v *variable) (tgm.Array, tgm.Pipeline) {
		return tgm.ArrayOf(v.values(), v.Shape...), tgm.Pipeline{AllowNaN: true}
	}, false)
}

// rewritten copies a file of messages, giving the variables of a form other arrays and pipelines.
func rewritten(from, to string, f *form, change func(*variable) (tgm.Array, tgm.Pipeline), stream bool) error {
	in, err := tgm.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer out.Close()
	var w interface {
		Append(*tgm.EncodedObject, map[string]any) error
		Close() error
	} = tgm.NewMessageWriter(out, tgm.WriterOptions{})
	if stream {
		w = tgm.NewStreamWriter(out, tgm.WriterOptions{})
	}
	err = eachObject(in, func(o *tgm.Object) error {
		v := f.Variables[o.Name()]
		if v == nil {
			encoded, err := o.Encoded()
			return errors.Join(err, w.Append(encoded, o.Base()))
		}
		a, p := change(v)
		encoded, err := tgm.EncodeArray(a, p)
		if err != nil {
			return err
		}
		return w.Append(encoded, o.Base())
	})
	return errors.Join(err, w.Close(), out.Close())
}

// presence is the line of a variable, and the lengths of its dimensions.
type presence struct{ shape []int }

func (p presence) differs(want *variable) error {
	if !slices.Equal(p.shape, want.Shape) {
		return fmt.Errorf("shape %v, expected %v", p.shape, want.Shape)
	}
	return nil
}

var (
	dimensionLength = regexp.MustCompile(`(\w+): (\d+)`)
	variableLine    = regexp.MustCompile(`^ {4}(\w+) +\(([^)]*)\)`)
)

// listed are the variables that info --dataset lists.
func listed(t *testing.T, w *wayOut, in *input) (map[string]outcome, error) {
	stdout, err := command(t, slices.Concat(w.args, in.flags(), []string{"--index", "none", in.path})...)
	if err != nil {
		return nil, err
	}
	all, group, lengths := make(map[string]outcome), "", make(map[string]int)
	for line := range strings.Lines(stdout) {
		if path, ok := strings.CutPrefix(line, "Group /"); ok {
			group = strings.TrimSpace(path)
			clear(lengths)
		}
		if dims, ok := strings.CutPrefix(line, "Dimensions:"); ok {
			for _, m := range dimensionLength.FindAllStringSubmatch(dims, -1) {
				lengths[m[1]], _ = strconv.Atoi(m[2])
			}
		}
		if m := variableLine.FindStringSubmatch(line); m != nil {
			shape := []int{}
			for _, dim := range strings.Split(m[2], ", ") {
				shape = append(shape, lengths[dim])
			}
			all[path.Join(group, m[1])] = presence{shape}
		}
	}
	return all, nil
}
