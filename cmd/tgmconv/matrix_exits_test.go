package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/serving"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tgm"
)

// A wayOut is a verb with flags by which arrays leave the program.
type wayOut struct {
	name string // unique: the verb, and the flags if it has several
	args []string
	// again marks a verb that another way has too. Where the input lies has been seen with that.
	again bool
	leave func(t *testing.T, w *wayOut, in *input) (map[string]outcome, error)
}

// outcome is the result of an exit for a variable.
type outcome interface {
	// differs returns an error unless the shown result is right for a variable.
	differs(want *variable) error
}

// waysOut has every verb that shows values, in every way of storing or finding them.
var waysOut = []wayOut{
	{"convert", []string{"convert"}, false, toMessages},
	{"convert --encoding none", []string{"convert", "--encoding", "none"}, true, toMessages},
	{"serve", []string{"serve"}, false, fromServer},
	{"serve --chunks", []string{"serve", "--chunks"}, true, fromServer},
	{"to-zarr", []string{"to-zarr"}, false, toStore},
	{"to-zarr --codec source", []string{"to-zarr", "--codec", "source"}, true, toStore},
	{"to-zarr --shards", []string{"to-zarr", "--shards"}, true, toStore},
	{"to-netcdf", []string{"to-netcdf"}, false, toFile(".nc", readNetCDF)},
	{"to-netcdf --format cdf5", []string{"to-netcdf", "--format", "cdf5"}, true, toFile(".nc", readNetCDF)},
	{"to-grib", []string{"to-grib"}, false, toFile(".grib", readGRIB)},
	{"to-tet", []string{"to-tet"}, false, toFile(".tet", readTet)},
	{"to-tet --objects", []string{"to-tet", "--objects"}, true, toFile(".tet", readTet)},
	{"refs", []string{"refs", "--json"}, false, toReferences},
	{"refs --format manifest", []string{"refs", "--json", "--format", "manifest"}, true, toManifests},
	{"values", []string{"values", "--format", "json"}, false, printedValues},
	{"values --slice", []string{"values", "--format", "json", "--slice"}, true, printedValues},
	{"stats", []string{"stats", "--json"}, false, described},
	{"plot", []string{"plot"}, false, drawn},
	{"info --dataset", []string{"info", "--dataset"}, false, listed},
}

// said is the text that the last command wrote to standard error.
var said string

// command runs the command within this process.
func command(t *testing.T, args ...string) (stdout string, err error) {
	t.Helper()
	root := rootOf(args)
	var out, stderr bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&stderr)
	code := run(t.Context(), root, args, &stderr)
	said = strings.TrimSpace(stderr.String())
	if code != cli.ExitOK {
		return out.String(), fmt.Errorf("exit code %d: %s", code, said)
	}
	return out.String(), nil
}

// A valuesShown is all values of a variable, NaN where one is missing.
type valuesShown struct {
	shape  []int
	values []float64
}

func (s valuesShown) differs(want *variable) error {
	if !slices.Equal(s.shape, want.Shape) {
		return fmt.Errorf("shape %v, expected %v", s.shape, want.Shape)
	}
	return compareValues(s.values, want.values())
}

func compareValues(got, want []float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d values, expected %d", len(got), len(want))
	}
	for i, v := range got {
		if v != want[i] && !(math.IsNaN(v) && math.IsNaN(want[i])) {
			return fmt.Errorf("value %d is %v, expected %v", i, v, want[i])
		}
	}
	return nil
}

// toMessages is the way to Tensogram.
func toMessages(t *testing.T, w *wayOut, in *input) (map[string]outcome, error) {
	out := filepath.Join(t.TempDir(), "out.tgm")
	if _, err := command(t, slices.Concat(w.args, in.flags(), []string{"-o", out, in.path})...); err != nil {
		return nil, err
	}
	return readMessages(out)
}

func readMessages(file string) (map[string]outcome, error) {
	f, err := tgm.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all := make(map[string]outcome)
	err = eachObject(f, func(o *tgm.Object) error {
		values, err := objectValues(o)
		if err != nil {
			return err
		}
		attributes, _ := o.Base()["netcdf"].(map[string]any)
		if fill, ok := attributes["_FillValue"].(int64); ok { // of integers, which have no mask
			for i, v := range values {
				if v == float64(fill) {
					values[i] = math.NaN()
				}
			}
		}
		all[o.Name()] = valuesShown{ints(o.Descriptor().Shape), values}
		return nil
	})
	return all, err
}

