package unpack

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/internal/unpack/references"
	"github.com/tgmconv/tgmconv/storage"
)

// referring gives a folder the values that its references lead to: references of kerchunk's Parquet files,
// or of the manifests beside documents of Zarr v3. Other folders stay as they are.
func (c *Client) referring(ctx context.Context, location string, blob storage.Blob) (storage.Blob, error) {
	folder := storage.FolderOf(blob)
	if folder == nil {
		return blob, nil
	}
	f := &recordFolder{Folder: folder, targets: newTargets(c, location)}
	switch folder.Document() {
	case ".zmetadata":
		document, err := readFile(ctx, folder, folder.Document())
		if err == nil {
			f.records, err = references.ParseRecords(document)
		}
		if err != nil {
			blob.Close()
			return nil, located(location, fmt.Errorf("%s: %w", folder.Document(), err))
		}
		if f.records == nil {
			return blob, nil
		}
	case "zarr.json":
	default:
		return blob, nil
	}
	done := func() error {
		f.targets.opened.close()
		return blob.Close()
	}
	return storage.NewFolder(f, blob.ETag(), done), nil
}

// readFile reads a file of a folder.
func readFile(ctx context.Context, folder storage.Folder, name string) ([]byte, error) {
	blob, err := folder.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer blob.Close()
	return readAll(ctx, blob, maxReferences)
}

// A recordFolder is a folder in which there may be references to some of its files.
type recordFolder struct {
	storage.Folder
	targets *targets
	records *references.Records // nil where there may be manifests

	mu    sync.Mutex
	kept  map[string]*recordFile
	order []string // kept files, least recently read first
}

// A recordFile is the references of a file, by their numbers or the positions of chunks.
type recordFile struct {
	once   sync.Once
	rows   []references.Reference
	places map[string]references.Reference
	err    error
}

// keptRecords is the number of files of references that are kept. Missing manifests are kept as well.
const (
	keptRecords   = 4
	keptManifests = 256
)

// file returns the references of a file, read by read unless they are kept.
func (f *recordFolder) file(name string, most int, read func(*recordFile)) *recordFile {
	f.mu.Lock()
	file := f.kept[name]
	if file == nil {
		file = new(recordFile)
		if f.kept == nil {
			f.kept = make(map[string]*recordFile)
		}
		f.kept[name] = file
		if f.order = append(f.order, name); len(f.order) > most {
			delete(f.kept, f.order[0])
			f.order = f.order[1:]
		}
	}
	f.mu.Unlock()
	file.once.Do(func() { read(file) })
	if file.err != nil { // perhaps only because the caller gave up
		f.mu.Lock()
		if f.kept[name] == file {
			delete(f.kept, name)
		}
		f.mu.Unlock()
	}
	return file
}

// Refers implements storage.Folder.
func (f *recordFolder) Refers() bool { return f.records != nil }

// Open implements storage.Folder.
func (f *recordFolder) Open(ctx context.Context, name string) (storage.Blob, error) {
	if f.records != nil {
		if file, row, ok := f.records.Find(name); ok {
			return f.openRecord(ctx, file, row)
		}
		return f.Folder.Open(ctx, name)
	}
	blob, err := f.Folder.Open(ctx, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return blob, err
	}
	array, position := arrayOf(name)
	if position == "" {
		return nil, err
	}
	m := f.file(path.Join(array, "manifest.json"), keptManifests, func(file *recordFile) {
		data, err := readFile(ctx, f.Folder, path.Join(array, "manifest.json"))
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err == nil {
			file.places, err = references.ParseManifest(data)
		}
		file.err = err
	})
	if m.err != nil {
		return nil, fmt.Errorf("%s: %w", path.Join(array, "manifest.json"), m.err)
	}
	r, ok := m.places[position]
	if !ok {
		return nil, err
	}
	return f.targets.open(ctx, r)
}

// openRecord opens the target of a row of a Parquet file.
func (f *recordFolder) openRecord(ctx context.Context, name string, row int64) (storage.Blob, error) {
	records := f.file(name, keptRecords, func(file *recordFile) {
		blob, err := f.Folder.Open(ctx, name)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err == nil {
			file.rows, err = references.ReadRecords(storage.ReaderAt(ctx, blob), blob.Size(), f.records.Size)
			blob.Close()
		}
		file.err = err
	})
	if records.err != nil {
		return nil, fmt.Errorf("%s: %w", name, records.err)
	}
	if row >= int64(len(records.rows)) || records.rows[row].Target == "" && records.rows[row].Data == nil {
		return nil, fs.ErrNotExist
	}
	return f.targets.open(ctx, records.rows[row])
}

// arrayOf divides the key of a chunk into the folder of its array and the chunk's position. The
// position is in the form of manifests, such as "0.1". It is "" for other keys.
func arrayOf(key string) (array, position string) {
	segments := strings.Split(key, "/")
	at := len(segments)
	for at > 0 && isPosition(segments[at-1]) {
		at--
	}
	last := segments[at:]
	switch {
	case at > 0 && segments[at-1] == "c":
		at--
		if len(last) == 0 {
			return path.Join(segments[:at]...), "0"
		}
	case len(last) == 0 && strings.HasPrefix(segments[at-1], "c.") && isPosition(segments[at-1][2:]):
		return path.Join(segments[:at-1]...), segments[at-1][2:]
	}
	return path.Join(segments[:at]...), strings.Join(last, ".")
}

// isPosition reports whether a segment of a key is a number, or numbers with points between them.
func isPosition(segment string) bool {
	return segment != "" && strings.Trim(segment, "0123456789.") == "" && segment[0] != '.'
}
