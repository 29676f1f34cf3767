package ncwrite

// Option changes how a file is written.
type Option func(*options)

type options struct {
	workers    int
	memory     int64
	tempDir    string
	properties string
}

const (
	defaultMemory     = 256 << 20
	defaultProperties = "version=2,tgmconv=1"
)

// WithWorkers sets how many chunks are filtered at the same time; the default is GOMAXPROCS.
func WithWorkers(n int) Option { return func(o *options) { o.workers = n } }

// WithMemory sets how many bytes of chunks that are not complete yet are kept in memory; the default
// is 256 MiB. What is above it goes to a temporary file.
func WithMemory(bytes int64) Option { return func(o *options) { o.memory = bytes } }

// WithTempDir sets the folder of temporary files; the default is that of the system.
func WithTempDir(dir string) Option { return func(o *options) { o.tempDir = dir } }

// WithProperties sets the attribute _NCProperties of netCDF-4 files, which says what wrote them; ""
// leaves it out.
func WithProperties(text string) Option { return func(o *options) { o.properties = text } }
