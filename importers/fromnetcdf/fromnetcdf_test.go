package fromnetcdf_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

const fixtures = "../../fixtures/netcdf"

type object struct {
	message int
	base    map[string]any
	desc    *tgm.Descriptor
	array   *tgm.Array
}

func tryConvert(t *testing.T, src fromnetcdf.Options, opts importers.Options, name string) ([]object, *importers.Report, error) {
	t.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join(fixtures, name)
	}
	s := fromnetcdf.New([]importers.Input{{Name: name}}, src)
	defer s.Close()
	var out bytes.Buffer
	report, err := importers.Convert(t.Context(), s, &out, opts)
	if err != nil {
		return nil, report, err
	}
	f, err := tgm.NewFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var all []object
	for m, err := range f.Messages() {
		if err != nil {
			t.Fatal(err)
		}
		n, err := m.NumObjects()
		if err != nil {
			t.Fatal(err)
		}
		for j := range n {
			o, err := m.Object(j)
			if err != nil {
				t.Fatal(err)
			}
			a, err := o.Decode(tgm.DecodeOptions{VerifyHash: true})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, object{m.Index(), o.Base(), o.Descriptor(), a})
		}
	}
	return all, report, nil
}

func convert(t *testing.T, src fromnetcdf.Options, name string) ([]object, *importers.Report) {
	t.Helper()
	all, report, err := tryConvert(t, src, importers.Options{}, name)
	if err != nil {
		t.Fatal(err)
	}
	return all, report
}

// unpacked converts without keeping packed integers.
func unpacked(t *testing.T, src fromnetcdf.Options, name string) []object {
	t.Helper()
	all, _, err := tryConvert(t, src, importers.Options{Encoding: importers.Encoding{Encoding: importers.EncodingNone}}, name)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func find(t *testing.T, all []object, name string) object {
	t.Helper()
	i := slices.IndexFunc(all, func(o object) bool { return o.base["name"] == name })
	if i < 0 {
		t.Fatalf("there is no object %s", name)
	}
	return all[i]
}

// numbers are the elements as exact numbers, nil for NaN.
func numbers(t *testing.T, a *tgm.Array) []*big.Float {
	t.Helper()
	size := a.DType.Size()
	out := make([]*big.Float, len(a.Data)/size)
	for i := range out {
		b := a.Data[i*size : (i+1)*size]
		var bits uint64
		for k := range size {
			bits |= uint64(b[k]) << (8 * k)
		}
		n := new(big.Float).SetPrec(2200)
		switch a.DType {
		case tgm.Float64, tgm.Float32:
			f := math.Float64frombits(bits)
			if a.DType == tgm.Float32 {
				f = float64(math.Float32frombits(uint32(bits)))
			}
			if math.IsNaN(f) {
				continue
			}
			n.SetFloat64(f)
		case tgm.Int8, tgm.Int16, tgm.Int32, tgm.Int64:
			n.SetInt64(int64(bits<<(64-8*size)) >> (64 - 8*size))
		case tgm.Uint8, tgm.Uint16, tgm.Uint32, tgm.Uint64:
			n.SetUint64(bits)
		default:
			t.Fatalf("unexpected type %s", a.DType)
		}
		out[i] = n
	}
	return out
}

func TestFixturesAgreeWithNetCDF(t *testing.T) {
	text, err := os.ReadFile("testdata/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var files map[string]map[string]struct {
		DType  string
		Shape  []uint64
		Values struct {
			Count, Missing int
			Min, Max, Sum  float64
		}
	}
	if err := json.Unmarshal(text, &files); err != nil {
		t.Fatal(err)
	}
	for name, variables := range files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := unpacked(t, fromnetcdf.Options{CF: true}, name)
			for path, want := range variables {
				got := find(t, all, path)
				if got.desc.DType.String() != want.DType || fmt.Sprint(got.desc.Shape) != fmt.Sprint(want.Shape) {
					t.Errorf("%s: %s %v, expected %s %v", path, got.desc.DType, got.desc.Shape, want.DType, want.Shape)
					continue
				}
				low, high, missing := math.Inf(1), math.Inf(-1), 0
				sum := new(big.Float).SetPrec(2200)
				all := numbers(t, got.array)
				for _, n := range all {
					if n == nil {
						missing++
						continue
					}
					f, _ := n.Float64()
					low, high = min(low, f), max(high, f)
					sum.Add(sum, n)
				}
				if len(all) != want.Values.Count || missing != want.Values.Missing {
					t.Errorf("%s: %d elements, %d missing, expected %d, %d", path, len(all), missing, want.Values.Count, want.Values.Missing)
				}
				if missing == len(all) {
					continue
				}
				total, _ := sum.Float64()
				w := want.Values
				if low != w.Min || high != w.Max || math.Abs(total-w.Sum) > 1e-15*max(math.Abs(w.Min), math.Abs(w.Max))*float64(w.Count) {
					t.Errorf("%s: minimum %v, maximum %v, sum %v, expected %v, %v, %v", path, low, high, total, w.Min, w.Max, w.Sum)
				}
			}
		})
	}
}