func eachObject(f *tgm.File, do func(*tgm.Object) error) error {
	messages, err := f.Len()
	for i := 0; i < messages && err == nil; i++ {
		var m *tgm.Message
		if m, err = f.Message(i); err != nil {
			return err
		}
		n, err := m.NumObjects()
		if err != nil {
			return err
		}
		for j := range n {
			o, err := m.Object(j)
			if err == nil {
				err = do(o)
			}
			if err != nil {
				return err
			}
		}
	}
	return err
}

// objectValues decodes an object. Points that its mask names are NaN, also of integers.
func objectValues(o *tgm.Object) ([]float64, error) {
	a, err := o.Decode(tgm.DecodeOptions{})
	if err != nil {
		return nil, err
	}
	kind := a.DType.String()[0]
	values := make([]float64, product(ints(a.Shape)))
	for i := range values {
		if a.DType == tgm.Bitmask {
			values[i] = float64(a.Data[i/8] >> (7 - i%8) & 1)
			continue
		}
		var u uint64
		for k := a.DType.Size() - 1; k >= 0; k-- {
			u = u<<8 | uint64(a.Data[i*a.DType.Size()+k])
		}
		values[i] = numberOf(kind, a.DType.Size(), u)
		if a.Missing != nil && a.Missing.Get(i) {
			values[i] = math.NaN()
		}
	}
	return values, nil
}

func ints[T int64 | uint64](shape []T) []int {
	all := make([]int, len(shape))
	for i, n := range shape {
		all[i] = int(n)
	}
	return all
}

// chunkFlags are small chunks along the axes of the form.
func chunkFlags(w *wayOut, in *input) []string {
	flag := w.args[len(w.args)-1]
	lat, lon := in.form.axes()
	small := fmt.Sprintf("%s=2,%s=3", lat, lon)
	switch flag {
	case "--chunks":
		return []string{small}
	case "--shards":
		return []string{fmt.Sprintf("%s=4,%s=6", lat, lon), "--chunks", small}
	case "--slice":
		return []string{":"}
	}
	return nil
}

// toStore is the way to a Zarr store.
func toStore(t *testing.T, w *wayOut, in *input) (map[string]outcome, error) {
	out := filepath.Join(t.TempDir(), "out.zarr.zip")
	args := slices.Concat(w.args, chunkFlags(w, in), in.flags(), []string{"-o", out, in.path})
	if _, err := command(t, args...); err != nil {
		return nil, err
	}
	store, err := zip.OpenReader(out)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	return readStore(in.form, func(key string) ([]byte, error) {
		b, err := fs.ReadFile(store, key)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return b, err
	})
}

// readStore reads the variables of a form from a store of version 3.
func readStore(f *form, get func(key string) ([]byte, error)) (map[string]outcome, error) {
	all := make(map[string]outcome)
	for name := range f.Variables {
		document, err := get(name + "/zarr.json")
		if err != nil {
			return nil, err
		}
		if document == nil {
			continue
		}
		a, err := zarr3(document)
		if err != nil {
			return nil, err
		}
		values, err := a.read(func(index []int) ([]byte, error) { return get(path.Join(name, "c", chunkKey(index, "/"))) })
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[name] = valuesShown{a.shape, values}
	}
	return all, nil
}

func chunkKey(index []int, separator string) string {
	parts := make([]string, len(index))
	for i, k := range index {
		parts[i] = fmt.Sprint(k)
	}
	return strings.Join(parts, separator)
}

// fromServer reads from a server as clients do.
func fromServer(t *testing.T, w *wayOut, in *input) (map[string]outcome, error) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, stderr := &lineWatcher{more: make(chan struct{}, 1)}, &lineWatcher{more: make(chan struct{}, 1)}
	root := cli.RootOf(serving.NewServe())
	root.SetOut(out)
	root.SetErr(stderr)
	ended := make(chan int, 1)
	go func() {
		args := slices.Concat(w.args, chunkFlags(w, in), in.flags(), []string{"--index", "none", "--addr", "127.0.0.1:0", in.path})
		code := run(ctx, root, args, stderr)
		out.Write([]byte("\npress Ctrl-C to stop\n")) // if it never listened
		ended <- code
	}()
	text := out.wait(t, "press Ctrl-C to stop")
	_, rest, listens := strings.Cut(text, " at http://")
	if !listens {
		return nil, fmt.Errorf("exit code %d: %s", <-ended, stderr.wait(t, ""))
	}
	address, _, _ := strings.Cut(rest, "\n")
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	all, err := readStore(in.form, func(key string) ([]byte, error) {
		r, err := client.Get("http://" + address + "/" + key)
		if err != nil {
			return nil, err
		}
		defer r.Body.Close()
		b, err := io.ReadAll(r.Body)
		switch {
		case err != nil || r.StatusCode == http.StatusNotFound:
			return nil, err
		case r.StatusCode != http.StatusOK:
			return nil, fmt.Errorf("%s: %s: %s", key, r.Status, strings.TrimSpace(string(b)))
		}
		return b, nil
	})
	stop()
	code := <-ended
	if said = stderr.wait(t, ""); code != cli.ExitOK {
		return nil, fmt.Errorf("the server ends with %d: %s", code, said)
	}
	return all, err
}

