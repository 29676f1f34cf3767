package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"
)

// mostRequest bounds a line of JSON.
const mostRequest = 16 << 20

// A request has one of its members.
type request struct {
	ID    int64    `json:"id"`
	Open  []string `json:"open"`
	Read  *region  `json:"read"`
	Get   *value   `json:"get"`
	Close int      `json:"close"`
}

// A region of an array is to be written to a file.
type region struct {
	Dataset int      `json:"dataset"`
	Array   string   `json:"array"`
	Start   []uint64 `json:"start"`
	Count   []uint64 `json:"count"`
	Into    string   `json:"into"`
}

// A value of a Zarr store is to be written to a file.
type value struct {
	Dataset int    `json:"dataset"`
	Key     string `json:"key"`
	Into    string `json:"into"`
}

type answer struct {
	ID        int64                      `json:"id"`
	Dataset   int                        `json:"dataset,omitempty"`
	Documents map[string]json.RawMessage `json:"documents,omitempty"`
	Notes     []string                   `json:"notes,omitempty"`
	Bytes     *int64                     `json:"bytes,omitempty"`
	Error     string                     `json:"error,omitempty"`
	Code      int                        `json:"code,omitempty"`
}

// Options configure a worker.
type Options struct {
	// Open opens the dataset that words of a command line ask for.
	Open func(ctx context.Context, words []string) (*Dataset, error)
	// Explain returns the text of an error, and the exit code of a command that ends with it.
	Explain func(error) (text string, code int)
}

// errNoDataset is the error for a dataset that was not opened, or was closed.
var errNoDataset = errors.New("there is no such dataset: it was not opened, or was closed")

// Serve answers requests until in ends, or ctx.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opts Options) error {
	ctx, stop := context.WithCancel(ctx)
	w := &worker{opts: opts, out: out, datasets: make(map[int]*Dataset), free: make(chan struct{}, runtime.GOMAXPROCS(0))}
	var under sync.WaitGroup
	defer func() {
		w.finish(ctx, stop, &under)
		w.closeAll()
	}()
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), mostRequest)
	for lines.Scan() {
		var r request
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return fmt.Errorf("a request is no JSON: %w", err)
		}
		under.Go(func() { w.answer(ctx, &r) })
	}
	return lines.Err()
}

// grace is how long requests may take that are under way when the input ends.
const grace = time.Second

// finish waits for the requests under way, and ends requests that take longer.
func (w *worker) finish(ctx context.Context, stop context.CancelFunc, under *sync.WaitGroup) {
	done := make(chan struct{})
	go func() {
		under.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	case <-time.After(grace):
	}
	stop()
	<-done
}

type worker struct {
	opts Options
	free chan struct{} // has room for each request that is worked on

	writing sync.Mutex
	out     io.Writer

	mu       sync.Mutex
	datasets map[int]*Dataset
	last     int
}

// answer serves a request and writes the answer.
func (w *worker) answer(ctx context.Context, r *request) {
	select {
	case w.free <- struct{}{}:
		defer func() { <-w.free }()
	case <-ctx.Done():
		return
	}
	a, err := w.do(ctx, r)
	if ctx.Err() != nil {
		return // nobody reads it
	}
	if err != nil {
		a = &answer{}
		a.Error, a.Code = w.opts.Explain(err)
	}
	a.ID = r.ID
	line, err := json.Marshal(a)
	if err != nil { // a note or a document is no text
		line, _ = json.Marshal(&answer{ID: r.ID, Error: err.Error(), Code: 1})
	}
	w.writing.Lock()
	defer w.writing.Unlock()
	_, _ = w.out.Write(append(line, '\n')) // the end of the input means that nobody reads
}

func (w *worker) do(ctx context.Context, r *request) (*answer, error) {
	switch {
	case r.Open != nil:
		return w.open(ctx, r.Open)
	case r.Read != nil:
		d, err := w.use(r.Read.Dataset)
		if err != nil {
			return nil, err
		}
		defer d.release()
		return d.read(ctx, r.Read)
	case r.Get != nil:
		d, err := w.use(r.Get.Dataset)
		if err != nil {
			return nil, err
		}
		defer d.release()
		return d.get(ctx, r.Get)
	case r.Close != 0:
		return &answer{}, w.close(r.Close)
	}
	return nil, errors.New("a request has none of open, read, get and close")
}

func (w *worker) open(ctx context.Context, words []string) (*answer, error) {
	d, err := w.opts.Open(ctx, words)
	if err != nil {
		return nil, err
	}
	documents, err := d.documents(ctx)
	if err != nil {
		d.release()
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last++
	w.datasets[w.last] = d
	return &answer{Dataset: w.last, Documents: documents, Notes: d.Notes}, nil
}

// use returns a dataset, to be released.
func (w *worker) use(n int) (*Dataset, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := w.datasets[n]
	if d == nil {
		return nil, errNoDataset
	}
	d.users.Add(1)
	return d, nil
}

func (w *worker) close(n int) error {
	w.mu.Lock()
	d := w.datasets[n]
	delete(w.datasets, n)
	w.mu.Unlock()
	if d == nil {
		return errNoDataset
	}
	return d.release()
}

func (w *worker) closeAll() {
	for _, d := range w.datasets {
		_ = d.release() // its files were only read
	}
}
