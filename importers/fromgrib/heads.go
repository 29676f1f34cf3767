package fromgrib

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
)

const (
	worthHeads  = 1 << 20  // bytes of a file from which on it is worth while to read less than all
	requestCost = 64 << 10 // bytes that could be read in the time of a request
	fewHeads    = 16       // from which many are judged
)

// A scanner finds the messages of an input.
type scanner interface {
	Next() (grib.Info, error)
	Junk() int64
}

// scanner is the scanner for an input, and the test for the messages that are wanted. Files on the network
// that are wanted in part are scanned by the heads of their messages, in several places at a time; other
// files are scanned in order.
func (s *Source) scanner(ctx context.Context, f *openFile, input int) (scanner, wantedMessages, error) {
	judged := s.judgedByHeads()
	if !judged && !storage.IsSparse(ctx) || !s.onNetwork(f, input) {
		return grib.NewScanner(f, f.Size()), nil, nil
	}
	name := s.inputs[input].Name
	sparse, err := s.files.Acquire(storage.Sparse(ctx), name)
	if err != nil {
		return nil, nil, err
	}
	defer sparse.Release()
	look := &headLook{source: s, name: name, file: sparse, judge: judged, wanted: make(wantedMessages), seen: make(map[int64]bool)}
	found, err := grib.ScanSegments(ctx, sparse, f.Size(), grib.NetworkSegments(f.Size(), look.at))
	if err == errMostWanted {
		return grib.NewScanner(f, f.Size()), nil, nil
	}
	if err != nil || !judged {
		return found, nil, err
	}
	list := look.list(found)
	if worth(look.wanted, f.Size()) {
		s.sparsely.Store(name, true)
	}
	return list, look.wanted, nil
}

// dense reports whether a file on the network that is to be read sparsely is better read in order:
// its messages are so short, as far as the first ones say, that a request for the head of each
// takes longer than all bytes of them.
func (s *Source) dense(ctx context.Context, f *openFile, input int) bool {
	if s.judgedByHeads() || !storage.IsSparse(ctx) || !s.onNetwork(f, input) {
		return false
	}
	whole, err := s.files.Acquire(storage.Dense(ctx), s.inputs[input].Name)
	if err != nil {
		return false
	}
	defer whole.Release()
	found, bytes := grib.NewScanner(whole, f.Size()), int64(0)
	for n := int64(1); n <= fewHeads; n++ {
		at, err := found.Next()
		bytes += at.Junk + at.Length
		if err != nil || bytes > n*requestCost {
			return false
		}
	}
	s.sparsely.Store(s.inputs[input].Name, false)
	return true
}

// onNetwork reports whether an input is a large file on the network. Such a file should not be read without
// need.
func (s *Source) onNetwork(f *openFile, input int) bool {
	name := s.inputs[input].Name
	return storage.IsRemote(name) && !strings.Contains(name, "::") && f.Size() >= worthHeads
}

// judgedByHeads reports whether messages are selected by keys in their heads, wherever they are in the input.
func (s *Source) judgedByHeads() bool {
	numbered := slices.ContainsFunc(s.opts.Where, func(c mapping.Clause) bool { return c.Key == "message" })
	return len(s.opts.Where) > 0 && !numbered && s.headersSuffice()
}

// wantedMessages are the lengths of the wanted messages of a file by their offsets; nil means all.
type wantedMessages map[int64]int64

func (w wantedMessages) has(at grib.Info) bool {
	_, ok := w[at.Offset]
	return ok || w == nil
}

// worth reports whether reading messages one by one is quicker than reading the whole file.
func worth(wanted wantedMessages, size int64) bool {
	cost := int64(0)
	for _, length := range wanted {
		cost += length + requestCost
	}
	return cost < size/2
}

// A headLook looks at the heads of messages while they are found. On the network their bytes are kept for the
// next reader.
type headLook struct {
	source *Source
	name   string // of the input
	file   *openFile
	judge  bool // which are wanted

	mu     sync.Mutex
	seen   map[int64]bool // the offsets of all
	wanted wantedMessages
}

// errMostWanted says that most messages are wanted, so that the file is to be read whole.
var errMostWanted = errors.New("most messages are wanted")

// at looks at a message. An unreadable message counts as wanted, so that its error is reported in
// its turn.
func (l *headLook) at(info grib.Info) error {
	p := &importers.Part{Input: l.name, Number: info.Index, Offset: info.Offset, Length: info.Length}
	head, err := l.source.readHead(l.file, p)
	wanted := l.judge && (err != nil || l.source.anySelected(head, p))
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen[info.Offset] = true; wanted {
		l.wanted[info.Offset] = info.Length
	}
	if n := len(l.seen); n >= fewHeads && n < 2*fewHeads && 2*len(l.wanted) > n {
		return errMostWanted
	}
	return nil
}

// list takes all that a scanner finds, and looks at the messages that have not been looked at.
func (l *headLook) list(s scanner) *list {
	all := new(list)
	for {
		info, err := s.Next()
		if err == nil && !l.seen[info.Offset] {
			_ = l.at(info)
		}
		all.results = append(all.results, scanned{info, err})
		if err != nil && !grib.IsRecoverable(err) {
			all.junk = s.Junk()
			return all
		}
	}
}

// scanned is a result of a scanner.
type scanned struct {
	grib.Info
	err error
}

// A list is the results of a scanner that has come to the end.
type list struct {
	results []scanned
	at      int
	junk    int64
}

// Next implements scanner.
func (l *list) Next() (grib.Info, error) {
	r := l.results[l.at]
	l.at = min(l.at+1, len(l.results)-1)
	return r.Info, r.err
}

// Junk implements scanner, at the end.
func (l *list) Junk() int64 { return l.junk }
