package site_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/site"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/cases"
	"github.com/tgmconv/tgmconv/internal/history"
	"github.com/tgmconv/tgmconv/zarr"
)

// A world is a folder of fields of a few points, one for each step, and servers that show it.
type world struct {
	t       *testing.T
	dir     string
	history string // the file
	kind    kind
	now     time.Time
	changes int
	steps   map[int]bool
	servers []*server
}

// A server shows the folder as it was when it looked last.
type server struct {
	w       *world
	site    *site.Site
	archive *archive.Archive // the last that was opened
}

func newWorld(t *testing.T, servers int, steps ...int) *world {
	t.Helper()
	return newWorldOf(t, gribFiles, servers, steps...)
}

func newWorldOf(t *testing.T, kind kind, servers int, steps ...int) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), history: filepath.Join(t.TempDir(), "history"), kind: kind, now: time.Unix(1.7e9, 0), steps: make(map[int]bool)}
	for _, step := range steps {
		w.write(step)
	}
	for range servers {
		s := &server{w: w}
		s.start()
		w.servers = append(w.servers, s)
	}
	t.Cleanup(func() {
		for _, s := range w.servers {
			s.site.Close()
		}
	})
	return w
}

func (w *world) path(step int) string {
	return filepath.Join(w.dir, fmt.Sprintf("%04d%s", step, w.kind.suffix))
}

// write writes the field of a step. The thousands of its values say which step it is of.
func (w *world) write(step int) {
	w.t.Helper()
	w.changes++
	w.kind.write(w.t, w.path(step), step, 1000*step+w.changes%500)
	// Files of one size are told from others by their times.
	if err := os.Chtimes(w.path(step), time.Time{}, time.Unix(1e9+int64(w.changes), 0)); err != nil {
		w.t.Fatal(err)
	}
	w.steps[step] = true
}

func (w *world) remove(steps ...int) {
	w.t.Helper()
	for _, step := range steps {
		if err := os.Remove(w.path(step)); err != nil {
			w.t.Fatal(err)
		}
		delete(w.steps, step)
	}
}

func (w *world) open() *archive.Archive {
	w.t.Helper()
	a, err := archive.Open(w.t.Context(), []string{w.dir}, archive.Options{Index: archive.IndexNone, Dataset: dataset.Options{AlwaysTime: true, Names: dataset.NamesShort, MinFill: 0.001}})
	if err != nil {
		w.t.Fatal(err)
	}
	return a
}

// start starts the server, or starts it again.
func (s *server) start() {
	s.w.t.Helper()
	if s.site != nil {
		s.site.Close()
	}
	a := s.w.open()
	s.site = site.New(site.Options{
		Now:     func() time.Time { return s.w.now },
		History: &history.File{Path: s.w.history, Warn: func(text string) { s.w.t.Error(text) }},
	})
	s.show(a)
}

// look shows the folder as it is now.
func (s *server) look() {
	s.w.t.Helper()
	a, err := s.archive.Again(s.w.t.Context())
	if err != nil {
		s.w.t.Fatal(err)
	}
	s.show(a)
}

func (s *server) show(a *archive.Archive) {
	s.w.t.Helper()
	if err := s.site.Show(s.w.t.Context(), a); err != nil {
		s.w.t.Fatal(err)
	}
	s.archive = a
}

// get is the status and the body of a request.
func (s *server) get(path string) (int, []byte) {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	w := httptest.NewRecorder()
	s.site.ServeHTTP(w, r)
	return w.Code, w.Body.Bytes()
}

// A client has opened the dataset, and keeps what it read then.
type client struct {
	folder string
	arrays map[string]*opened
	steps  []int
	until  time.Time // when it reads again
}

// An opened array has the metadata of its document.
type opened struct {
	Shape  []uint64
	Chunks struct {
		Configuration struct{ Chunk_shape []uint64 }
	} `json:"chunk_grid"`
	Encoding struct {
		Name          string
		Configuration struct{ Separator string }
	} `json:"chunk_key_encoding"`
	Dims []string `json:"dimension_names"`
}

