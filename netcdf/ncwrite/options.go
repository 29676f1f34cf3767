package ncwrite

// Option changes how a file is written.
type Option func(*options)

type options struct {
	workers    int
	memory     int64
	tempDir    string
	properties string
	header     []byte // the bytes after the header of a classic file
	tail       []byte // the bytes after its elements
}

const (
	defaultMemory     = 256 << 20
	defaultProperties = "version=2,tgmconv=1"
)

// WithWorkers sets how many chunks are filtered at the same time; the default is GOMAXPROCS.
func WithWorkers(n int) Option { return func(o *options) { o.workers = n } }

// WithMemory sets how many bytes of incomplete chunks are kept in memory; the default is 256
// MiB. Chunks above it go to a temporary file.
func WithMemory(bytes int64) Option { return func(o *options) { o.memory = bytes } }

// WithTempDir sets the folder of temporary files; the default is the system's.
func WithTempDir(dir string) Option { return func(o *options) { o.tempDir = dir } }

// WithHeaderFree leaves a gap of at most 1 MiB between the header of a classic file and its
// elements. It is filled with content and then zeros.
func WithHeaderFree(bytes int64, content []byte) Option {
	return func(o *options) {
		o.header = make([]byte, (min(max(0, bytes), maxFree)+3)&^3)
		copy(o.header, content)
	}
}

// WithTail adds content and zeros to the end of a classic file, at most 1 MiB of each.
func WithTail(content []byte, zeros int64) Option {
	return func(o *options) {
		o.tail = append(o.tail, content[:min(len(content), maxFree)]...)
		o.tail = append(o.tail, make([]byte, min(max(0, zeros), maxFree))...)
	}
}

// maxFree bounds the bytes of a file that belong to nothing.
const maxFree = 1 << 20

// WithProperties sets the attribute _NCProperties of netCDF-4 files, which names the writing
// libraries; "" leaves it out.
func WithProperties(text string) Option { return func(o *options) { o.properties = text } }
