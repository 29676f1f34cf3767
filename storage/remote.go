package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Remote objects are read in blocks. A read asks for the blocks it lacks in ranges as long as
// possible; a read that goes on where another ended has blocks fetched ahead of it.
const (
	blockSize      = 64 << 10
	keptBlocks     = 512 // of all objects: 32 MB
	rangesInFlight = 4   // of one object
	shortRange     = 512 << 10
	longRange      = 4 << 20
	pieceSize      = 4 << 20 // of a read, at a time
	longestAhead   = 8 << 20
	sequentialFrom = 192 << 10 // bytes that one reader has read in order before the rest is fetched ahead
)

// ranged is an object that is read by ranges.
type ranged interface {
	// get asks for n bytes at off, on the condition that the object is still v. The zero version
	// means any. Fewer bytes come at the end of the object.
	get(ctx context.Context, off, n int64, v version) (*answer, error)
}

// answer is the answer to a request for a range.
type answer struct {
	body    io.ReadCloser
	size    int64 // of the object
	version version
	whole   bool // the body is the whole object: its keeper knows no ranges
}

// version identifies the state of an object, as HTTP does.
type version struct{ etag, modified string }

// differs reports whether w, of a later answer, is of another state. Fields that an answer does
// not have do not count.
func (v version) differs(w version) bool {
	if v.etag != "" && w.etag != "" {
		return v.etag != w.etag
	}
	return v.modified != "" && w.modified != "" && v.modified != w.modified
}

// blockCache keeps the blocks that were read last, of all objects of a client.
type blockCache = lru.Cache[blockKey, []byte]

type blockKey struct {
	of     *remoteBlob
	number int64
}

func newBlockCache() *blockCache {
	c, err := lru.New[blockKey, []byte](keptBlocks)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return c
}

// remoteBlob is an object that is read by ranges.
type remoteBlob struct {
	source  ranged
	size    int64
	version version
	cache   *blockCache
	ctx     context.Context // ends when it is closed
	cancel  context.CancelFunc
	slots   chan struct{} // a slot for each range in flight

	sparseSlots chan struct{} // a slot for each sparse read in flight

	mu        sync.Mutex
	pending   map[int64]*block
	readers   [8]reader // in order, the reader that read last first
	spans     []span    // that were read sparsely
	spanBytes int
	expected  runs
}

// block is a block on its way.
type block struct {
	ready chan struct{} // closed when data or err is there
	data  []byte
	err   error
}

// openRanges opens an object with the request for its first block, or the beginning of that. It
// requests as much as is fetched at once when all will be read.
func openRanges(ctx context.Context, c *Client, source ranged) (Blob, error) {
	r := &remoteBlob{
		source: source, cache: c.objects.cache, pending: make(map[int64]*block),
		slots: make(chan struct{}, rangesInFlight), sparseSlots: make(chan struct{}, sparseReads),
	}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	first, asked, under := firstRange(ctx), firstRange(ctx), ctx
	whole := wholenessOf(ctx)
	if whole != 0 { // the answer comes on after the opening
		asked, under = longestAhead, r.ctx
		defer context.AfterFunc(ctx, r.cancel)()
	}
	a, err := source.get(under, 0, asked, version{})
	if err != nil {
		r.cancel()
		return nil, cause(ctx, err)
	}
	if a.whole {
		defer r.cancel()
		return spoolWhole(ctx, c, source, a)
	}
	r.size, r.version = a.size, a.version
	if whole == always || whole == ifSmall && a.size <= asked {
		r.begin(a, asked)
		return r, nil
	}
	defer a.body.Close()
	data := make([]byte, min(first, a.size))
	if _, err := io.ReadFull(a.body, data); err != nil || len(data) == 0 {
		return r, nil // the block is asked for again
	}
	if int64(len(data)) == min(blockSize, a.size) {
		r.cache.Add(blockKey{r, 0}, data)
	} else {
		r.keepSpan(span{0, data})
	}
	return r, nil
}

// begin takes the first blocks from the answer to the request for n bytes that has opened the
// object. It has the blocks after them fetched.
func (r *remoteBlob) begin(a *answer, n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	blocks := r.expect(0, (min(n, r.size)+blockSize-1)/blockSize)
	r.slots <- struct{}{}
	go func() {
		defer func() { <-r.slots }()
		done, err := r.receive(a, 0, blocks)
		if err == nil {
			return
		}
		more, err := r.keepTransferring(int64(done), blocks[done:])
		if done += more; err != nil {
			r.fail(int64(done), blocks[done:], err)
		}
	}()
	end := (r.size + blockSize - 1) / blockSize
	r.fetch(int64(len(blocks)), min(end, 2*int64(len(blocks))))
}

