package site

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/httpd"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/history"
	"github.com/tgmconv/tgmconv/serve"
)

// Options configure [New].
type Options struct {
	Views   ViewsOptions
	Handler serve.HandlerOptions
	// Key stands for the options that determine the dataset, for snapshots.
	Key string
	// History keeps the states that clients know; nil keeps them in memory.
	History *History
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// A History keeps the states that clients know in a file, for several servers at a time and after a
// restart.
type History = history.File

// A Site serves files that may change, so that nobody reads values of other labels than those that he
// has read before, see package history. Below the folder of a hash, /@HASH/, it serves a snapshot,
// which never changes. It is an http.Handler.
type Site struct {
	opts    Options
	uses    *history.Uses
	current httpd.Switch

	mu        sync.Mutex
	live      *held
	shown     *proposal
	base      *history.History // what the proposal follows
	since     time.Time        // when it was made
	snapshots []*snapshot      // that are open, the one used last at the end
	messages  map[string]bool  // the folders whose messages have their keys

	kept   atomic.Int64           // until when the history has what is shown, in seconds since 1970
	folder atomic.Pointer[string] // of the snapshot of the files as they are
}

// New returns a site that shows nothing yet.
func New(opts Options) *Site {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.History == nil {
		opts.History = new(History)
	}
	return &Site{opts: opts, uses: history.NewUses(opts.Now)}
}

// A held archive is closed when nobody holds it any more.
type held struct {
	*archive.Archive
	holders atomic.Int32
}

func (h *held) hold() *held {
	h.holders.Add(1)
	return h
}

func (h *held) release() {
	if h != nil && h.holders.Add(-1) == 0 {
		h.Close()
	}
}

// Show shows an archive in place of the one before, which is closed when nobody uses it. If it
// fails, the archive remains the caller's.
func (s *Site) Show(ctx context.Context, a *archive.Archive) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	live := &held{Archive: a}
	live.hold() // until it is known whether it is shown
	if err := s.show(ctx, live, s.opts.History.Read()); err != nil {
		return err
	}
	live.release()
	return nil
}

// show shows an archive after a history.
func (s *Site) show(ctx context.Context, live *held, h *history.History) error {
	snap, err := s.snapshotOf(ctx, live)
	if err != nil {
		return err
	}
	opts := s.opts.Views
	opts.Snapshot = snap.folder
	used, _ := h.Used(s.uses)
	next, err := newProposer(live.Archive, opts, used, s.opts.Now()).best(ctx)
	if err != nil {
		snap.close()
		return err
	}
	s.uses.Follow(used, next.plan)
	next.views.follow(next.plan.Forms, next.plan.Withheld, s.uses)
	before := s.live
	s.live, s.shown, s.base, s.since = live.hold(), next, h, s.opts.Now()
	s.messages = make(map[string]bool)
	s.open(snap)
	s.folder.Store(&snap.folder)
	s.kept.Store(0)
	handler := s.opts.Handler
	handler.Page = next.views.Page
	live.hold()
	s.current.Set(serve.NewHandler(next.views.Store(), handler), func() {
		if next.archive != live.Archive {
			next.archive.Close()
		}
		live.release()
	})
	before.release()
	return nil
}

// Close ends the site: further requests are answered with 503.
func (s *Site) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current.Close()
	for _, snap := range s.snapshots {
		snap.close()
	}
	s.snapshots = nil
	s.live.release()
	s.live = nil
}

// Snapshot is the folder of the snapshot of the files as they are: @HASH.
func (s *Site) Snapshot() string { return *s.folder.Load() }

// Dataset is the shown dataset. Its values can be read until another dataset is shown.
func (s *Site) Dataset() *dataset.Dataset {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown.archive.Set
}

// Objects returns how many objects are shown that are there.
func (s *Site) Objects() int {
	report := s.Dataset().Report
	return report.Len() - report.Gone()
}

// LeftOut lists the files and variables that are left out, beside the list of the archive, with the
// reasons.
func (s *Site) LeftOut() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown.views.leftOut
}

// ServeHTTP implements http.Handler.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(r.URL.Path, "/")
	if folder, _, _ := strings.Cut(path, "/"); isSnapshot(folder) {
		s.serveSnapshot(w, r, folder)
		return
	}
	if s.opts.History.Changed() {
		if err := s.catchUp(r.Context()); err != nil {
			busy(w, err)
			return
		}
	}
	// A client that has a document knows the labels and the keys of arrays: the history has them
	// before.
	if path == documentName || strings.HasSuffix(path, "/"+documentName) {
		w.Header().Set("Link", "<"+s.opts.Handler.Prefix+"/"+s.Snapshot()+`/>; rel="memento"`)
		if s.opts.Now().Unix() >= s.kept.Load() {
			if err := s.keep(r.Context()); err != nil {
				busy(w, err)
				return
			}
		}
	}
	if strings.HasPrefix(path, messagesFolder) {
		if err := s.keepMessages(r.Context(), path); err != nil {
			if errors.Is(err, errWithheld) {
				http.Error(w, err.Error(), http.StatusGone)
			} else {
				busy(w, err)
			}
			return
		}
	}
	s.current.ServeHTTP(w, r)
}