// toFile is the way to one file, which read reads.
func toFile(suffix string, read func(file string, f *form) (map[string]outcome, error)) func(*testing.T, *wayOut, *input) (map[string]outcome, error) {
	return func(t *testing.T, w *wayOut, in *input) (map[string]outcome, error) {
		out := filepath.Join(t.TempDir(), "out"+suffix)
		if _, err := command(t, slices.Concat(w.args, in.flags(), []string{"-o", out, in.path})...); err != nil {
			return nil, err
		}
		return read(out, in.form)
	}
}

func readNetCDF(file string, _ *form) (map[string]outcome, error) {
	f, err := netcdf.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all := make(map[string]outcome)
	var group func(g *netcdf.Group) error
	group = func(g *netcdf.Group) error {
		for _, v := range g.Vars {
			if !v.Type.Numeric() && v.Type.Class != netcdf.Enum {
				continue
			}
			values, err := variableValues(v)
			if err != nil {
				return err
			}
			all[strings.TrimPrefix(v.Path, "/")] = valuesShown{ints(v.Shape()), values}
		}
		for _, below := range g.Groups {
			if err := group(below); err != nil {
				return err
			}
		}
		return nil
	}
	return all, group(f.Root())
}

// variableValues reads a variable and unpacks it as CF says.
func variableValues(v *netcdf.Var) ([]float64, error) {
	b := make([]byte, v.Size())
	if err := v.Read(context.Background(), b, nil, nil); err != nil {
		return nil, err
	}
	a := &storedArray{size: v.Type.Size, kind: 'i', attributes: make(map[string]any)}
	switch v.Type.Class {
	case netcdf.Float, netcdf.Double, netcdf.Half:
		a.kind = 'f'
	case netcdf.UByte, netcdf.UShort, netcdf.UInt, netcdf.UInt64:
		a.kind = 'u'
	case netcdf.Enum:
		a.kind = 'u'
	}
	unsigned := false
	for _, attr := range v.Attrs {
		switch x := attr.Value.(type) {
		case []float64:
			a.attributes[attr.Name] = x[0]
		case []int64:
			a.attributes[attr.Name] = float64(x[0])
		case []uint64:
			a.attributes[attr.Name] = float64(x[0])
		case string:
			unsigned = unsigned || attr.Name == "_Unsigned" && x == "true"
		}
	}
	if fill, ok := a.attributes["_FillValue"].(float64); ok && unsigned {
		a.kind = 'u'
		a.attributes["_FillValue"] = math.Mod(fill+math.Ldexp(1, 8*a.size), math.Ldexp(1, 8*a.size))
	}
	values := make([]float64, len(b)/a.size)
	for i := range values {
		values[i] = a.element(b[i*a.size:])
	}
	a.unpack(values)
	return values, nil
}

func readGRIB(file string, _ *form) (map[string]outcome, error) {
	f, err := grib.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all := make(map[string]outcome)
	for m, err := range f.Messages() {
		if err != nil {
			return nil, err
		}
		for _, field := range m.Fields() {
			h, err := keys.New(field.Bytes(), nil)
			if err != nil {
				return nil, err
			}
			name, err := h.String("shortName")
			if err != nil {
				return nil, err
			}
			nj, err := h.Int("Nj")
			if err != nil {
				return nil, err
			}
			values, _, err := field.Decode(nil)
			if err != nil {
				return nil, err
			}
			all[name] = valuesShown{[]int{int(nj), len(values) / int(nj)}, values}
		}
	}
	return all, nil
}

func readTet(file string, _ *form) (map[string]outcome, error) {
	f, err := tet.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all := make(map[string]outcome)
	for _, d := range f.Datasets() {
		a, err := d.Read(context.Background(), nil, tet.ReadOptions{})
		if err != nil {
			return nil, err
		}
		attributes := make(map[string]any)
		for key, text := range d.Metadata().Attrs {
			if v, err := strconv.ParseFloat(text, 64); err == nil {
				attributes[key] = v
			}
		}
		values := a.Float64s()
		(&storedArray{attributes: attributes}).unpack(values)
		all[d.Name] = valuesShown{ints(a.Shape), values}
	}
	return all, nil
}