// spoolWhole keeps the body of an answer that is the whole object in a temporary file. It starts
// again when the body is cut off.
func spoolWhole(ctx context.Context, c *Client, source ranged, a *answer) (Blob, error) {
	for attempt := 1; ; attempt++ {
		blob, err := c.spool(ctx, a.body)
		a.body.Close()
		if err == nil || attempt == attempts || ctx.Err() != nil {
			return blob, err
		}
		var silence *SilenceError
		if errors.As(err, &silence) && attempt == stalls {
			return nil, &SilenceError{silence.Lasted * stalls}
		}
		if err := pause(ctx, firstPause<<(attempt-1)); err != nil {
			return nil, err
		}
		if a, err = source.get(ctx, 0, blockSize, version{}); err != nil {
			return nil, err
		}
		if !a.whole {
			a.body.Close()
			return nil, errChanged
		}
	}
}

// Size implements Blob.
func (r *remoteBlob) Size() int64 { return r.size }

// ETag implements Blob.
func (r *remoteBlob) ETag() string {
	if r.version.etag != "" {
		return strings.Trim(r.version.etag, `"`)
	}
	return r.version.modified
}

// Close implements Blob.
func (r *remoteBlob) Close() error {
	r.cancel()
	for n := range (r.size + blockSize - 1) / blockSize {
		if r.cache.Len() == 0 {
			break
		}
		r.cache.Remove(blockKey{r, n})
	}
	return nil
}

// ReadAt implements Blob.
func (r *remoteBlob) ReadAt(ctx context.Context, p []byte, off int64) (done int, err error) {
	if off < 0 {
		return 0, fmt.Errorf("negative offset %d", off)
	}
	for done < len(p) {
		at := off + int64(done)
		if at >= r.size {
			return done, io.EOF
		}
		n := min(int64(len(p)-done), r.size-at, pieceSize)
		read := r.readPiece
		if r.exactly(ctx, at, n) {
			read = r.readSparse
		}
		if piece := p[done : done+int(n)]; r.fromSpans(piece, at) {
			err = ctx.Err()
		} else {
			err = read(ctx, piece, at)
		}
		if err != nil {
			return done, err
		}
		done += int(n)
	}
	return done, nil
}

// readPiece reads bytes that lie in the object.
func (r *remoteBlob) readPiece(ctx context.Context, p []byte, off int64) error {
	first, last := off/blockSize, (off+int64(len(p))-1)/blockSize
	have := r.demand(first, last)
	for i, b := range have {
		select {
		case <-b.ready:
		case <-ctx.Done():
			return ctx.Err()
		}
		if b.err != nil {
			return b.err
		}
		start := (first+int64(i))*blockSize - off
		if start < 0 {
			p = p[copy(p, b.data[-start:]):]
			off += int64(len(b.data)) + start
			continue
		}
		n := copy(p, b.data)
		p, off = p[n:], off+int64(n)
	}
	return ctx.Err()
}

// demand returns the blocks first to last, ready or on their way. It has the blocks after them
// fetched ahead of a sequential reader.
func (r *remoteBlob) demand(first, last int64) []*block {
	r.mu.Lock()
	defer r.mu.Unlock()
	blocks := make([]*block, last-first+1)
	missing := int64(-1)
	for i := range blocks {
		n := first + int64(i)
		if b := r.pending[n]; b != nil {
			blocks[i] = b
		} else if data, ok := r.cache.Get(blockKey{r, n}); ok {
			blocks[i] = &block{ready: closed, data: data}
		} else if missing < 0 {
			missing = n
		}
	}
	until := r.expected.bounded(last, r.ahead(first, last))
	if missing >= 0 {
		r.fetch(missing, until)
	} else if edge := r.edge(last+1, until); edge < until && (until-edge)*2 >= until-last {
		r.fetch(edge, until)
	}
	for i := range blocks {
		if blocks[i] == nil {
			blocks[i] = r.pending[first+int64(i)]
		}
	}
	return blocks
}

// closed is ready.
var closed = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// edge is the first block from n on, before until, that is neither there nor on its way.
func (r *remoteBlob) edge(n, until int64) int64 {
	for ; n < until && r.has(n); n++ {
	}
	return n
}

func (r *remoteBlob) has(n int64) bool {
	return r.pending[n] != nil || r.cache.Contains(blockKey{r, n})
}

// reader is a reader of blocks in order.
type reader struct{ next, bytes int64 }

