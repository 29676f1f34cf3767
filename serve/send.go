package serve

import (
	"io"
	"net/http"
	"sync"
	"time"
)

// blockBytes is the number of bytes sent between two looks at the clock.
const blockBytes = 256 << 10

// An outgoing is the body of an answer, with its next block already read.
type outgoing struct {
	body   io.Reader
	left   int64 // bytes after the block
	block  []byte
	buffer *[blockBytes]byte // that holds the blocks of a body that is not in memory
}

// advance reads the next block, which is empty after the last one. It is called before the status is
// written: a file that has changed is an error then, and does not break off an answer.
func (o *outgoing) advance() (err error) {
	o.block = nil
	if o.left == 0 {
		return nil
	}
	n := min(o.left, blockBytes)
	if memory, ok := o.body.(*memoryBody); ok {
		if o.block = memory.take(n); int64(len(o.block)) < n {
			err = io.ErrUnexpectedEOF
		}
		o.left -= int64(len(o.block))
		return err
	}
	if o.buffer == nil {
		o.buffer = sendBlocks.Get().(*[blockBytes]byte)
	}
	read := 0
	if stored, ok := o.body.(*storedBody); ok { // which io.ReadFull would read with more calls
		read, err = stored.from.ReadAt(o.buffer[:n], stored.at)
		stored.at, stored.left = stored.at+int64(read), stored.left-int64(read)
		if int64(read) == n {
			err = nil
		}
	} else {
		read, err = io.ReadFull(o.body, o.buffer[:n])
	}
	o.block = o.buffer[:read]
	o.left -= int64(read)
	return err
}

// done ends the reading.
func (o *outgoing) done() {
	if o.buffer != nil {
		sendBlocks.Put(o.buffer)
		o.buffer = nil
	}
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
