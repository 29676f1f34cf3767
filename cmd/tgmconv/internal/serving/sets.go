package serving

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/httpd"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/site"
	"github.com/tgmconv/tgmconv/internal/archive"
)

// A servedSet is a dataset that is served below a prefix.
type servedSet struct {
	prefix string // such as "/gfs"; empty for the root
	names  []string
	shown  *site.Site
	first  *archive.Archive

	ctx    context.Context // ends the looks at the inputs
	stop   context.CancelFunc
	ended  chan struct{} // closed when they have ended
	reload chan struct{}
}

// servedSets are the datasets of a server, which come and go with the file of --datasets.
type servedSets struct {
	f       *serveFlags
	cmd     *cobra.Command
	server  *httpd.Server
	sets    []*servedSet
	handler atomic.Value // of all, an http.HandlerFunc
}

// runDatasets serves inputs as datasets until the command is interrupted. While it opens them, it
// answers only those who ask whether it is ready.
func (f *serveFlags) runDatasets(cmd *cobra.Command, sets []*servedSet, server *httpd.Server) (err error) {
	ctx, stop := context.WithCancel(cmd.Context())
	gate, served := httpd.NewGate(), make(chan error, 1)
	go func() { served <- server.Serve(ctx, gate) }()
	defer func() {
		stop()
		if serveErr := <-served; err == nil {
			err = serveErr
		}
	}()
	s := &servedSets{f: f, cmd: cmd, server: server}
	defer s.end()
	for _, set := range sets {
		if err := f.openSet(cmd, set, server); err != nil {
			return err
		}
		s.sets = append(s.sets, set)
	}
	f.limitServed()
	s.show()
	gate.Open(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.handler.Load().(http.HandlerFunc)(w, r) }))
	for _, set := range sets {
		s.begin(set)
		announceDataset(cmd, set.shown, f.view, set.names, server.URL()+set.prefix)
	}
	if f.opened != nil {
		f.opened(server.URL() + "/")
	}
	for reloads := cli.ReloadsOf(cmd); ; {
		select {
		case err = <-served:
			served <- nil // for the end of this function
			return err
		case <-reloads:
			s.reload()
		}
	}
}

// show has the present datasets answer requests.
func (s *servedSets) show() {
	s.handler.Store(http.HandlerFunc(s.f.handlerOf(s.sets, s.server).ServeHTTP))
}

// begin looks at the inputs of a dataset from now on.
func (s *servedSets) begin(set *servedSet) {
	warnWaiting(s.cmd, set.shown)
	s.f.warnUncut(s.cmd, set.first, set.names, s.server)
	set.ctx, set.stop = context.WithCancel(s.cmd.Context())
	set.ended, set.reload = make(chan struct{}), make(chan struct{}, 1)
	go func() {
		defer close(set.ended)
		s.f.follow(s.cmd, set)
	}()
}

// end ends all datasets.
func (s *servedSets) end() {
	for _, set := range s.sets {
		set.end()
	}
	s.sets = nil
}

// end ends a dataset, whose requests are answered with 503 then.
func (set *servedSet) end() {
	if set.stop != nil {
		set.stop()
		<-set.ended
	}
	set.shown.Close()
}

// reload reads the file of --datasets again, and has all datasets look at their inputs. Datasets
// that are no longer in the file are closed, and new datasets opened; a dataset whose inputs have
// other names is closed and opened. If the file, or a dataset, cannot be read, the old state stays.
func (s *servedSets) reload() {
	if s.f.several != "" {
		sets, err := s.f.configured()
		if err != nil {
			cli.Warn(s.cmd, "the datasets stay as they are: "+err.Error())
		} else {
			s.change(sets)
		}
	}
	for _, set := range s.sets {
		select {
		case set.reload <- struct{}{}:
		default: // it is told already
		}
	}
}

// change replaces the datasets.
func (s *servedSets) change(sets []*servedSet) {
	var next, opened, ended []*servedSet
	for _, set := range sets {
		i := slices.IndexFunc(s.sets, func(old *servedSet) bool { return old.prefix == set.prefix })
		if i >= 0 && slices.Equal(s.sets[i].names, set.names) {
			next = append(next, s.sets[i])
			continue
		}
		if err := s.f.openSet(s.cmd, set, s.server); err != nil {
			cli.Warn(s.cmd, set.label()+"it cannot be opened: "+err.Error())
			if i >= 0 {
				next = append(next, s.sets[i])
			}
			continue
		}
		next, opened = append(next, set), append(opened, set)
	}
	for _, old := range s.sets {
		if !slices.Contains(next, old) {
			ended = append(ended, old)
		}
	}
	if len(opened)+len(ended) == 0 {
		return
	}
	s.sets = next
	s.f.limitServed()
	s.show()
	for _, set := range ended {
		set.end()
		fmt.Fprintln(s.cmd.ErrOrStderr(), "tgmconv: "+set.label()+"no longer served")
	}
	for _, set := range opened {
		s.begin(set)
		fmt.Fprintf(s.cmd.ErrOrStderr(), "tgmconv: %sserved, %d objects\n", set.label(), set.shown.Objects())
	}
}