// key is the key of the chunk at a position.
func (o *opened) key(name string, index ...uint64) string {
	keys := zarr.ChunkKeys{Name: o.Encoding.Name, Separator: o.Encoding.Configuration.Separator}
	return name + "/" + keys.Key(index)
}

// open opens the dataset below a folder, "" or "/@HASH".
func (s *server) open(folder string) *client {
	s.w.t.Helper()
	status, text := s.get(folder + "/zarr.json")
	var root struct {
		Consolidated struct{ Metadata map[string]*opened } `json:"consolidated_metadata"`
	}
	if err := json.Unmarshal(text, &root); err != nil || status != http.StatusOK {
		s.w.t.Fatalf("status %d, %v: %s", status, err, text)
	}
	c := &client{folder: folder, arrays: root.Consolidated.Metadata}
	if c.arrays["2t"] == nil || c.arrays["step"] == nil {
		s.w.t.Fatalf("no arrays in %s", text)
	}
	status, c.steps = c.readSteps(s)
	if status != http.StatusOK {
		s.w.t.Fatalf("status %d of the labels", status)
	}
	return c
}

// noStep is the answer for a step from a server that has not looked at the files again.
const noStep = -1

// readSteps reads the labels in hours.
func (c *client) readSteps(s *server) (status int, steps []int) {
	a := c.arrays["step"]
	for at := uint64(0); at < a.Shape[0]; at += a.Chunks.Configuration.Chunk_shape[0] {
		status, data := s.get(c.folder + "/" + a.key("step", at/a.Chunks.Configuration.Chunk_shape[0]))
		if status != http.StatusOK {
			return status, nil
		}
		for ; len(data) > 0; data = data[8:] {
			if label := int64(binary.LittleEndian.Uint64(data)); label != math.MinInt64 {
				steps = append(steps, int(label)/3600)
			} else {
				steps = append(steps, noStep)
			}
		}
	}
	return http.StatusOK, steps[:a.Shape[0]]
}

// read reads the first value of the field at a position.
func (c *client) read(s *server, i int) (status int, value float64) {
	a := c.arrays["2t"]
	index := make([]uint64, len(a.Shape))
	index[slices.Index(a.Dims, "step")] = uint64(i)
	status, data := s.get(c.folder + "/" + a.key("2t", index...))
	if status == http.StatusOK {
		value = math.Float64frombits(binary.LittleEndian.Uint64(data))
	}
	return status, value
}

// A tally counts what clients read.
type tally struct{ right, absent, gone, changed, missed, waiting, loads int }

// check demands that the values that a client reads belong to the labels that it knows.
func (c *client) check(s *server, what string, n *tally) {
	s.w.t.Helper()
	if status, steps := c.readSteps(s); status == http.StatusOK && !slices.EqualFunc(steps, c.steps, func(a, b int) bool { return a == b || a == noStep }) {
		s.w.t.Fatalf("%s: labels %v, expected %v", what, steps, c.steps)
	}
	for i, step := range c.steps {
		status, value := c.read(s, i)
		switch {
		case status == http.StatusOK && int(value)/1000 == step:
			n.right++
		case status == http.StatusNotFound && !s.w.steps[step]:
			n.absent++
		case status == http.StatusNotFound:
			n.missed++ // a server that has not looked, or a file that waits
		case status == http.StatusGone:
			n.gone++
		case status == http.StatusInternalServerError:
			n.changed++
		default:
			s.w.t.Fatalf("%s: step %d of %v: status %d, value %v", what, step, c.steps, status, value)
		}
	}
}

