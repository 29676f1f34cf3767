package serve

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/internal/disk"
)

// TestHopsToStoredChunks counts the functions, and their packages, that a request of a stored chunk goes through from the
// handler to the file.
func TestHopsToStoredChunks(t *testing.T) {
	for path, key := range map[string]string{
		"netcdf/tetration_cf_3d.nc": "i32/c/0/0/0",
		"tgm/others/steps.tgm":      "t/c/0/0/0",
	} {
		h := NewHandler(datasetStore(t, path, DatasetOptions{}), HandlerOptions{})
		get := func() int {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/"+key, nil))
			if w.Code != http.StatusOK {
				t.Fatal(path, w.Code, w.Body)
			}
			return w.Body.Len()
		}
		length := get() // which reads the descriptor, and compares the hash

		reads := 0
		disk.SetFault(func(c disk.Call) (int, error) {
			if c.Op != disk.Read {
				return c.Len, nil
			}
			reads++
			hops := callers()
			var packages []string
			for _, name := range hops {
				folder, file := name[:strings.LastIndexByte(name, '/')+1], name[strings.LastIndexByte(name, '/')+1:]
				packages = append(packages, folder+file[:strings.IndexByte(file, '.')])
			}
			slices.Sort(packages)
			packages = slices.Compact(packages)
			if c.Len != length || len(hops) > 8 || len(packages) > 4 {
				t.Errorf("%s: %d of %d bytes are read by %d functions of %d packages, expected 8 of 4:\n%s",
					path, c.Len, length, len(hops), len(packages), strings.Join(hops, "\n"))
			}
			return c.Len, nil
		})
		get()
		disk.SetFault(nil)
		if reads != 1 {
			t.Errorf("%s: %d reads, expected 1", path, reads)
		}
	}
}

// callers are the functions of this project from the handler to the file.
func callers() (names []string) {
	const ours, last = "github.com/tgmconv/tgmconv/", "ServeHTTP"
	counters := make([]uintptr, 64)
	frames := runtime.CallersFrames(counters[:runtime.Callers(1, counters)])
	for {
		frame, more := frames.Next()
		name, isOurs := strings.CutPrefix(frame.Function, ours)
		if strings.HasSuffix(name, "disk.(*File).ReadAt") {
			names = nil // the functions above it ask about the fault
		}
		if isOurs {
			names = append(names, name)
		}
		if !more || isOurs && strings.HasSuffix(name, last) {
			return names
		}
	}
}
