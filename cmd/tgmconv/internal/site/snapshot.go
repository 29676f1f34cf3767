package site

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/httpd"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/site/pyramid"
	"github.com/tgmconv/tgmconv/internal/history"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/zarr"
)

// A snapshot is the store of the files in a state.
type snapshot struct {
	folder  string // @HASH
	handler httpd.Switch
}

func (s *snapshot) close() { s.handler.Close() }

// openSnapshots bounds the snapshots that are open.
const openSnapshots = 8

// hashLength is the length of a hash in letters.
const hashLength = 32

// isSnapshot reports whether a folder is one of snapshots by its name.
func isSnapshot(folder string) bool {
	hash, ok := strings.CutPrefix(folder, "@")
	return ok && len(hash) == hashLength && strings.Trim(hash, "0123456789abcdef") == ""
}

// snapshotVersion is part of the hashes. It must change if chunks have other bytes than in an
// earlier version of this program, although documents are the same.
const snapshotVersion = 1

// snapshotOf makes the snapshot of an archive. Its hash is over the documents, the states of the files and
// the options.
func (s *Site) snapshotOf(ctx context.Context, live *held) (*snapshot, error) {
	set := live.Set
	if s.opts.Views.Root == Tree {
		set = set.Tree()
	}
	view := serve.NewDatasetView(set, live.Archive, s.opts.Views.Dataset)
	store := serve.NewStore(view, s.opts.Views.Store)
	text, err := zarr.ReadAll(ctx, store, documentName, maxDocument)
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d\n%s\n%s", snapshotVersion, s.opts.Key, live.Identity())
	h.Write(text)
	snap := &snapshot{folder: "@" + hex.EncodeToString(h.Sum(nil))[:hashLength]}
	opts := s.opts.Handler
	opts.Immutable = true
	if !s.opts.Views.NoViewer {
		maps := pyramid.New(set, live.Archive, view, pyramid.Options{
			CacheBytes: s.opts.Views.Store.CacheBytes / 2, Gzip: s.opts.Views.Dataset.Codec != serve.WireNone,
		})
		store = serve.Mount(store, map[string]zarr.Store{mapsFolder: serve.NewStore(maps, s.opts.Views.Store)})
		opts.Page = func(r *http.Request) http.Handler {
			return mapDocuments(maps, strings.TrimPrefix(r.URL.Path, "/"+snap.folder+"/"))
		}
	}
	mounted := serve.Mount(serve.Empty, map[string]zarr.Store{snap.folder: store})
	live.hold()
	snap.handler.Set(serve.NewHandler(mounted, opts), live.release)
	return snap, nil
}

// maxDocument bounds the document that a hash is of.
const maxDocument = 1 << 31

// open adds a snapshot to the open snapshots.
func (s *Site) open(snap *snapshot) {
	for i, other := range s.snapshots {
		if other.folder == snap.folder || i == 0 && len(s.snapshots) == openSnapshots {
			other.close()
			s.snapshots = slices.Delete(s.snapshots, i, i+1)
			break
		}
	}
	s.snapshots = append(s.snapshots, snap)
}

// snapshotFiles are the files of the snapshot of the present state.
func (s *Site) snapshotFiles() history.Snapshot {
	snap := history.Snapshot{Hash: s.Snapshot()}
	for _, f := range s.live.Live() {
		snap.Files = append(snap.Files, history.SnapshotFile{Name: s.live.StoredName(f.Name), Size: f.Size, Version: f.Version})
	}
	return snap
}

// serveSnapshot answers for a snapshot: ErrGone if it is not known, or its files are not there any
// more.
func (s *Site) serveSnapshot(w http.ResponseWriter, r *http.Request, folder string) {
	snap, err := s.find(r.Context(), folder)
	if err != nil {
		busy(w, err)
		return
	}
	if snap == nil {
		http.Error(w, "/"+folder+"/: the files are not there any more as they were, or never were: /"+s.Snapshot()+"/ has them as they are", http.StatusGone)
		return
	}
	snap.handler.ServeHTTP(w, r)
}

// find returns a snapshot, and opens it if the history has it and its files are there; nil if not.
func (s *Site) find(ctx context.Context, folder string) (*snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, snap := range s.snapshots {
		if snap.folder == folder {
			return snap, nil
		}
	}
	known, ok := s.opts.History.Read().Snapshot(folder)
	if !ok {
		return nil, nil
	}
	ctx = context.WithoutCancel(ctx)
	var names []string
	for _, f := range known.Files {
		names = append(names, f.Name)
	}
	a, err := s.live.Only(ctx, s.live.GivenNames(names))
	if err != nil {
		return nil, nil // it cannot be opened any more
	}
	live := &held{Archive: a}
	live.hold()
	defer live.release()
	snap, err := s.snapshotOf(ctx, live)
	if err != nil {
		return nil, err
	}
	if snap.folder != folder {
		snap.close()
		return nil, nil
	}
	s.open(snap)
	return snap, nil
}
