package importers

import (
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/google/uuid"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// Values of [Encoding].Encoding.
const (
	// EncodingSource keeps the encoding of the source: quantised integers stay as they are (simple_packing and
	// szip), compressed elements are shuffled and compressed with zstd, plain elements stay plain.
	EncodingSource = "source"
	// EncodingNone stores the elements without an encoding.
	EncodingNone = "none"
	// EncodingSimplePacking quantises floating-point values to Encoding.Bits bits.
	EncodingSimplePacking = "simple_packing"
)

// Encoding says how fields are stored.
type Encoding struct {
	Encoding    string         // one of the constants above; empty is EncodingSource
	Bits        int            // of EncodingSimplePacking, 0 means 16
	Filter      string         // none, shuffle; not with EncodingSource
	Compression string         // one of tgm.StageNames(tgm.CompressionStage); not with EncodingSource
	Level       int            // of the compression, 0 means its default
	Params      map[string]any // of filter and compression, as in tgm.Pipeline; not with EncodingSource
	Masks       tgm.MaskOptions
	// RejectNaN and RejectInf make NaN and infinite values an error instead of a mask. Missing
	// points are always a mask.
	RejectNaN, RejectInf bool

	work *Work // of Options
}

// Coordinates says which coordinates are written.
type Coordinates int

// Which coordinates of a grid are written.
const (
	// CoordinatesAxes writes the axes of grids that have them: a latitude for each row and a longitude for each
	// column. Each message has the axes of its grids.
	CoordinatesAxes Coordinates = iota
	// CoordinatesAll also writes a latitude and a longitude for each point of the other grids. They are in the
	// first message of the output with a field on the grid.
	CoordinatesAll
	CoordinatesNone
)

// Options configure a conversion. The zero value is the default.
type Options struct {
	// Workers is the number of fields worked on at a time; 0 means one for each core.
	Workers     int
	Encoding    Encoding
	Coordinates Coordinates
	// RepeatMetadata also writes the metadata of small objects that follow from others (Field.Implied). Other
	// programs do not find them in the entries otherwise.
	RepeatMetadata bool
	// Work bounds the decoding; nil means without a limit.
	Work *Work
	// SkipBad skips unreadable parts of the source, and lists them in the report.
	SkipBad bool
	// Provenance pins the provenance of messages. With more than one message UUID must be
	// empty, or MessageUUID set.
	Provenance tgm.Provenance
	// MessageUUID gives the UUID of each message by its number; nil means random ones.
	MessageUUID func(message int) string
	// Stream writes each object when it is encoded, with the index at the end of the message. Otherwise a
	// message is held back until it is complete.
	Stream bool
	// Output, if not nil, gives the writer of a field, by its description. Each writer gets messages of
	// its own: one for each run of fields of the same group that go to it.
	Output func(known *mapping.Known) (io.Writer, error)
	// TempDir is the folder for temporary files; empty means the system's.
	TempDir string
	// Progress, if not nil, is called after each part of the source is written. It is called from
	// one goroutine at a time.
	Progress func(Progress)
}

// Progress is the progress of a conversion.
type Progress struct {
	Fields  int
	BytesIn int64 // of the source's Size
}

func (o *Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// pipeline is the storage of a field that the encoding names outright.
func (e *Encoding) pipeline() tgm.Pipeline {
	p := e.plain()
	if e.Encoding == EncodingSimplePacking {
		p.Encoding, p.Bits = EncodingSimplePacking, e.Bits
	}
	p.Filter, p.Compression, p.Level, p.Params = e.Filter, e.Compression, e.Level, e.Params
	return p
}

// plain is the storage of elements as they are.
func (e *Encoding) plain() tgm.Pipeline {
	return tgm.Pipeline{Masks: e.Masks, AllowNaN: !e.RejectNaN, AllowInf: !e.RejectInf}
}

// compressed is the storage of elements that their source compresses, and of axes.
func (e *Encoding) compressed() tgm.Pipeline {
	p := e.plain()
	p.Filter, p.Compression, p.Level = "shuffle", "zstd", e.Level
	return p
}

// packed is the storage of a source's own integers.
func (e *Encoding) packed(bits int) tgm.Pipeline {
	p := e.plain()
	p.Encoding = EncodingSimplePacking
	if bits > 0 {
		p.Compression = "szip"
	}
	return p
}

// Reproducible fixes the parts that differ from one conversion to the next: the time of messages,
// and their UUIDs, which are made of their numbers. The same inputs then become the same bytes.
func (o *Options) Reproducible(at time.Time) {
	o.Provenance.Time = at.UTC()
	o.MessageUUID = func(message int) string {
		return uuid.NewSHA1(uuid.NameSpaceURL, fmt.Appendf(nil, "https://github.com/tgmconv/tgmconv/reproducible/%d", message)).String()
	}
}
