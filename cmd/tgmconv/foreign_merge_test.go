package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/cases"
	"github.com/tgmconv/tgmconv/tgm"
)

// writtenMetadata is the metadata frame of a message that begins a file, as it is written.
func writtenMetadata(t *testing.T, file []byte) (base []map[string]any, extra map[string]any) {
	t.Helper()
	const frames, content = 24, 24 + 16 // the preamble, and the head of the metadata frame
	if len(file) < content || string(file[frames:frames+2]) != "FR" {
		t.Fatal("no metadata frame after the preamble")
	}
	mode, err := cbor.DecOptions{DefaultMapType: reflect.TypeFor[map[string]any](), IntDec: cbor.IntDecConvertSignedOrBigInt}.DecMode()
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Base  []map[string]any `cbor:"base"`
		Extra map[string]any   `cbor:"_extra_"`
	}
	if _, err := mode.UnmarshalFirst(file[content:], &all); err != nil {
		t.Fatal(err)
	}
	for _, entry := range all.Base {
		delete(entry, "_reserved_")
	}
	return all.Base, all.Extra
}

// appendObjects writes the objects of the first message of a file, each with the entry given for it.
func appendObjects(t *testing.T, w *tgm.MessageWriter, file []byte, base []map[string]any) {
	t.Helper()
	f, err := tgm.NewFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	for j, entry := range base {
		o, err := m.Stored(j)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.AppendRaw(o.Raw(), entry); err != nil {
			t.Fatal(err)
		}
	}
}

// mergedByOthers joins the first messages of files as the reference implementation does: it
// concatenates base and keeps the metadata of the first message.
func mergedByOthers(t *testing.T, files ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tgm.NewMessageWriter(&out, tgm.WriterOptions{})
	for i, file := range files {
		base, extra := writtenMetadata(t, file)
		if i == 0 {
			w.SetExtra(extra)
		}
		appendObjects(t, w, file, base)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// printed is the output of a command that succeeds, without the names of folders.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	root := rootOf(args)
	root.SetOut(&stdout)
	root.SetErr(&stderr)
	if code := run(t.Context(), root, args, &stderr); code != cli.ExitOK {
		t.Fatalf("%q: exit code %d: %s", args, code, &stderr)
	}
	return strings.ReplaceAll(stdout.String(), filepath.Dir(args[len(args)-1]), "")
}

// folderContents are the files of a folder, with their names.
func folderContents(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	if err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(filepath.Join(dir, name))
		fmt.Fprintf(&all, "%s: %q\n", name, b)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// viewsOf are the outputs of the verbs for a file.
func viewsOf(t *testing.T, dir, name string, file []byte) map[string]string {
	t.Helper()
	path := filepath.Join(dir, "file.tgm")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	views := make(map[string]string)
	for _, args := range [][]string{
		{"ls"}, {"ls", "-p", "name,grib_repro.paramId,grib_repro.centre,geometry.Ni,geometry.Nj,geometry.gridType,geometry.latitudeOfFirstGridPointInDegrees"},
		{"get", "-p", "name,grib_repro.shortName,grib_repro.dataDate,grib_repro.level,shortName,geometry.numberOfDataPoints"},
		{"ls", "-w", "geometry.Ni=18"}, {"ls", "-w", "grib_repro.paramId=130"}, {"info", "--dataset"}, {"stats"}, {"validate", "--full"},
	} {
		views[strings.Join(args, " ")] = printed(t, append(args, path)...)
	}
	for verb, out := range map[string]string{"to-netcdf": "out.nc", "to-grib": "out.grib", "to-zarr": "out.zarr"} {
		to := filepath.Join(dir, out)
		os.RemoveAll(to)
		runs(t, verb, "-q", "-o", to, path)
		switch verb {
		case "to-netcdf":
			views[verb] = printed(t, "netcdf", "dump", to)
		case "to-grib":
			b, err := os.ReadFile(to)
			if err != nil {
				t.Fatal(err)
			}
			views[verb] = string(b)
		default:
			views[verb] = folderContents(t, to)
		}
	}
	return views
}

// TestMergedByOthers: entries are complete in themselves, so that a program which joins the entries
// of messages and keeps the metadata of one of them gives no field the labels, the grid or the
// coordinates of another.
func TestMergedByOthers(t *testing.T) {
	grib := filepath.Join("..", "..", "fixtures", "grib", "earthkit")
	inputs := []string{"t_pl.grib", "wind_20x20.grib", "rgg_small_subarea_cellarea_ref.grib"}
	for name, flags := range map[string][]string{
		"default": nil, "without sections": {"--no-sections"}, "repeated": {"--repeat-metadata"}, "streamed": {"--stream"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			var files [][]byte
			var paths []string
			for _, input := range inputs {
				path := filepath.Join(dir, input+".tgm")
				runs(t, append(append([]string{"convert", "-q"}, flags...), "-o", path, filepath.Join(grib, input))...)
				if name == "streamed" { // to have the metadata in front
					runs(t, "merge", path, "-o", path+".whole")
					path += ".whole"
				}
				b, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				files, paths = append(files, b), append(paths, path)
			}
			some := cases.Of(t)
			for i, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}} {
				if !some.Has(i, 3) {
					continue
				}
				var first [][]byte
				args := []string{"merge", "-o", filepath.Join(dir, "ours.tgm")}
				expected := ""
				for _, i := range order {
					first, args = append(first, files[i]), append(args, paths[i])
					expected += printed(t, "get", "-p", "name,grib_repro.paramId,geometry,grib_repro", paths[i])
				}
				merged := mergedByOthers(t, first...)
				theirs := viewsOf(t, dir, "theirs", merged)
				runs(t, args...)
				ours, err := os.ReadFile(filepath.Join(dir, "ours.tgm"))
				if err != nil {
					t.Fatal(err)
				}
				for view, want := range viewsOf(t, dir, "ours", ours) {
					if theirs[view] != want {
						t.Errorf("%v: %s\n%s\nexpected\n%s", order, view, theirs[view], want)
					}
				}
				path := filepath.Join(dir, "file.tgm")
				if err := os.WriteFile(path, merged, 0o600); err != nil {
					t.Fatal(err)
				}
				if got := printed(t, "get", "-p", "name,grib_repro.paramId,geometry,grib_repro", path); got != expected {
					t.Errorf("%v: the fields are\n%s\nexpected\n%s", order, got, expected)
				}
			}
		})
	}
}