// loads demands that a new client reads all files, and counts the files that wait.
func (s *server) loads(what string, n *tally) {
	s.w.t.Helper()
	c := s.open("")
	for i, step := range c.steps {
		status, value := c.read(s, i)
		if there := s.w.steps[step]; there && (status != http.StatusOK || int(value)/1000 != step) || !there && status != http.StatusNotFound {
			if there && status == http.StatusNotFound && s.waits(step) {
				continue
			}
			s.w.t.Fatalf("%s: a new client reads step %d, which is there (%v), of %v: status %d, value %v", what, step, there, c.steps, status, value)
		}
	}
	for step := range s.w.steps {
		if n.loads++; !slices.Contains(c.steps, step) || s.waits(step) {
			if n.waiting++; !s.waits(step) {
				s.w.t.Fatalf("%s: step %d is not in %v, and does not wait: %q", what, step, c.steps, s.site.LeftOut())
			}
		}
	}
	all := s.open("/" + s.site.Snapshot())
	if want := slices.Sorted(maps.Keys(s.w.steps)); !slices.Equal(all.steps, want) {
		s.w.t.Fatalf("%s: the snapshot has the steps %v, expected %v", what, all.steps, want)
	}
	for i, step := range all.steps {
		if status, value := all.read(s, i); status != http.StatusOK || int(value)/1000 != step {
			s.w.t.Fatalf("%s: the snapshot has step %d with status %d, value %v", what, step, status, value)
		}
	}
}

// waits reports whether the file of a step is left out.
func (s *server) waits(step int) bool {
	return slices.ContainsFunc(s.site.LeftOut(), func(line string) bool { return strings.Contains(line, s.w.path(step)+": waits") })
}

// change removes, adds or replaces a file.
func (w *world) change(random *rand.Rand) string {
	steps := slices.Sorted(maps.Keys(w.steps))
	last := steps[len(steps)-1]
	switch k := random.IntN(20); {
	case k < 4 && len(steps) > 3: // as an archive of the last days does
		w.remove(steps[0])
		w.write(last + 1 + random.IntN(6))
		return "rolled"
	case k < 10 && len(steps) > 3:
		step := steps[random.IntN(len(steps))]
		w.remove(step)
		return fmt.Sprint("removed ", step)
	case k < 12:
		step := steps[random.IntN(len(steps))]
		w.write(step)
		return fmt.Sprint("replaced ", step)
	case k < 15:
		step := steps[0] + random.IntN(last-steps[0]+1)
		w.write(step)
		return fmt.Sprint("wrote ", step)
	}
	w.write(last + 1 + random.IntN(6))
	return "appended"
}

// Whatever becomes of the files, and however often servers are started again, no client reads values
// of another label than it knows by the keys that it knows, from whichever of two servers, as long as it
// asks for something once a day.
func TestSiteOfAThousandChanges(t *testing.T) {
	some := cases.Of(t)
	for seed := range 8 {
		if !some.Has(seed, 4) {
			continue
		}
		kind, changes := gribFiles, 150
		switch seed { // the labels of netCDF files lie in the files, which takes more time
		case 2:
			kind, changes = netCDFFiles, 50
		case 5:
			kind, changes = deflatedFiles, 50
		}
		t.Run(fmt.Sprint(seed, kind.suffix), func(t *testing.T) {
			t.Parallel()
			n := new(tally)
			newWorldOf(t, kind, 2, 0, 6, 12, 18, 24, 30).live(rand.New(rand.NewPCG(uint64(seed), 7)), changes, n)
			t.Logf("%+v", *n)
			if n.right < 4*changes || n.absent < changes/2 || n.gone < changes/2 || n.waiting > n.loads/4 {
				t.Errorf("%+v: expected several values and an error for each change, and few files that wait", *n)
			}
		})
	}
}