func TestPackedVariableIsUnpacked(t *testing.T) {
	all := unpacked(t, fromnetcdf.Options{CF: true}, "cf_temperature.nc")
	o := find(t, all, "temperature")
	v := numbers(t, o.array)
	for i, want := range []float64{0, 303.68, 495.96} {
		if got, _ := v[i].Float64(); math.Abs(got-want) > 1e-12 {
			t.Errorf("value %d is %v, expected %v", i, got, want)
		}
	}
	netcdf := o.base["netcdf"].(map[string]any)
	packing := netcdf["_packing"].(map[string]any)
	if netcdf["scale_factor"] != nil || packing["scale_factor"] != 0.01 || packing["dtype"] != "short" {
		t.Errorf("netcdf is %v", netcdf)
	}
	types := netcdf["_attr_types"].(map[string]any)
	if types["scale_factor"] != "double" || types["units"] != nil {
		t.Errorf("_attr_types is %v", types)
	}
	if cf := o.base["cf"].(map[string]any); cf["standard_name"] != "air_temperature" {
		t.Errorf("cf is %v", cf)
	}
}

func TestRecords(t *testing.T) {
	all, report := convert(t, fromnetcdf.Options{Split: fromnetcdf.SplitRecord}, "unlimited_time.nc")
	if report.Messages != 5 {
		t.Fatalf("%d messages, expected 5", report.Messages)
	}
	for _, o := range all {
		if o.base["record_index"] != int64(o.message) && o.base["record_index"] != uint64(o.message) {
			t.Errorf("record_index is %v in message %d", o.base["record_index"], o.message)
		}
		if o.base["name"] == "temp" && fmt.Sprint(o.desc.Shape) != "[4 3]" {
			t.Errorf("temp has shape %v, expected [4 3]", o.desc.Shape)
		}
	}
	for _, c := range []struct{ file, want string }{{"simple_2d.nc", "no dimension is unlimited"}, {"empty_unlimited.nc", "no records"}} {
		_, _, err := tryConvert(t, fromnetcdf.Options{Split: fromnetcdf.SplitRecord}, importers.Options{}, c.file)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, expected %s", c.file, err, c.want)
		}
	}
}

func TestComplexCompound(t *testing.T) {
	all, _ := convert(t, fromnetcdf.Options{}, "h5py/compound-dtype-complex.h5")
	found := false
	for _, o := range all {
		found = found || o.desc.DType.IsComplex()
	}
	if !found {
		t.Error("no complex object")
	}
}

func TestSkippedVariablesAreTold(t *testing.T) {
	_, report := convert(t, fromnetcdf.Options{}, "made/typed.h5")
	if report.Warnings == 0 || !strings.Contains(report.WarningList[0].Text, "type reference has no tensor form") {
		t.Errorf("warnings %v", report.WarningList)
	}
}

