package show

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/safetext"
)

// Info is the content of a file, with its name and its format.
type Info struct {
	*catalog.Info
	File      string
	Format    importers.Format
	Tensogram bool // else it holds fields
}

// WriteInfo prints the content of a file. Only Tensogram files have hashes and a writer.
func WriteInfo(out io.Writer, info Info) {
	line := func(title, format string, args ...any) {
		fmt.Fprintf(out, "%-10s "+format+"\n", append([]any{title + ":"}, args...)...)
	}
	line("File", "%s", safetext.Line(info.File))
	if !info.Tensogram {
		line("Format", "%s", info.Format)
	}
	if info.Messages > 0 {
		line("Messages", "%d", info.Messages)
	}
	if info.Tensogram {
		line("Objects", "%d", info.Objects)
	} else {
		line("Fields", "%d", info.Objects)
	}
	line("Size", "%s (%d bytes)", Bytes(info.Size), info.Size)
	line("Decoded", "%s (%.2f times the file)", Bytes(int64(info.Decoded)), info.Ratio())
	if info.Tensogram {
		line("Version", "%d", catalog.WireVersion)
	}
	line("Dtypes", "%s", countText(info.DTypes))
	if len(info.Pipelines) > 0 {
		line("Encoding", "%s", countText(info.Pipelines))
	}
	if len(info.Encoders) > 0 {
		line("Encoder", "%s", strings.Join(slices.Sorted(maps.Keys(info.Encoders)), ", "))
	}
	switch {
	case info.FirstTime == "":
	case info.FirstTime == info.LastTime:
		line("Written", "%s", info.FirstTime)
	default:
		line("Written", "%s to %s", info.FirstTime, info.LastTime)
	}
	if info.Tensogram {
		line("Hashes", "%d of %d objects", info.Hashed, info.Objects)
	}
}

// countText lists the counted names, the most frequent first: "float64 (98), int32 (2)"; a single one without
// its number.
func countText(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	for i, name := range names {
		names[i] = fmt.Sprintf("%s (%d)", name, counts[name])
	}
	return strings.Join(names, ", ")
}

// InfoJSON is the content of a file.
func InfoJSON(info Info) map[string]any {
	object := map[string]any{
		"file": info.File, "format": string(info.Format), "objects": info.Objects, "size": info.Size,
		"decoded_size": info.Decoded, "ratio": info.Ratio(), "dtypes": countsJSON(info.DTypes), "encodings": countsJSON(info.Pipelines),
	}
	if info.Messages > 0 {
		object["messages"] = info.Messages
	}
	if info.Tensogram {
		object["version"], object["hashed_objects"], object["encoders"] = catalog.WireVersion, info.Hashed, countsJSON(info.Encoders)
	}
	if info.FirstTime != "" {
		object["first_time"], object["last_time"] = info.FirstTime, info.LastTime
	}
	return object
}

func countsJSON(counts map[string]int) map[string]any {
	object := make(map[string]any, len(counts))
	for name, n := range counts {
		object[name] = n
	}
	return object
}