// live changes the files, while clients come and go that read from any of the servers.
func (w *world) live(random *rand.Rand, changes int, n *tally) {
	w.t.Helper()
	var clients []*client
	for change := range changes {
		what := fmt.Sprintf("change %d: %s", change, w.change(random))
		for _, s := range w.servers {
			switch random.IntN(8) {
			case 0: // it has not looked yet
			case 1:
				s.start()
			default:
				s.look()
			}
		}
		if s := w.servers[random.IntN(len(w.servers))]; random.IntN(2) == 0 {
			s.look()
			s.loads(what, n)
			clients = append(clients, s.open(""))
			if random.IntN(4) == 0 {
				clients = append(clients, s.open("/"+s.site.Snapshot()))
			}
		}
		for _, c := range clients {
			if !w.now.Before(c.until) {
				c.check(w.servers[random.IntN(len(w.servers))], what, n)
				c.until = w.now.Add(time.Duration(random.Int64N(int64(10 * time.Hour))))
			}
		}
		for _, s := range w.servers {
			if err := s.site.Review(w.t.Context()); err != nil {
				w.t.Fatal(err)
			}
		}
		if len(clients) > 12 {
			clients = slices.DeleteFunc(clients, func(*client) bool { return random.IntN(3) == 0 })
		}
		w.now = w.now.Add([]time.Duration{time.Second, time.Minute, time.Hour, 5 * time.Hour}[random.IntN(4)])
	}
}

// A file that is removed leaves its position, over restarts, and clients go on with the others. After a
// day its position is closed up.
func TestSiteKeepsPositions(t *testing.T) {
	w := newWorld(t, 1, 0, 6, 12, 18)
	s, n := w.servers[0], new(tally)
	old := s.open("")
	w.remove(12)
	s.start()
	old.check(s, "removed", n)
	w.remove(0)
	w.write(24)
	s.start()
	old.check(s, "rolled", n)
	if n.right != 3+2 || n.absent != 1+2 {
		t.Errorf("%+v, expected 5 values and 3 that are absent", *n)
	}
	if later := s.open(""); !slices.Equal(later.steps, []int{0, 6, 12, 18, 24}) {
		t.Errorf("steps %v", later.steps)
	}
	s.loads("rolled", n)
	if _, report := s.get("/@report.json"); !strings.Contains(string(report), "its file is not there any more") {
		t.Errorf("the report does not say what is gone: %s", report)
	}
	for range 26 { // a client asks every hour
		w.now = w.now.Add(time.Hour)
		if err := s.site.Review(t.Context()); err != nil {
			t.Fatal(err)
		}
		old.read(s, 1)
	}
	if later := s.open(""); !slices.Equal(later.steps, []int{6, 18, 24}) {
		t.Errorf("steps %v after a day", later.steps)
	}
	s.loads("closed up", n)
	if status, _ := old.read(s, 1); status != http.StatusGone {
		t.Errorf("status %d of a key of the positions before, expected %d", status, http.StatusGone)
	}
}