const documentName = "zarr.json"

func busy(w http.ResponseWriter, err error) {
	w.Header().Set("Retry-After", "1")
	http.Error(w, err.Error(), http.StatusServiceUnavailable)
}

// keptFor is how long documents are served before the history has again that they are.
const keptFor = time.Hour

// keep writes the shown state to the history. If another server has changed the history meanwhile,
// the shown state may change.
func (s *Site) keep(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.opts.Now()
	if now.Unix() < s.kept.Load() {
		return nil
	}
	ctx = context.WithoutCancel(ctx) // for all who wait
	return s.opts.History.Update(ctx, func(h *history.History) (*history.History, error) {
		if err := s.follow(ctx, h); err != nil {
			return nil, err
		}
		files, err := s.shown.archive.Kept().AppendIndex(nil)
		if err != nil {
			return nil, err
		}
		used, _ := h.Used(s.uses)
		next := used.After(s.shown.plan, now)
		next.Files = files
		next.Add(s.snapshotFiles())
		s.base = next
		s.kept.Store(now.Add(keptFor).Unix())
		return next, nil
	})
}

// follow shows something else if another server has changed the history so that somebody may know other
// labels than are shown.
func (s *Site) follow(ctx context.Context, h *history.History) error {
	if h.Revision == s.base.Revision {
		return nil
	}
	if !h.Agrees(s.shown.plan) {
		return s.show(ctx, s.live, h)
	}
	s.base = h
	return nil
}

// catchUp reads the history that another server has written.
func (s *Site) catchUp(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.follow(context.WithoutCancel(ctx), s.opts.History.Read())
}

// keepMessages gives messages their keys before somebody reads one of them.
func (s *Site) keepMessages(ctx context.Context, path string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for folder, view := range s.shown.views.messages {
		if s.messages[folder] || path != folder && !strings.HasPrefix(path, folder+"/") {
			continue
		}
		ctx := context.WithoutCancel(ctx)
		states := map[string]*history.State{folder: view.State(ctx)}
		err := s.opts.History.Update(ctx, func(h *history.History) (*history.History, error) {
			used, _ := h.Used(s.uses)
			plan := used.Plan(states, s.opts.Now())
			if len(plan.Withheld) > 0 {
				return nil, errWithheld
			}
			s.uses.Follow(used, plan)
			view.Follow(plan.Forms[folder], folder, s.uses)
			next := used.After(plan, s.opts.Now())
			if h.Revision == s.base.Revision {
				s.base = next
			}
			return next, nil
		})
		if err != nil {
			return err
		}
		s.messages[folder] = true
	}
	return nil
}

// Review looks at the history as it is now: it notes the requested keys, for other servers, and
// shows files again that wait for keys or holes that are old.
func (s *Site) Review(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	if _, changed := s.opts.History.Read().Used(s.uses); changed {
		err = s.opts.History.Update(ctx, func(h *history.History) (*history.History, error) {
			next, _ := h.Used(s.uses)
			if h.Revision == s.base.Revision {
				s.base = next
			}
			return next, nil
		})
	}
	_, holes := s.shown.archive.Oldest()
	if err == nil && (holes || s.shown.waiting > 0 || !s.shown.loads()) && s.opts.Now().Sub(s.since) >= keptFor {
		err = s.show(ctx, s.live, s.opts.History.Read())
	}
	return err
}

// errWithheld is the error for messages that must not be shown.
var errWithheld = errors.New("clients may know other messages by all forms of their chunk keys: these are shown when one of the forms was not used for a day")

// KeepMessages gives the messages of a view keys that no client knows for other messages, and notes
// them in the history. The error says that clients may know other messages by all forms of keys.
func KeepMessages(ctx context.Context, view *serve.MessageView, kept *History) error {
	states := map[string]*history.State{messagesFolder: view.State(ctx)}
	return kept.Update(ctx, func(h *history.History) (*history.History, error) {
		plan := h.Plan(states, time.Now())
		if len(plan.Withheld) > 0 {
			return nil, errWithheld
		}
		view.Follow(plan.Forms[messagesFolder], messagesFolder, nil)
		return h.After(plan, time.Now()), nil
	})
}