// leftOut are the variables that refs leaves out, which it says with a reason.
type leftOut struct{ why string }

func (l leftOut) differs(*variable) error { return errors.New("left out: " + l.why) }

// references runs refs, and returns the variables that it left out.
func references(t *testing.T, w *wayOut, in *input, out string) (map[string]outcome, error) {
	stdout, err := command(t, slices.Concat(w.args, in.flags(), []string{"-o", out, in.path})...)
	if err != nil {
		return nil, err
	}
	var report struct {
		LeftOut  []struct{ Variable, Why string } `json:"left_out"`
		Warnings []struct{ Text string }
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		return nil, err
	}
	for _, w := range report.Warnings {
		said += w.Text + "\n"
	}
	all := make(map[string]outcome)
	for _, l := range report.LeftOut {
		all[l.Variable] = leftOut{l.Why}
	}
	return all, nil
}

// toReferences resolves kerchunk's references by hand.
func toReferences(t *testing.T, w *wayOut, in *input) (map[string]outcome, error) {
	out := filepath.Join(t.TempDir(), "out.json")
	all, err := references(t, w, in, out)
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	var file struct{ Refs map[string]json.RawMessage }
	if err := json.Unmarshal(b, &file); err != nil {
		return nil, err
	}
	for name := range in.form.Variables {
		document, ok := file.Refs[name+"/.zarray"]
		if !ok {
			continue
		}
		if all[name] != nil {
			return nil, fmt.Errorf("%s is referenced and left out", name)
		}
		a, err := zarr2(jsonText(document), jsonText(file.Refs[name+"/.zattrs"]))
		if err != nil {
			return nil, err
		}
		values, err := a.read(func(index []int) ([]byte, error) {
			entry, ok := file.Refs[name+"/"+chunkKey(index, ".")]
			if !ok {
				return nil, nil
			}
			var parts []any
			if json.Unmarshal(entry, &parts) != nil {
				return base64Of(jsonText(entry))
			}
			return referenced(parts[0].(string), int64(parts[1].(float64)), int64(parts[2].(float64)))
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[name] = valuesShown{a.shape, values}
	}
	return all, nil
}

// jsonText is the document that stands as a text in JSON.
func jsonText(b []byte) []byte {
	var text string
	if json.Unmarshal(b, &text) != nil {
		return b
	}
	return []byte(text)
}

// referenced reads a range of a file or an address.
func referenced(address string, offset, length int64) ([]byte, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	var b []byte
	switch u.Scheme {
	case "file":
		b, err = os.ReadFile(u.Path)
	case "http":
		var r *http.Response
		if r, err = http.Get(address); err == nil {
			defer r.Body.Close()
			b, err = io.ReadAll(r.Body)
		}
	default:
		err = fmt.Errorf("address %s", address)
	}
	if err != nil {
		return nil, err
	}
	if offset < 0 || length < 0 || offset+length > int64(len(b)) {
		return nil, fmt.Errorf("bytes %d to %d of %s, which has %d", offset, offset+length, address, len(b))
	}
	return b[offset : offset+length], nil
}

// toManifests resolves VirtualiZarr's chunk manifests by hand.
func toManifests(t *testing.T, w *wayOut, in *input) (map[string]outcome, error) {
	out := filepath.Join(t.TempDir(), "out")
	all, err := references(t, w, in, out)
	if err != nil {
		return nil, err
	}
	for name := range in.form.Variables {
		folder := filepath.Join(out, filepath.FromSlash(name))
		document, err := os.ReadFile(filepath.Join(folder, "zarr.json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		a, err := zarr3(document)
		if err != nil {
			return nil, err
		}
		chunks := make(map[string]struct {
			Path           string
			Offset, Length int64
		})
		if b, err := os.ReadFile(filepath.Join(folder, "manifest.json")); err == nil {
			if err := json.Unmarshal(b, &chunks); err != nil {
				return nil, err
			}
		}
		values, err := a.read(func(index []int) ([]byte, error) {
			if c, ok := chunks[chunkKey(index, ".")]; ok {
				return referenced(c.Path, c.Offset, c.Length)
			}
			b, err := os.ReadFile(filepath.Join(folder, "c", filepath.FromSlash(chunkKey(index, "/"))))
			if errors.Is(err, fs.ErrNotExist) {
				return nil, nil
			}
			return b, err
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[name] = valuesShown{a.shape, values}
	}
	return all, nil
}