// Files whose labels lie between others take other keys, and wait when all keys are known. States that
// nobody has opened take none.
func TestSiteInserts(t *testing.T) {
	w := newWorld(t, 1, 0, 90)
	s, n := w.servers[0], new(tally)
	for step := 10; step < 40; step += 10 { // nobody looks
		w.write(step)
		s.look()
	}
	s.loads("nobody had opened it", n)
	for step := 80; step > 40; step -= 10 {
		w.write(step)
		s.look()
		s.loads("inserted", n)
	}
	if n.waiting == 0 {
		t.Error("nothing waits, although all forms of keys are known")
	}
	w.now = w.now.Add(25 * time.Hour)
	if err := s.site.Review(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c := s.open(""); len(c.steps) != len(w.steps) {
		t.Errorf("steps %v after a day, expected %d", c.steps, len(w.steps))
	}
}

// A snapshot never changes, may be kept, is the same on all servers, and gone with its files.
func TestSnapshot(t *testing.T) {
	w := newWorld(t, 2, 0, 6, 12)
	s, other := w.servers[0], w.servers[1]
	folder := "/" + s.site.Snapshot()
	if got := "/" + other.site.Snapshot(); got != folder {
		t.Errorf("the other server has %s, expected %s", got, folder)
	}
	r := httptest.NewRecorder()
	s.site.ServeHTTP(r, httptest.NewRequest(http.MethodGet, "/zarr.json", nil))
	if link := r.Header().Get("Link"); link != "<"+folder+`/>; rel="memento"` {
		t.Errorf("Link is %q, expected %s", link, folder)
	}
	r = httptest.NewRecorder()
	s.site.ServeHTTP(r, httptest.NewRequest(http.MethodGet, folder+"/zarr.json", nil))
	if got := r.Header().Get("Cache-Control"); r.Code != http.StatusOK || !strings.Contains(got, "immutable") {
		t.Errorf("status %d, Cache-Control %q", r.Code, got)
	}
	c := s.open(folder)
	w.write(3)
	w.remove(12)
	for _, s := range w.servers {
		s.start()
		for i, want := range []int{http.StatusGone, http.StatusGone, http.StatusGone} {
			if status, _ := c.read(s, i); status != want {
				t.Errorf("step %d of a snapshot of which a file is gone: status %d after a restart, expected %d", c.steps[i], status, want)
			}
		}
	}
	c = s.open("/" + s.site.Snapshot())
	s.open("")
	w.write(9)
	for _, s := range w.servers {
		s.start()
		if status, value := c.read(s, 1); status != http.StatusOK || int(value)/1000 != 3 {
			t.Errorf("status %d, value %v of a snapshot whose files are there", status, value)
		}
	}
	w.remove(3)
	if status, _ := c.read(s, 1); status != http.StatusGone {
		t.Errorf("status %d of a file that is gone, expected %d", status, http.StatusGone)
	}
	if status, _ := c.read(s, 0); status != http.StatusOK {
		t.Errorf("status %d of a file that is there", status)
	}
	if status, _ := s.get("/@" + strings.Repeat("0", 32) + "/zarr.json"); status != http.StatusGone {
		t.Errorf("status %d of a snapshot that never was, expected %d", status, http.StatusGone)
	}
}

// The labels of netCDF files lie in the files. Those of files that are gone are still read, by keys
// and in codecs that do not change with that.
func TestSiteOfNetCDF(t *testing.T) {
	for _, kind := range []kind{netCDFFiles, deflatedFiles} {
		for _, removed := range [][]int{{12}, {0}, {0, 12}, {6, 12, 18}} {
			w := newWorldOf(t, kind, 1, 0, 6, 12, 18)
			s, n := w.servers[0], new(tally)
			old := s.open("")
			w.remove(removed...)
			w.write(24)
			s.start()
			s.start() // with what the first of both has kept
			what := fmt.Sprint("removed ", removed)
			old.check(s, what, n)
			if want := (tally{right: 4 - len(removed), absent: len(removed)}); *n != want {
				t.Errorf("%s: %+v, expected %+v", what, *n, want)
			}
			if later := s.open(""); !slices.Equal(later.steps, []int{0, 6, 12, 18, 24}) {
				t.Errorf("%s: steps %v", what, later.steps)
			}
			s.loads(what, n)
			w.write(3)
			s.start()
			s.loads("inserted", n)
			*n = tally{}
			if old.check(s, "inserted", n); n.gone != 4 {
				t.Errorf("%s: %+v, expected that old keys are gone", what, *n)
			}
		}
	}
}

// netCDF files with one label twice are not joined. A file that was replaced, and one that was renamed, do
// not tear the arrays of the others apart.
func TestSiteOfReplacedNetCDF(t *testing.T) {
	w := newWorldOf(t, netCDFFiles, 1, 0, 6, 12, 18)
	s, n := w.servers[0], new(tally)
	old := s.open("")
	w.write(12)
	w.write(3)
	s.start()
	s.loads("replaced and inserted", n)
	old.check(s, "replaced and inserted", n)
	if err := os.Rename(w.path(6), filepath.Join(w.dir, "0006a.nc")); err != nil {
		t.Fatal(err)
	}
	s.start()
	s.loads("renamed", n)
	old.check(s, "renamed", n)
}

// No fill value says that an integer is missing: positions of files that are gone close up at once, and
// where no form of keys is free, their chunks have the status 410.
func TestSiteOfIntegers(t *testing.T) {
	w := newWorldOf(t, integerFiles, 1, 0, 6, 12, 18, 24, 30, 36)
	s := w.servers[0]
	type known struct {
		*client
		n *opened
	}
	open := func() known {
		c := s.open("")
		return known{c, c.arrays["n"]}
	}
	read := func(c known, i int) (status, value int) {
		status, data := s.get("/" + c.n.key("n", uint64(i), 0))
		if status == http.StatusOK {
			value = int(binary.LittleEndian.Uint32(data))
		}
		return status, value
	}
	clients := []known{open()}
	for _, step := range []int{12, 0, 30, 18, 24} {
		w.remove(step)
		s.start()
		next := open()
		closed := len(next.steps) == len(w.steps)
		if free := len(clients) < 3; closed != free { // step, of one dimension, has three forms
			t.Errorf("without %d: steps %v; a form of keys is free: %v", step, next.steps, free)
		}
		for i, c := range append(clients, next) {
			for at, label := range c.steps {
				status, value := read(c, at)
				switch there := w.steps[label]; {
				case status == http.StatusGone && (i < len(clients) || !there):
				case status != http.StatusOK || !there || value/1000 != label:
					t.Errorf("without %d: client %d reads step %d, which is there (%v): status %d, value %d", step, i, label, there, status, value)
				}
			}
		}
		if closed {
			clients = append(clients, next)
		}
	}
	w.now = w.now.Add(25 * time.Hour)
	s.start()
	if next := open(); len(next.steps) != len(w.steps) {
		t.Errorf("steps %v after a day, expected %d", next.steps, len(w.steps))
	}
}

// Tensogram files have the hashes of their payloads: a copy of the folder is the same snapshot, whatever the
// times of its files. Other files are told by their times.
func TestSnapshotOfCopy(t *testing.T) {
	for _, c := range []struct {
		kind kind
		same bool
	}{{tensogramFiles, true}, {gribFiles, false}} {
		w, other := newWorldOf(t, c.kind, 1, 0, 6), newWorldOf(t, c.kind, 0)
		copied := func(step int, at int64) {
			b, err := os.ReadFile(w.path(step))
			if err == nil {
				err = os.WriteFile(other.path(step), b, 0o600)
			}
			if err == nil {
				err = os.Chtimes(other.path(step), time.Time{}, time.Unix(at, 0))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		copied(0, 5e8)
		copied(6, 6e8)
		s := &server{w: other}
		s.start()
		other.servers = append(other.servers, s)
		first := w.servers[0].site.Snapshot()
		if got := s.site.Snapshot(); (got == first) != c.same {
			t.Errorf("%s: the copy is %s, the first %s; expected the same: %v", c.kind.suffix, got, first, c.same)
		}
		w.write(6) // other values, in as many bytes
		w.servers[0].start()
		if got := w.servers[0].site.Snapshot(); got == first {
			t.Errorf("%s: the same snapshot %s of other values", c.kind.suffix, got)
		}
	}
}

// A file that is replaced again and again by one whose labels lie before is shown, also when clients know
// all forms of keys: it does not wait for a day. The report says what clients of earlier ones may read.
func TestSiteOfOneFile(t *testing.T) {
	w := newWorld(t, 1, 100)
	s := w.servers[0]
	s.open("")
	said := false
	for step := 90; step > 0; step -= 10 {
		w.now = w.now.Add(time.Minute)
		w.changes++
		w.kind.write(t, w.path(100), step, 1000*step)
		if err := os.Chtimes(w.path(100), time.Time{}, time.Unix(1e9+int64(w.changes), 0)); err != nil {
			t.Fatal(err)
		}
		s.start()
		c := s.open("")
		i := slices.Index(c.steps, step)
		if i < 0 {
			t.Fatalf("step %d is not in %v: %q", step, c.steps, s.site.LeftOut())
		}
		if status, value := c.read(s, i); status != http.StatusOK || int(value)/1000 != step {
			t.Errorf("step %d: status %d, value %v", step, status, value)
		}
		said = said || strings.Contains(fmt.Sprint(s.site.LeftOut()), "may read labels of these")
	}
	if !said {
		t.Error("nothing says that clients may read other labels")
	}
}