// ahead notes that blocks first to last are wanted, and returns the end of the blocks to fetch.
// It is last+1 for a reader that comes for the first time, more for a reader in order.
func (r *remoteBlob) ahead(first, last int64) int64 {
	now := reader{next: last + 1, bytes: (last + 1 - first) * blockSize}
	at, before := len(r.readers)-1, int64(0)
	for i, known := range r.readers {
		if known.bytes > 0 && first <= known.next && first >= known.next-1 {
			now.bytes = known.bytes + max(0, last+1-known.next)*blockSize
			now.next = max(now.next, known.next)
			at, before = i, known.bytes
			break
		}
	}
	copy(r.readers[1:at+1], r.readers[:at])
	r.readers[0] = now
	end := (r.size + blockSize - 1) / blockSize
	if before < sequentialFrom { // one large read is no sequence
		return last + 1
	}
	blocks := min(4*before, longestAhead) / blockSize
	if end-now.next <= longestAhead/blockSize {
		blocks = longestAhead / blockSize // all that is left
	}
	return min(end, now.next+blocks)
}

// fetch asks for the blocks from n to before until that are neither there nor on their way.
func (r *remoteBlob) fetch(n, until int64) {
	for n = r.edge(n, until); n < until; n = r.edge(n, until) {
		m := n
		for m < until && !r.has(m) {
			m++
		}
		each := (m - n + rangesInFlight - 1) / rangesInFlight
		each = min(max(each, shortRange/blockSize), longRange/blockSize)
		for ; n < m; n += min(each, m-n) {
			r.start(n, min(n+each, m))
		}
	}
}

// start has blocks n to before until fetched.
func (r *remoteBlob) start(n, until int64) {
	blocks := r.expect(n, until)
	go func() {
		select {
		case r.slots <- struct{}{}:
		case <-r.ctx.Done():
			r.fail(n, blocks, r.ctx.Err())
			return
		}
		defer func() { <-r.slots }()
		if done, err := r.keepTransferring(n, blocks); err != nil {
			r.fail(n+int64(done), blocks[done:], err)
		}
	}()
}

// expect makes blocks n to before until that are on their way.
func (r *remoteBlob) expect(n, until int64) []*block {
	blocks := make([]*block, until-n)
	for i := range blocks {
		blocks[i] = &block{ready: make(chan struct{})}
		r.pending[n+int64(i)] = blocks[i]
	}
	return blocks
}

// keepTransferring reads blocks from n on, going on where it was cut off. It returns how many have
// come.
func (r *remoteBlob) keepTransferring(n int64, blocks []*block) (done int, err error) {
	for attempt, silences := 1, 0; ; attempt++ {
		got, err := r.transfer(n+int64(done), blocks[done:])
		if done += got; done == len(blocks) {
			return done, nil
		}
		if got > 0 {
			attempt, silences = 1, 0
		}
		var silence *SilenceError
		if errors.As(err, &silence) {
			if silences++; silences == stalls {
				return done, &SilenceError{silence.Lasted * stalls}
			}
		} else if attempt == attempts {
			return done, err
		}
		var final *StatusError
		if r.ctx.Err() != nil || errors.As(err, &final) || errors.As(err, new(*unansweredError)) {
			return done, err
		}
		if err := pause(r.ctx, firstPause<<(min(attempt, attempts)-1)); err != nil {
			return done, err
		}
	}
}

// fail gives blocks up. They can be asked for again.
func (r *remoteBlob) fail(n int64, blocks []*block, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, b := range blocks {
		delete(r.pending, n+int64(i))
		b.err = err
		close(b.ready)
	}
}

// An unansweredError is the error of a request which was repeated as often as is sensible.
type unansweredError struct{ err error }

func (e *unansweredError) Error() string { return e.err.Error() }
func (e *unansweredError) Unwrap() error { return e.err }

// transfer reads blocks from n on in one request, and returns how many have come.
func (r *remoteBlob) transfer(n int64, blocks []*block) (int, error) {
	off := n * blockSize
	length := min(int64(len(blocks))*blockSize, r.size-off)
	a, err := r.source.get(r.ctx, off, length, r.version)
	if err != nil {
		return 0, &unansweredError{err}
	}
	if a.whole || a.size != r.size {
		a.body.Close()
		return 0, errChanged
	}
	return r.receive(a, n, blocks)
}

// receive reads blocks from n on from an answer, and returns how many have come.
func (r *remoteBlob) receive(a *answer, n int64, blocks []*block) (int, error) {
	defer a.body.Close()
	off := n * blockSize
	for i, b := range blocks {
		data := make([]byte, min(blockSize, r.size-off-int64(i)*blockSize))
		if _, err := io.ReadFull(a.body, data); err != nil {
			return i, fmt.Errorf("reading the %d bytes at byte %d: %w", len(data), off+int64(i)*blockSize, err)
		}
		r.mu.Lock()
		delete(r.pending, n+int64(i))
		r.cache.Add(blockKey{r, n + int64(i)}, data)
		b.data = data
		close(b.ready)
		r.mu.Unlock()
	}
	return len(blocks), nil
}
