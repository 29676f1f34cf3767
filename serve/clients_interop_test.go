//go:build interop

package serve

import (
	"bytes"
	"errors"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/tgm"
)

const (
	interopPython  = "../.interop/venv/bin/python"
	interopModules = "../.interop/node/node_modules"
)

// TestClients serves files and demands of every client the values that the reference decodes from
// the same files.
func TestClients(t *testing.T) {
	if _, err := os.Stat(interopPython); err != nil {
		t.Skip("no Python with the reference and zarr-python: ", interopPython)
	}
	for _, path := range clientFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".tgm"), func(t *testing.T) { checkClients(t, path) })
	}
}

// clientFiles are the sample files and one of everything the reference writes.
func clientFiles(t *testing.T) []string {
	var files []string
	for _, name := range []string{"metadata_parity", "v0.20/multi_object", "v0.20/multi_message", "scan/streaming-tail"} {
		files = append(files, "../fixtures/tgm/"+name+".tgm")
	}
	files = append(files, matrixFiles(t)...)
	return append(files, convertedFiles(t)...)
}

// convertedFiles are files that this module's command converts from GRIB and netCDF.
func convertedFiles(t *testing.T) []string {
	folder := t.TempDir()
	command := filepath.Join(folder, "tgmconv")
	if out, err := exec.Command("go", "build", "-o", command, "../cmd/tgmconv").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var files []string
	for name, sources := range map[string][]string{
		"ecmwf":    {"grib/2t.grib2", "grib/q_150.grib2", "grib/lsm.grib2"},
		"gfs":      {"grib/gfs_2p50_f000.grib2"},
		"grids":    {"grib/cfgrib/reduced_gg.grib", "grib/cfgrib/regular_gg_pl.grib", "grib/cfgrib/fields_with_missing_values.grib"},
		"cf":       {"netcdf/cf_temperature_deflate.nc"},
		"dtypes":   {"netcdf/multi_dtype.nc"},
		"multivar": {"netcdf/multi_var.nc", "netcdf/unlimited_time.nc"},
	} {
		path := filepath.Join(folder, name+".tgm")
		args := []string{"convert", "-o", path}
		for _, source := range sources {
			args = append(args, "../fixtures/"+source)
		}
		if out, err := exec.Command(command, args...).CombinedOutput(); err != nil {
			t.Errorf("%v: %v: %s", args, err, out)
			continue
		}
		files = append(files, path)
	}
	return files
}

// matrixFiles are files that the reference wrote, with all data types, byte orders, codecs and masks: one of
// many messages, untouched, and one of all objects in one message.
func matrixFiles(t *testing.T) []string {
	folder := t.TempDir()
	if out, err := exec.Command(interopPython, "../interop/tgm/write.py", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	parts, err := filepath.Glob(folder + "/*.tgm")
	if err != nil || len(parts) < 100 {
		t.Fatalf("%d files, %v", len(parts), err)
	}
	var some, all bytes.Buffer
	w := tgm.NewMessageWriter(&all, tgm.WriterOptions{})
	for i, part := range parts {
		data, err := os.ReadFile(part)
		if err != nil {
			t.Fatal(err)
		}
		appendObjects(t, w, data)
		if i%40 == 0 {
			some.Write(data)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	messages, objects := filepath.Join(t.TempDir(), "messages.tgm"), filepath.Join(t.TempDir(), "objects.tgm")
	if err := errors.Join(os.WriteFile(messages, some.Bytes(), 0o666), os.WriteFile(objects, all.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
	return []string{messages, objects}
}

// appendObjects copies the objects of a file, as they are stored, to another message.
func appendObjects(t *testing.T, w *tgm.MessageWriter, data []byte) {
	t.Helper()
	f, err := tgm.NewFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for message, err := range f.Messages() {
		if err != nil {
			t.Fatal(err)
		}
		n, err := message.NumObjects()
		if err != nil {
			t.Fatal(err)
		}
		for j := range n {
			object, err := message.Object(j)
			if err != nil {
				t.Fatal(err)
			}
			encoded, err := object.Encoded()
			if err == nil {
				err = w.Append(encoded, object.Base())
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func checkClients(t *testing.T, path string) {
	f, err := tgm.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	server := httptest.NewServer(NewHandler(OpenMessages(f, MessageOptions{}), HandlerOptions{Origins: []string{"*"}}))
	defer server.Close()
	messages, err := f.Len()
	if err != nil {
		t.Fatal(err)
	}
	want := script(t, interopPython, "../interop/zarr/expect.py", path)
	if len(want) == 0 {
		t.Fatal("the reference finds nothing")
	}
	for _, how := range []string{"consolidated", "listed", "unconsolidated"} {
		compareLines(t, "zarr-python "+how, script(t, interopPython, "../interop/zarr/read_python.py", server.URL, how), want)
	}
	compareLines(t, "xarray", script(t, interopPython, "../interop/zarr/read_xarray.py", server.URL, strconv.Itoa(messages)), want)

	if _, err := os.Stat(interopModules + "/zarrita"); err != nil {
		t.Skip("no zarrita: ", interopModules)
	}
	modules, err := filepath.Abs(interopModules)
	if err != nil {
		t.Fatal(err)
	}
	compareLines(t, "zarrita", zarritaLines(script(t, "node", "../interop/zarr/read_zarrita.mjs", modules, server.URL), want), want)
}

// zarritaLines replaces the lines of types that zarrita cannot read by the expected lines: it has no complex
// numbers, and no float16 before Node has them.
func zarritaLines(got, want []string) []string {
	got = slices.Clone(got)
	for i := range min(len(got), len(want)) {
		unknown := slices.Contains([]string{"complex64", "complex128", "float16"}, strings.Split(want[i], "\t")[1])
		if strings.Contains(got[i], "\terror\t") && unknown {
			got[i] = want[i]
		}
	}
	return got
}

func compareLines(t *testing.T, client string, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s reads %d arrays, expected %d", client, len(got), len(want))
	}
	bad := 0
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			if bad++; bad <= 10 {
				t.Errorf("%s:\n%s, expected\n%s", client, got[i], want[i])
			}
		}
	}
}

// script runs a script and returns the lines it prints.
func script(t *testing.T, program string, args ...string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, &problems)
	}
	if out.Len() == 0 {
		return nil
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}
