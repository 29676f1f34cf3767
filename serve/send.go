package serve

import (
	"io"
	"net/http"
	"sync"
	"time"
)

// blockBytes is the number of bytes sent between two looks at the clock.
const blockBytes = 256 << 10

// An outgoing is the body of an answer, of which the next block has been read.
type outgoing struct {
	body  io.Reader
	left  int64 // bytes after the block
	block []byte
	next  func(n int64) ([]byte, error)
	done  func()
}

// begin reads the first block of body, which has length bytes. It is called before the status is
// written: a file that has changed is an error then, and does not break off an answer.
func begin(body io.Reader, length int64) (*outgoing, error) {
	o := &outgoing{body: body, left: length}
	o.next, o.done = blocks(body, length)
	if err := o.advance(); err != nil {
		o.done()
		return nil, err
	}
	return o, nil
}

// advance reads the next block, which is empty after the last one.
func (o *outgoing) advance() (err error) {
	if o.block = nil; o.left > 0 {
		o.block, err = o.next(min(o.left, blockBytes))
		o.left -= int64(len(o.block))
	}
	return err
}

// send sends a body. When that fails, the server closes the connection because the Content-Length is
// not reached, and the client sees it.
func (h *handler) send(w http.ResponseWriter, o *outgoing) {
	var failed error
	for len(o.block) > 0 {
		h.extendDeadline(w)
		if _, err := w.Write(o.block); err != nil {
			keepMemory(o.body) // the server of HTTP/2 may still have the block: done is not called
			return
		}
		if failed != nil {
			break
		}
		failed = o.advance() // the bytes read are sent
	}
	o.done()
	h.extendDeadline(w) // for the bytes that the server still holds
}

// keepMemory leaves the memory of a body to the collector.
func keepMemory(body io.Reader) {
	if memory, ok := body.(*memoryBody); ok {
		memory.keep()
	}
}

// blocks returns a function that gives the next n bytes of a body, and a function that ends the reading. The
// bytes are valid until the first is called again.
func blocks(body io.Reader, length int64) (next func(n int64) ([]byte, error), done func()) {
	if memory, ok := body.(*memoryBody); ok {
		return func(n int64) ([]byte, error) {
			block := memory.take(n)
			if int64(len(block)) < n {
				return block, io.ErrUnexpectedEOF
			}
			return block, nil
		}, func() {}
	}
	buffer := sendBlocks.Get().(*[blockBytes]byte)
	return func(n int64) ([]byte, error) {
		k, err := io.ReadFull(body, buffer[:n])
		return buffer[:k], err
	}, func() { sendBlocks.Put(buffer) }
}

// sendBlocks keeps the memory of blocks. It is not state in any sense that matters; losing it costs
// allocations.
var sendBlocks = sync.Pool{New: func() any { return new([blockBytes]byte) }}

// A timedWriter is a connection's writer with the time at which its deadline was set.
type timedWriter struct {
	http.ResponseWriter
	set time.Time
}

// Unwrap gives http.ResponseController the connection.
func (w *timedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// extendDeadline gives the client time for the next block. Setting a deadline costs about as much
// as finding a chunk, so that it is left alone shortly after it was set.
func (h *handler) extendDeadline(w http.ResponseWriter) {
	now := time.Now()
	if timed, ok := w.(*timedWriter); ok {
		if now.Sub(timed.set) < h.opts.Stall/16 {
			return
		}
		timed.set = now
	}
	// Writers that know no deadlines, as in tests, are not connections.
	_ = http.NewResponseController(w).SetWriteDeadline(now.Add(h.opts.Stall))
}
