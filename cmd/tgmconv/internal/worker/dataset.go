package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync/atomic"

	"github.com/edsrzf/mmap-go"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/internal/parallel"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/zarr"
)

// A Dataset is a labelled dataset that a worker gives away.
type Dataset struct {
	Notes []string // for users

	view  *serve.DatasetView
	store zarr.Store
	close func() error
	users atomic.Int32 // beside the worker's own
}

// NewDataset returns a dataset whose values fields reads, with float64 as float32 if single. Close
// is called when it is no longer used.
func NewDataset(set *dataset.Dataset, fields dataset.Fields, single bool, close func() error) *Dataset {
	view := serve.NewDatasetView(set, fields, serve.DatasetOptions{Single: single})
	return &Dataset{view: view, store: serve.NewStore(view, serve.StoreOptions{}), close: close}
}

// release ends a use of the dataset, and closes it after the last.
func (d *Dataset) release() error {
	if d.users.Add(-1) >= 0 {
		return nil
	}
	return d.close()
}

// documents are the Zarr documents of all nodes, by their paths.
func (d *Dataset) documents(ctx context.Context) (map[string]json.RawMessage, error) {
	text, err := d.value(ctx, "zarr.json")
	if err != nil {
		return nil, err
	}
	var root map[string]json.RawMessage
	if err := json.Unmarshal(text, &root); err != nil {
		return nil, err
	}
	below := struct {
		Metadata map[string]json.RawMessage `json:"metadata"`
	}{make(map[string]json.RawMessage)}
	if consolidated := root[consolidatedKey]; consolidated != nil {
		if err := json.Unmarshal(consolidated, &below); err != nil {
			return nil, err
		}
	}
	delete(root, consolidatedKey)
	below.Metadata[""], err = json.Marshal(root)
	return below.Metadata, err
}

// consolidatedKey is the member of the document of a group that has the documents of all nodes below it.
const consolidatedKey = "consolidated_metadata"

func (d *Dataset) value(ctx context.Context, key string) ([]byte, error) {
	var text bytes.Buffer
	_, err := d.copy(ctx, key, &text)
	return text.Bytes(), err
}

// copy writes a value of the store.
func (d *Dataset) copy(ctx context.Context, key string, to io.Writer) (n int64, err error) {
	r, _, err := zarr.Get(ctx, d.store, key, zarr.Range{})
	if err != nil {
		return 0, err
	}
	defer r.Close()
	return io.Copy(to, r)
}

// get writes a value of the store to a file. A missing value has -1 bytes.
func (d *Dataset) get(ctx context.Context, g *value) (*answer, error) {
	f, err := os.OpenFile(g.Into, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	n, err := d.copy(ctx, g.Key, f)
	if errors.Is(err, zarr.ErrNotFound) || errors.Is(err, zarr.ErrGone) {
		n, err = -1, nil
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return &answer{Bytes: &n}, err
}

// read writes a region of an array to a file.
func (d *Dataset) read(ctx context.Context, r *region) (*answer, error) {
	a, err := d.view.Array(ctx, r.Array)
	if err != nil {
		return nil, err
	}
	info := a.Info()
	start, count := r.Start, r.Count
	if last := len(info.Shape) - 1; len(start) == last && len(count) == last { // the bytes of texts
		start, count = append(start, 0), append(count, info.Shape[last])
	}
	if len(start) != len(info.Shape) || len(count) != len(info.Shape) {
		return nil, fmt.Errorf("%s: a region of %d and %d dimensions, expected %d", r.Array, len(start), len(count), len(info.Shape))
	}
	for i, n := range info.Shape {
		if start[i] > n || count[i] > n-start[i] {
			return nil, fmt.Errorf("%s: %d elements from %d of an axis of %d", r.Array, count[i], start[i], n)
		}
	}
	size, ok := nd.Bytes(count, info.DType.Size())
	if !ok {
		return nil, fmt.Errorf("%s: a region of %v elements", r.Array, count)
	}
	if size == 0 {
		return &answer{Bytes: &size}, nil
	}
	whole := array.Region{Start: start, Count: count}
	return &answer{Bytes: &size}, mapped(r.Into, size, func(dst []byte) error { return readTiles(ctx, a, whole, dst) })
}

// tileSize is about how many bytes are read at a time, if blocks are smaller.
const tileSize = 1 << 20

// readTiles reads the blocks that a region touches on all cores, each once.
func readTiles(ctx context.Context, a array.Array, whole array.Region, dst []byte) error {
	tiles := slices.Collect(whole.Tiles(a.Info().Box(tileSize)))
	errs := make([]error, len(tiles))
	parallel.Each(len(tiles), func(i int) {
		if errs[i] = ctx.Err(); errs[i] == nil {
			part := array.Region{Start: make([]uint64, len(whole.Start)), Count: tiles[i].Within.Count}
			for axis := range part.Start {
				part.Start[axis] = whole.Start[axis] + tiles[i].At[axis]
			}
			errs[i] = array.Into(ctx, a, part, dst, whole.Count, tiles[i].At)
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// mapped makes a file size bytes long and has write fill them, in memory that is the file's.
func mapped(name string, size int64, write func([]byte) error) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Truncate(size); err != nil {
		return err
	}
	m, err := mmap.MapRegion(f, int(size), mmap.RDWR, 0, 0)
	if err != nil {
		return err
	}
	err = write(slices.Clip(m))
	if unmapped := m.Unmap(); err == nil {
		err = unmapped
	}
	return err
}