// sharedFixture is a file of an earlier version, whose entries refer to a list in the metadata of
// the message: the inputs of TestMergedByOthers with sections in message 0 and without in message 1.
const sharedFixture = "../../fixtures/tgm/shared_metadata.tgm"

// sharedMessages are the messages of the fixture, each a file.
func sharedMessages(t *testing.T) (all [][]byte) {
	t.Helper()
	whole, err := os.ReadFile(sharedFixture)
	if err != nil {
		t.Fatal(err)
	}
	f, err := tgm.NewFile(bytes.NewReader(whole), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	for m, err := range f.Messages() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, whole[m.Offset():][:m.Length()])
	}
	return all
}

// TestSharedByEarlierVersions: files of earlier versions are read as they were.
func TestSharedByEarlierVersions(t *testing.T) {
	grib := filepath.Join("..", "..", "fixtures", "grib", "earthkit")
	dir := t.TempDir()
	for i, flags := range [][]string{nil, {"--no-sections"}} {
		path := filepath.Join(dir, "now.tgm")
		runs(t, append(append([]string{"convert", "-q"}, flags...), "-o", path, filepath.Join(grib, "t_pl.grib"), filepath.Join(grib, "wind_20x20.grib"),
			filepath.Join(grib, "rgg_small_subarea_cellarea_ref.grib"))...)
		now, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		old := sharedMessages(t)[i]
		want, got := entriesOf(t, now), entriesOf(t, old)
		for j := range want {
			for _, entry := range []map[string]any{want[j], got[j]} {
				if m, ok := entry["grib"].(map[string]any); ok {
					delete(m, "sections")
					delete(m, "shared")
				}
				for _, key := range []string{"units", "long_name", "standard_name"} { // which earlier versions left to the reader
					delete(entry, key)
				}
			}
			if !reflect.DeepEqual(got[j], want[j]) {
				t.Errorf("message %d, object %d: %v, want %v", i, j, got[j], want[j])
			}
		}
		if base, extra := writtenMetadata(t, old); extra["_shared_"] == nil || base[0]["_shared_"] == nil {
			t.Errorf("the message %d shares nothing", i)
		}
		copied := filepath.Join(dir, "copied.tgm")
		if err := os.WriteFile(path, old, 0o600); err != nil {
			t.Fatal(err)
		}
		runs(t, "merge", "-o", copied, path)
		b, err := os.ReadFile(copied)
		if err != nil {
			t.Fatal(err)
		}
		base, extra := writtenMetadata(t, b)
		for j, entry := range base {
			if entry["_shared_"] != nil || extra["_shared_"] != nil {
				t.Errorf("a merge of message %d shares metadata in object %d", i, j)
			}
		}
		if got, want := viewsOf(t, dir, "copy", b), viewsOf(t, dir, "old", old); !maps.Equal(got, want) {
			for view := range want {
				if got[view] != want[view] && view != "ls" {
					t.Errorf("a merge of message %d: %s\n%s\nexpected\n%s", i, view, got[view], want[view])
				}
			}
		}
	}
}

