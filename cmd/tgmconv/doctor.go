package main

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// doctorData holds tiny files of each source format, for the self-test.
//
//go:embed doctordata
var doctorData embed.FS

func newDoctor() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what this build can do, and try it",
		Long: `Say which codecs and formats this build has, and try them: arrays are encoded and decoded with every codec, tiny
GRIB and netCDF files are converted and read back, and a Zarr store of them is read. The exit code is 1 if one of
these fails.`,
		Example: "  tgmconv doctor\n  tgmconv doctor --json",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd, asJSON) },
	}
	cmd.Flags().BoolVarP(&asJSON, "json", "j", false, "write JSON")
	return cmd
}

// A feature is a codec or a format of this build.
type feature struct {
	name, kind string
	on         bool
}

// A trial is a self-test with its result.
type trial struct {
	label string
	err   error
}

func runDoctor(cmd *cobra.Command, asJSON bool) error {
	features, trials := tryCodecs()
	features = append(features, feature{"grib", "reader", true}, feature{"netcdf", "reader", true},
		feature{"hdf5", "reader", true}, feature{"zarr", "server", true}, feature{"http", "input", true})
	for _, source := range doctorSources {
		trials = append(trials, trial{"convert " + source.file + " and read it back as Zarr", source.try(cmd.Context())})
	}
	failed := 0
	for _, t := range trials {
		if t.err != nil {
			failed++
		}
	}
	show := showDoctor
	if asJSON {
		show = showDoctorJSON
	}
	if err := show(cmd.OutOrStdout(), features, trials); err != nil {
		return written(err)
	}
	if failed > 0 {
		return fmt.Errorf("doctor: %d of %d trials failed", failed, len(trials))
	}
	return nil
}

// tryCodecs encodes and decodes an array in every way that tgm knows. The values of the array are 0
// to 255.
func tryCodecs() (features []feature, trials []trial) {
	for kind := tgm.EncodingStage; kind <= tgm.MaskStage; kind++ {
		for _, s := range tgm.Stages(kind) {
			if s.Name == "none" {
				continue
			}
			features = append(features, feature{s.Name, kind.String(), true})
			trials = append(trials, trial{"encode and decode with " + kind.String() + " " + s.Name, tryStage(s)})
		}
	}
	return features, trials
}

func tryStage(s tgm.Stage) error {
	const n = 256
	a := tgm.Array{Shape: []uint64{n}, DType: tgm.Float64, Data: countingFloats(n)}
	switch {
	case s.Kind == tgm.MaskStage:
		binary.LittleEndian.PutUint64(a.Data[8:], math.Float64bits(math.Inf(1)))
	case s.Takes(tgm.Float32) == nil:
		// Every stage that takes both is tried with the type that most files have.
		a.DType, a.Data = tgm.Float32, countingFloats32(n)
	case s.Takes(tgm.Float64) != nil:
		a = tgm.Array{Shape: []uint64{8 * n}, DType: tgm.Bitmask, Data: bytes.Repeat([]byte{0xF0, 0xFF}, n/2)}
	}
	object, err := tgm.EncodeArray(a, s.Sample)
	if err != nil {
		return err
	}
	var message bytes.Buffer
	w := tgm.NewMessageWriter(&message, tgm.WriterOptions{})
	if err := errors.Join(w.Append(object, nil), w.Close()); err != nil {
		return err
	}
	read, err := firstObject(bytes.NewReader(message.Bytes()), int64(message.Len()))
	if err != nil {
		return err
	}
	array, err := read.Decode(tgm.DecodeOptions{VerifyHash: true})
	if err != nil {
		return err
	}
	if !bytes.Equal(array.Data, a.Data) {
		return errors.New("other values come back than were stored")
	}
	return nil
}

// countingFloats returns 0, 1, 2 and so on as float64.
func countingFloats(n int) (data []byte) {
	for i := range n {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(float64(i)))
	}
	return data
}

// countingFloats32 returns the same as float32.
func countingFloats32(n int) (data []byte) {
	for i := range n {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(i)))
	}
	return data
}

func firstObject(r io.ReaderAt, size int64) (*tgm.Object, error) {
	file, err := tgm.NewFile(r, size)
	if err != nil {
		return nil, err
	}
	message, err := file.Message(0)
	if err != nil {
		return nil, err
	}
	return message.Object(0)
}