// TestFilterWithoutDecoder converts a file in which one variable of many is packed with SZ: the
// others are there, and the warning names the variable and the filter. Where nothing else is, that
// is the error.
func TestFilterWithoutDecoder(t *testing.T) {
	raw := bytes.ReplaceAll(odd(t, "x_plugins.h5"), filterMessage(32013), filterMessage(32017))
	report, err := convertBytes(t, raw, importers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.WarningList) != 1 || !strings.Contains(report.WarningList[0].Text, "variable zfp is skipped") ||
		!strings.Contains(report.WarningList[0].Text, "filter 32017 (sz)") || report.Fields < 10 {
		t.Errorf("%d fields, warnings %v", report.Fields, report.WarningList)
	}

	all := bytes.Clone(raw) // no filter is known any more
	for _, id := range []uint16{307, 32001, 32004, 32008, 32015} {
		all = bytes.ReplaceAll(all, filterMessage(id), filterMessage(32017))
	}
	_, err = convertBytes(t, all, importers.Options{})
	var unsupported *netcdf.UnsupportedError
	if !errors.Is(err, fromnetcdf.ErrNoVariables) || !errors.As(err, &unsupported) || !strings.Contains(err.Error(), "filter 32017 (sz)") {
		t.Errorf("error %v, expected one that names the filter", err)
	}
}

// TestBitfieldIsUnsigned converts a dataset of HDF5's class bitfield.
func TestBitfieldIsUnsigned(t *testing.T) {
	path := filepath.Join(t.TempDir(), "types.h5")
	if err := os.WriteFile(path, odd(t, "types_latest.h5"), 0o644); err != nil {
		t.Fatal(err)
	}
	all, _ := convert(t, fromnetcdf.Options{}, path)
	o := find(t, all, "bits")
	if o.desc.DType != tgm.Uint16 || !bytes.Equal(o.array.Data, []byte{1, 0, 2, 0, 255, 255}) {
		t.Errorf("%s %v", o.desc.DType, o.array.Data)
	}
}

// odd is a file with uncommon features.
func odd(t *testing.T, name string) []byte {
	t.Helper()
	packed, err := os.Open("../../netcdf/testdata/odd/" + name + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	r, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// filterMessage is the beginning of a filter message of version 1: version, one filter, six zeros,
// its number.
func filterMessage(id uint16) []byte {
	return binary.LittleEndian.AppendUint16([]byte{1, 1, 0, 0, 0, 0, 0, 0}, id)
}

func convertBytes(t *testing.T, b []byte, opts importers.Options) (*importers.Report, error) {
	t.Helper()
	in := storage.Client{Stdin: bytes.NewReader(b), TempDir: t.TempDir()}
	defer in.Close()
	s := fromnetcdf.New([]importers.Input{{Name: storage.Stdin}}, fromnetcdf.Options{Opener: &in})
	defer s.Close()
	return importers.Convert(t.Context(), s, io.Discard, opts)
}

// TestNumbersReadsLittleEndian guards the assumption of the tests themselves.
func TestNumbersReadsLittleEndian(t *testing.T) {
	b := binary.LittleEndian.AppendUint16(nil, 0xfffe)
	if n := numbers(t, &tgm.Array{DType: tgm.Int16, Data: b}); n[0].Cmp(big.NewFloat(-2)) != 0 {
		t.Errorf("-2 is read as %v", n[0])
	}
}

// TestNoLargerThanTheFile converts variables that deflate compresses better than zstd at its usual
// level: of a small file these are compressed again, unless a level was chosen.
func TestNoLargerThanTheFile(t *testing.T) {
	const name, level = "tetration_cf_3d.nc", "zstd_level"
	convertWith := func(e importers.Encoding) ([]object, int64) {
		all, report, err := tryConvert(t, fromnetcdf.Options{}, importers.Options{Encoding: e}, name)
		if err != nil {
			t.Fatal(err)
		}
		return all, report.BytesOut
	}
	all, size := convertWith(importers.Encoding{})
	info, err := os.Stat(filepath.Join(fixtures, name))
	if err != nil {
		t.Fatal(err)
	}
	if size > info.Size()*105/100 {
		t.Errorf("%d bytes of a file of %d, expected at most 1.05 of that", size, info.Size())
	}
	if got := find(t, all, "i64").desc.Params[level]; got != int64(7) {
		t.Errorf("level %v (%T) of i64, expected 7", got, got)
	}
	if got := find(t, all, "lat").desc.Params[level]; got != nil {
		t.Errorf("level %v of lat, expected none", got)
	}
	all, _ = convertWith(importers.Encoding{Level: 3})
	if got := find(t, all, "i64").desc.Params[level]; got != int64(3) {
		t.Errorf("level %v (%T) of i64, expected the one that was chosen, 3", got, got)
	}
}