func entriesOf(t *testing.T, file []byte) (all []map[string]any) {
	t.Helper()
	f, err := fromgrib.NewFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	for o, err := range m.Objects() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, maps.Clone(o.Base()))
	}
	return all
}

// TestSharedOfOthers: an index into the list of another file is found. The sections of a field, if
// kept, identify it; otherwise its labels do, and contradict the list.
func TestSharedOfOthers(t *testing.T) {
	old := sharedMessages(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "old.tgm")
	fails := func(want string, args ...string) {
		t.Helper()
		var stdout, stderr bytes.Buffer
		root := rootOf(args)
		root.SetOut(&stdout)
		root.SetErr(&stderr)
		if code := run(t.Context(), root, args, &stderr); code != cli.ExitFailed || !strings.Contains(stdout.String()+stderr.String(), want) {
			t.Errorf("%q: exit code %d, expected %d and %q: %s%s", args, code, cli.ExitFailed, want, &stdout, &stderr)
		}
	}
	for i, message := range old {
		base, extra := writtenMetadata(t, message)
		// The list of another file, with as many maps, of which the first two have changed places.
		list := extra["_shared_"].([]any)
		if len(list) < 2 {
			t.Fatalf("%d maps are shared", len(list))
		}
		list[0], list[1] = list[1], list[0]
		write := func(extra map[string]any) {
			t.Helper()
			var out bytes.Buffer
			w := tgm.NewMessageWriter(&out, tgm.WriterOptions{})
			w.SetExtra(extra)
			appendObjects(t, w, message, base)
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(extra)
		fails("of another field", "validate", path)
		if i == 0 {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := entriesOf(t, b), entriesOf(t, message); !reflect.DeepEqual(got, want) {
				t.Errorf("entries %v, want %v", got, want)
			}
		} else {
			fails("of another field", "ls", path)
			fails("of another field", "to-netcdf", "-o", filepath.Join(dir, "out.nc"), path)
		}
		list[0], list[1] = list[1], list[0]
		extra["_shared_"] = list[:1]
		write(extra)
		for _, verb := range [][]string{{"validate", path}, {"ls", path}, {"to-grib", "-o", filepath.Join(dir, "out.grib"), path}} {
			fails("_shared_ is 1", verb...)
		}
		delete(extra, "_shared_")
		write(extra)
		for _, verb := range [][]string{{"validate", path}, {"ls", path}} {
			fails("_shared_ is 0", verb...)
		}
	}
}