// A doctorSource is a file to convert, with the array it has and where its values begin and end.
type doctorSource struct {
	file, array string
	count       int
	first, last float64
}

var doctorSources = []doctorSource{
	{"sanity.grib2", "2t", 16, 273.15, 288.15},
	{"sanity-classic.nc", "temperature", 4, 273.15, 276.15},
	{"sanity-hdf5.nc", "temperature", 4, 273.15, 276.15},
}

// try converts the file as a user would, and reads the array back through a Zarr store.
func (s doctorSource) try(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "tgmconv-doctor-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	data, err := doctorData.ReadFile("doctordata/" + s.file)
	if err != nil {
		return err
	}
	in, out := filepath.Join(folder, s.file), filepath.Join(folder, "out.tgm")
	if err := os.WriteFile(in, data, 0o600); err != nil {
		return err
	}
	convert := newConvert()
	convert.SetArgs([]string{"-o", out, in})
	convert.SilenceErrors, convert.SilenceUsage = true, true
	convert.SetErr(io.Discard)
	if err := convert.ExecuteContext(ctx); err != nil {
		return err
	}
	return s.check(ctx, out)
}

func (s doctorSource) check(ctx context.Context, name string) error {
	file, err := tgm.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	array, err := zarr.OpenArray(ctx, zarr.OpenMessages(file, zarr.MessageOptions{}), s.array)
	if err != nil {
		return err
	}
	size, err := array.Metadata().Bytes()
	if err != nil {
		return err
	}
	data := make([]byte, size)
	if err := array.Read(ctx, data); err != nil {
		return err
	}
	values, err := floatValues(array.Metadata().DataType, data)
	if err != nil {
		return err
	}
	if len(values) != s.count || !nearly(values[0], s.first) || !nearly(values[len(values)-1], s.last) {
		return fmt.Errorf("%s is %v, expected %d values from %g to %g", s.array, values, s.count, s.first, s.last)
	}
	return nil
}

// nearly allows for values that were packed, or stored as float32.
func nearly(a, b float64) bool { return math.Abs(a-b) < 1e-3 }

func floatValues(dtype zarr.DataType, data []byte) ([]float64, error) {
	var values []float64
	switch dtype {
	case zarr.Float32:
		for ; len(data) >= 4; data = data[4:] {
			values = append(values, float64(math.Float32frombits(binary.LittleEndian.Uint32(data))))
		}
	case zarr.Float64:
		for ; len(data) >= 8; data = data[8:] {
			values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(data)))
		}
	default:
		return nil, fmt.Errorf("data type is %s, expected a float", dtype)
	}
	return values, nil
}

func showDoctor(w io.Writer, features []feature, trials []trial) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "tgmconv %s, wire version %d, %s/%s, %s\n\n", version(), catalog.WireVersion, runtime.GOOS, runtime.GOARCH, runtime.Version())
	for _, f := range features {
		fmt.Fprintf(out, "%-3s  %-11s %s\n", onOff(f.on), f.kind, f.name)
	}
	fmt.Fprintln(out)
	for _, t := range trials {
		if t.err != nil {
			fmt.Fprintf(out, "FAILED  %s: %v\n", t.label, t.err)
			continue
		}
		fmt.Fprintf(out, "ok      %s\n", t.label)
	}
	return out.Flush()
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func showDoctorJSON(w io.Writer, features []feature, trials []trial) error {
	featureList, trialList := []any{}, []any{}
	for _, f := range features {
		featureList = append(featureList, map[string]any{
			"name": f.name, "kind": f.kind, "state": onOff(f.on), "backend": "go", "linkage": "static",
		})
	}
	for _, t := range trials {
		object := map[string]any{"label": t.label, "outcome": "ok"}
		if t.err != nil {
			object["outcome"], object["error"] = "failed", t.err.Error()
		}
		trialList = append(trialList, object)
	}
	list := map[string]any{
		"build": map[string]any{
			"version": version(), "wire_version": catalog.WireVersion, "go": runtime.Version(),
			"target": runtime.GOOS + "/" + runtime.GOARCH, "cgo": buildSetting("CGO_ENABLED") == "1",
		},
		"features": featureList, "self_test": trialList,
	}
	return writeIndented(w, list)
}

// buildSetting is a setting the Go tool recorded in the program, "" if it did not.
func buildSetting(key string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
